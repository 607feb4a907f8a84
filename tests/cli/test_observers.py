from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal

import pytest

from headrace.cli.observers import JsonObserver, TextObserver, ending, json_value, kind_of
from headrace.errors import UnknownName
from headrace.runtime.jobs import JobState, Progress
from headrace.runtime.results import TableResult
from headrace.runtime.script import Outcome
from headrace.sql.dialect import parse_statement
from headrace.toolchain.progress import ProgressEvent

SOME = Progress(batch=3, rows=40, rows_per_second=10.0, behind=0, batch_millis=5)
OK = TableResult(message="OK")
INSERT = TableResult()


@pytest.fixture
def text():
    return TextObserver(quiet_definitions=False)


@pytest.fixture
def observed():
    """A JSON observer, and the events it wrote."""
    events: list[dict[str, object]] = []
    return JsonObserver(lambda line: events.append(json.loads(line))), events


def test_definitions_answer_ok_unless_that_is_noise(text, capsys):
    create = parse_statement("USE default_database")
    text.statement_done(create, OK)
    assert capsys.readouterr().out == "OK\n"
    TextObserver(quiet_definitions=True).statement_done(create, OK)
    assert capsys.readouterr().out == ""


def test_what_was_asked_for_is_shown_however_quiet(capsys):
    names = TableResult(columns=("table name",), rows=[("a",)])
    quiet = TextObserver(quiet_definitions=True)
    quiet.statement_done(parse_statement("SHOW TABLES"), names)
    assert "| a" in capsys.readouterr().out


def test_jobs_are_told_beside_the_results(text, make_job, capsys):
    job = make_job("copy", progress=SOME)
    text.job_started(job, INSERT)
    job.now = JobState.FINISHED
    text.job_ended(job, INSERT)
    printed = capsys.readouterr()
    assert printed.out == ""
    first, second = printed.err.splitlines()
    assert first == "copy: started"
    assert second.startswith("copy: finished, 40 rows in ")


def test_skipped_records_are_told_at_the_end_of_queries_too(
    text, observed, make_job, make_query, capsys
):
    lossy = Progress(3, 40, 10.0, 0, 5, skipped={"t": {0: 2, 1: 1}})
    job = make_job("copy", progress=lossy, state=JobState.FINISHED)
    text.job_ended(job, INSERT)
    assert capsys.readouterr().err.splitlines()[1] == "copy: 3 records skipped: topic t 3"
    text.job_ended(job, make_query((1, "a", 1), job=job))
    assert capsys.readouterr().err == "copy: 3 records skipped: topic t 3\n"
    observer, events = observed
    observer.job_ended(job, INSERT)
    assert events[0]["skipped"] == {"t": {"0": 2, "1": 1}}


def test_a_resumed_job_says_so(text, make_job, capsys):
    text.job_started(make_job("copy", resumed=True), INSERT)
    assert capsys.readouterr().err == "copy: resumed\n"


def test_a_query_needs_no_announcement(text, make_job, make_query, capsys):
    job = make_job(state=JobState.FINISHED)
    result = make_query((1, "a", 1), job=job)
    text.job_started(job, result)
    text.job_ended(job, result)
    assert capsys.readouterr().err == ""


def test_final_rows_are_a_table_with_their_kind(text, make_job, make_query, capsys):
    text.final_rows(make_query((1, "a", 1), job=make_job(state=JobState.FINISHED)))
    out = capsys.readouterr().out
    assert "| +I |  1 | a    |" in out
    assert out.endswith("1 row in set\n")


def test_live_changes_share_one_header(text, make_job, make_query, capsys):
    job = make_job(bounded=False)
    result = make_query((1, "a", 1), job=job, live=True)
    text.changes(result, [])
    text.changes(result, result.available())
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in lines] == ["+---", "| op", "+---", "| +I"]
    assert len({len(line) for line in lines}) == 1


def test_lines_of_print_tables_go_where_they_ask(text, capsys):
    text.print_line("+I[1]", False)
    text.print_line("-D[1]", True)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("+I[1]\n", "-D[1]\n")


def test_an_end_before_the_end_tells_how_to_go_on(text, capsys):
    text.end(Outcome.FINISHED)
    assert capsys.readouterr().err == ""
    text.end(Outcome.STOPPED)
    assert capsys.readouterr().err.startswith("stopped; the same command resumes")


