import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.changelog import RowKind
from headrace.plan.nodes import Field
from headrace.runtime.jobs import Job
from headrace.runtime.results import ChangeStream, Row, TableResult, freeze
from headrace.types import BIGINT, STRING

SCHEMA = (Field("id", BIGINT), Field("name", STRING))


def test_a_row_knows_its_kind_and_its_names():
    row = Row((1, "a"), RowKind.DELETE, ("id", "name"))
    assert row == (1, "a")
    assert row.get_row_kind() is RowKind.DELETE
    assert row.as_dict() == {"id": 1, "name": "a"}
    assert repr(row) == "-D(1, 'a')"


class TestChangeStream:
    def test_a_bounded_stream_ends_in_a_table(self):
        changes = ChangeStream(("id", "name"), (0,))
        changes.add_batch([(1, "a", 1), (2, "b", 1)], live=False)
        changes.add_batch([(1, "a", -1), (1, "c", 1)], live=False)
        assert list(changes.final_rows()) == [(2, "b"), (1, "c")]
        assert {row.kind for row in changes.final_rows()} == {RowKind.INSERT}
        assert list(changes.live_rows()) == []

    def test_multiplicities(self):
        changes = ChangeStream(("id",), None)
        changes.add_batch([(1, 2), (2, 1)], live=False)
        assert list(changes.final_rows()) == [(1,), (1,), (2,)]

    def test_a_removal_may_come_before_what_it_removes(self):
        """Until then it is told: nobody takes a table for whole from which something went that never came."""
        changes = ChangeStream(("id",), None)
        changes.add_batch([(1, -1), (2, -2)], live=False)
        assert [repr(row) for row in changes.final_rows()] == ["-D(1,)", "-D(2,)", "-D(2,)"]
        changes.add_batch([(2, 2)], live=False)
        changes.add_batch([(1, 2)], live=False)
        assert list(changes.final_rows()) == [(1,)]

    def test_an_unbounded_stream_tells_every_change(self):
        changes = ChangeStream(("id", "name"), (0,))
        changes.add_batch([(1, "a", 1)], live=True)
        changes.add_batch([(1, "a", -1), (1, "b", 1)], live=True)
        assert [repr(row) for row in changes.live_rows()] == [
            "+I(1, 'a')",
            "-U(1, 'a')",
            "+U(1, 'b')",
        ]
        assert list(changes.live_rows()) == []

    def test_values_that_do_not_hash_cancel_out_and_come_back_as_they_were(self):
        changes = ChangeStream(("m",), None)
        changes.add_batch([({"a": [1]}, 1), ([bytearray(b"x")], 1)], live=False)
        changes.add_batch([({"a": [1]}, -1)], live=False)
        assert list(changes.final_rows()) == [([bytearray(b"x")],)]

    def test_a_nan_cancels_a_nan(self):
        changes = ChangeStream(("x",), None)
        changes.add_batch([(float("nan"), 1)], live=False)
        changes.add_batch([(float("nan"), -1)], live=False)
        assert list(changes.final_rows()) == []

    @given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 1)), max_size=5)))
    def test_only_rows_that_stand_are_held(self, batches):
        changes = ChangeStream(("x",), None)
        total = dict.fromkeys(range(4), 0)
        for batch in batches:
            changes.add_batch(batch, live=False)
            for row, weight in batch:
                total[row] += weight
        expected = [(row, weight > 0) for row, weight in total.items() for _ in range(abs(weight))]
        told = [(*row, row.kind is RowKind.INSERT) for row in changes.final_rows()]
        assert sorted(told) == sorted(expected)
        assert len(changes._values) == len([weight for weight in total.values() if weight])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, [2]], [1, [2]], True),
        ([1, 2], [2, 1], False),
        ({"a": 1}, [("a", 1)], False),
        (bytearray(b"x"), b"x", True),
        (math.nan, float("nan"), True),
    ],
)
def test_stand_ins_are_equal_for_equal_values(one, other, same):
    assert (freeze(one) == freeze(other)) is same
    assert (hash(freeze(one)) == hash(freeze(other))) is same


class TestTableResult:
    def test_rows_at_once(self):
        result = TableResult(columns=("a",), rows=[(1,), (2,)])
        assert list(result.collect()) == [(1,), (2,)]
        assert not result.is_query
        assert result.get_job_client() is None
        result.wait()

    def test_columns_come_from_the_schema(self):
        assert TableResult(schema=SCHEMA).columns == ("id", "name")

    def test_a_bounded_query_gives_its_final_rows(self, query):
        changes = ChangeStream(("id", "name"), (0,))
        job = Job("select", bounded=True, query=query(lasts=2))
        changes.add_batch([(1, "a", 1)], live=False)
        result = TableResult(schema=SCHEMA, jobs=[job], changes=changes)
        assert result.is_query
        assert result.is_bounded
        assert list(result.collect()) == [(1, "a")]

    def test_an_unbounded_query_is_followed_and_stopped_when_left(self, query):
        changes = ChangeStream(("id", "name"), (0,))
        running = query()
        result = TableResult(
            schema=SCHEMA, jobs=[Job("select", bounded=False, query=running)], changes=changes
        )
        changes.add_batch([(1, "a", 1), (2, "b", 1)], live=True)
        rows = result.collect()
        assert next(rows) == (1, "a")
        rows.close()
        assert running.stops == 1

    def test_a_with_block_stops_the_query_when_it_is_left(self, query):
        changes = ChangeStream(("id",), None)
        running = query()
        changes.add_batch([(1, 1), (2, 1)], live=True)
        result = TableResult(jobs=[Job("select", bounded=False, query=running)], changes=changes)
        with result.collect() as rows:
            assert next(rows) == (1,)
            assert running.stops == 0
        assert running.stops == 1
        assert list(rows) == []

    def test_what_came_before_the_end_is_told(self, query):
        changes = ChangeStream(("id",), None)
        changes.add_batch([(1, 1)], live=True)
        job = Job("select", bounded=False, query=query(active=False))
        assert list(TableResult(jobs=[job], changes=changes).collect()) == [(1,)]

    def test_waiting_in_vain(self, query):
        job = Job("job", bounded=False, query=query())
        result = TableResult(jobs=[job])
        assert result.get_job_client() is job
        with pytest.raises(TimeoutError, match="job 'job' still runs after 1 ms"):
            result.wait(1)

    def test_print(self):
        lines = []
        TableResult(message="OK").print(lines.append)
        assert lines == ["OK"]
