"""Options together."""

from __future__ import annotations

import pytest

from headrace.connect.lake.connector import S3Sink
from headrace.connect.lake.options import PACKAGE, PARTITIONERS
from headrace.connect.lake.settings import DAY_MS, HOUR_MS, Settings, faults

VALID = {
    "format.class": f"{PACKAGE}format.json.JsonFormat",
    "flush.size": "1",
    "s3.bucket.name": "lake",
}
TIMED = {
    "partitioner.class": f"{PARTITIONERS}TimeBasedPartitioner",
    "path.format": "'d'=YYYY",
    "partition.duration.ms": "1000",
    "locale": "en",
    "timezone": "UTC",
}


def found(**options: str) -> dict[str, list[str]]:
    given = {name.replace("_", "."): text for name, text in options.items()}
    return faults(S3Sink.config(), {**VALID, **given})


def settings(**options: str) -> Settings:
    given = {name.replace("_", "."): text for name, text in options.items()}
    return Settings.of(S3Sink.config(), {**VALID, **given})


class TestFaults:
    def test_none(self):
        assert found() == {}
        assert faults(S3Sink.config(), {**VALID, **TIMED}) == {}

    def test_unknown_options_are_let_be(self):
        assert found(table_name_format="${topic}") == {}

    @pytest.mark.parametrize("codec", ["brotli", "lzo"])
    def test_codecs_that_spark_lacks(self, codec):
        assert list(found(parquet_codec=codec)) == ["parquet.codec"]

    def test_acceleration_is_amazon_s_and_needs_hosts_of_buckets(self):
        hosts = {"s3_wan_mode": "true", "s3_path_style_access_enabled": "false"}
        assert found(**hosts) == {}
        assert "path.style" in found(s3_wan_mode="true")["s3.wan.mode"][0]
        assert "store.url" in found(**hosts, store_url="http://s3:1")["s3.wan.mode"][0]

    @pytest.mark.parametrize("name", ["path.format", "partition.duration.ms", "locale", "timezone"])
    def test_what_times_need(self, name):
        given = {**VALID, **TIMED}
        del given[name]
        assert list(faults(S3Sink.config(), given)) == [name]

    def test_a_schedule_needs_a_zone(self):
        assert list(found(rotate_schedule_interval_ms="1000")) == ["timezone"]
        assert found(rotate_schedule_interval_ms="1000", timezone="UTC") == {}

    def test_fields_need_names(self):
        field = f"{PARTITIONERS}FieldPartitioner"
        assert list(found(partitioner_class=field)) == ["partition.field.name"]
        nested = {"partition.field.name": "a.b", "headrace.partition.field.keep": "false"}
        given = {**VALID, "partitioner.class": field, **nested}
        assert list(faults(S3Sink.config(), given)) == ["headrace.partition.field.keep"]

    def test_tombstones_are_written_by_their_keys(self):
        assert list(found(behavior_on_null_values="write")) == ["behavior.on.null.values"]
        assert found(behavior_on_null_values="write", store_kafka_keys="true") == {}

    def test_gzip_is_for_lines(self):
        parquet = f"{PACKAGE}format.parquet.ParquetFormat"
        told = found(s3_compression_type="gzip", format_class=parquet)
        assert list(told) == ["s3.compression.type"]

    def test_single_options_come_first(self):
        assert found(flush_size="none", behavior_on_null_values="write") == {}


class TestMeaning:
    def test_days_and_hours(self):
        daily = settings(partitioner_class=f"{PARTITIONERS}DailyPartitioner", directory_delim="|")
        hourly = settings(partitioner_class=f"{PARTITIONERS}HourlyPartitioner")
        assert daily.path_format == "'year'=YYYY|'month'=MM|'day'=dd"
        assert hourly.path_format.endswith("/'hour'=HH")
        assert (daily.duration_ms, hourly.duration_ms) == (DAY_MS, HOUR_MS)

    def test_an_interval_without_times_is_none(self):
        assert settings(rotate_interval_ms="5").interval_ms == -1
        timed = Settings.of(S3Sink.config(), {**VALID, **TIMED, "rotate.interval.ms": "5"})
        assert timed.interval_ms == 5

    def test_fields_are_left_out_only_where_asked(self):
        field = {
            "partitioner_class": f"{PARTITIONERS}FieldPartitioner",
            "partition_field_name": "a, b",
        }
        assert settings(**field).dropped_fields == []
        assert settings(**field, headrace_partition_field_keep="false").dropped_fields == ["a", "b"]
        assert settings(partition_field_name="a").partition_fields == []

    def test_formats_of_each_part(self):
        chosen = settings(keys_format_class=f"{PACKAGE}format.string.StringFormat")
        assert [chosen.format(part) for part in ("value", "key", "header")] == [
            "json",
            "string",
            "avro",
        ]
