"""The options of the JDBC source: those of Confluent's and Aiven's connectors, and Headrace's own."""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from headrace.connect import restarts
from headrace.connect.configdef import (
    REQUIRED,
    Config,
    ConfigDef,
    ConfigKey,
    Importance,
    Type,
    Validator,
    at_least,
    one_of,
)
from headrace.connect.regex.translation import fault

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW
DATABASE, MODE, CONNECTOR, HEADRACE = "Database", "Mode", "Connector", "Headrace"

BULK, INCREMENTING, TIMESTAMP = "bulk", "incrementing", "timestamp"
TIMESTAMP_INCREMENTING = "timestamp+incrementing"
MODES = (BULK, TIMESTAMP, INCREMENTING, TIMESTAMP_INCREMENTING)

ISOLATIONS: Mapping[str, int] = {
    # The numbers of java.sql.Connection; -1 leaves the database's own, 4096 is SQL Server's.
    "DEFAULT": -1,
    "READ_UNCOMMITTED": 1,
    "READ_COMMITTED": 2,
    "REPEATABLE_READ": 4,
    "SERIALIZABLE": 8,
    "SQL_SERVER_SNAPSHOT": 4096,
}
TABLE_TYPES = (
    "TABLE",
    "VIEW",
    "SYSTEM TABLE",
    "GLOBAL TEMPORARY",
    "LOCAL TEMPORARY",
    "ALIAS",
    "SYNONYM",
)
GRANULARITIES = (
    "connect_logical",
    "micros_long",
    "micros_string",
    "micros_iso_datetime_string",
    "nanos_long",
    "nanos_string",
    "nanos_iso_datetime_string",
)
NUMERIC_MAPPINGS = ("none", "precision_only", "best_fit", "best_fit_eager_double")
NO_DELETES, KEY_COMPARE = "none", "key-compare"

# How long a poll of Connect's waits at most before it gives back nothing.
_LINGER_MS = 5000


def one_of_or_none(*choices: str) -> Validator:
    judge = one_of(*choices)
    return lambda value: None if value is None else judge(value)


def _zone(value: Any) -> str | None:
    known = value in zoneinfo.available_timezones()
    return None if known or value is None else "Invalid time zone identifier"


def _address(value: Any) -> str | None:
    return None if str(value or "").startswith("jdbc:") else "an address of JDBC begins with jdbc:"


def _topic_prefix(value: Any) -> str | None:
    # Kafka's limits of a topic's name.
    legal = re.fullmatch(r"[A-Za-z0-9._-]{0,249}", value or "")
    return None if legal else "a topic has at most 249 characters of [a-zA-Z0-9._-]"


def _each_of(choices: Sequence[str]) -> Validator:
    def judge(value: Any) -> str | None:
        unknown = [item for item in value or [] if item not in choices]
        return f"must be of: {', '.join(choices)}" if unknown or not value else None

    return judge


def _regexes(value: Any) -> str | None:
    for text in value or []:
        if (refused := fault(text)) is not None:
            return f"Invalid regex: {refused}"
    return None


def _mapping(value: Any) -> str | None:
    for text in value or []:
        pattern, separator, columns = text.rpartition(":")
        if not separator or not pattern or not columns:
            return "entries have the form regex:column"
        if (fault := _regexes([pattern])) is not None:
            return fault
    return None


def _recommended(*choices: str) -> Callable[[Config], Sequence[Any]]:
    return lambda config: choices


Row = tuple[str, Type, Any, Importance, str] | tuple[str, Type, Any, Importance, str, Validator]

