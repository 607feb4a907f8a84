from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from headrace.cli.connect import verbs
from headrace.cli.main import cli
from headrace.connect.rest.dispatch import Dispatcher
from headrace.connect.rest.forwarding import send_to
from headrace.connect.rest.server import Server
from headrace.connect.settings import Listener
from headrace.services.ports import free_port
from headrace.testing.connect_worker import SOURCE, memory_worker
from headrace.testing.topics import eventually


@pytest.fixture
def worker():
    made = memory_worker()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def run(worker):
    server = Server(Listener("http", "127.0.0.1", 0))
    server.start(Dispatcher(worker, send_to(None)))

    def invoke(*arguments: str, code: int = 0):
        result = CliRunner().invoke(cli, ["connect", *arguments, "--url", server.url])
        assert result.exit_code == code, result.output
        worker.runner.settled(30)
        return result

    yield invoke
    server.stop()


@pytest.fixture
def file(tmp_path):
    def write(name: str = "counter", **config: object) -> str:
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"connector.class": SOURCE, "topic": "numbers", **config}))
        return str(path)

    return write


def rows(result) -> list[list[str]]:
    return [line.split() for line in result.stdout.splitlines()]


def test_apply_creates_updates_and_leaves_alone(run, file):
    assert rows(run("apply", file()))[1] == ["counter", "created"]
    assert rows(run("apply", file()))[1] == ["counter", "unchanged"]
    assert rows(run("apply", file(count=7)))[1] == ["counter", "updated"]
    shown = json.loads(run("apply", file(count=7), "--output", "json").stdout)
    assert shown == {"connectors": [{"name": "counter", "result": "unchanged"}]}


def test_ls(run, file):
    run("apply", file(), file("other"))
    run("pause", "other")
    assert rows(run("ls")) == [
        ["name", "type", "state", "tasks", "class"],
        ["counter", "source", "RUNNING", "1/1", SOURCE],
        ["other", "source", "PAUSED", "0/1", SOURCE],
    ]


def test_status_names_the_cause(run, file, worker):
    run("apply", file(fail="task-0"))
    eventually(
        lambda: worker.herder.status("counter")["tasks"][0]["state"], lambda s: s == "FAILED"
    )
    assert "0/1, 1 failed" in run("ls").stdout
    lines = run("status", "counter").stdout.splitlines()
    assert lines[1].split()[:2] == ["connector", "RUNNING"]
    assert lines[2].split()[:2] == ["task", "0"]
    assert lines[-1].startswith("task 0: RuntimeError: cannot go on")
    whole = json.loads(run("status", "counter", "--output", "json").stdout)
    assert whole["tasks"][0]["trace"].startswith("RuntimeError: cannot go on")


@pytest.mark.parametrize(
    ("trace", "shown"),
    [
        (
            "[GONE] it is gone\n  at: here\n  cure: bring it\n",
            "[GONE] it is gone\n  at: here\n  cure: bring it",
        ),
        ("java.lang.Error: no\n\tat A.b(A.java:1)\n", "java.lang.Error: no"),
        ("ValueError: no\n\tat x (y.py:1)\nCaused by: KeyError", "ValueError: no"),
        (
            "E: Tolerance exceeded\n  at: x\nCaused by: D: no\n\tat z",
            "E: Tolerance exceeded\n  at: x\nCaused by: D: no",
        ),
    ],
)
def test_what_a_trace_says(trace, shown):
    assert verbs._cause(trace) == shown


def test_diff_shows_options_but_no_secrets(run, file):
    run("apply", file(count=1, password="hunter2"))
    equal = run("diff", file(count=1, password="hunter2"))
    assert equal.stdout.count("\n") == 1
    assert equal.stderr == "no difference\n"
    result = run("diff", file(count=2, password="${file:/x:y}"), code=1)
    assert ["counter", "count", "1", "2"] in rows(result)
    assert ["counter", "password", "[hidden]", "${file:/x:y}"] in rows(result)
    assert "hunter2" not in result.output


def test_diff_of_what_is_not_there_is_everything(run, file):
    facts = json.loads(run("diff", file(), "-o", "json", code=1).stdout)["differences"]
    assert {fact["option"] for fact in facts} == {"connector.class", "name", "topic"}
    assert {fact["running"] for fact in facts} == {None}


def test_validate_shows_faults_by_option(run, file):
    right = run("validate", file())
    assert right.stdout.splitlines() == ["name  option  error"]
    assert right.stderr == "no errors\n"
    result = run("validate", file(count=-1), code=1)
    assert rows(result)[1][:2] == ["counter", "count"]
    assert "Value must be at least 0" in result.stdout


def test_pause_resume_and_stop(run, file, worker):
    run("apply", file())
    for verb, state in (("pause", "PAUSED"), ("resume", "RUNNING"), ("stop", "STOPPED")):
        run(verb, "counter")
        assert worker.herder.status("counter")["connector"]["state"] == state


def test_restart_tells_how_many_parts(run, file):
    run("apply", file(**{"tasks.max": 2}))
    assert rows(run("restart", "counter"))[1] == ["counter", "1"]
    assert rows(run("restart", "counter", "--tasks"))[1] == ["counter", "3"]
    assert rows(run("restart", "counter", "--tasks", "--only-failed"))[1] == ["counter", "0"]


def test_offsets_are_shown_altered_and_reset(run, file, tmp_path, worker):
    run("apply", file(count=3))
    eventually(lambda: worker.state.offsets_of("counter"), bool)
    line = '{"part": "0"}  {"at": 3}'
    assert line in run("offsets", "counter").stdout
    refused = run("offsets", "counter", "--reset", code=1)
    assert "must be in the STOPPED state" in refused.stderr
    run("stop", "counter")
    changes = tmp_path / "offsets.json"
    changes.write_text(json.dumps({"offsets": [{"partition": {"part": "0"}, "offset": {"at": 9}}]}))
    assert '{"at": 9}' in run("offsets", "counter", "--alter", str(changes)).stdout
    reset = run("offsets", "counter", "--reset", "-o", "json")
    assert json.loads(reset.stdout) == {"offsets": []}


def test_rm(run, file, worker):
    run("apply", file())
    assert rows(run("rm", "counter"))[1] == ["counter", "deleted"]
    assert worker.state.names() == []
    missing = run("rm", "counter", code=1)
    assert "[CONNECT_REFUSED] Connector counter not found" in missing.stderr


def test_a_silent_worker_is_exit_code_three():
    url = f"http://127.0.0.1:{free_port()}"
    result = CliRunner().invoke(cli, ["connect", "ls", "--url", url])
    assert result.exit_code == 3
    assert "[CONNECT_UNREACHABLE]" in result.stderr
