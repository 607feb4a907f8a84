from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest
from click.testing import CliRunner

from headrace.cli.main import cli
from headrace.services import registry
from headrace.services.guard import guard, own
from headrace.services.ports import free_port
from headrace.services.processes import identity_of
from headrace.services.s3 import S3Service
from headrace.services.secure_kafka import SecureKafkaService
from headrace.services.supervisor import Service


@pytest.fixture
def home(monkeypatch, open_folder):
    monkeypatch.setenv("HEADRACE_HOME", str(open_folder))
    monkeypatch.delenv("HEADRACE_POSTGRES_URL", raising=False)
    # What a command starts here must not survive a test run that is killed.
    make = registry._for_development

    def owned(kind: type[Service]) -> Service:
        service = make(kind)
        service.owned = True
        return service

    monkeypatch.setattr(registry, "_for_development", owned)
    yield open_folder
    CliRunner().invoke(cli, ["dev", "down"])


def run(*arguments: str):
    return CliRunner().invoke(cli, ["dev", *arguments])


def as_json(*arguments: str) -> list[dict]:
    result = run(*arguments, "--output", "json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)["services"]


def test_packages_are_required_before_jars_are_downloaded(home, monkeypatch):
    monkeypatch.setattr(S3Service, "packages", ("no_such_module",))
    monkeypatch.setattr("headrace.cli.dev.fetch_jars", lambda *_: pytest.fail("it downloads"))
    result = run("up", "kafka", "s3")
    assert result.exit_code == 3
    assert "missing: no_such_module" in result.stderr


def test_nothing_runs_in_a_fresh_home(home):
    assert [(row["name"], row["state"], row["address"]) for row in as_json("status")] == [
        ("kafka", "stopped", None),
        ("postgres", "stopped", None),
        ("s3", "stopped", None),
        ("registry", "stopped", None),
    ]


def test_status_as_text_is_a_table(home):
    lines = [line.split() for line in run("status").stdout.splitlines()]
    assert lines[0] == ["name", "state", "address", "pid", "started"]
    assert lines[1] == ["kafka", "stopped"]


def test_stopping_what_does_not_run_is_no_error(home):
    assert [row["state"] for row in as_json("down")] == ["stopped"] * 4


def test_down_lists_services_in_the_usual_order(home):
    assert [row["name"] for row in as_json("down", "s3", "kafka")] == ["kafka", "s3"]


@pytest.mark.parametrize("verb", ["up", "down"])
def test_a_misspelled_service_is_answered_with_the_nearest(home, verb):
    result = run(verb, "postgers")
    assert result.exit_code == 1
    assert "did you mean 'postgres'?" in result.stderr


def test_a_recorded_process_that_is_gone_is_stale(home):
    folder = home / "services" / "s3"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps({"pid": 2**22 + 1, "address": "127.0.0.1:1"}))
    row = as_json("status")[2]
    assert (row["state"], row["address"]) == ("stale", None)


def test_without_a_running_service_there_are_no_variables(home):
    result = run("env")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "no development service is running" in result.stderr
    assert "cure: headrace dev up kafka" in result.stderr
    assert "cure: headrace dev up s3" in run("env", "s3").stderr