_DATABASE: tuple[Row, ...] = (
    ("connection.url", Type.STRING, REQUIRED, HIGH, "JDBC address of the database.", _address),
    ("connection.user", Type.STRING, None, HIGH, "User."),
    ("connection.password", Type.PASSWORD, None, HIGH, "The user's password."),
    ("connection.attempts", Type.INT, 3, LOW, "How often connecting is tried.", at_least(1)),
    ("connection.backoff.ms", Type.LONG, 10000, LOW, "Pause between two tries, in milliseconds.", at_least(0)),
    ("catalog.pattern", Type.STRING, None, MEDIUM, "Catalogue of the tables; empty: those without one. A PostgreSQL catalogue that is not the database is passed over with a warning."),
    ("schema.pattern", Type.STRING, None, HIGH, "Schema of the tables, a pattern of LIKE; empty: those without one."),
    ("table.whitelist", Type.LIST, [], MEDIUM, "Tables to read, by their bare or full names."),
    ("table.blacklist", Type.LIST, [], MEDIUM, "Tables not to read, by their bare or full names."),
    ("table.include.list", Type.LIST, [], MEDIUM, "Regular expressions of the full names of tables to read.", _regexes),
    ("table.exclude.list", Type.LIST, [], MEDIUM, "Regular expressions of tables to leave out of table.include.list.", _regexes),
    ("table.types", Type.LIST, ["TABLE"], LOW, "Kinds of tables; PostgreSQL's partitioned parents count as TABLE.", _each_of(TABLE_TYPES)),
    ("numeric.precision.mapping", Type.BOOLEAN, False, LOW, "Deprecated: true is numeric.mapping = precision_only."),
    ("numeric.mapping", Type.STRING, None, LOW, "What numbers with a fixed point become: none keeps decimals, the others choose smaller types.", one_of_or_none(*NUMERIC_MAPPINGS)),
    ("dialect.name", Type.STRING, "", LOW, "Dialect of the database; found from connection.url when empty."),
    ("quote.sql.identifiers", Type.STRING, "always", MEDIUM, "Whether names are quoted in SQL.", one_of("always", "never", ignore_case=True)),
    ("sql.quote.identifiers", Type.BOOLEAN, True, MEDIUM, "Aiven's name of quote.sql.identifiers."),
    ("table.names.qualify", Type.BOOLEAN, True, LOW, "Whether SQL names tables with their schemas."),
    ("query", Type.STRING, "", MEDIUM, "A SELECT to read instead of tables."),
    ("query.masked", Type.PASSWORD, None, MEDIUM, "The same, shown to nobody."),
    ("jdbc.credentials.provider.class", Type.STRING, None, LOW, "Not supported; connection.user and connection.password may be references to config providers.", lambda value: None if not value else "credentials providers are Java classes, which this worker does not run; use ${file:…} or ${env:…} references"),
)  # fmt: skip

_MODE: tuple[Row, ...] = (
    ("mode", Type.STRING, REQUIRED, HIGH, "How changes are found: bulk, timestamp, incrementing, timestamp+incrementing.", one_of(*MODES)),
    ("incrementing.column.name", Type.STRING, "", MEDIUM, "The column that only grows; empty: the one that the database counts."),
    ("incrementing.column.mapping", Type.LIST, [], MEDIUM, "regex:column for each table, instead of incrementing.column.name.", _mapping),
    ("incrementing.initial", Type.LONG, -1, LOW, "Rows above this number are read when there is no offset."),
    ("timestamp.column.name", Type.LIST, [], MEDIUM, "Columns with the time of a row's last change; of several the first that is not null counts."),
    ("timestamp.columns.mapping", Type.LIST, [], MEDIUM, "regex:[column|column] for each table, instead of timestamp.column.name.", _mapping),
    ("timestamp.initial", Type.LONG, None, LOW, "Milliseconds since 1970 after which rows are read when there is no offset; -1: the database's present time."),
    ("timestamp.initial.ms", Type.LONG, None, LOW, "Aiven's name of timestamp.initial."),
    ("timestamp.delay.interval.ms", Type.LONG, 0, HIGH, "How old a row's timestamp must be, in milliseconds.", at_least(0)),
    ("timestamp.granularity", Type.STRING, "connect_logical", LOW, "What timestamps become: Connect's logical type, or numbers and texts with more digits.", one_of(*GRANULARITIES)),
    ("validate.non.null", Type.BOOLEAN, True, LOW, "Whether columns that may be null are refused as positions."),
    ("query.suffix", Type.STRING, "", LOW, "Text after everything else of a query."),
    ("db.timezone", Type.STRING, "UTC", MEDIUM, "Zone of timestamps without one.", _zone),
    ("date.calendar.system", Type.STRING, "LEGACY", LOW, "Calendar of dates before 1582.", one_of("LEGACY", "PROLEPTIC_GREGORIAN")),
)  # fmt: skip

