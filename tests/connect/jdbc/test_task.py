"""The source against PostgreSQL and a broker: modes, positions, late commits, deletes, errors."""

from __future__ import annotations

import json
from typing import ClassVar

import pytest

from headrace.connect.errors import ToleranceExceeded
from headrace.connect.jdbc.faults import DatabaseFault
from headrace.testing.topics import eventually

pytestmark = [pytest.mark.spark, pytest.mark.services]

TO_KEY = {
    "transforms": "key,id",
    "transforms.key.type": "org.apache.kafka.connect.transforms.ValueToKey",
    "transforms.key.fields": "id",
    "transforms.id.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.id.field": "id",
}

TABLE = """CREATE TABLE {name} (id int PRIMARY KEY, name text NOT NULL DEFAULT '',
  at timestamptz NOT NULL DEFAULT now())"""


def table(bench, name: str = "t", rows: str = "(1, 'a', '2020-01-01Z'), (2, 'b', '2020-01-02Z')"):
    bench.execute(TABLE.format(name=name))
    if rows:
        bench.execute(f"INSERT INTO {name} VALUES {rows}")


def moved(bench, table: str = "t"):
    return bench.offset({"protocol": "1", "table": f"{bench.schema}.{table}"})


class TestTimestamp:
    CONFIG: ClassVar = {"mode": "timestamp", "timestamp_column_name": "at"}

    def test_rows_come_by_time_with_connect_s_offset(self, bench):
        table(bench, rows="(2, 'b', '2020-01-02T00:00:00.123456Z'), (1, 'a', '2020-01-01Z')")
        with bench.running(bench.config(**self.CONFIG)):
            assert bench.ids("t", 1, 2) == [1, 2]
            eventually(lambda: moved(bench), bool)
        assert moved(bench) == {"timestamp": 1577923200123, "timestamp_nanos": 123456000}
        assert bench.topics == [f"{bench.schema}.t"]

    def test_late_commits_ties_and_savepoints_are_found_and_nothing_comes_again(self, bench):
        """But for a row that commits between a poll's look at transactions and its snapshot, which may come twice."""
        table(bench)
        late, nested = bench.connect(), bench.connect()
        with bench.running(bench.config(**self.CONFIG)):
            bench.ids("t", 1, 2)
            late.execute("INSERT INTO t VALUES (3, 'late')")
            nested.execute("SAVEPOINT s")
            nested.execute("INSERT INTO t VALUES (4, 'nested')")
            bench.execute("INSERT INTO t VALUES (5, 'later')")
            bench.ids("t", 1, 2, 5)
            late.commit()
            nested.commit()
            # The same timestamp as a row that was sent.
            bench.execute("INSERT INTO t SELECT 6, 'tie', at FROM t WHERE id = 5")
            every = set(range(1, 7))
            rows = bench.until("t", lambda rows: {row["id"] for row in rows} >= every)
        found = [row["id"] for row in rows]
        assert set(found) == every
        assert found[:3] == [1, 2, 5]
        assert (found.count(1), found.count(2)) == (1, 1)

    def test_a_restart_goes_on_where_it_was_also_with_late_rows(self, bench):
        table(bench)
        late = bench.connect()
        late.execute("UPDATE t SET name = 'late', at = now() WHERE id = 1")
        # Before the first poll: a row that commits between a poll's look and its snapshot may come twice.
        bench.execute("INSERT INTO t VALUES (3, 'before')")
        with bench.running(bench.config(**self.CONFIG)):
            bench.ids("t", 1, 2, 3)
            eventually(lambda: len(bench.sent), lambda sent: sent >= 1)
        late.commit()
        with bench.running(bench.config(**self.CONFIG)):
            assert bench.ids("t", 1, 2, 3, 1)[3] == 1
        assert bench.values("t")[3]["name"] == "late"

    def test_plain_conditions_of_connect_miss_late_rows(self, bench):
        table(bench)
        late = bench.connect()
        late.execute("INSERT INTO t VALUES (3, 'late')")
        config = bench.config(**self.CONFIG, headrace_lossless="false")
        with bench.running(config):
            bench.execute("INSERT INTO t VALUES (4, 'sent')")
            bench.ids("t", 1, 2, 4)
            late.commit()
            bench.execute("INSERT INTO t VALUES (5, 'end')")
            assert bench.ids("t", 1, 2, 4, 5) == [1, 2, 4, 5]
        assert [list(entry[0]) for entry in bench.sent[-1]] == [["protocol", "table"]]

    def test_altered_offsets_count(self, bench):
        table(bench)
        partition = {"protocol": "1", "table": f"{bench.schema}.t"}
        bench._write([(partition, {"timestamp": 1577836800000})])
        with bench.running(bench.config(**self.CONFIG)):
            assert bench.ids("t", 2) == [2]

    def test_several_columns_initial_time_and_delay(self, bench):
        table(bench, rows="")
        bench.execute("ALTER TABLE t ADD COLUMN changed timestamp")
        bench.execute("""INSERT INTO t VALUES (1, 'old', '2019-01-01Z', NULL),
          (2, 'changed', '2019-01-01Z', '2021-06-01'), (3, 'new', '2021-01-01Z', NULL),
          (4, 'too new', now(), NULL)""")
        config = bench.config(
            mode="timestamp",
            timestamp_column_name="changed,at",
            timestamp_initial="1577836800000",
            timestamp_delay_interval_ms="3600000",
        )
        with bench.running(config):
            assert bench.ids("t", 3, 2) == [3, 2]


