from __future__ import annotations

import json

import pytest

from headrace.connect.errors import Reporter
from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.pipeline import Pipelines, _keeps_topic, _types, quoted, writer_spec
from headrace.connect.jdbc.predicates import Columns
from headrace.connect.jdbc.tables import Source
from headrace.connect.jdbc.types import PLAIN, Field, TypeSettings
from headrace.connect.transforms.chain import Chain

KAFKA = "org.apache.kafka.connect.transforms."


def test_the_writer_takes_topics_from_records_and_waits_for_all_brokers():
    spec = json.loads(writer_spec({"bootstrap.servers": "b:1", "linger.ms": "9"}))
    assert spec["topics"] == []
    assert spec["pattern"] == ".*"
    assert spec["properties"]["acks"] == "all"
    assert spec["properties"]["enable.idempotence"] == "true"
    assert (spec["properties"]["bootstrap.servers"], spec["properties"]["linger.ms"]) == (
        "b:1",
        "9",
    )


@pytest.mark.parametrize("name", ["ValueToKey", "ExtractField$Key", "InsertField$Value", "Filter"])
def test_transforms_that_leave_the_topic(name):
    assert _keeps_topic(KAFKA + name)


@pytest.mark.parametrize(
    "name", [f"{KAFKA}RegexRouter", f"{KAFKA}TimestampRouter", "mine:transform", "x.InsertField"]
)
def test_transforms_that_may_choose_another(name):
    assert not _keeps_topic(name)


def test_types_of_the_transforms_in_their_order():
    config = {"transforms": "b, a", "transforms.a.type": "A", "transforms.b.type": "B"}
    assert _types(config) == ["B", "A"]
    assert _types({}) == []


@pytest.mark.parametrize(("name", "text"), [("id", "`id`"), ("a`b", "`a``b`"), ("a.b", "`a.b`")])
def test_names_are_quoted_for_spark(name, text):
    assert quoted(name) == text


CONVERTERS = {
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


def pipelines(spark, apart=False, **options):
    config = CONVERTERS | {name.replace("_", "."): text for name, text in options.items()}
    reporter = Reporter.of(config, "c", 0)
    return Pipelines(spark, config, {"bootstrap.servers": "b:1"}, reporter, apart=apart)


def table(name, *columns):
    fields = [Field(c, c, PLAIN["int32"].schema, PLAIN["int32"].read) for c in columns]
    id = TableId(None, "public", name)
    settings = TypeSettings()
    return Source(id, name, f"t.{name}", tuple(fields), Columns((), "a"), ("a",), "", settings)


@pytest.mark.spark
class TestPlans:
    def test_tables_of_the_same_columns_share_one(self, spark):
        made = pipelines(spark)
        a, b = made.of(table("a", "a", "b")), made.of(table("b", "a", "b"))
        assert a.plan is b.plan
        assert (a.source.topic, b.source.topic) == ("t.a", "t.b")
        assert made.of(table("c", "a", "c")).plan is not a.plan
        assert made.asking(table("d", "a", "b"), 2).plan is not a.plan

    @pytest.mark.parametrize(
        "options",
        [
            {"apart": True},
            {"value_converter_schemas_enable": "true"},
            {"transforms": "own", "transforms_own_type": "tests.transforms:same"},
        ],
    )
    def test_names_that_are_written_or_seen_keep_tables_apart(self, spark, options, monkeypatch):
        monkeypatch.setattr("headrace.connect.jdbc.pipeline.parse_chain", lambda config: NO_CHAIN)
        made = pipelines(spark, **options)
        assert made.of(table("a", "a")).plan is not made.of(table("b", "a")).plan

    def test_topics_are_those_of_the_tables_or_what_transforms_make_of_them(self, spark):
        plain = pipelines(spark)
        both = [plain.of(table("a", "a")), plain.of(table("b", "a"))]
        assert plain.topics(both) == {"t.a", "t.b"}
        router = f"{KAFKA}RegexRouter"
        options = {"transforms_r_regex": "t.(.*)", "transforms_r_replacement": "x-$1"}
        routed = pipelines(spark, transforms="r", transforms_r_type=router, **options)
        a = routed.of(table("a", "a"))
        rows = held(spark, 1, 2)
        a.give(rows)
        routed.of(table("b", "a")).give(rows)
        assert routed.topics([a]) == {"x-a", "x-b"}
        assert sorted(tuple(row) for row in a.plan.rows.collect()) == [
            ("t.a", 1), ("t.a", 2), ("t.b", 1), ("t.b", 2)
        ]  # fmt: skip
        # Given again, as after a failure: a table's rows are those that it was given last.
        a.give(held(spark, 3))
        assert [row[1] for row in a.plan.rows.collect() if row[0] == "t.a"] == [3]
        routed.clear()
        assert routed.topics([a]) == set()


NO_CHAIN = Chain()


def held(spark, *numbers):
    """Rows of one column that a poll has read."""
    java = spark._jvm
    rows = spark.sparkContext._gateway.new_array(
        java.org.apache.spark.sql.catalyst.InternalRow, len(numbers)
    )
    for place, number in enumerate(numbers):
        rows[place] = java.org.apache.spark.sql.catalyst.InternalRow.fromSeq(
            java.PythonUtils.toSeq([number])
        )
    return java.headrace.connect.jdbc.HeldRows(rows)
