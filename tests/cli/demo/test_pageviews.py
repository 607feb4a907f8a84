from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest
from rich.console import Console

from headrace.cli.demo import pageviews as module
from headrace.cli.demo.pageviews import QUERY, READ_BACK, TABLES, Demo, Verdict, broker
from headrace.cli.demo.views import RegionCount
from headrace.cli.output import JsonOutput, TextOutput
from headrace.errors import EnvironmentFault
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.interrupts import Interrupts
from headrace.runtime.jobs import Job, JobState, Progress
from headrace.runtime.results import ChangeStream, TableResult
from headrace.sql.dialect import parse_script, parse_statement

A, B = RegionCount("a", 3, 2), RegionCount("b", 9, 4)


def rendered(verdict: Verdict) -> str:
    stream = io.StringIO()
    Console(file=stream, width=120).print(verdict.text())
    return stream.getvalue()


@pytest.fixture
def environment():
    made = TableEnvironment()
    for statement in parse_script(TABLES % {"servers": "127.0.0.1:9092"}):
        made.define(statement)
    return made


def test_the_query_counts_with_an_operator_and_writes_by_key(environment):
    (plan,) = environment.plans(parse_statement(QUERY))
    operators = [type(item.node).__name__ for item in plan.root.walk()]
    assert "Aggregate" in operators
    assert plan.root.traits.key == ("user_region",)
    assert not plan.is_bounded


def test_the_topic_is_read_back_to_its_end(environment):
    (plan,) = environment.plans(parse_statement(READ_BACK))
    assert plan.is_bounded
    assert plan.sink.names == ("user_region", "pv", "uv")


def test_equal_tables_are_equal():
    verdict = Verdict([A, B], [A, B])
    assert verdict.equal
    text = rendered(verdict)
    assert "equal: the topic holds exactly the query's answer over all 12 page views" in text
    assert "differs" not in text
    assert text.index("b ") < text.index("a ")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [([A], [A, B]), ([A, B], [A]), ([A, RegionCount("b", 9, 5)], [A, B]), ([], [A])],
)
def test_any_difference_is_told_where_it_is(rows, expected):
    verdict = Verdict(rows, expected)
    assert not verdict.equal
    text = rendered(verdict)
    assert "different: " in text
    assert text.count("differs") == 1


def test_the_numbers_for_programs():
    assert Verdict([A], [A]).facts() == {
        "rows": [{"user_region": "a", "pv": 3, "uv": 2}],
        "expected": [{"user_region": "a", "pv": 3, "uv": 2}],
        "equal": True,
    }


def test_it_says_where_to_go_next():
    assert "headrace sql" in rendered(Verdict([], []))


class FakeProducer:
    def __init__(self, *_: object) -> None:
        self.sent = 0
        self.done = self.in_pace = self.halted = False
        self.failure: EnvironmentFault | None = None

    def start(self) -> None:
        self.sent = 10

    def keep_pace(self) -> None:
        self.in_pace = True
        self.sent, self.done = 100, True

    def check(self) -> None:
        if self.failure is not None:
            raise self.failure

    def halt(self) -> None:
        self.halted = True


class FakeReader:
    def __init__(self, *_: object) -> None:
        self.table: dict[str, RegionCount] = {}
        self.changes = 0
        self.closed = False

    def read(self, timeout: float = 0) -> None:
        self.changes += 1
        self.table = {"a": A}

    def close(self) -> None:
        self.closed = True


class CountingJob(Job):
    """Counts ten more rows at each look."""

    def __init__(self) -> None:
        super().__init__("count", bounded=False)
        self.looks = 0
        self.stopped = False

    @property
    def state(self) -> JobState:
        return JobState.CANCELED if self.stopped else JobState.RUNNING

    def poll(self) -> JobState:
        self.looks += 1
        return self.state

    def progress(self) -> Progress:
        return Progress(self.looks, self.looks * 10, 10.0, 0, 5)

    def stop(self) -> None:
        self.stopped = True


class Asked(Interrupts):
    """A stop that was asked for, or not."""

    def __init__(self, asked: bool) -> None:
        super().__init__()
        self._asked = asked

    def requested(self) -> bool:
        return self._asked


@pytest.fixture
def make_demo(monkeypatch, tmp_path):
    """A demo without a broker and without Spark; its job counts ten rows at each look."""
    monkeypatch.setattr(module, "Producer", FakeProducer)
    monkeypatch.setattr(module, "ResultReader", FakeReader)
    monkeypatch.setattr("headrace.runtime.script.POLL_SECONDS", 0)

    def make(*, asked: bool = False, output: TextOutput | JsonOutput | None = None) -> Demo:
        demo = Demo(output or TextOutput(), "b:1", 100, 1.0, tmp_path / "jobs", Asked(asked))
        job = CountingJob()
        changes = ChangeStream(("user_region", "pv", "uv"), (0,))
        changes.add_batch([("b", 9, 4, 1), ("a", 3, 2, 1)], live=False)
        (plan,) = demo._environment.plans(parse_statement(READ_BACK))
        query = TableResult(schema=plan.sink.schema, jobs=[Job("q", bounded=True)], changes=changes)
        results = [TableResult(jobs=[job]), query]
        monkeypatch.setattr(demo._environment, "execute", lambda _: results.pop(0))
        return demo

    return make


def test_the_result_is_read_once_all_views_are_counted(make_demo, capsys):
    demo = make_demo()
    assert demo.run() == [A, B]
    assert demo._producer.in_pace, "the first counted burst lets the others go"
    assert demo._job is not None
    assert demo._job.stopped
    assert demo._counted() >= 100
    notes = capsys.readouterr().err
    assert "counted" in notes
    assert notes.index("starting Spark") < notes.index("reading the topic back")


def test_a_program_sees_no_picture(make_demo, capsys):
    demo = make_demo(output=JsonOutput())
    demo.present()
    demo.run()
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_people_see_what_will_run(make_demo, capsys):
    make_demo().present()
    shown = capsys.readouterr().err
    assert "'properties.bootstrap.servers' = 'b:1'" in shown
    assert "INSERT INTO pageviews_per_region" in shown
    assert "Aggregate(" in shown


def test_a_stop_that_was_asked_for_ends_it(make_demo):
    demo = make_demo(asked=True)
    with pytest.raises(KeyboardInterrupt):
        demo.run()
    demo.close()
    assert demo._job is None or demo._job.stopped
    assert demo._producer.halted
    assert demo._reader.closed


def test_a_broker_that_takes_no_records_ends_it(make_demo):
    demo = make_demo()
    demo._producer.failure = EnvironmentFault("the broker took no more records")
    with pytest.raises(EnvironmentFault, match="took no more"):
        demo.run()


@pytest.mark.parametrize("fails", [True, False])
def test_the_broker_lives_as_long_as_it_is_needed(fails, monkeypatch, tmp_path):
    life: list[str] = []

    class Service:
        bootstrap_servers = "b:1"

        def __init__(self, folder: Path) -> None:
            assert folder == tmp_path

        def start(self, progress: object) -> None:
            life.append("started")

        def stop(self) -> None:
            life.append("stopped")

    monkeypatch.setattr(module, "KafkaService", Service)
    with contextlib.suppress(RuntimeError), broker(JsonOutput(), tmp_path) as servers:
        life.append(servers)
        if fails:
            raise RuntimeError
    assert life == ["started", "b:1", "stopped"]