_CONNECTOR: tuple[Row, ...] = (
    ("topic.prefix", Type.STRING, "", HIGH, "Before the table's name it makes the topic; with query it is the topic.", _topic_prefix),
    ("poll.interval.ms", Type.INT, 5000, HIGH, "Pause between two looks at a table, in milliseconds.", at_least(1)),
    ("batch.max.rows", Type.INT, 1000, LOW, "Rows that are fetched from the database at a time; at least 5000 unless it is set.", at_least(1)),
    ("max.buffer.size", Type.INT, 0, LOW, "Most rows of a poll that the worker holds itself; longer answers are read by tasks of Spark. 0: 20000.", at_least(0)),
    ("poll.linger.ms", Type.LONG, _LINGER_MS, LOW, "Longest wait for rows before a poll without any ends, in milliseconds; rows are written as soon as they are read, so that none is as long.", at_least(0)),
    ("table.poll.interval.ms", Type.LONG, 60000, LOW, "How often new and dropped tables are looked for, in milliseconds.", at_least(1)),
    ("query.retry.attempts", Type.INT, -1, LOW, "How often a query is tried again after errors that pass; -1: without end.", at_least(-1)),
    ("transaction.isolation.mode", Type.STRING, "DEFAULT", LOW, "Isolation of the transactions that read. Reading PostgreSQL without loss raises it to REPEATABLE_READ.", one_of(*ISOLATIONS)),
)  # fmt: skip

_HEADRACE: tuple[Row, ...] = (
    ("headrace.lossless", Type.BOOLEAN, True, MEDIUM, "Whether rows of transactions that commit late are found as well (PostgreSQL)."),
    ("headrace.lossless.window.ms", Type.LONG, 10000, LOW, "How much older than the oldest open transaction a row's timestamp may be and still be found; -1: as old as it likes, for which tables are read whole.", at_least(-1)),
    ("headrace.unsupported.types", Type.STRING, "text", LOW, "What columns become that Connect has no type for: texts, or nothing, as in Connect.", one_of("text", "drop")),
    ("headrace.unrepresentable.values", Type.STRING, "fail", LOW, "What values become that their type cannot hold, such as an infinite timestamp.", one_of("fail", "null")),
    ("headrace.delete.detection", Type.STRING, NO_DELETES, MEDIUM, "key-compare: keys that are gone from a table are told by tombstones.", one_of(NO_DELETES, KEY_COMPARE)),
    ("headrace.delete.detection.keys", Type.LIST, [], LOW, "Columns that are compared; the primary key when empty."),
    ("headrace.delete.detection.interval.ms", Type.LONG, 60000, LOW, "How often keys are compared, in milliseconds.", at_least(1)),
)  # fmt: skip

_RECOMMENDED: Mapping[str, Sequence[str]] = {
    "mode": MODES,
    "numeric.mapping": NUMERIC_MAPPINGS,
    "quote.sql.identifiers": ("always", "never"),
    "timestamp.granularity": GRANULARITIES,
    "transaction.isolation.mode": tuple(ISOLATIONS),
    "table.types": TABLE_TYPES,
    "date.calendar.system": ("LEGACY", "PROLEPTIC_GREGORIAN"),
    "headrace.delete.detection": (NO_DELETES, KEY_COMPARE),
}


def _keys(group: str, rows: Sequence[Row]) -> Iterator[ConfigKey]:
    for order, (name, type, default, importance, text, *judge) in enumerate(rows, start=1):
        choices = _RECOMMENDED.get(name)
        yield ConfigKey(
            name,
            type,
            default,
            importance,
            text,
            group,
            order,
            validator=judge[0] if judge else None,
            recommend=None if choices is None else _recommended(*choices),
        )


OPTIONS = ConfigDef(
    [
        *_keys(DATABASE, _DATABASE),
        *_keys(MODE, _MODE),
        *_keys(CONNECTOR, _CONNECTOR),
        *_keys(HEADRACE, _HEADRACE),
        *restarts.KEYS,
    ]
)