class TestIncrementing:
    def test_rows_above_the_last_and_late_ones_but_no_updates(self, bench):
        bench.execute("CREATE TABLE t (id serial PRIMARY KEY, name text)")
        bench.execute("INSERT INTO t(name) VALUES ('a'), ('b')")
        late = bench.connect()
        with bench.running(bench.config(mode="incrementing")):
            bench.ids("t", 1, 2)
            late.execute("INSERT INTO t(name) VALUES ('late')")
            bench.execute("INSERT INTO t(name) VALUES ('c')")
            bench.ids("t", 1, 2, 4)
            bench.execute("UPDATE t SET name = 'changed' WHERE id = 1")
            late.commit()
            assert bench.ids("t", 1, 2, 4, 3) == [1, 2, 4, 3]
            bench.execute("INSERT INTO t(name) VALUES ('d')")
            assert bench.ids("t", 1, 2, 4, 3, 5) == [1, 2, 4, 3, 5]
        assert moved(bench) == {"incrementing": 5}

    def test_with_timestamps(self, bench):
        table(
            bench, rows="(2, 'b', '2020-01-01Z'), (1, 'a', '2020-01-01Z'), (3, 'c', '2019-01-01Z')"
        )
        config = bench.config(
            mode="timestamp+incrementing", timestamp_column_name="at", incrementing_column_name="id"
        )
        with bench.running(config):
            assert bench.ids("t", 3, 1, 2) == [3, 1, 2]
            eventually(lambda: moved(bench), bool)
        assert moved(bench) == {"timestamp": 1577836800000, "timestamp_nanos": 0, "incrementing": 2}