@pytest.mark.services
def test_the_variables_of_what_runs_are_lines_for_a_shell(home, monkeypatch):
    monkeypatch.setenv("HEADRACE_POSTGRES_URL", "postgresql://me:it's@127.0.0.1:1/x")
    (started,) = as_json("up", "s3")
    result = run("env")
    assert result.exit_code == 0
    shell = subprocess.run(
        ["bash", "-euc", 'eval "$1"; echo "$S3_ENDPOINT $AWS_ACCESS_KEY_ID"', "-", result.stdout],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert shell.stdout == f"http://{started['address']} headrace\n"
    variables = json.loads(run("env", "--output", "json").stdout)["variables"]
    assert variables["S3_ENDPOINT"] == f"http://{started['address']}"
    assert list(variables) == [line[7:].partition("=")[0] for line in result.stdout.splitlines()]
    assert run("env", "s3", "kafka").exit_code == 3


@pytest.mark.services
def test_a_service_tells_why_it_is_not_at_its_usual_port(home, monkeypatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        monkeypatch.setattr(S3Service, "well_known_port", port)
        result = run("up", "s3")
        assert "s3 listens on 127.0.0.1:" in result.stderr
        assert f"port {port} is taken by" in result.stderr
        assert f"(pid {os.getpid()})" in result.stderr
    assert f"port {port} was taken when it started" in run("up", "s3").stderr
    run("down", "s3")
    monkeypatch.setattr(S3Service, "well_known_port", port := free_port())
    result = run("up", "s3")
    assert f"127.0.0.1:{port}" in result.stdout
    assert "s3 listens on" not in result.stderr


@pytest.mark.services
def test_services_of_this_machine_are_reached_without_the_proxy(home):
    variables = {"http_proxy": f"http://127.0.0.1:{free_port()}", "no_proxy": "", "NO_PROXY": "x.y"}
    up = [sys.executable, "-m", "headrace.cli.main", "dev", "up", "s3"]
    done = subprocess.run(
        up, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "running" in done.stdout
    guard().add(identity_of(as_json("status")[2]["pid"]), signal.SIGTERM, 20.0)
    run("down", "s3")


@pytest.mark.services
def test_up_status_down(home):
    (started,) = as_json("up", "s3")
    assert started["state"] == "running"
    assert started["address"].startswith("127.0.0.1:")
    assert as_json("status")[2] == started
    assert as_json("up", "s3") == [started]
    assert as_json("down", "s3")[0]["state"] == "stopped"
    assert not psutil.pid_exists(started["pid"])


@pytest.mark.services
def test_up_as_text_shows_progress_and_the_address(home):
    result = run("up", "postgres")
    assert result.exit_code == 0
    assert "[postgres 0/1] starting" in result.stderr
    assert "running" in result.stdout
    assert "127.0.0.1:" in result.stdout


def test_a_service_that_cannot_start_is_exit_code_three(home, monkeypatch):
    monkeypatch.setenv("HEADRACE_POSTGRES_URL", f"postgresql://me:secret@127.0.0.1:{free_port()}/x")
    result = run("up", "postgres", "--output", "json")
    assert result.exit_code == 3
    error = json.loads(result.stdout)["error"]
    assert error["condition"] == "SERVICE_NOT_STARTED"
    assert "secret" not in result.output


def test_a_damaged_record_is_named(home):
    folder = home / "services" / "kafka"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text("not json")
    result = run("status")
    assert result.exit_code == 3
    assert str(folder / "state.json") in result.stderr
    (folder / "state.json").unlink()


def test_status_takes_no_names(home):
    assert run("status", "kafka").exit_code == 2


def test_nothing_is_created_by_looking(home):
    as_json("status")
    as_json("down")
    assert list(home.iterdir()) == []


@pytest.mark.services
def test_a_secure_broker_says_how_to_come_in_and_shows_no_secret(home):
    result = run("up", "kafka", "--secure")
    assert result.exit_code == 0, result.output
    service = SecureKafkaService()
    assert f"export HEADRACE_CREDENTIALS={service.credentials}" in result.stderr
    assert f"export KRB5_CONFIG={service.kdc.configuration}" in result.stderr
    for way in service.ways:
        assert way.as_options() in result.stderr
    secrets = [*service.passwords.values(), service.tokens.secret("app")]
    assert [secret for secret in secrets if secret in result.output] == []
    names = ["kdc", "tokens", "kafka-secure"]
    assert [row["name"] for row in as_json("status") if row["state"] == "running"] == names
    assert {row["state"] for row in as_json("down")} == {"stopped"}


def test_a_set_that_is_present_is_not_downloaded_again(home, monkeypatch):
    assert run("fetch", "spark").exit_code == 0
    monkeypatch.setenv("HEADRACE_MAVEN_REPOSITORY", "http://127.0.0.1:1/nobody")
    result = run("fetch", "spark", "--output", "json")
    (row,) = json.loads(result.stdout)["sets"]
    assert (row["set"], row["downloaded"]) == ("spark", 0)
    assert row["files"] > 3


def test_a_download_without_network_names_artifact_repository_and_cure(home, monkeypatch):
    monkeypatch.setenv("HEADRACE_CACHE", str(home / "empty"))
    monkeypatch.setenv("HEADRACE_MAVEN_REPOSITORY", "http://127.0.0.1:1/nobody")
    monkeypatch.setattr("headrace.toolchain.download.PAUSES_SECONDS", ())
    result = run("fetch", "jdbc")
    assert result.exit_code == 3
    assert "[JARS_NOT_DOWNLOADED] org." in result.stderr
    assert "http://127.0.0.1:1/nobody/org/" in result.stderr
    assert "then run: headrace dev fetch jdbc" in result.stderr


@pytest.fixture
def slow_repository():
    """Sends a byte now and then, without an end: each answer is far from complete when the user loses patience."""
    asked, ended = threading.Event(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                while not ended.wait(0.05):
                    self.wfile.write(b"x")
                    asked.set()

        def log_message(self, *arguments: object) -> None:
            """Nobody reads the log of this server."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        ended.set()
        server.shutdown()
        thread.join()


def test_ctrl_c_ends_a_slow_download_at_once(home, slow_repository):
    address, asked = slow_repository
    variables = {"HEADRACE_CACHE": str(home / "empty"), "HEADRACE_MAVEN_REPOSITORY": address}
    fetching = subprocess.Popen(
        [sys.executable, "-m", "headrace.cli.main", "dev", "fetch", "jdbc"],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | variables,
    )
    own(fetching)
    assert asked.wait(60)
    fetching.send_signal(signal.SIGINT)
    _, told = fetching.communicate(timeout=60)
    assert fetching.returncode == 130
    assert "Traceback" not in told
    assert [file.name for file in (home / "empty/jars").rglob("*") if file.is_file()] == ["lock"]


def test_an_unknown_set_is_answered_with_the_nearest(home):
    result = run("fetch", "debezum")
    assert result.exit_code == 1
    assert "did you mean 'debezium'?" in result.stderr
