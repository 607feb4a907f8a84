from __future__ import annotations

import os
import signal
import sys
import textwrap

import psutil
import pytest

from headrace.connect.answers import REBALANCE, Refusal
from headrace.connect.java.process import JavaProcess, token_endpoints
from headrace.connect.rest.messages import Request
from headrace.connect.settings import load
from headrace.errors import EnvironmentFault
from headrace.testing.topics import eventually
from headrace.toolchain.coordinates import SETS

# Stands for the Java worker: answers with its pid and the login it saw, and ends with its standard input.
STAND_IN = textwrap.dedent("""
    import http.server, json, os, sys, threading
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen = {"pid": os.getpid(), "login": self.headers.get("Authorization")}
            body = json.dumps(seen).encode()
            self.send_response(401 if self.path.startswith("/foreign") else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *arguments):
            pass
    server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("listening", flush=True)
    sys.stdin.buffer.read()
""")


class StandIn(JavaProcess):
    def _command(self, private, port):
        self.private = private
        self._new_login(private)
        return [sys.executable, "-c", STAND_IN, str(port)]


@pytest.fixture
def make_process(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    monkeypatch.setattr("headrace.connect.java.process._PAUSE_SECONDS", 0.0)
    made = []

    def make(kind=StandIn):
        process = kind(load(None, {"bootstrap.servers": "localhost:9092", "group.id": "g"}))
        made.append(process)
        return process

    yield make
    for process in made:
        process.stop()


def test_it_answers_once_it_runs(make_process):
    process = make_process()
    assert not process.runs()
    process.begin(lambda ask: None)
    seen = process.ask(Request("GET", "/", headers={"authorization": "Basic caller"})).body
    assert process.runs()
    assert seen["login"] == process.login != "Basic caller"


def test_it_is_started_once(make_process):
    process = make_process()
    for _ in range(3):
        process.begin(lambda ask: None)
    pids = {process.ask(Request("GET", "/")).body["pid"] for _ in range(3)}
    assert len(pids) == 1


def test_who_began_it_is_asked_before_others(make_process):
    process = make_process()
    seen = []
    process.begin(lambda ask: seen.append((process.runs(), ask(Request("GET", "/")).status)))
    process.ask(Request("GET", "/"))
    assert seen == [(False, 200)]


def test_it_ends_when_told(make_process):
    process = make_process()
    process.begin(lambda ask: None)
    pid = process.ask(Request("GET", "/")).body["pid"]
    process.stop()
    assert not psutil.pid_exists(pid)
    assert not process.runs()


def test_it_can_begin_again(make_process):
    process = make_process()
    process.begin(lambda ask: None)
    first = process.ask(Request("GET", "/")).body["pid"]
    process.stop()
    process.begin(lambda ask: None)
    assert process.ask(Request("GET", "/")).body["pid"] != first


def test_a_folder_that_cannot_be_written_to_is_reported_until_it_can(make_process):
    process = make_process()
    process.folder.parent.mkdir(parents=True)
    process.folder.write_text("a file in the place of the folder")
    process.begin(lambda ask: None)
    with pytest.raises(EnvironmentFault) as caught:
        process.ask(Request("GET", "/"))
    assert str(process.folder) in str(caught.value.where)
    process.folder.unlink()
    eventually(process.runs, bool)


def test_one_that_dies_is_started_again(make_process):
    process = make_process()
    ready = []
    process.begin(lambda ask: ready.append(ask(Request("GET", "/")).body["pid"]))
    first = process.ask(Request("GET", "/")).body["pid"]
    os.kill(first, signal.SIGKILL)
    eventually(lambda: list(ready), lambda pids: len(pids) == 2, 30)
    assert process.ask(Request("GET", "/")).body["pid"] == ready[1] != first


def test_files_with_secrets_are_gone_when_it_runs(make_process):
    process = make_process()
    process.begin(lambda ask: None)
    process.ask(Request("GET", "/"))
    eventually(process.private.exists, lambda there: not there, 30)


def test_its_log_is_for_its_owner(make_process):
    process = make_process()
    process.begin(lambda ask: None)
    process.ask(Request("GET", "/"))
    assert process.log.stat().st_mode & 0o077 == 0
    assert process.log.read_text() == "listening\n"


def test_the_login_of_another_one_means_a_rebalance(make_process):
    process = make_process()
    process.begin(lambda ask: None)
    with pytest.raises(Refusal) as refused:
        process.ask(Request("GET", "/foreign"))
    assert (refused.value.status, refused.value.message) == (409, REBALANCE)


def test_what_keeps_it_from_starting_is_told(make_process):
    class Broken(JavaProcess):
        def _command(self, private, port):
            raise EnvironmentFault("no usable Java", condition="JAVA_NOT_USABLE")

    process = make_process(Broken)
    process.begin(lambda ask: None)
    with pytest.raises(EnvironmentFault, match="no usable Java"):
        process.ask(Request("GET", "/"))


def test_one_that_ends_at_once_is_told_with_its_last_words(make_process, monkeypatch):
    # The failure is visible until the next attempt begins.
    monkeypatch.setattr("headrace.connect.java.process._PAUSE_SECONDS", 5.0)

    class Ending(JavaProcess):
        def _command(self, private, port):
            return [sys.executable, "-c", "print('ERROR no broker there'); print('bye')"]

    process = make_process(Ending)
    process.begin(lambda ask: None)
    with pytest.raises(EnvironmentFault) as failed:
        process.ask(Request("GET", "/"))
    assert failed.value.condition == "SERVICE_NOT_STARTED"
    assert failed.value.found == "ERROR no broker there"
    assert failed.value.where == str(process.log)


def test_one_that_recovers_answers(make_process):
    class Recovering(StandIn):
        tries = 0

        def _command(self, private, port):
            self.tries += 1
            if self.tries == 1:
                raise EnvironmentFault("not yet", condition="JAVA_NOT_USABLE")
            return super()._command(private, port)

    process = make_process(Recovering)
    process.begin(lambda ask: None)
    eventually(process.runs, bool, 30)
    assert process.ask(Request("GET", "/")).status == 200


def test_a_stopped_one_answers_nothing(make_process):
    process = make_process()
    process.stop()
    with pytest.raises(Refusal) as refused:
        process.ask(Request("GET", "/"))
    assert refused.value.status == 500
    assert str(process.log) in refused.value.message


def test_the_command_names_the_worker_and_keeps_secrets_in_files(
    make_process, tmp_path, monkeypatch
):
    jars = {name: tmp_path / "set" / f"{name}.jar" for name in SETS}
    monkeypatch.setattr(
        "headrace.connect.java.process.installed", lambda *names: [jars[name] for name in names]
    )
    monkeypatch.setattr("headrace.connect.java.process.missing", lambda *wanted: [])
    monkeypatch.setattr("headrace.connect.java.process.operator_jar", lambda: tmp_path / "op.jar")
    monkeypatch.setenv("KAFKA_HEAP_OPTS", "-Xms1m -Xmx9m")
    process = make_process(JavaProcess)
    process.folder.mkdir(parents=True)
    command = process._command(tmp_path, 4711)
    assert command[1:3] == ["-Xms1m", "-Xmx9m"]
    assert command[-3:-1] == [
        "headrace.connect.OwnedProcess",
        "org.apache.kafka.connect.cli.ConnectDistributed",
    ]
    password = (tmp_path / "users").read_text().strip().partition("=")[2]
    assert len(password) > 30
    assert not any(password in part for part in command)
    for name in ("users", "jaas.conf", "worker.properties"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
    (plugins,) = process.folder.glob("plugins-*")
    assert (plugins / "debezium" / "debezium.jar").readlink() == jars["debezium"]
    class_path = command[command.index("-cp") + 1].split(os.pathsep)
    assert class_path == [str(jars["connect"]), str(tmp_path / "op.jar"), str(jars["msk-iam"])]
    assert process.loaded == ["debezium", "avro-converter", "msk-iam"]
    assert process._plugin_path() == [plugins]
    assert f"-Dheadrace.log={process.log}" in command
    logging = (tmp_path / "log4j2.properties").read_text()
    assert "fileName = ${sys:headrace.log}\n" in logging
    assert "SizeBasedTriggeringPolicy" in logging
    assert "%d{ISO8601}" in logging


def test_endpoints_of_all_clients_may_be_asked_for_tokens():
    name = "sasl.oauthbearer.token.endpoint.url"
    given = {name: "https://b/", f"producer.{name}": "https://a/", f"consumer.{name}": "https://b/"}
    assert token_endpoints(given | {"group.id": "https://c/"}) == ["https://a/", "https://b/"]
    assert token_endpoints({}) == []


def test_a_request_without_the_jars_is_rejected_at_once_and_works_after_the_download(
    make_process, tmp_path, monkeypatch
):
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "empty"))
    process = make_process(JavaProcess)
    process.begin(lambda ask: None)
    with pytest.raises(EnvironmentFault) as caught:
        process.ask(Request("PUT", "/connectors/a/config"))
    assert caught.value.condition == "JARS_NOT_INSTALLED"
    assert caught.value.cure == "run: headrace dev fetch connect"
    with pytest.raises(EnvironmentFault) as caught:
        process.require_jars(["debezium"])
    assert caught.value.cure == "run: headrace dev fetch connect debezium"
    assert not (tmp_path / "empty").exists()
    # The next attempt, which needs no restart of the worker, finds what was downloaded meanwhile.
    monkeypatch.setattr(JavaProcess, "_command", StandIn._command)
    eventually(process.runs, lambda runs: runs)
    assert process.ask(Request("GET", "/")).status == 200