class TestBulkAndQueries:
    def test_bulk_repeats_the_table_and_keeps_no_offset(self, bench):
        table(bench)
        # Slow enough that who reads the topic comes to its end.
        with bench.running(bench.config(mode="bulk", poll_interval_ms="2000")):
            rows = bench.until("t", lambda rows: len(rows) >= 4)
        assert [row["id"] for row in rows[:4]] == [1, 2, 1, 2]
        assert bench.offsets == {}

    def test_a_query_goes_to_the_topic_of_the_prefix(self, bench):
        table(bench)
        config = bench.config(
            mode="timestamp",
            timestamp_column_name="at",
            query=f"SELECT id, upper(name) AS name, at FROM {bench.schema}.t WHERE id > 1 ORDER BY id; ",
            topic_prefix=f"{bench.schema}.q",
            validate_non_null="false",
        )
        with bench.running(config):
            assert bench.until("q", bool)[0]["name"] == "B"
            bench.execute("INSERT INTO t VALUES (3, 'c')")
            assert bench.ids("q", 2, 3) == [2, 3]
        assert bench.offset({"query": "query"})["timestamp"] > 1577836800000

    def test_late_rows_of_a_query_are_found_once(self, bench):
        table(bench)
        config = bench.config(
            mode="timestamp",
            timestamp_column_name="at",
            query=f"SELECT id, name, at FROM {bench.schema}.t",
            topic_prefix=f"{bench.schema}.q",
        )
        late = bench.connect()
        with bench.running(config):
            bench.ids("q", 1, 2)
            late.execute("INSERT INTO t VALUES (3, 'late')")
            bench.execute("INSERT INTO t VALUES (4, 'later')")
            bench.ids("q", 1, 2, 4)
            late.commit()
            bench.ids("q", 1, 2, 4, 3)
            bench.execute("INSERT INTO t VALUES (5, 'end')")
            assert bench.ids("q", 1, 2, 4, 3, 5) == [1, 2, 4, 3, 5]

    def test_a_suffix_ends_the_statement(self, bench):
        table(bench)
        config = bench.config(
            mode="bulk", poll_interval_ms="2000", query_suffix="ORDER BY id DESC FOR SHARE"
        )
        with bench.running(config):
            rows = bench.until("t", lambda rows: len(rows) >= 2)
        assert [row["id"] for row in rows[:2]] == [2, 1]


class TestLongAnswers:
    def test_tasks_read_them_and_the_position_is_the_last(self, bench):
        table(bench, rows="")
        bench.execute("INSERT INTO t SELECT i, 'x', '2020-01-01Z' FROM generate_series(1, 300) i")
        config = bench.config(
            mode="timestamp+incrementing",
            timestamp_column_name="at",
            incrementing_column_name="id",
            max_buffer_size="100",
            batch_max_rows="7",
        )
        with bench.running(config):
            assert bench.ids("t", *range(300)) == list(range(1, 301))
            eventually(lambda: moved(bench), bool)
        assert moved(bench)["incrementing"] == 300

    def test_ranges_of_a_table_are_read_side_by_side(self, bench, monkeypatch):
        from headrace.connect.jdbc import ranges

        monkeypatch.setattr(ranges, "_LEAST_BLOCKS", 4)
        table(bench, rows="")
        bench.execute(
            "INSERT INTO t SELECT i, repeat('x', 100), '2020-01-01Z' FROM generate_series(1, 3000) i"
        )
        with bench.running(bench.config(mode="timestamp", timestamp_column_name="at")):
            found = bench.ids("t", *range(3000))
        assert sorted(found) == list(range(1, 3001))


def threads_of(spark):
    return [thread.getName() for thread in spark._jvm.Thread.getAllStackTraces().keySet()]


class TestMany:
    def test_tables_of_several_tasks_in_one_connector(self, bench):
        for name in ("a", "b", "c"):
            table(bench, name)
        config = bench.config(mode="timestamp", timestamp_column_name="at", tasks_max="2")
        with bench.running(config):
            for name in ("a", "b", "c"):
                assert bench.ids(name, 1, 2) == [1, 2]

    def test_a_task_that_ends_leaves_no_producer_behind(self, bench, spark):
        table(bench)
        producer = f"connector-producer-{bench.schema}-0"
        with bench.running(bench.config(mode="timestamp", timestamp_column_name="at")):
            bench.ids("t", 1, 2)
            assert any(producer in name for name in threads_of(spark))
        eventually(
            lambda: threads_of(spark), lambda seen: not any(producer in name for name in seen)
        )

    def test_a_new_table_asks_for_new_tasks(self, bench):
        table(bench, "a")
        asked = []
        config = bench.config(
            mode="timestamp", timestamp_column_name="at", table_poll_interval_ms="50"
        )
        with bench.running(config, lambda: asked.append(True)):
            bench.ids("a", 1, 2)
            table(bench, "b")
            eventually(lambda: asked, bool)