@pytest.mark.parametrize(
    ("state", "word"),
    [(JobState.FINISHED, "finished"), (JobState.CANCELED, "stopped"), (JobState.FAILED, "failed")],
)
def test_how_a_job_ended_in_a_word(state, word, make_job):
    assert ending(make_job(state=state)).startswith(f"{word} in ")


def test_a_statement_as_an_event(observed):
    observer, events = observed
    observer.statement_done(parse_statement("USE default_database", "s.sql"), OK)
    observer.statement_done(
        parse_statement("SHOW TABLES", "s.sql"), TableResult(columns=("table name",), rows=[("a",)])
    )
    assert events == [
        {"event": "statement", "statement": "USE", "where": "s.sql:1:1", "message": "OK"},
        {
            "event": "statement",
            "statement": "SHOW TABLES",
            "where": "s.sql:1:1",
            "columns": ["table name"],
            "rows": [["a"]],
        },
    ]


def test_the_life_of_a_job_as_events(observed, make_job):
    observer, events = observed
    job = make_job("copy", progress=SOME)
    observer.job_started(job, INSERT)
    observer.progress([job])
    job.now = JobState.FINISHED
    observer.job_ended(job, INSERT)
    assert events[0] == {
        "event": "job_started",
        "job": "copy",
        "name": "copy",
        "bounded": True,
        "resumed": False,
    }
    assert events[1] == {"event": "progress", "job": "copy", **SOME.to_dict()}
    assert (events[2]["state"], events[2]["rows"]) == ("FINISHED", 40)


def test_progress_is_an_event_only_when_there_was_some(observed, make_job):
    observer, events = observed
    job = make_job("copy")
    observer.progress([job])
    job.reported = SOME
    observer.progress([job])
    observer.progress([job])
    assert [event["event"] for event in events] == ["progress"]


def test_rows_as_events(observed, make_job, make_query):
    observer, events = observed
    observer.final_rows(make_query((1, None, 1), job=make_job("q", state=JobState.FINISHED)))
    assert events == [{"event": "row", "job": "q", "op": "+I", "values": {"id": 1, "name": None}}]


def test_remarks_lines_errors_and_the_end_as_events(observed):
    observer, events = observed
    observer.notice("no effect")
    observer.print_line("+I[ä]", False)
    observer.error(UnknownName("table", "a", ["b"]))
    observer.settle()
    observer.end(Outcome.FINISHED)
    assert [event["event"] for event in events] == ["notice", "line", "error", "end"]
    assert events[1] == {"event": "line", "text": "+I[ä]", "stream": "stdout"}
    assert events[2]["condition"] == "UNKNOWN_TABLE"


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("CREATE TABLE t (a INT) WITH ('connector' = 'print')", "CREATE TABLE"),
        ("SET 'a' = 'b'", "SET"),
        ("ALTER TABLE t RENAME TO u", "ALTER TABLE RENAME"),
        ("SHOW CREATE TABLE t", "SHOW CREATE TABLE"),
    ],
)
def test_statements_have_a_readable_kind(sql, kind):
    assert kind_of(parse_statement(sql)) == kind


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        (float("nan"), "NaN"),
        (Decimal("1.10"), "1.10"),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02 03:04:05.000000"),
        (b"\x0a\xff", "x'0aff'"),
        ([1, Decimal("2")], [1, "2"]),
        ({1: (date(2026, 1, 2),)}, {"1": ["2026-01-02"]}),
    ],
)
def test_values_a_program_can_read(value, wanted):
    assert json_value(value) == wanted
    json.dumps(json_value(value), allow_nan=False)


def test_an_error_takes_the_bars_of_the_failed_step_away(text, capsys, monkeypatch):
    closed = []
    monkeypatch.setattr(text._bars, "close", lambda: closed.append(True))
    text.setup(ProgressEvent("operators", "compiling", 0, 1))
    text.error(UnknownName("table", "a", ["b"]))
    assert closed
    assert "[UNKNOWN_TABLE]" in capsys.readouterr().err


def test_programs_hear_nothing_of_preparations(observed):
    observer, events = observed
    observer.setup(ProgressEvent("operators", "compiling", 0, 1))
    assert events == []