def test_a_request_after_the_download_does_not_wait_for_the_next_attempt(
    make_process, tmp_path, monkeypatch
):
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "empty"))
    process = make_process(JavaProcess)
    monkeypatch.setattr("headrace.connect.java.process._PAUSE_SECONDS", 3600.0)
    process.begin(lambda ask: None)
    eventually(lambda: process.failure, bool)
    monkeypatch.setattr("headrace.connect.java.process.installed", lambda *names: [])
    monkeypatch.setattr(JavaProcess, "_command", StandIn._command)
    process.require_jars([])
    assert process.ask(Request("GET", "/")).status == 200


def test_a_plugin_that_was_downloaded_later_needs_a_restart(make_process, monkeypatch):
    monkeypatch.setattr("headrace.connect.java.process.installed", lambda *names: [])
    process = make_process()
    process.begin(lambda ask: None)
    process.ask(Request("GET", "/"))
    with pytest.raises(EnvironmentFault, match="without the jars of debezium"):
        process.require_jars(["debezium"])
    process.loaded = ["debezium"]
    process.require_jars(["debezium"])


def test_plugins_that_are_not_installed_are_left_out(make_process, tmp_path, monkeypatch):
    """FileStream and the user's own connectors run without them."""
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "empty"))
    process = make_process(JavaProcess)
    process.folder.mkdir(parents=True)
    (plugins,) = process._plugin_path()
    assert list(plugins.iterdir()) == []
