from datetime import timedelta
from types import SimpleNamespace

import pytest

from headrace.errors import UnsupportedSql
from headrace.runtime.real_time import DEFAULT_PERIOD, SPARK_SETTINGS, check, period, stream_writer
from headrace.runtime.takeover import Branch


@pytest.mark.parametrize(
    ("interval", "millis"),
    [(timedelta(0), DEFAULT_PERIOD.total_seconds() * 1000), (timedelta(seconds=2), 2000)],
)
def test_progress_is_kept_as_often_as_told(interval, millis):
    assert period(interval) == millis


def test_the_shortest_period_is_below_sparks_own():
    assert int(SPARK_SETTINGS["spark.sql.streaming.realTimeMode.minBatchDuration"]) < 5000


def test_several_inserts_are_refused():
    branch = Branch(SimpleNamespace(), None, None, {})
    with pytest.raises(UnsupportedSql) as caught:
        stream_writer(SimpleNamespace(), [branch, branch])
    assert caught.value.found == "2 INSERTs in one statement set"
    assert caught.value.expected == "one INSERT a job"


def plan_over(options):
    connector = SimpleNamespace(name="kafka", gives_rows_live=True)
    table = SimpleNamespace(identifier="c.d.t", connector=connector, options=options)
    root = SimpleNamespace(walk=list)
    return SimpleNamespace(root=root, is_bounded=False, scans=[SimpleNamespace(table=table)])


def test_every_partition_has_a_task_of_its_own():
    check(plan_over({}))
    with pytest.raises(UnsupportedSql) as caught:
        check(plan_over({"scan.parallelism": "2"}))
    assert caught.value.found == "'scan.parallelism'"
