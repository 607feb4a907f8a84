from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from headrace.connectors.print import PrintConnector
from headrace.errors import InvalidOption
from headrace.testing.spark import write_batch

SCHEMA = "id INT, name STRING, __weight BIGINT"


def test_options(table):
    connector = PrintConnector()
    made = table({"connector": "print", "print-identifier": "x", "standard-error": "true"})
    connector.validate(made)
    connector.validate_sink(made)
    with pytest.raises(InvalidOption, match="true or false"):
        connector.validate(table({"connector": "print", "standard-error": "maybe"}))


def test_one_printer_only(table):
    connector = PrintConnector()
    connector.validate_sink(table({"connector": "print", "sink.parallelism": "1"}))
    with pytest.raises(InvalidOption, match="not supported yet") as caught:
        connector.validate_sink(table({"connector": "print", "sink.parallelism": "2"}))
    assert caught.value.condition == "UNSUPPORTED_OPTION"


@pytest.fixture
def printed(spark, table):
    def run(rows, schema=SCHEMA, *, key=(), **options):
        named = {name.replace("_", "-"): value for name, value in options.items()}
        made = table({"connector": "print"} | named)
        batch = spark.createDataFrame(rows, schema).coalesce(1)
        writer = PrintConnector().writer(spark, made, batch.columns[:-1], key=key)
        write_batch(writer, batch)
        return list(PrintConnector().console(made, writer))

    return run


def lines(printed):
    return [line for line, _ in printed]


@pytest.mark.spark
class TestPrinting:
    def test_insertions(self, printed):
        assert printed([(1, "a", 1), (None, None, 1)]) == [
            ("+I[1, a]", False),
            ("+I[null, null]", False),
        ]

    def test_identifier_and_standard_error(self, printed):
        found = printed([(1, "a", 1)], print_identifier="out", standard_error="true")
        assert found == [("out> +I[1, a]", True)]

    def test_without_a_key_removals_come_first(self, printed):
        found = lines(printed([(1, "b", 1), (1, "a", -1)]))
        assert found == ["-D[1, a]", "+I[1, b]"]

    def test_under_a_key_a_pair_is_an_update(self, printed):
        rows = [(1, "b", 1), (2, "x", 1), (1, "a", -1), (3, "y", -1)]
        found = lines(printed(rows, key=["id"]))
        assert found == ["-U[1, a]", "+U[1, b]", "+I[2, x]", "-D[3, y]"]

    def test_equal_rows_cancel_and_weights_repeat(self, printed):
        rows = [(1, "a", 1), (1, "a", -1), (2, "b", 2), (3, "c", 0)]
        assert lines(printed(rows)) == ["+I[2, b]", "+I[2, b]"]

    def test_every_type_as_flink_prints_it(self, printed):
        schema = (
            "b BOOLEAN, d DECIMAL(10, 2), f DOUBLE, dt DATE, n TIMESTAMP_NTZ, l TIMESTAMP, x BINARY, "
            "a ARRAY<STRING>, m MAP<STRING, INT>, r STRUCT<p: INT, q: ARRAY<INT>>, __weight BIGINT"
        )
        at = dt.datetime(2024, 5, 6, 7, 8, 9, 123000)
        values = (
            True,
            Decimal("1.50"),
            2.5,
            dt.date(2024, 5, 6),
            at,
            at.replace(tzinfo=dt.UTC),
            b"\x01\xff",
            ["p", None],
            {"k": 1},
            (1, [2, 3]),
            1,
        )
        (found,) = lines(printed([values], schema))
        assert found == (
            "+I[true, 1.50, 2.5, 2024-05-06, 2024-05-06T07:08:09.123, 2024-05-06T07:08:09.123Z, "
            "[1, -1], [p, null], {k=1}, +I[1, [2, 3]]]"
        )

    def test_lines_are_handed_over_once(self, spark, table):
        made = table({"connector": "print"})
        writer = PrintConnector().writer(spark, made, ["id", "name"])
        batch = spark.createDataFrame([(1, "a", 1)], SCHEMA)
        for _ in range(2):
            write_batch(writer, batch)
        assert len(list(PrintConnector().console(made, writer))) == 2
        assert list(PrintConnector().console(made, writer)) == []

    def test_the_jvm_prints_what_nobody_fetches(self, spark, table):
        made = table({"connector": "print"})
        jvm = spark._jvm
        caught, saved = jvm.java.io.ByteArrayOutputStream(), jvm.System.out
        writer = PrintConnector().writer(spark, made, ["id", "name"])
        batch = spark.createDataFrame([(1, "x" * 1_000_000, 1)], SCHEMA)
        jvm.System.setOut(jvm.java.io.PrintStream(caught))
        try:
            for _ in range(5):
                write_batch(writer, batch)
        finally:
            jvm.System.setOut(saved)
        assert caught.size() > 4_000_000
        assert len(list(PrintConnector().console(made, writer))) == 1

    def test_the_primary_key_pairs_updates_when_no_key_is_given(self, spark, table):
        made = table({"connector": "print"}, primary_key=["id"])
        batch = spark.createDataFrame([(1, "b", 1), (1, "a", -1)], SCHEMA)
        writer = PrintConnector().writer(spark, made, ["id", "name"])
        write_batch(writer, batch)
        assert lines(PrintConnector().console(made, writer)) == ["-U[1, a]", "+U[1, b]"]
