"""The benchmark from end to end: each engine reads real topics, and its answer is held against the workload's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.flink_setup import flink_folder
from benchmarks.report import Figure
from benchmarks.run import Runner, parse
from headrace.services.kafka import KafkaService

pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.soak]


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


def test_headrace_gives_the_exact_answer_from_end_to_end(real: Callable[..., Runner]):
    figure = measured_by(real("--queries", "q3", "--engines", "headrace"))
    assert figure.exact is True
    assert figure.rows == figure.details["input_rows"] == 4_000
    assert figure.details["phases_ms"]["addBatch"] > 0


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