class TestViews:
    """Their rows do not tell which transactions wrote them."""

    def test_late_rows_of_a_view_are_found_once(self, bench):
        table(bench)
        bench.execute("CREATE VIEW v AS SELECT id, name, at FROM t")
        late = bench.connect()
        config = bench.config(mode="timestamp", timestamp_column_name="at", table_types="VIEW")
        with bench.running(config | {"validate.non.null": "false"}):
            bench.ids("v", 1, 2)
            late.execute("INSERT INTO t VALUES (3, 'late')")
            bench.execute("INSERT INTO t VALUES (4, 'later')")
            bench.ids("v", 1, 2, 4)
            late.commit()
            bench.ids("v", 1, 2, 4, 3)
            bench.execute("INSERT INTO t VALUES (5, 'last')")
            assert bench.ids("v", 1, 2, 4, 3, 5) == [1, 2, 4, 3, 5]

    def test_by_number(self, bench):
        table(bench)
        bench.execute("CREATE VIEW v AS SELECT id, name FROM t")
        config = bench.config(mode="incrementing", incrementing_column_name="id")
        with bench.running(config | {"table.types": "TABLE,VIEW", "validate.non.null": "false"}):
            bench.ids("v", 1, 2)
            bench.execute("INSERT INTO t VALUES (3)")
            assert bench.ids("v", 1, 2, 3) == bench.ids("t", 1, 2, 3) == [1, 2, 3]


def test_names_of_columns_may_hold_anything(bench):
    bench.execute(
        'CREATE TABLE t (id int PRIMARY KEY, "a `b" int, "c.d" int, "e""f" int, "ID" int)'
    )
    bench.execute("INSERT INTO t VALUES (1, 2, 3, 4, 5)")
    with bench.running(bench.config(mode="incrementing", incrementing_column_name="id")):
        (row,) = bench.until("t", bool)
    assert row == {"id": 1, "a `b": 2, "c.d": 3, 'e"f': 4, "ID": 5}


class TestChangedColumns:
    """Tables are altered, dropped and made again while a task reads them."""

    CONFIG: ClassVar = {"mode": "incrementing", "incrementing_column_name": "id"}

    def test_records_have_the_columns_of_the_moment(self, bench):
        bench.execute("CREATE TABLE t (id int PRIMARY KEY, a text, n int)")
        expected = []
        with bench.running(bench.config(**self.CONFIG)):
            for change, values, row in (
                ("SELECT 1", "1, 'x', 1", {"a": "x", "n": 1}),
                ("ALTER TABLE t ADD b bool", "2, 'y', 2, true", {"a": "y", "n": 2, "b": True}),
                ("ALTER TABLE t RENAME a TO c", "3, 'z', 3", {"c": "z", "n": 3, "b": None}),
                ("ALTER TABLE t ALTER n TYPE bigint", "4, 'z', 1 << 30", {"c": "z", "n": 1 << 30}),
                ("ALTER TABLE t DROP c", "5, 5", {"n": 5}),
            ):
                bench.execute(change)
                bench.execute(f"INSERT INTO t VALUES ({values})")
                expected.append({"id": len(expected) + 1, "b": None, **row})
                if len(expected) == 1:
                    del expected[0]["b"]
                assert bench.until("t", lambda rows: len(rows) == len(expected)) == expected
        assert bench.errors == []

    def test_a_table_that_is_made_again_goes_on(self, bench):
        bench.execute("CREATE TABLE t (id int PRIMARY KEY)")
        bench.execute("CREATE TABLE u (id int PRIMARY KEY)")
        bench.execute("INSERT INTO t VALUES (1)")
        with bench.running(bench.config(**self.CONFIG)):
            assert bench.ids("t", 1) == [1]
            bench.execute("DROP TABLE t")
            bench.execute("INSERT INTO u VALUES (7)")
            assert bench.ids("u", 7) == [7]
            bench.execute("CREATE TABLE t (id int PRIMARY KEY, note text)")
            bench.execute("INSERT INTO t VALUES (1, 'was sent'), (2, 'new')")
            rows = bench.until("t", lambda rows: len(rows) > 1)
        assert rows == [{"id": 1}, {"id": 2, "note": "new"}]

    def test_a_query_of_all_columns(self, bench):
        bench.execute("CREATE TABLE t (id int PRIMARY KEY)")
        bench.execute("INSERT INTO t VALUES (1)")
        query = f"SELECT * FROM {bench.schema}.t"
        config = bench.config(**self.CONFIG, query=query, topic_prefix=f"{bench.prefix}q")
        del config["schema.pattern"]
        with bench.running(config):
            bench.ids("q", 1)
            bench.execute("ALTER TABLE t ADD note text")
            bench.execute("INSERT INTO t VALUES (2, 'new')")
            rows = bench.until("q", lambda rows: len(rows) > 1)
        assert rows == [{"id": 1}, {"id": 2, "note": "new"}]

    def test_a_position_that_is_gone_fails_the_task(self, bench):
        table(bench)
        with bench.running(bench.config(mode="timestamp", timestamp_column_name="at")):
            bench.ids("t", 1, 2)
            bench.execute("ALTER TABLE t RENAME at TO since")
            eventually(lambda: bench.errors, bool)
        assert "'at'" in str(bench.errors[0])


