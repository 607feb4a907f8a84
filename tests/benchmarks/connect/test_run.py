from __future__ import annotations

import json

import pytest

from benchmarks.connect import run
from benchmarks.connect.run import Figure, keep, main, parse, table


def test_options():
    given = parse(["--parts", "latency,many", "--rows", "10", "--tables", "3", "--seconds", "2"])
    assert (given.parts, given.rows, given.tables, given.seconds) == (["latency", "many"], 10, 3, 2)
    assert parse([]).parts == ["snapshot", "latency", "many", "mixed"]
    assert parse([]).rows == 5_000_000


def test_an_unknown_part_is_named(capsys):
    with pytest.raises(SystemExit):
        parse(["--parts", "snapshots"])
    assert (
        "unknown part 'snapshots'; there are snapshot, latency, many, mixed"
        in capsys.readouterr().err
    )


def test_a_table_of_figures():
    lines = table([Figure("snapshot", "headrace", {"rows": 5000000, "seconds": 2.5})]).splitlines()
    assert lines[-1] == "| snapshot | headrace | rows 5,000,000, seconds 2.5 |"


def test_rates_are_of_all_rows():
    figure = run._rate("headrace", 1000, 0.5, 0.75)
    assert figure.facts == {"rows": 1000, "seconds": 0.5, "rows_per_s": 2000, "cpu_s": 0.75}


def test_overtaken_changes_count_apart():
    sent = {"a-0": 10.0, "a-1": 11.0, "a-2": 12.0}
    seen = {"first": 9.0, "a-0": 10.5, "a-2": 12.25}
    assert run._spread(sent, seen, 1) == {
        "tables": 1,
        "changes": 3,
        "overtaken": 1,
        "p50_ms": 500,
        "p99_ms": 500,
        "max_ms": 500,
        "first_rows_after_s": 0.5,
        "behind_at_end_s": 0.25,
    }


def test_the_first_row_of_the_last_table_counts():
    sent = {"a-0": 10.0, "b-1": 10.25, "a-2": 11.0, "b-3": 11.25}
    seen = {"a-0": 10.5, "b-3": 13.0, "a-2": 12.0}
    facts = run._spread(sent, seen, 2)
    assert facts["first_rows_after_s"] == 3.0
    assert (facts["overtaken"], facts["behind_at_end_s"]) == (1, 1.75)


def test_mixed_tables_have_a_column_of_their_own_each(monkeypatch):
    made = {}
    monkeypatch.setattr(
        run, "_followed", lambda place, part, names, *rest, **more: made.update(names)
    )
    list(run.many(None, "mixed", 2, 1.0))
    list(run.many(None, "many", 2, 1.0))
    assert made == {"mixed_0": "own_0", "mixed_1": "own_1", "many_0": "", "many_1": ""}


def test_figures_are_kept_as_json(tmp_path, monkeypatch, capsys):
    figures = [Figure("latency", "headrace", {"p50_ms": 600})]
    monkeypatch.setattr(run, "measured", lambda given: iter(figures))
    file = tmp_path / "connect.json"
    assert main(["--results", str(file)]) == 0
    assert json.loads(file.read_text()) == [
        {"part": "latency", "who": "headrace", "facts": {"p50_ms": 600}}
    ]
    assert "p50_ms 600" in capsys.readouterr().out


def test_figures_of_other_parts_stay(tmp_path):
    file = tmp_path / "connect.json"
    keep([Figure("many", "headrace", {"p50_ms": 1}), Figure("latency", "headrace", {})], file)
    keep([Figure("many", "headrace", {"p50_ms": 2}), Figure("snapshot", "plain", {})], file)
    kept = json.loads(file.read_text())
    assert [figure["part"] for figure in kept] == ["snapshot", "latency", "many"]
    assert kept[-1]["facts"] == {"p50_ms": 2}
