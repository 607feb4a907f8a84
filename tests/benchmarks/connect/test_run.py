from __future__ import annotations

from benchmarks.connect import run


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
