"""Topics and objects that rows of the tables must reach, and the rows that each place must then hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from headrace.cli.demo.pagila.database import KEYS, Row, Rows, coarse
from headrace.cli.demo.pagila.example_files import LOG_SOURCE, PAIRS
from headrace.cli.demo.pagila.topics import Message, latest, replayed
from headrace.cli.demo.pagila.verdict import Check, compare

ID = KEYS["address"]
PLAIN = {table: f"pagila.public.{table}" for table in KEYS}
KEYED = "pagila.public.alt.address"
QUERY = "pagila.query"
LOG = "pagila.log.public.address"

# The connector that writes each topic.
WRITERS: Mapping[str, str] = {
    **dict.fromkeys(PLAIN.values(), PAIRS[0]),
    KEYED: PAIRS[2],
    QUERY: PAIRS[4],
    LOG: LOG_SOURCE,
}
# The pattern of the first sink also matches the topic of the second.
SINKS: Mapping[str, tuple[str, ...]] = {
    PAIRS[1]: (*PLAIN.values(), KEYED),
    PAIRS[3]: (KEYED,),
    PAIRS[5]: (QUERY,),
}
OF_KEYED = {"message_topic": KEYED, "message_source": "pagila"}
OF_QUERY = {"message_topic": QUERY}
# Columns that the third sink renames.
RENAMED = {"district": "state_province"}
OF_LAKE = {
    "message_source": "pagila",
    "message_source_engine": "postgresql",
    "environment": "development",
}


@dataclass(frozen=True, slots=True)
class Source:
    """The tables, and their join as the third source queries it, at one moment."""

    tables: Mapping[str, Rows]
    joined: Rows

    def sent(self) -> dict[str, Rows]:
        """The rows that the JDBC sources send, by topic."""
        address = coarse(self.tables["address"])
        return {
            **{topic: coarse(self.tables[table]) for table, topic in PLAIN.items()},
            KEYED: _with(address, OF_KEYED),
            QUERY: _with(coarse(self.joined), OF_QUERY),
        }

    def refined(self) -> Rows:
        """The rows that the third sink writes."""
        rows = _with(self.sent()[QUERY], OF_LAKE)
        return {key: _renamed(row) for key, row in rows.items()}


def topic_checks(source: Source, messages: Mapping[str, list[Message]]) -> list[Check]:
    """Deleted rows stay in the topics of addresses, except in the topic of the change log."""
    followed, deleted = replayed(messages[LOG], ID)
    checks = [
        compare(f"topic {topic}", latest(messages[topic], key), rows, _gone(key, deleted))
        for topic, rows in source.sent().items()
        for key in (_key(topic),)
    ]
    return [*checks, compare(f"topic {LOG}", followed, source.tables["address"])]


def object_checks(
    source: Source, objects: Mapping[str, list[Row]], deleted: set[int]
) -> list[Check]:
    """`objects` are the rows below the prefix of each topic."""
    expected = {**source.sent(), QUERY: source.refined()}
    return [
        compare(
            f"objects {prefix(topic)}",
            newest(rows, _key(topic)),
            expected[topic],
            _gone(_key(topic), deleted),
        )
        for topic, rows in objects.items()
    ]


def prefix(topic: str) -> str:
    return f"topics/{topic}/"


def newest(rows: Iterable[Row], key: str) -> Rows:
    """Files of two sinks may hold the same rows, so the time decides and not the order."""
    found: Rows = {}
    for row in rows:
        if row[key] not in found or found[row[key]]["last_update"] <= row["last_update"]:
            found[row[key]] = row
    return found


def _key(topic: str) -> str:
    return next((KEYS[table] for table, plain in PLAIN.items() if plain == topic), ID)


def _gone(key: str, deleted: set[int]) -> set[int]:
    return deleted if key == ID else set()


def _with(rows: Rows, constants: Mapping[str, str]) -> Rows:
    return {key: {**row, **constants} for key, row in rows.items()}


def _renamed(row: Row) -> Row:
    return {RENAMED.get(name, name): value for name, value in row.items()}
