from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from benchmarks import run as running
from benchmarks import topics
from benchmarks.flink_setup import flink_folder
from benchmarks.generate import Loaded
from benchmarks.measure import EngineFailed, Measurement, Usage
from benchmarks.queries import query_named
from benchmarks.report import Figure
from benchmarks.run import RESULTS, Contender, Options, Runner, contenders, figure_of, parse
from headrace.errors import EnvironmentFault, UnknownName
from headrace.services.kafka import KafkaService
from headrace.services.supervisor import ServiceStatus

OURS = Contender("headrace", "default")
USAGE = Usage(
    wall_seconds=12.5,
    cpu_seconds=20.0,
    peak_rss_mb=900,
    others_share=0.02,
    overhead={"compiling": 4.04},
)
MEASURED = Measurement({"seconds": 10.0, "batches": 1}, USAGE)


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    file = tmp_path / "q3.json"
    file.write_text(json.dumps({"7": [1, 5]}))
    return Loaded(query_named("q3"), 1.0, 2_000_000, {"q3_orders": "q3_orders-x1"}, file)


def test_by_default_every_query_runs_on_every_engine_at_scale_one():
    options = parse([])
    assert options.queries == ("q1", "q2", "q3", "q4", "copy", "copy-once")
    assert options.scales == (1.0,)
    assert options.results == RESULTS
    assert [str(contender) for contender in contenders(options)] == [
        "headrace-default",
        "flink-plain",
        "flink-mini",
        "flink-rocks",
    ]


def test_options_choose():
    options = parse(
        ["--queries", "q3,q1", "--scale", "1,3", "--engines", "flink", "--variants", "rocks"]
    )
    assert options.queries == ("q3", "q1")
    assert options.scales == (1.0, 3.0)
    assert list(contenders(options)) == [Contender("flink", "rocks")]


def test_variants_of_flink_do_not_exclude_headrace():
    chosen = list(contenders(parse(["--variants", "mini"])))
    assert chosen == [OURS, Contender("flink", "mini")]


def test_recordings_go_where_the_user_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    assert parse(["--jfr", "recordings"]).recordings == tmp_path / "recordings"
    assert parse([]).recordings is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--queries", "q1,q33"], "query 'q33' does not exist"),
        (["--engines", "flnk"], "engine 'flnk' does not exist"),
        (["--variants", "rock"], "variant 'rock' does not exist"),
    ],
)
def test_a_misspelt_choice_is_refused(arguments: list[str], message: str):
    with pytest.raises(UnknownName, match=message):
        parse(arguments)


def test_a_measurement_becomes_a_figure(loaded: Loaded):
    figure = figure_of(loaded, OURS, MEASURED)
    assert figure == Figure(
        "q3", "headrace", "default", 1.0, 2_000_000, 10.0, 200_000, 20.0, 900,
        wall_s=12.5, others_share=0.02, details={"batches": 1, "compiling_cpu_s": 4.0},
    )  # fmt: skip


def test_what_an_engine_refuses_has_no_figures(loaded: Loaded):
    figure = figure_of(loaded, OURS, Measurement({}, unsupported="JOIN is not supported yet"))
    assert figure.seconds is None
    assert figure.note == "not supported: JOIN is not supported yet"


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch, loaded: Loaded) -> dict[str, Any]:
    """A runner's surroundings without a broker: the topics it touches, and what an output topic holds."""
    seen: dict[str, Any] = {"created": [], "deleted": [], "runs": []}
    seen["output"] = {b'{"customer_id":7}': b'{"customer_id":7,"cnt":1,"total":5}'}

    def engine(statements: list[str], variant: str, scratch: Path, **options: Any) -> Measurement:
        seen["runs"].append((statements, variant, options))
        if variant == "rocks":
            raise EngineFailed("an engine ended without a result", found="heap space")
        return MEASURED

    monkeypatch.setattr(running, "load", lambda *_: loaded)
    monkeypatch.setattr(topics, "create", lambda _, topic: seen["created"].append(topic))
    monkeypatch.setattr(topics, "delete", lambda _, names: seen["deleted"].extend(names))
    monkeypatch.setattr(topics, "last_records", lambda *_: topics.LastRecords(seen["output"], 17))
    monkeypatch.setattr(running.headrace_engine, "run", engine)
    monkeypatch.setattr(running.flink_engine, "run", engine)
    return seen


