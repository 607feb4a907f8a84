from datetime import timedelta

import pytest

from headrace.catalog.options import parse_options
from headrace.connectors.kafka.options import (
    KAFKA_OPTIONS,
    RECONCILE,
    UPSERT_OPTIONS,
    format_parts,
    with_format_options,
)
from headrace.errors import UnknownName

# Every option of Flink's two connectors.
BOTH = {
    "connector",
    "topic",
    "topic-pattern",
    "properties.bootstrap.servers",
    "properties.group.id",
    "properties.*",
    "key.format",
    "value.format",
    "key.fields-prefix",
    "value.fields-include",
    "scan.bounded.mode",
    "scan.bounded.specific-offsets",
    "scan.bounded.timestamp-millis",
    "scan.topic-partition-discovery.interval",
    "scan.parallelism",
    "sink.parallelism",
    "sink.delivery-guarantee",
    "sink.transactional-id-prefix",
    "sink.transaction-naming-strategy",
    "scan.watermark.emit.strategy",
    "scan.watermark.alignment.group",
    "scan.watermark.alignment.max-drift",
    "scan.watermark.alignment.update-interval",
    "scan.watermark.idle-timeout",
    # In Flink's `kafka` alone; in ours in both.
    "scan.startup.mode",
    "scan.startup.specific-offsets",
    "scan.startup.timestamp-millis",
}
KAFKA = BOTH | {
    "format",
    "key.fields",
    "sink.partitioner",
    "sink.semantic",
}
UPSERT = BOTH | {"sink.buffer-flush.max-rows", "sink.buffer-flush.interval"}
UPSERT_OURS = {RECONCILE, "sink.partitioner"}
OURS = {
    "sink.topic.partitions",
    "sink.topic.cleanup-policy",
    "headrace.errors.mode",
    "headrace.errors.dead-letter.topic",
    "headrace.scan.on-data-loss",
    # Of Huawei's Flink.
    "ssl_auth_name",
    "krb_auth_name",
}


@pytest.mark.parametrize(
    ("declared", "names"), [(KAFKA_OPTIONS, KAFKA), (UPSERT_OPTIONS, UPSERT | UPSERT_OURS)]
)
def test_every_option_of_flink_is_declared_once(declared, names):
    assert sorted(option.name for option in declared) == sorted(names | OURS)
    assert all(option.doc.endswith(".") for option in declared)


def test_defaults_are_flinks():
    given = {"connector": "kafka", "properties.bootstrap.servers": "b"}
    options = parse_options(KAFKA_OPTIONS, given, owner="kafka")
    assert options["scan.startup.mode"] == "group-offsets"
    assert options["scan.bounded.mode"] == "unbounded"
    assert options["value.fields-include"] == "ALL"
    assert options["sink.partitioner"] == "default"
    assert options["sink.delivery-guarantee"] == "at-least-once"
    assert options["key.fields"] == []
    assert options["scan.topic-partition-discovery.interval"] == timedelta(minutes=5)


def test_an_upsert_source_starts_at_the_beginning_unless_told():
    given = {"connector": "upsert-kafka", "properties.bootstrap.servers": "b"}
    options = parse_options(
        UPSERT_OPTIONS, given | {"key.format": "json", "value.format": "json"}, owner="upsert-kafka"
    )
    assert options["scan.startup.mode"] == "earliest-offset"


def test_created_topics_are_compacted_for_upsert_sinks_only():
    defaults = [
        next(o.default for o in declared if o.name == "sink.topic.cleanup-policy")
        for declared in (KAFKA_OPTIONS, UPSERT_OPTIONS)
    ]
    assert defaults == ["delete", "compact"]


@pytest.mark.parametrize(
    ("given", "prefixes"),
    [
        ({"format": "json"}, ["json."]),
        ({"value.format": "json"}, ["value.json."]),
        ({"key.format": "json", "format": "json"}, ["key.json.", "json."]),
        ({}, []),
    ],
)
def test_format_options_carry_the_prefix_of_their_part(given, prefixes):
    assert [prefix for _, _, prefix in format_parts(given)] == prefixes
    names = {option.name for option in with_format_options(KAFKA_OPTIONS, given)}
    for prefix in prefixes:
        assert f"{prefix}ignore-parse-errors" in names


def test_unknown_format_names_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'json'") as caught:
        with_format_options(KAFKA_OPTIONS, {"format": "jsn"})
    assert caught.value.condition == "UNKNOWN_FORMAT"
