"""Output partitions of records."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.lake.arrivals import Arrivals
from headrace.connect.lake.connector import S3Sink
from headrace.connect.lake.options import PACKAGE, PARTITIONERS
from headrace.connect.lake.partitioners import placed, without_fields
from headrace.connect.lake.settings import Settings

pytestmark = pytest.mark.spark

PLACE = cs.struct(
    {
        "country": cs.string(optional=True),
        "n": Schema(Type.INT64),
        "yes": Schema(Type.BOOLEAN),
        "x": Schema(Type.FLOAT64),
        "at": cs.timestamp(optional=True),
        "inner": cs.struct({"city": cs.string()}),
    }
)


def settings(kind: str, **options: str) -> Settings:
    given = {name.replace("_", "."): text for name, text in options.items()}
    base = {
        "format.class": f"{PACKAGE}format.json.JsonFormat",
        "flush.size": "1",
        "s3.bucket.name": "lake",
        "timezone": "UTC",
        "locale": "en",
        "partitioner.class": f"{PARTITIONERS}{kind}Partitioner",
    }
    return Settings.of(S3Sink.config(), {**base, **given})


def value(country: str | None, at=None):
    return (country, 7, True, 1.5, at, ("Rome",))


def places(connect, values, schema, chosen):
    from pyspark.sql import functions as sf

    records = connect.records(values, schema, offset=list(range(len(values))))
    ready = records.changed({"origin_partition": sf.lit(4)})
    rows = placed(ready, chosen, Arrivals(-1)).frame.orderBy("offset").collect()
    return [(row.path, row.clock, row.error and row.error.message) for row in rows]


def test_by_partition(connect):
    assert places(connect, ["1"], None, settings("Default")) == [("partition=4", None, None)]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ("country", "country=a%2Fb"),
        ("country,n,yes", "country=a%2Fb/n=7/yes=true"),
        ("inner.city", "inner.city=Rome"),
    ],
)
def test_by_fields(connect, fields, path):
    chosen = settings("Field", partition_field_name=fields)
    assert places(connect, [value("a/b")], PLACE, chosen) == [(path, None, None)]


def test_values_stay_in_their_folders(connect):
    values = [value(text) for text in (None, "", "..", "100%", "a\\b", "x\ny", "é b,c")]
    found = places(connect, values, PLACE, settings("Field", partition_field_name="country"))
    assert [path.removeprefix("country=") for path, _, _ in found] == [
        *("null", "", "..", "100%25", "a%5Cb", "x%0Ay", "é b,c"),
    ]
    bare = settings("Field", partition_field_name="country", partition_field_format_path="false")
    assert [path for path, _, _ in places(connect, values[:3], PLACE, bare)] == [
        *("null", "%", "%2E%2E"),
    ]


@pytest.mark.parametrize(
    ("field", "fault"), [("x", "not supported"), ("nothing", "Unable to find"), ("at", "supported")]
)
def test_fields_that_do_not_do(connect, field, fault):
    chosen = settings("Field", partition_field_name=field)
    ((path, _, error),) = places(connect, [value("a")], PLACE, chosen)
    assert path is None
    assert fault in error


def test_names_of_others_change_nothing(connect):
    named = cs.struct(
        {
            "kind": Schema(Type.STRING, name="io.debezium.data.Enum"),
            "day": Schema(Type.INT32, name="io.debezium.time.Date"),
            "at": Schema(Type.INT64, name="shop.Millis"),
        }
    )
    fields = settings("Field", partition_field_name="kind,day")
    row = ("new", 3, MILLIS)
    assert places(connect, [row], named, fields) == [("kind=new/day=3", None, None)]
    daily = settings("Daily", timestamp_extractor="RecordField", timestamp_field="at")
    assert places(connect, [row], named, daily) == [("year=2017/month=02/day=15", MILLIS, None)]


@pytest.mark.parametrize("name", ["Date", "Time"])
def test_days_and_times_of_day_are_no_moments(connect, name):
    daily = settings("Daily", timestamp_extractor="RecordField", timestamp_field="at")
    schema = cs.struct({"at": Schema(Type.INT32, optional=True, name=f"org.apache.kafka.connect.data.{name}")})  # fmt: skip
    ((_, _, error),) = places(connect, [(None,)], schema, daily)
    assert error == "Unable to find timestamp field 'at', or it is no time."
    fields = settings("Field", partition_field_name="at")
    ((path, _, error),) = places(connect, [(None,)], schema, fields)
    assert (path, "not supported" in error) == (None, True)


def test_fields_need_a_struct(connect):
    chosen = settings("Field", partition_field_name="a")
    ((_, _, error),) = places(connect, ['{"a":1}'], None, chosen)
    assert error == "Value is not Struct type."


@pytest.mark.parametrize(
    ("name", "folder"),
    [("shop.Order", "shop.Order"), (None, "null"), ("a/b%", "a%2Fb%25"), ("..", "..")],
)
def test_names_of_schemas(connect, name, folder):
    schema = replace(PLACE, name=name)
    for affix, path in (("PREFIX", f"schema_name={folder}/n=7"), ("SUFFIX", f"n=7/schema_name={folder}")):  # fmt: skip
        chosen = settings("Field", partition_field_name="n", s3_schema_partition_affix_type=affix)
        assert places(connect, [value("a")], schema, chosen) == [(path, None, None)]


def test_names_of_schemas_with_every_partitioner(connect):
    prefix = {"s3_schema_partition_affix_type": "PREFIX", "directory_delim": "|"}
    schemaless = settings("Default", **prefix)
    assert places(connect, ["1"], None, schemaless) == [
        ("schema_name=null|partition=4", None, None)
    ]
    daily = settings("Daily", timestamp_extractor="RecordField", timestamp_field="at", **prefix)
    moment = datetime.fromtimestamp(MILLIS / 1000, UTC)
    ((path, clock, _),) = places(connect, [value("a", moment)], replace(PLACE, name="o|p"), daily)
    assert (path, clock) == ("schema_name=o%7Cp|year=2017|month=02|day=15", MILLIS)


def test_a_record_without_a_place_gets_none_by_its_schema(connect):
    chosen = settings("Field", partition_field_name="x", s3_schema_partition_affix_type="PREFIX")
    ((path, _, error),) = places(connect, [value("a")], PLACE, chosen)
    assert path is None
    assert "not supported" in error


TIME = "2017-02-15T09:45:30Z"
MILLIS = 1487151930000


@pytest.mark.parametrize(
    "value", [json.dumps({"at": TIME}), json.dumps({"at": MILLIS}), json.dumps({"at": str(MILLIS)})]
)
def test_times_of_records(connect, value):
    chosen = settings("Hourly", timestamp_extractor="RecordField", timestamp_field="at")
    path = "year=2017/month=02/day=15/hour=09"
    assert places(connect, [value], None, chosen) == [(path, MILLIS, None)]


def test_times_with_a_schema(connect):
    moment = datetime.fromtimestamp(MILLIS / 1000, UTC)
    chosen = settings("Daily", timestamp_extractor="RecordField", timestamp_field="at")
    found = places(connect, [value("a", moment), value("a")], PLACE, chosen)
    assert found[0] == ("year=2017/month=02/day=15", MILLIS, None)
    assert found[1][2] == "The timestamp field 'at' is no time."


def test_no_such_time(connect):
    chosen = settings("Daily", timestamp_extractor="RecordField", timestamp_field="never")
    ((_, clock, error),) = places(connect, [value("a")], PLACE, chosen)
    assert clock is None
    assert "Unable to find timestamp field 'never'" in error


def test_zones_and_durations(connect):
    chosen = settings(
        "TimeBased",
        timestamp_extractor="RecordField",
        timestamp_field="at",
        path_format="EEEE/HH-mm",
        partition_duration_ms="1800000",
        timezone="Asia/Kolkata",
        locale="de-DE",
    )
    ((path, _, _),) = places(connect, [json.dumps({"at": MILLIS})], None, chosen)
    assert path == "Mittwoch/15-00"


def test_the_clock_on_the_wall(connect):
    before = int(time.time() * 1000)
    ((_, clock, _),) = places(connect, ["1"], None, settings("Daily"))
    assert before <= clock <= int(time.time() * 1000)


def test_leaving_fields_out(connect):
    records = without_fields(connect.records([value("a"), None], PLACE), ["country", "x"])
    assert [field.name for field in records.value.fields] == ["n", "yes", "at", "inner"]
    assert [row.value and row.value.n for row in records.frame.collect()] == [7, None]
    plain = connect.records(["1"])
    assert without_fields(plain, ["country"]) is plain