def options_of(*arguments: str) -> Options:
    return parse(["--queries", "q3", *arguments])


def figures_of(options: Options, scratch: Path) -> list[Figure]:
    return list(Runner(options, "127.0.0.1:9", 42, scratch).figures())


def test_all_contenders_read_the_same_topics_and_write_their_own(
    stage: dict[str, Any], tmp_path: Path
):
    figures_of(options_of("--variants", "plain,mini"), tmp_path)
    assert stage["created"] == ["q3-headrace-default-x1", "q3-flink-plain-x1", "q3-flink-mini-x1"]
    for (statements, _, options), sink in zip(stage["runs"], stage["created"], strict=True):
        assert any("'topic' = 'q3_orders-x1'" in text for text in statements)
        assert any(f"'topic' = '{sink}'" in text for text in statements)
        assert options["neighbours"] == [42]


def test_topics_are_deleted_when_they_are_no_longer_needed(stage: dict[str, Any], tmp_path: Path):
    figures_of(options_of("--engines", "headrace"), tmp_path)
    assert stage["deleted"] == ["q3-headrace-default-x1", "q3_orders-x1"]


def test_an_answer_is_checked(stage: dict[str, Any], tmp_path: Path):
    (figure,) = figures_of(options_of("--engines", "headrace"), tmp_path)
    assert figure.exact is True
    assert figure.records_out == 17
    assert figure.note is None


def test_a_wrong_answer_is_told(stage: dict[str, Any], tmp_path: Path):
    stage["output"].clear()
    (figure,) = figures_of(options_of("--engines", "headrace"), tmp_path)
    assert figure.exact is False
    assert "1 missing" in (figure.note or "")


def test_an_engine_that_fails_does_not_end_the_run(stage: dict[str, Any], tmp_path: Path):
    figures = figures_of(options_of("--scale", "1,3", "--variants", "rocks"), tmp_path)
    assert [figure.exact for figure in figures] == [True, False, True, False]
    assert figures[1].note == "heap space"
    assert figures[1].seconds is None


def test_every_run_is_recorded_when_asked(stage: dict[str, Any], tmp_path: Path):
    figures_of(options_of("--engines", "headrace", "--jfr", str(tmp_path)), tmp_path)
    assert stage["runs"][0][2]["recording"] == tmp_path / "q3-headrace-default-x1.jfr"


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """What `run` gives to `main`."""
    made: list[Figure] = []
    monkeypatch.setattr(running, "run", lambda _: iter(made))
    monkeypatch.setattr(running.signal, "signal", lambda *_: None)
    return made


def test_main_prints_the_table_and_writes_the_file(
    figures: list[Figure], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    figures.append(Figure("q3", "headrace", "default", 1, 20, 2.0, 10, exact=True))
    figures.append(Figure("q3", "headrace", "default", 3, 60, 4.0, 15, exact=True))
    file = tmp_path / "latest.json"
    assert running.main(["--results", str(file)]) == 0
    assert "| q3 " in capsys.readouterr().out
    assert [entry.get("steady_rows_per_s") for entry in json.loads(file.read_text())] == [None, 20]


@pytest.mark.parametrize(("exact", "code"), [(True, 0), (None, 0), (False, 1)])
def test_only_a_wrong_answer_or_a_failure_fails_the_run(
    exact: bool | None, code: int, figures: list[Figure], tmp_path: Path
):
    figures.append(Figure("q3", "headrace", "default", 1, 20, exact=exact))
    assert running.main(["--results", str(tmp_path / "latest.json")]) == code


def test_an_error_is_told_in_its_own_words(
    monkeypatch: pytest.MonkeyPatch, figures: list[Figure], capsys: pytest.CaptureFixture[str]
):
    def fail(_: Options) -> list[Figure]:
        raise EnvironmentFault("no usable Java", cure="install one")

    monkeypatch.setattr(running, "run", fail)
    assert running.main([]) == 3
    assert "cure: install one" in capsys.readouterr().err


class Broker:
    """In the place of the broker that `run` starts."""

    bootstrap_servers = "127.0.0.1:9"
    folders: ClassVar[list[Path]] = []

    def __init__(self, folder: Path) -> None:
        self.folders.append(folder)
        self.running = False

    def __enter__(self) -> Broker:
        self.running = True
        return self

    def __exit__(self, *_: object) -> None:
        self.running = False

    def status(self) -> ServiceStatus:
        return ServiceStatus("kafka", "running", pid=42)


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch, stage: dict[str, Any]) -> list[str]:
    """Counts how often Flink is asked for; nothing is downloaded."""
    asked: list[str] = []
    monkeypatch.setattr(running, "KafkaService", Broker)
    monkeypatch.setattr(running.topics, "ready_transactions", lambda servers: None)
    monkeypatch.setattr(running, "ensure_flink", lambda _: asked.append("flink"))
    return asked


