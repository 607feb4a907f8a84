from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from benchmarks import generate
from benchmarks.queries import query_named
from benchmarks.workloads import Record, workload
from headrace.errors import UnknownName


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Topics that would have been filled, with their record counts."""
    counts: dict[str, int] = {}

    def fill(servers: str, topic: str, records: Iterable[Record]) -> int:
        counts[topic] = sum(1 for _ in records)
        return counts[topic]

    monkeypatch.setattr(generate.topics, "fill", fill)
    return counts


def test_topics_of_two_scales_differ():
    assert generate.topic_name("pageviews", 1.0) == "pageviews-x1"
    assert generate.topic_name("pageviews", 0.01) == "pageviews-x0.01"


def test_all_inputs_of_a_query_are_loaded(filled: dict[str, int], tmp_path: Path):
    loaded = generate.load(query_named("q4"), 0.001, "broker:9092", tmp_path)
    assert filled == {"q4_orders-x0.001": 1_000, "q4_customers-x0.001": 100_000}
    assert loaded.rows == 101_000
    assert loaded.topics == {
        "q4_orders": "q4_orders-x0.001",
        "q4_customers": "q4_customers-x0.001",
    }


def test_the_answer_is_on_file(filled: dict[str, int], tmp_path: Path):
    loaded = generate.load(query_named("q3"), 0.001, "broker:9092", tmp_path / "answers")
    assert loaded.answer_file == tmp_path / "answers" / "q3-x0.001.json"
    assert loaded.answer() == workload("q3", 0.001).answer
    assert json.loads(loaded.answer_file.read_text()) == loaded.answer()


def test_the_command_loads_the_queries_it_is_given(
    filled: dict[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    arguments = ["q2", "q3", "--bootstrap", "b:1", "--answers", str(tmp_path), "--scale", "0.001"]
    assert generate.main(arguments) == 0
    assert filled == {"q2_orders-x0.001": 2_000, "q3_orders-x0.001": 2_000}
    assert capsys.readouterr().out.splitlines() == [
        "q2: 2,000 rows in q2_orders-x0.001",
        "q3: 2,000 rows in q3_orders-x0.001",
    ]


def test_the_command_refuses_a_query_that_does_not_exist(tmp_path: Path):
    with pytest.raises(UnknownName, match="query 'q9' does not exist"):
        generate.main(["q9", "--bootstrap", "b:1", "--answers", str(tmp_path)])
