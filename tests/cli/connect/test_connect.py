"""`headrace connect` itself, before and around the verbs."""

from __future__ import annotations

import base64
import http.client
import os
import socket
import threading
import uuid

import pytest
from click.testing import CliRunner

from headrace.cli import connect
from headrace.cli.connect import answer_on, listen, serve
from headrace.cli.main import cli
from headrace.cli.output import TextOutput
from headrace.connect.client import Client
from headrace.connect.settings import BASIC_AUTH, load
from headrace.connect.topics import Store
from headrace.services.ports import free_port
from headrace.testing.connect_worker import memory_worker
from headrace.testing.topics import eventually


def run(*arguments: str):
    return CliRunner().invoke(cli, ["connect", *arguments])


def test_a_worker_needs_brokers():
    result = run()
    assert result.exit_code == 1
    assert "cure: headrace connect --bootstrap-servers" in result.stderr


def test_a_setting_that_is_wrong_is_named():
    result = run("--bootstrap-servers", "x:1", "-D", "offset.storage.partitions=0")
    assert result.exit_code == 1
    assert "offset.storage.partitions" in result.stderr


@pytest.mark.parametrize(("option", "text"), [("--port", "1234"), ("--output", "json")])
def test_an_option_of_the_worker_before_a_command_is_an_error(option, text):
    """It would be read and have no effect."""
    result = run(option, text, "ls")
    assert result.exit_code == 2
    assert f"{option} before 'ls'" in result.stderr
    assert "headrace connect ls --url" in result.stderr


def test_a_taken_port_is_told_before_a_broker_is_asked():
    server = listen(load(None, {"bootstrap.servers": "x:1", "listeners": "http://127.0.0.1:0"}))[0]
    try:
        result = run("--bootstrap-servers", "x:1", "--port", str(server.port))
    finally:
        server.stop()
    assert result.exit_code == 3
    assert "[PORT_TAKEN]" in result.stderr
    assert f"(pid {os.getpid()})" in result.stderr
    assert "headrace connect --port" in result.stderr


def test_options_become_settings(monkeypatch, tmp_path):
    seen = []
    monkeypatch.setattr(
        "headrace.cli.connect.serve", lambda output, settings: seen.append(settings)
    )
    file = tmp_path / "worker.properties"
    file.write_text("bootstrap.servers=file:1\ngroup.id=from-file\n")
    result = run(
        "--config", str(file), "--port", "1234", "--host", "0.0.0.0", "-D", "status.storage.topic=s"
    )
    assert result.exit_code == 0, result.output
    (settings,) = seen
    assert settings.values["listeners"] == ["http://0.0.0.0:1234"]
    assert settings.values["group.id"] == "from-file"
    assert settings.topics[Store.STATUS].name == "s"


def test_every_listener_answers_and_asks_for_the_login(tmp_path):
    users, jaas = tmp_path / "users", tmp_path / "jaas"
    users.write_text("anna=pw")
    jaas.write_text(f'KafkaConnect {{ x.PropertyFileLoginModule required file="{users}"; }};')
    settings = load(
        None,
        {
            "bootstrap.servers": "x:1",
            "listeners": "http://127.0.0.1:0,http://127.0.0.1:0",
            "rest.extension.classes": BASIC_AUTH,
            "java.security.auth.login.config": str(jaas),
        },
    )
    servers = listen(settings)
    answer_on(servers, memory_worker(), settings)
    try:
        for server in servers:
            assert Client(server.url, "anna:pw").get("/connectors") == []
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            wrong = base64.b64encode(b"anna:x").decode()
            connection.request("GET", "/", headers={"Authorization": f"Basic {wrong}"})
            assert connection.getresponse().status == 401
            connection.close()
    finally:
        for server in servers:
            server.stop()


def statuses(server, *paths: str) -> list[int]:
    found = []
    for path in paths:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", path)
        found.append(connection.getresponse().status)
        connection.close()
    return found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, [[200, 200, 404]]),
        ({"admin.listeners": ""}, [[200, 404, 404]]),
        ({"admin.listeners": "http://127.0.0.1:0"}, [[200, 404, 404], [404, 200, 404]]),
    ],
)
def test_admin_has_an_address_of_its_own(given, expected):
    settings = load(None, {"bootstrap.servers": "x:1", "listeners": "http://127.0.0.1:0", **given})
    servers = listen(settings)
    worker = memory_worker(
        **({"admin_listeners": ""} if given.get("admin.listeners") == "" else {})
    )
    answer_on(servers, worker, settings)
    try:
        paths = ("/connectors", "/admin/loggers/root", "/nowhere")
        assert [statuses(server, *paths) for server in servers] == expected
    finally:
        for server in servers:
            server.stop()


@pytest.mark.services
def test_a_worker_on_a_broker_until_it_is_told_to_end(kafka_broker, capfd):
    prefix, port, ended = f"cli-{uuid.uuid4().hex[:8]}", free_port(), threading.Event()
    settings = load(
        None,
        {
            "bootstrap.servers": kafka_broker.bootstrap_servers,
            "listeners": f"http://127.0.0.1:{port}",
            "group.id": prefix,
            "offset.storage.partitions": "1",
            "status.storage.partitions": "1",
            **{f"{store}.storage.topic": f"{prefix}-{store}" for store in Store},
        },
    )
    thread = threading.Thread(target=serve, args=(TextOutput(), settings, ended))
    thread.start()
    try:
        client = Client(f"http://127.0.0.1:{port}")

        def healthy():
            try:
                return client.get("/health")["status"]
            except Exception:
                return None

        eventually(healthy, lambda status: status == "healthy")
        assert client.get("/connectors") == []
    finally:
        ended.set()
        thread.join(60)
    assert not thread.is_alive()
    assert f"Connect API on http://127.0.0.1:{port}" in capfd.readouterr().out


def test_a_worker_without_a_configuration_takes_another_port_and_says_so(monkeypatch, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(connect, "REST_PORT", port)
        chosen = connect.development_port(TextOutput())
    assert chosen != port
    note = capsys.readouterr().err
    assert f"port {port} is in use by" in note
    assert f"export HEADRACE_CONNECT_URL=http://127.0.0.1:{chosen}" in note
    assert connect.development_port(TextOutput()) == port
    assert capsys.readouterr().err == ""