class TestDeletes:
    def test_keys_that_are_gone_are_told_by_tombstones(self, bench):
        table(bench)
        config = bench.config(
            mode="timestamp",
            timestamp_column_name="at",
            headrace_delete_detection="key-compare",
            headrace_delete_detection_interval_ms="1",
        )
        with bench.running(config | TO_KEY):
            bench.ids("t", 1, 2)
            bench.execute("DELETE FROM t WHERE id = 1")
            eventually(lambda: bench.records("t"), lambda records: len(records) == 3, 60)
            bench.execute("INSERT INTO t VALUES (1, 'again')")
            eventually(lambda: bench.records("t"), lambda records: len(records) == 4, 60)
        shown = [(json.loads(record.key), record.value is None) for record in bench.records("t")]
        assert shown == [(1, False), (2, False), (1, True), (1, False)]


class TestFaults:
    def test_a_database_that_is_not_there_fails_without_its_password(self, bench):
        config = bench.config(mode="bulk") | {
            "connection.url": "jdbc:postgresql://localhost:1/none?password=hunter2",
            "connection.password": "hunter2",
            "connection.attempts": "1",
        }
        with pytest.raises(DatabaseFault) as fault, bench.running(config):
            pass
        assert "hunter2" not in str(fault.value.found) + str(fault.value.where)
        assert "localhost:1" in str(fault.value.where)

    def test_an_address_that_no_driver_takes_is_told_at_once(self, bench):
        config = bench.config(mode="bulk") | {"connection.url": "jdbc:nothing://x"}
        with pytest.raises(DatabaseFault, match="connecting") as fault, bench.running(config):
            pass
        assert "driver" in str(fault.value.cure)

    def test_a_column_that_is_not_there(self, bench):
        table(bench)
        with bench.running(bench.config(mode="timestamp", timestamp_column_name="att")):
            eventually(lambda: bench.errors, bool)
        assert "'at'" in str(bench.errors[0].cure)

    def test_a_column_that_may_be_null(self, bench):
        table(bench)
        bench.execute("ALTER TABLE t ALTER COLUMN at DROP NOT NULL")
        config = bench.config(mode="timestamp", timestamp_column_name="at")
        with bench.running(config):
            eventually(lambda: bench.errors, bool)
        assert bench.errors.pop().condition == "NULLABLE_POSITION"
        with bench.running(config | {"validate.non.null": "false"}):
            assert bench.ids("t", 1, 2) == [1, 2]

    @pytest.mark.parametrize("tolerance", ["none", "all"])
    def test_records_that_a_transform_refuses(self, bench, tolerance):
        table(bench)
        config = bench.config(mode="timestamp", timestamp_column_name="at") | {
            "errors.tolerance": tolerance,
            "transforms": "cast",
            "transforms.cast.type": "org.apache.kafka.connect.transforms.Cast$Value",
            "transforms.cast.spec": "name:int32",
        }
        bench.execute("UPDATE t SET name = '7' WHERE id = 2")
        with bench.running(config):
            if tolerance == "all":
                assert bench.ids("t", 2) == [2]
            else:
                eventually(lambda: bench.errors, bool)
        if tolerance == "none":
            assert isinstance(bench.errors[0], ToleranceExceeded)
