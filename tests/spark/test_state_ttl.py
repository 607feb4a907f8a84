"""Time to live of state, from the hint to the state store: what has not changed for so long is forgotten silently.

A millisecond is over when the next batch begins, so nothing has to be waited for.
"""

from collections import Counter

import pytest

from tests.oracle.harness import Case, Keep, Pipeline, Target
from tests.oracle.worlds import Record

pytestmark = [pytest.mark.spark, pytest.mark.slow]

COUNTED = "SELECT /*+ STATE_TTL('e' = '{}') */ w, COUNT(*) AS n FROM events AS e GROUP BY w"
JOINED = "SELECT /*+ STATE_TTL('l' = '{}', 'e' = '{}') */ l.a, e.a AS b FROM ledger AS l JOIN events AS e ON l.w = e.w"


def event(number: int) -> Record:
    return Record("events", {"w": 0, "k": 0, "a": number, "b": None, "s": None, "tags": None}, 1)


def entry(number: int) -> Record:
    return Record("ledger", {"w": 0, "a": number, "s": None}, 1)


def test_groups_begin_anew_and_sides_forget_on_their_own(spark, tmp_path):
    queries = [
        COUNTED.format("1 ms"),
        COUNTED.format("1 d"),
        JOINED.format("1 ms", "1 d"),
        JOINED.format("1 d", "1 ms"),
    ]
    case = Case([Target(sql, Keep.ROWS) for sql in queries], "SELECT w FROM users", [])
    pipeline = Pipeline(spark, case, tmp_path)
    try:
        pipeline.step([event(1), event(2), entry(1)])
        pipeline.step([event(3)])
        pipeline.step([entry(2)])
    finally:
        pipeline.stop()
    short, long, forgets_ledger, forgets_events = (+sink.rows for sink in pipeline.sinks)
    # The group is new to it, so nothing is taken back, as in Flink.
    assert short == Counter([("0", "2"), ("0", "1")])
    assert long == Counter([("0", "3")])
    both = [("1", "1"), ("1", "2")]
    assert forgets_ledger == Counter([*both, ("2", "1"), ("2", "2"), ("2", "3")])
    assert forgets_events == Counter([*both, ("1", "3")])
