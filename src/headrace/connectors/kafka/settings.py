"""A Kafka table's options resolved: topics, client properties, and which columns the key and the value carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headrace.catalog.options import Option, ParsedOptions, parse_options
from headrace.catalog.table import Column, Table
from headrace.connectors.kafka.credentials import credential_properties
from headrace.connectors.kafka.jaas import as_kafka_reads
from headrace.connectors.kafka.options import (
    DEAD_LETTER_TOPIC,
    ERRORS_MODE,
    KAFKA_OPTIONS,
    KERBEROS_NAME,
    SSL_NAME,
    UPSERT_OPTIONS,
    format_parts,
    with_format_options,
)
from headrace.connectors.support import option_error, parsed
from headrace.errors import Position
from headrace.formats.base import IGNORE_PARSE_ERRORS, Format
from headrace.formats.codec import FormatUse
from headrace.formats.schema_registry import SUBJECT
from headrace.types import DataType

UPSERT = "upsert-kafka"

COMMIT_ON_CHECKPOINT = "commit.offsets.on.checkpoint"
# Properties that Flink's source takes for itself; the interval is the table's option, the metrics are Spark's.
OF_FLINKS_SOURCE = (
    COMMIT_ON_CHECKPOINT,
    "client.id.prefix",
    "partition.discovery.interval.ms",
    "register.consumer.metrics",
)


@dataclass(frozen=True, slots=True)
class KafkaSettings:
    options: ParsedOptions
    upsert: bool
    key: FormatUse | None
    value: FormatUse
    positions: Mapping[str, Position] = field(default_factory=dict)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self.options.get("topic", ()))

    @property
    def pattern(self) -> str | None:
        pattern: str | None = self.options.get("topic-pattern")
        return pattern

    @property
    def properties(self) -> dict[str, str]:
        """Of every client of the table; those of named credentials come from their file, which is read now."""
        named = credential_properties(
            self.options.get(SSL_NAME), self.options.get(KERBEROS_NAME), self.positions
        )
        own = {k: v for k, v in self._given.items() if k not in OF_FLINKS_SOURCE}
        return as_kafka_reads(named | own)

    @property
    def _given(self) -> dict[str, str]:
        return self.options.prefixed("properties.")

    @property
    def servers(self) -> str:
        return self._given["bootstrap.servers"]

    @property
    def group(self) -> str | None:
        return self._given.get("group.id")

    @property
    def client_prefix(self) -> str | None:
        """What the ids of consumers start with."""
        return self._given.get("client.id.prefix")

    @property
    def asks_for_commits(self) -> bool:
        """Whether the table says to commit, in one of two ways."""
        return self._is_on("enable.auto.commit") or self._is_on(COMMIT_ON_CHECKPOINT)

    @property
    def commit_group(self) -> str | None:
        """The group that is told what has been read, after every batch; by default the table's own."""
        unasked = COMMIT_ON_CHECKPOINT not in self._given
        return self.group if unasked or self.asks_for_commits else None

    def _is_on(self, name: str) -> bool:
        return self._given.get(name, "false").strip().lower() == "true"

    @property
    def is_bounded(self) -> bool:
        mode: str = self.options["scan.bounded.mode"]
        return mode != "unbounded"

    @property
    def guarantee(self) -> str:
        """none, at-least-once or exactly-once."""
        old: str | None = self.options.get("sink.semantic")
        guarantee: str = old or self.options["sink.delivery-guarantee"]
        return guarantee

    @property
    def is_exactly_once(self) -> bool:
        return self.guarantee == "exactly-once"

    @property
    def rows_name_topics(self) -> bool:
        """Whether each written row must say which topic it goes to."""
        return self.pattern is not None or len(self.topics) > 1

    @property
    def errors_mode(self) -> str:
        """fail, skip or dead-letter."""
        mode: str = self.options[ERRORS_MODE]
        return mode

    @property
    def dead_letter_topic(self) -> str | None:
        """None unless the mode asks for dead letters."""
        topic: str | None = self.options.get(DEAD_LETTER_TOPIC)
        return topic if self.errors_mode == "dead-letter" else None

    @property
    def ignores_parse_errors(self) -> bool:
        """Whether no format ever reports an unreadable record."""
        uses = [use for use in (self.key, self.value) if use is not None]
        return all(use.options.get(IGNORE_PARSE_ERRORS.name, False) for use in uses)

    @property
    def source_name(self) -> str:
        """The topic that is read, for examples in messages."""
        return self.topics[0] if self.topics else "topics"


def is_upsert(table: Table) -> bool:
    return table.options.get("connector") == UPSERT


def declared_options(upsert: bool, given: Mapping[str, str]) -> list[Option]:
    return with_format_options(UPSERT_OPTIONS if upsert else KAFKA_OPTIONS, given)


def settings_of(table: Table) -> KafkaSettings:
    """Raises InvalidOption where an option is missing, unknown or malformed."""
    upsert = is_upsert(table)
    given = table.options
    options = parsed(table, declared_options(upsert, given))
    uses = {
        part: FormatUse(
            format,
            parse_options(
                format.declared,
                _with_subject(part, format, options.prefixed(prefix), options.get("topic", ())),
                owner=f"format '{format.name}'",
            ),
            _columns_of(part, table, options, upsert),
        )
        for part, format, prefix in format_parts(given)
    }
    if "value" not in uses:
        raise option_error(
            table,
            "format",
            "connector 'kafka' needs a format of the value",
            condition="MISSING_OPTION",
            expected="'format' or 'value.format'",
            cure="'format' = 'json'",
        )
    return KafkaSettings(options, upsert, uses.get("key"), uses["value"], table.positions)


def _with_subject(
    part: str, format: Format, given: Mapping[str, str], topics: Sequence[str]
) -> Mapping[str, str]:
    """The format's options, and the subject that a registry's clients give to the schemas of a topic."""
    has_subject = any(option.name == SUBJECT for option in format.declared)
    default = {SUBJECT: f"{topics[0]}-{part}"} if has_subject and len(topics) == 1 else {}
    return default | dict(given)


def key_names(table: Table, options: ParsedOptions, upsert: bool) -> tuple[str, ...]:
    """The table's columns that form the key, in the key's order."""
    return table.primary_key if upsert else tuple(options["key.fields"])


def _columns_of(
    part: str, table: Table, options: ParsedOptions, upsert: bool
) -> tuple[tuple[str, str, DataType], ...]:
    keys = key_names(table, options, upsert)
    physical = {column.name: column for column in table.physical_columns}
    if part == "key":
        prefix = options.get("key.fields-prefix", "")
        chosen = [physical[name] for name in keys if name in physical]
        return tuple(_use(column, column.name.removeprefix(prefix)) for column in chosen)
    left_out = keys if options["value.fields-include"] == "EXCEPT_KEY" else ()
    return tuple(_use(c, c.name) for c in table.physical_columns if c.name not in left_out)


def _use(column: Column, inner: str) -> tuple[str, str, DataType]:
    return column.name, inner, column.type
