"""The options of `kafka` and `upsert-kafka`, declared once; formats add theirs under the prefix of their part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from headrace.catalog.options import Option, OptionType
from headrace.connectors.support import CONNECTOR
from headrace.formats.base import Format
from headrace.formats.registry import format_named

STARTUP_MODES = (
    "earliest-offset",
    "latest-offset",
    "group-offsets",
    "timestamp",
    "specific-offsets",
)
BOUNDED_MODES = ("unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets")

_TOPICS = (
    Option(
        "topic",
        OptionType.LIST,
        "Topics to read, separated by semicolons, or the one topic to write. "
        "Set this or 'topic-pattern'.",
    ),
    Option(
        "topic-pattern",
        OptionType.STRING,
        "Java regular expression that the whole name of a topic to read must match.",
        since="1.12",
    ),
    Option(
        "properties.bootstrap.servers",
        OptionType.STRING,
        "Brokers to ask first, as host:port separated by commas.",
        required=True,
    ),
    Option(
        "properties.group.id",
        OptionType.STRING,
        "Consumer group. Needed by 'scan.startup.mode' = 'group-offsets'.",
    ),
    Option(
        "properties.*",
        OptionType.STRING,
        "Any setting of the Kafka client, passed on without the prefix.",
    ),
)

_KEY_AND_VALUE = (
    Option(
        "key.fields-prefix",
        OptionType.STRING,
        "Prefix of the key's columns in the table, removed inside the key format.",
    ),
    Option(
        "value.fields-include",
        OptionType.ENUM,
        "Whether the key's columns are part of the value too.",
        default="ALL",
        choices=("ALL", "EXCEPT_KEY"),
    ),
)

_STARTUP = (
    Option(
        "scan.startup.mode",
        OptionType.ENUM,
        "Where a job that starts for the first time begins to read; a restart continues from its checkpoint.",
        default="group-offsets",
        choices=STARTUP_MODES,
    ),
    Option(
        "scan.startup.specific-offsets",
        OptionType.STRING,
        "First offset per partition of the one topic, e.g. 'partition:0,offset:42;partition:1,offset:300'.",
    ),
    Option(
        "scan.startup.timestamp-millis",
        OptionType.LONG,
        "Start at the first record whose timestamp is this or later (milliseconds since 1970).",
        since="1.11",
    ),
)

_SCAN = (
    Option(
        "scan.bounded.mode",
        OptionType.ENUM,
        "Where reading ends. With 'latest-offset' the job ends at the records that exist when it starts.",
        default="unbounded",
        choices=BOUNDED_MODES,
        since="1.17",
    ),
    Option(
        "scan.bounded.specific-offsets",
        OptionType.STRING,
        "Exclusive last offset per partition of the one topic.",
        since="1.17",
    ),
    Option(
        "scan.bounded.timestamp-millis",
        OptionType.LONG,
        "End before the first record whose timestamp is this or later.",
        since="1.17",
    ),
    Option(
        "scan.topic-partition-discovery.interval",
        OptionType.DURATION,
        "How often to look for new topics and partitions.",
        since="1.12",
    ),
    Option("scan.parallelism", OptionType.INT, "Parallelism of the source alone.", since="4.0"),
    Option(
        "scan.watermark.emit.strategy",
        OptionType.ENUM,
        "When watermarks are emitted.",
        choices=("on-periodic", "on-event"),
        since="1.18",
    ),
    Option(
        "scan.watermark.alignment.group",
        OptionType.STRING,
        "Group of sources whose watermarks advance together.",
        since="1.18",
    ),
    Option(
        "scan.watermark.alignment.max-drift",
        OptionType.DURATION,
        "Largest lead of one source inside its alignment group.",
        since="1.18",
    ),
    Option(
        "scan.watermark.alignment.update-interval",
        OptionType.DURATION,
        "How often alignment is refreshed.",
        since="1.18",
    ),
    Option(
        "scan.watermark.idle-timeout",
        OptionType.DURATION,
        "After how long a silent partition no longer holds the watermark back.",
        since="1.18",
    ),
)

# What a source does with a record that its formats cannot read.
ERRORS_MODE = "headrace.errors.mode"
DEAD_LETTER_TOPIC = "headrace.errors.dead-letter.topic"

_ERRORS = (
    Option(
        ERRORS_MODE,
        OptionType.ENUM,
        "What a record that cannot be read does: fails the job, is skipped and counted, or is skipped, counted and "
        "sent as it is to the dead-letter topic. A job resumes when this is changed. Headrace only.",
        default="fail",
        choices=("fail", "skip", "dead-letter"),
    ),
    Option(
        DEAD_LETTER_TOPIC,
        OptionType.STRING,
        "Topic for records that cannot be read, created when it is missing; needed by 'dead-letter'. Key, value, "
        "timestamp and headers are the record's; headers `headrace.errors.topic`, `.partition`, `.offset`, "
        "`.format`, `.part`, `.field` and `.reason` are added. Headrace only.",
    ),
)

_SINK = (
    Option(
        "sink.parallelism",
        OptionType.INT,
        "Number of tasks that write at the same time.",
        since="1.12",
    ),
    Option(
        "sink.delivery-guarantee",
        OptionType.ENUM,
        "Guarantee of the sink. 'none' is served as 'at-least-once'.",
        default="at-least-once",
        choices=("none", "at-least-once", "exactly-once"),
        since="1.14",
    ),
    Option(
        "sink.transactional-id-prefix",
        OptionType.STRING,
        "Prefix of all transaction ids of an exactly-once sink.",
        since="1.14",
    ),
    Option(
        "sink.transaction-naming-strategy",
        OptionType.ENUM,
        "How transaction ids are formed.",
        choices=("INCREMENTING", "POOLING"),
        since="4.0",
    ),
    Option(
        "sink.topic.partitions",
        OptionType.INT,
        "Partitions of a topic that the sink creates because it is missing; without it, the broker's default. "
        "With 'properties.allow.auto.create.topics' = 'false' a missing topic is an error. Headrace only.",
    ),
)

# The broker deletes old records by default; an upsert topic must keep the last one of every key instead.
_CLEANUP_POLICY = Option(
    "sink.topic.cleanup-policy",
    OptionType.ENUM,
    "'cleanup.policy' of a topic that the sink creates because it is missing. Headrace only.",
    choices=("compact", "delete"),
)

KAFKA_ONLY = (
    Option("format", OptionType.STRING, "Format of the value; the same as 'value.format'."),
    Option("value.format", OptionType.STRING, "Format of the value."),
    Option("key.format", OptionType.STRING, "Format of the key; needs 'key.fields'."),
    Option(
        "key.fields",
        OptionType.LIST,
        "Physical columns that form the key, in this order, separated by semicolons.",
        default="",
    ),
    *_STARTUP,
    Option(
        "sink.partitioner",
        OptionType.STRING,
        "How a record finds its partition: 'default' (hash of the key, else any), 'fixed' (one per writing task) "
        "or 'round-robin' (any; only without a key).",
        default="default",
    ),
    Option("sink.semantic", OptionType.STRING, "Old name of 'sink.delivery-guarantee'."),
    replace(_CLEANUP_POLICY, default="delete"),
)

RECONCILE = "headrace.sink.reconcile"

UPSERT_ONLY = (
    Option("value.format", OptionType.STRING, "Format of the value.", required=True),
    Option("key.format", OptionType.STRING, "Format of the key.", required=True),
    Option(
        "sink.buffer-flush.max-rows",
        OptionType.INT,
        "Flush when this many keys are buffered.",
        default="0",
        since="1.13",
    ),
    Option(
        "sink.buffer-flush.interval",
        OptionType.DURATION,
        "Flush on this period.",
        default="0",
        since="1.13",
    ),
    replace(_CLEANUP_POLICY, default="compact"),
    Option(
        RECONCILE,
        OptionType.BOOLEAN,
        "Whether a new job deletes the keys that the topic already holds and its answer lacks, with its first batch. "
        "The topic is read once for it. 'false' for a topic that several jobs or programs write. Headrace only.",
        default="true",
    ),
)

_COMMON = (CONNECTOR, *_TOPICS, *_KEY_AND_VALUE, *_SCAN, *_ERRORS, *_SINK)
KAFKA_OPTIONS = (*_COMMON, *KAFKA_ONLY)
UPSERT_OPTIONS = (*_COMMON, *UPSERT_ONLY)


def format_parts(given: Mapping[str, str]) -> Iterator[tuple[str, Format, str]]:
    """For each format that the options name: its part ('key' or 'value'), itself, and its options' prefix."""
    if "key.format" in given:
        yield "key", format_named(given["key.format"]), f"key.{given['key.format']}."
    if "value.format" in given:
        yield "value", format_named(given["value.format"]), f"value.{given['value.format']}."
    elif "format" in given:
        yield "value", format_named(given["format"]), f"{given['format']}."


def with_format_options(declared: tuple[Option, ...], given: Mapping[str, str]) -> list[Option]:
    prefixed = (
        replace(
            option,
            name=prefix + option.name,
            aliases=tuple(prefix + alias for alias in option.aliases),
        )
        for _, format, prefix in format_parts(given)
        for option in format.declared
    )
    return [*declared, *prefixed]
