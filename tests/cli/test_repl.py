from __future__ import annotations

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from headrace.cli import repl
from headrace.cli.observers import TextObserver
from headrace.cli.repl import (
    Session,
    can_be_run,
    command_of,
    continuation,
    help_text,
    open_prompt,
    prompt_session,
    run_session,
)
from headrace.errors import DataError
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.interrupts import Interrupts
from headrace.runtime.jobs import JobState
from headrace.runtime.results import TableResult
from headrace.sql.dialect import parse_script

TABLES = """CREATE TABLE gen (id BIGINT, name STRING) WITH ('connector' = 'datagen');
CREATE TABLE sink (id BIGINT) WITH ('connector' = 'blackhole');"""
INSERT = "INSERT INTO sink SELECT id FROM gen;"


class Environment(TableEnvironment):
    """Results that would need Spark come from a list."""

    def __init__(self, *results: TableResult) -> None:
        super().__init__()
        self.results = list(results)

    def execute(self, statement):
        return self.define(statement) or self.results.pop(0)


class Requests(Interrupts):
    asked = False

    def requested(self) -> bool:
        return self.asked


def session(*results: TableResult, interrupts: Interrupts | None = None) -> Session:
    observer = TextObserver(quiet_definitions=False)
    made = Session(Environment(*results), observer, interrupts or Requests())
    made.handle(TABLES)
    return made


@pytest.fixture(autouse=True)
def _quick(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("text", ["quit", "QUIT;", " Exit ; "])
def test_quitting_in_any_spelling(text):
    assert not session().handle(text)


def test_help_lists_statements_and_commands(capsys):
    assert session().handle("help")
    out = capsys.readouterr().out
    assert out.endswith(help_text() + "\n")
    assert all(word in out for word in ("SHOW TABLES", "EXPLAIN", "CLEAR", "QUIT"))


def test_clear_empties_the_screen(capsys):
    session().handle("CLEAR;")
    assert capsys.readouterr().out.endswith("\033[2J\033[H\n")


def test_every_statement_is_answered_and_timed(capsys):
    current = session()
    capsys.readouterr()
    current.handle("SHOW TABLES; DESCRIBE sink;")
    out = capsys.readouterr().out
    assert out.count("took 0.") == 2
    assert "| sink" in out


def test_an_error_ends_the_statement_and_not_the_session(capsys):
    current = session()
    assert current.handle("DESCRIBE nowhere; SHOW TABLES;")
    printed = capsys.readouterr()
    assert "[UNKNOWN_TABLE]" in printed.err
    assert "table name" not in printed.out.split("took")[-1]


def test_a_defect_is_shown_and_survived(capsys):
    current = session()
    assert current.handle("SELECT 1;"), "the environment has no result to give"
    assert "[INTERNAL_ERROR] unexpected IndexError" in capsys.readouterr().err


def test_insert_returns_while_its_job_runs(make_job, capsys):
    job = make_job("copy", bounded=False)
    job.poll = lambda: JobState.RUNNING
    job.query = None
    current = session(TableResult(jobs=[job]))
    current.handle(INSERT)
    assert job.state is JobState.RUNNING
    current.close()
    assert job.state is JobState.CANCELED


def test_a_query_holds_the_prompt_until_it_is_cancelled(make_job, make_query, capsys):
    stop = Requests()
    job = make_job("q", bounded=False)
    job.query = None

    def poll() -> JobState:
        stop.asked = True
        return JobState.RUNNING

    job.poll = poll
    current = session(make_query((1, "a", 1), job=job, live=True), interrupts=stop)
    assert current.handle("SELECT id FROM gen;")
    out = capsys.readouterr().out
    assert "| +I |" in out
    assert "cancelled after" in out
    assert job.state is JobState.CANCELED


def test_a_failed_background_job_is_shown_and_leaves_the_others_alone(make_job, capsys):
    def fail() -> JobState:
        raise DataError("a record cannot be read")

    steady, broken = make_job("steady", bounded=False), make_job("broken", bounded=False)
    steady.query = broken.query = None
    steady.poll = broken.poll = lambda: JobState.RUNNING
    current = session(TableResult(jobs=[steady]), TableResult(jobs=[broken]))
    current.handle(INSERT * 2)
    broken.poll = fail
    current.idle()
    current.idle()
    assert capsys.readouterr().err.count("a record cannot be read") == 1
    assert steady.state is JobState.RUNNING


def test_an_interrupt_outside_of_a_query_ends_the_statement(monkeypatch, capsys):
    current = session()
    monkeypatch.setattr(
        current.runner.environment, "define", lambda _: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    assert current.handle("SHOW TABLES;")
    assert capsys.readouterr().out.endswith("cancelled\n\n")


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("", True),
        ("SELECT 1;", True),
        ("SELECT 1", False),
        ("SELECT ';", False),
        ("quit", True),
        ("help", True),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1;", False),
    ],
)
def test_enter_runs_what_is_finished(text, runs):
    assert can_be_run(text) is runs


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("SELECT 'a", "   quote> "),
        ("CREATE TABLE t (", " bracket> "),
        ("SELECT /* why", " comment> "),
        ("SELECT 1", "statement> "),
        ("EXECUTE STATEMENT SET BEGIN", "statement set> "),
    ],
)
def test_the_prompt_says_what_is_open(text, prompt):
    assert open_prompt(text) == prompt


