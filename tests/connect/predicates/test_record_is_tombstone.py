"""RecordIsTombstone."""

import pytest

from headrace.connect.predicates.record_is_tombstone import build


@pytest.mark.spark
def test_records_without_a_value(connect):
    rows = connect.records(["null", None], keys=[None, "k"]).frame.select(build({})()).collect()
    assert [row[0] for row in rows] == [False, True]
