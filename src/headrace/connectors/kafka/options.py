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

GUARANTEES = ("none", "at-least-once", "exactly-once")

DISCOVERY = "scan.topic-partition-discovery.interval"
ON_DATA_LOSS = "headrace.scan.on-data-loss"
# Names of credentials that the table itself does not show.
SSL_NAME, KERBEROS_NAME = "ssl_auth_name", "krb_auth_name"

_TOPICS = (
    Option(
        "topic",
        OptionType.LIST,
        "Topics to read or to write, separated by semicolons. Of several that are written, each row names its own in a "
        "metadata column 'topic'. Set this or 'topic-pattern'.",
    ),
    Option(
        "topic-pattern",
        OptionType.STRING,
        "Java regular expression that the whole name of a topic must match to be read, or to be written by rows that "
        "name it in a metadata column 'topic'.",
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
        "Consumer group that is told after every batch what has been read, unless "
        "'properties.commit.offsets.on.checkpoint' is 'false'. Needed by 'group-offsets' as a start or an end.",
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

_STARTUP_MODE = Option(
    "scan.startup.mode",
    OptionType.ENUM,
    "Where a job that starts for the first time begins to read; a restart continues from its checkpoint. "
    "'group-offsets' by default, 'earliest-offset' in `upsert-kafka`, where Flink has no choice: a key whose row was "
    "written before the start is new when its next record comes.",
    choices=STARTUP_MODES,
)

_STARTUP = (
    Option(
        "scan.startup.specific-offsets",
        OptionType.STRING,
        "First offset per partition of the one topic, e.g. 'partition:0,offset:42;partition:1,offset:300'. A "
        "partition without one starts where 'properties.group.id' has come to, else at its beginning.",
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
        "Where reading, and with it the job, ends. The place is looked up when the job first starts, and kept.",
        default="unbounded",
        choices=BOUNDED_MODES,
        since="1.17",
    ),
    Option(
        "scan.bounded.specific-offsets",
        OptionType.STRING,
        "Offset per partition of the one topic before which reading ends; one that is yet to come is waited for. A "
        "partition without one ends where 'properties.group.id' has come to, else nothing of it is read.",
        since="1.17",
    ),
    Option(
        "scan.bounded.timestamp-millis",
        OptionType.LONG,
        "End before the first record whose timestamp is this or later; where none is, after the last.",
        since="1.17",
    ),
    Option(
        DISCOVERY,
        OptionType.DURATION,
        "How often to look for new topics and partitions, which are read from their beginning; 0 for only when the "
        "job starts. A source with an end never looks again.",
        default="5 min",
        since="1.12",
    ),
    Option(
        "scan.parallelism",
        OptionType.INT,
        "Most tasks that read at the same time; a partition is read by one. By default every partition has its own.",
        since="4.0",
    ),
    Option(
        ON_DATA_LOSS,
        OptionType.ENUM,
        "What a job does when records it was to read have expired, or their topic was deleted or made anew: it fails, "
        "or goes on with what is there. (Flink goes on silently, at the start or the end, by 'scan.startup.mode'.) A "
        "job resumes when this is changed. Headrace only.",
        default="fail",
        choices=("fail", "continue"),
    ),
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
        "'at-least-once': a batch is done when the broker has acknowledged all of it, and is written again after a "
        "crash. 'exactly-once': in transactions, whose records are seen once by those who read with "
        "'isolation.level' = 'read_committed'. 'none': as at-least-once, but the acknowledgement of one broker "
        "suffices, so that its loss may lose or repeat records.",
        default="at-least-once",
        choices=GUARANTEES,
        since="1.14",
    ),
    Option(
        "sink.transactional-id-prefix",
        OptionType.STRING,
        "Prefix of all transaction ids of an exactly-once sink; the job, the sink and the task follow it.",
        since="1.14",
    ),
    Option(
        "sink.transaction-naming-strategy",
        OptionType.ENUM,
        "How a job that starts again finds the transactions that it left open. 'INCREMENTING': ids are counted up by "
        "task, and the job's folder says how many there were. 'POOLING': it asks the broker for those that begin with "
        "the prefix (Kafka 3.0 or later). Both use one id per task over and over.",
        default="INCREMENTING",
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

_PARTITIONER = Option(
    "sink.partitioner",
    OptionType.STRING,
    "How a record finds its partition: 'default' (hash of the key, else any), 'fixed' (one per writing task), "
    "'round-robin' (any; only without a key), the name of a Java class that implements Kafka's `Partitioner`, or "
    "`module:function` in Python, called with arrays of keys and values and the number of partitions.",
    default="default",
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
    replace(_STARTUP_MODE, default="group-offsets"),
    _PARTITIONER,
    Option(
        "sink.semantic",
        OptionType.ENUM,
        "Old name of 'sink.delivery-guarantee'; counts where both are set.",
        choices=GUARANTEES,
    ),
    replace(_CLEANUP_POLICY, default="delete"),
)

RECONCILE = "headrace.sink.reconcile"

UPSERT_ONLY = (
    replace(_STARTUP_MODE, default="earliest-offset"),
    Option("value.format", OptionType.STRING, "Format of the value.", required=True),
    Option("key.format", OptionType.STRING, "Format of the key.", required=True),
    Option(
        "sink.buffer-flush.max-rows",
        OptionType.INT,
        "A task holds changes back until it has this many keys, and writes the last one of each. What is held at the end "
        "of a batch is written with it. Needs 'sink.buffer-flush.interval'.",
        default="0",
        since="1.13",
    ),
    Option(
        "sink.buffer-flush.interval",
        OptionType.DURATION,
        "How often changes are gathered into a batch, unless 'execution.checkpointing.interval' says so. Needs "
        "'sink.buffer-flush.max-rows'.",
        default="0",
        since="1.13",
    ),
    replace(
        _PARTITIONER,
        doc="How a record finds its partition: 'default' (hash of the key), the name of a Java class that implements "
        "Kafka's `Partitioner`, or `module:function` in Python, called with arrays of keys and values and the number "
        "of partitions. It must send a key to the same partition always. Headrace only.",
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

_CREDENTIALS = (
    Option(
        SSL_NAME,
        OptionType.STRING,
        "Name of client properties for SSL in the credentials file, in its table `[ssl.<name>]`. 'properties.*' of the "
        "table come before them. The file is HEADRACE_CREDENTIALS, else `credentials.toml` in the user's configuration "
        "folder of Headrace, and must be readable by its owner only.",
    ),
    Option(
        KERBEROS_NAME,
        OptionType.STRING,
        "Name of client properties for Kerberos in the credentials file, in its table `[krb.<name>]`; `principal`, "
        "`keytab` and `service` there stand for the properties they make.",
    ),
)

_COMMON = (CONNECTOR, *_TOPICS, *_KEY_AND_VALUE, *_STARTUP, *_SCAN, *_ERRORS, *_SINK, *_CREDENTIALS)
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