def test_each_line_shows_what_was_open_before_it():
    text = "SELECT (\n'a\nb'"
    assert continuation(text, 10, 1, 0) == " bracket> "
    assert continuation(text, 10, 2, 0) == "   quote> "


def test_the_rest_of_a_long_line_is_only_indented():
    assert continuation("SELECT 'a\nb'", 10, 1, 1) == " " * 10


def test_statements_are_no_commands():
    assert command_of("SELECT 1;") == ""
    assert command_of("QUIT now") == ""


def typed(text: str, environment: TableEnvironment) -> str:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text(text)
        return prompt_session(environment).prompt(repl.PROMPT)


def test_lines_are_gathered_until_the_semicolon():
    assert typed("SELECT\r1\r;\r", TableEnvironment()) == "SELECT\n1\n;"


def test_history_is_kept_for_the_next_session(tmp_path):
    typed("SELECT 42;\r", TableEnvironment())
    assert "SELECT 42;" in (tmp_path / "home" / "history").read_text()


def test_a_whole_session(capsys):
    environment = TableEnvironment()
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("SHOW TABLES;\rQUIT\r")
        run_session(
            environment, TextObserver(quiet_definitions=False), Requests(), parse_script(TABLES)
        )
    out = capsys.readouterr().out
    assert "| gen" in out
    assert "took" in out


@pytest.mark.parametrize("keys", ["\x03QUIT\r", "\x04"])
def test_control_c_drops_the_line_and_control_d_ends(keys, capsys):
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(keys)
        run_session(TableEnvironment(), TextObserver(quiet_definitions=False), Requests(), [])
    assert "QUIT; ends" in capsys.readouterr().out


def test_a_terminated_session_asks_for_no_more(capsys):
    stop = Requests()
    stop.terminated = True
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text("SHOW TABLES;\rSHOW VIEWS;\r")
        run_session(TableEnvironment(), TextObserver(quiet_definitions=False), stop, [])
    assert capsys.readouterr().out.count("took") == 1


def test_dml_sync_waits_for_the_job(make_job, capsys):
    states = [JobState.RUNNING, JobState.RUNNING, JobState.FINISHED]
    job = make_job("copy", bounded=False)
    job.query = None

    def poll() -> JobState:
        job.now = states.pop(0)
        return job.now

    job.poll = poll
    current = session(TableResult(jobs=[job]))
    current.handle("SET 'table.dml-sync' = 'true';" + INSERT)
    assert states == []
    assert job.state is JobState.FINISHED


def test_final_rows_of_a_bounded_query(make_job, make_query, capsys):
    job = make_job("q", state=JobState.FINISHED)
    job.poll = lambda: JobState.FINISHED
    current = session(make_query((1, "a", 1), (2, None, 1), job=job))
    capsys.readouterr()
    current.handle("SELECT id FROM gen;")
    out = capsys.readouterr().out
    assert "| +I |  1 | a      |" in out
    assert "<NULL>" in out
    assert "2 rows in set\ntook " in out


def test_the_end_of_a_background_job_is_told_between_statements(make_job, capsys):
    job = make_job("copy", bounded=True)
    job.poll = lambda: job.now
    current = session()
    current.runner.attend(TableResult(jobs=[job]))
    current.runner._started.add(id(job))
    current.idle()
    assert capsys.readouterr().err == ""
    job.now = JobState.FINISHED
    current.idle()
    current.idle()
    assert capsys.readouterr().err.count("copy: finished") == 1


def test_jobs_are_looked_after_while_the_prompt_waits(make_job, monkeypatch, capsys):
    monkeypatch.setattr(repl, "IDLE_SECONDS", 0.01)
    job = make_job("copy", bounded=False)
    job.query = None
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):

        def poll() -> JobState:
            job.looks += 1
            if job.looks == 5:  # nothing is typed before, so somebody must be looking
                keys.send_text("QUIT\r")
            return JobState.RUNNING

        job.looks = 0
        job.poll = poll
        environment = Environment(TableResult(jobs=[job]))
        environment.execute_sql(TABLES.split(";")[0])
        environment.execute_sql(TABLES.split(";")[1])
        run_session(
            environment, TextObserver(quiet_definitions=False), Requests(), parse_script(INSERT)
        )
    assert job.looks >= 5
    assert job.state is JobState.CANCELED