def test_a_run_leaves_only_its_recordings_behind(set_up: list[str], tmp_path: Path):
    recordings = tmp_path / "deep" / "recordings"
    figures = list(running.run(options_of("--engines", "headrace", "--jfr", str(recordings))))
    assert [figure.exact for figure in figures] == [True]
    assert recordings.is_dir()
    assert not Broker.folders[-1].parent.exists()


def test_flink_is_fetched_before_anything_is_loaded_and_only_for_a_run_on_it(
    set_up: list[str], stage: dict[str, Any]
):
    list(running.run(options_of("--engines", "headrace")))
    assert set_up == []
    figures = running.run(options_of("--engines", "flink", "--variants", "mini"))
    next(figures)
    assert set_up == ["flink"]
    figures.close()


def test_an_interrupted_run_cleans_up(set_up: list[str]):
    figures = running.run(options_of())
    next(figures)
    scratch = Broker.folders[-1].parent
    assert scratch.exists()
    figures.close()
    assert not scratch.exists()


def test_what_was_measured_before_an_interruption_is_on_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def interrupted(_: Options) -> Iterator[Figure]:
        yield Figure("q3", "headrace", "default", 1, 20, 2.0, 10, exact=True)
        raise EnvironmentFault("the disk is full")

    monkeypatch.setattr(running, "run", interrupted)
    monkeypatch.setattr(running.signal, "signal", lambda *_: None)
    file = tmp_path / "latest.json"
    assert running.main(["--results", str(file)]) == 3
    assert [entry["query"] for entry in json.loads(file.read_text())] == ["q3"]


def measured_by(runner: Runner) -> Figure:
    (figure,) = runner.figures()
    assert figure.seconds is not None
    assert figure.wall_s is not None
    assert figure.cpu_s is not None
    # The engine's own clock starts after the submission that the wall clock starts with.
    assert 0 < figure.seconds <= figure.wall_s + 1
    assert figure.cpu_s > 0
    assert figure.peak_rss_mb is not None
    assert figure.peak_rss_mb > 100
    return figure


@pytest.fixture
def real(kafka_broker: KafkaService, tmp_path: Path) -> Callable[..., Runner]:
    def runner(*arguments: str) -> Runner:
        pid = kafka_broker.status().pid
        assert pid is not None
        options = parse(["--scale", "0.002", *arguments])
        return Runner(options, kafka_broker.bootstrap_servers, pid, tmp_path)

    return runner


@pytest.mark.services
@pytest.mark.slow
def test_headrace_gives_the_exact_answer_from_end_to_end(real: Callable[..., Runner]):
    figure = measured_by(real("--queries", "q3", "--engines", "headrace"))
    assert figure.exact is True
    assert figure.rows == figure.details["input_rows"] == 4_000
    assert figure.details["phases_ms"]["addBatch"] > 0


@pytest.mark.services
@pytest.mark.slow
@pytest.mark.skipif(
    not flink_folder().is_dir(), reason="Flink (310 MB) is fetched by make bench only"
)
@pytest.mark.parametrize(("query", "variant"), [("q3", "mini"), ("q4", "rocks")])
def test_flink_gives_the_exact_answer_from_end_to_end(
    query: str, variant: str, real: Callable[..., Runner]
):
    figure = measured_by(real("--queries", query, "--engines", "flink", "--variants", variant))
    assert figure.exact is True
    assert figure.records_out is not None
    assert figure.records_out > 0
