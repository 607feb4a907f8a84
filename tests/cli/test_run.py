from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import uuid

import pytest
from click.testing import CliRunner

from headrace.cli.run import command
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.script import Outcome
from headrace.services.guard import own

TABLE = "CREATE TABLE gen (id BIGINT) WITH ('connector' = 'datagen');\n"
# Starting Spark takes seconds on an idle machine and much longer beside other work.
PATIENCE = 240.0


def run(*arguments: str, typed: str | None = None):
    return CliRunner().invoke(command, list(arguments), input=typed)


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "s.sql"
    file.write_text(TABLE + "SHOW TABLES;")
    return str(file)


def test_definitions_are_quiet_and_answers_are_not(script):
    result = run(script)
    assert result.exit_code == 0
    assert "OK" not in result.stdout
    assert "| gen" in result.stdout
    assert result.stderr == ""


def test_initial_scripts_run_first(script, tmp_path):
    more = tmp_path / "more.sql"
    more.write_text("DESCRIBE gen;")
    result = run(str(more), "-i", script)
    assert result.exit_code == 0
    assert "BIGINT" in result.stdout


def test_a_script_may_come_from_standard_input():
    result = run("-", typed="DESCRIBE gone;")
    assert result.exit_code == 1
    assert "<stdin>:1:10" in result.stderr


def test_settings_that_do_not_exist_are_refused(script):
    result = run(script, "-D", "paralelism.default=1")
    assert result.exit_code == 1
    assert "did you mean 'parallelism.default'?" in result.stderr


def test_a_setting_without_a_value_is_a_usage_error(script):
    assert run(script, "-D", "parallelism.default").exit_code == 2


def test_the_stack_trace_is_for_the_verbose():
    assert "Traceback" not in run("-", typed="DESCRIBE gone;").stderr
    assert "Traceback" in run("-", "--verbose", typed="DESCRIBE gone;").stderr


def test_events_are_one_per_line(script):
    lines = run(script, "-o", "json").stdout.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["statement", "statement", "end"]


class Running:
    """The command in a process of its own; its events arrive one at a time."""

    def __init__(self, *arguments: str, home: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "headrace.cli.main", "run", *arguments, "--output", "json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"HEADRACE_HOME": home},
        )
        own(self.process)
        self.seen: list[dict[str, object]] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def until(self, event: str) -> dict[str, object]:
        while True:
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, f"ended without {event}: {self.seen} {self.errors()}"
            found = json.loads(line)
            self.seen.append(found)
            if found["event"] == event:
                return found

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


@pytest.mark.spark
@pytest.mark.services
@pytest.mark.slow
def test_a_record_sent_after_job_started_is_read_and_sigterm_ends_cleanly(kafka_broker, tmp_path):
    from confluent_kafka import Producer
    from confluent_kafka.admin import AdminClient
    from confluent_kafka.cimpl import NewTopic

    servers = kafka_broker.bootstrap_servers
    topic = f"latest-{uuid.uuid4().hex[:8]}"
    admin = AdminClient({"bootstrap.servers": servers})
    admin.create_topics([NewTopic(topic, 2, 1)])[topic].result(30)
    script = tmp_path / "latest.sql"
    script.write_text(
        f"""CREATE TABLE words (word STRING) WITH ('connector' = 'kafka', 'topic' = '{topic}',
            'properties.bootstrap.servers' = '{servers}', 'scan.startup.mode' = 'latest-offset',
            'format' = 'json');
        SELECT word FROM words;"""
    )
    producer = Producer({"bootstrap.servers": servers})
    producer.produce(topic, b'{"word": "before"}')
    producer.flush(30)
    with Running(str(script), home=str(tmp_path / "home")) as running:
        assert running.until("job_started")["bounded"] is False
        producer.produce(topic, b'{"word": "after"}')
        producer.flush(30)
        row = running.until("row")
        assert (row["op"], row["values"]) == ("+I", {"word": "after"})
        assert running.stop() == 0
        assert running.until("job_ended")["state"] == "CANCELED"
        assert running.until("end")["outcome"] == "stopped"
        assert running.errors() == ""


@pytest.mark.spark
@pytest.mark.slow
def test_bounded_jobs_end_the_command(tmp_path):
    script = tmp_path / "bounded.sql"
    script.write_text(
        """CREATE TABLE gen (id BIGINT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence',
            'fields.id.start' = '1', 'fields.id.end' = '10');
        CREATE TABLE shown (k BIGINT, n BIGINT) WITH ('connector' = 'print');
        INSERT INTO shown SELECT MOD(id, 2), COUNT(*) FROM gen GROUP BY MOD(id, 2);
        SELECT SUM(id) AS total FROM gen;
        SELECT 1 / (id - id) FROM gen;"""
    )
    with Running(str(script), home=str(tmp_path / "home")) as running:
        first = running.until("job_started")
        assert str(first["name"]).startswith("insert-into_")
        ended = running.until("job_ended")
        assert (ended["job"], ended["state"], ended["rows"]) == (first["job"], "FINISHED", 10)
        assert running.until("row")["values"] == {"total": 55}
        assert running.until("error")["condition"] == "DIVISION_BY_ZERO"
        assert running.process.wait(PATIENCE) == 1
        assert running.errors() == ""


@pytest.fixture
def outcome(monkeypatch):
    """Puts a made-up end in the place of the real run, and keeps the environment it was given."""
    seen: dict[str, TableEnvironment] = {}

    def make(result: Outcome) -> dict[str, TableEnvironment]:
        def end(environment, statements, observer, interrupts):
            seen["environment"] = environment
            return result

        monkeypatch.setattr("headrace.runtime.script.run_script", end)
        return seen

    return make


@pytest.mark.parametrize(
    ("result", "code"), [(Outcome.FINISHED, 0), (Outcome.STOPPED, 0), (Outcome.INTERRUPTED, 130)]
)
def test_how_it_ended_is_the_exit_code(result, code, outcome, script):
    outcome(result)
    assert run(script).exit_code == code


def test_a_fresh_start_reaches_the_environment(outcome, script):
    seen = outcome(Outcome.FINISHED)
    run(script, "--fresh")
    assert seen["environment"]._fresh is True
    run(script)
    assert seen["environment"]._fresh is False


def test_settings_reach_the_environment(outcome, script):
    seen = outcome(Outcome.FINISHED)
    run(script, "-D", "parallelism.default=4", "-D", "pipeline.name=mine")
    config = seen["environment"].config
    assert (config.get("parallelism.default"), config.get("pipeline.name")) == (4, "mine")
