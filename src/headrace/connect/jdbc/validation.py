"""Faults of a configuration that take more than one option to see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from headrace.connect.jdbc.config import BULK, INCREMENTING, TIMESTAMP, TIMESTAMP_INCREMENTING

Faults = Iterator[tuple[str, str]]

_LEGACY_TABLES = ("table.whitelist", "table.blacklist")
_NEW_TABLES = ("table.include.list", "table.exclude.list")
_QUERIES = ("query", "query.masked")
_MAPPINGS = ("timestamp.columns.mapping", "incrementing.column.mapping")
_COLUMNS = ("timestamp.column.name", "incrementing.column.name")


def faults(config: Mapping[str, str]) -> dict[str, list[str]]:
    """By option, each in the order found."""
    found: dict[str, list[str]] = {}
    for option, message in (
        *_tables(config),
        *_query(config),
        *_positions(config),
        *_deletes(config),
    ):
        found.setdefault(option, []).append(message)
    return found


def _given(config: Mapping[str, str], options: Sequence[str]) -> list[str]:
    return [option for option in options if (config.get(option) or "").strip()]


def _exclusive(config: Mapping[str, str], *sides: Sequence[str]) -> Faults:
    """At most one of the sides may be set."""
    given = [_given(config, side) for side in sides]
    if sum(map(bool, given)) > 1:
        named = [option for side in given for option in side]
        for option in named:
            others = ", ".join(other for other in named if other != option)
            yield option, f"{option} cannot be used together with {others}"


def _tables(config: Mapping[str, str]) -> Faults:
    yield from _exclusive(config, ["table.whitelist"], ["table.blacklist"])
    yield from _exclusive(config, _LEGACY_TABLES, _NEW_TABLES)
    if _given(config, ["table.exclude.list"]) and not _given(config, ["table.include.list"]):
        yield "table.exclude.list", "table.exclude.list needs table.include.list"


def _query(config: Mapping[str, str]) -> Faults:
    yield from _exclusive(config, ["query"], ["query.masked"])
    yield from _exclusive(config, _QUERIES, [*_LEGACY_TABLES, *_NEW_TABLES])
    for option in _given(config, _QUERIES):
        if not re.match(r"\s*(SELECT|WITH)\b", config[option], re.IGNORECASE):
            yield option, "Only SELECT queries are supported"
    if _given(config, _QUERIES) and not config.get("topic.prefix", "").strip():
        yield "topic.prefix", "topic.prefix names the topic of a query and may not be empty"


def _positions(config: Mapping[str, str]) -> Faults:
    mode = config.get("mode", "").strip()
    yield from _exclusive(config, _COLUMNS, _MAPPINGS)
    timestamp = _given(config, ["timestamp.column.name", "timestamp.columns.mapping"])
    incrementing = _given(config, ["incrementing.column.name", "incrementing.column.mapping"])
    if mode in (TIMESTAMP, TIMESTAMP_INCREMENTING) and not timestamp:
        yield "timestamp.column.name", f"mode {mode} needs a timestamp column"
    if mode in (INCREMENTING, TIMESTAMP_INCREMENTING):
        if _given(config, _QUERIES) and not incrementing:
            yield (
                "incrementing.column.name",
                f"mode {mode} over a query needs the name of the incrementing column",
            )
        if _given(config, ["timestamp.columns.mapping"]) and not incrementing:
            yield "incrementing.column.mapping", f"mode {mode} needs an incrementing column"
    if mode == BULK:
        for option in _given(config, _MAPPINGS):
            yield option, f"{option} has no meaning in mode bulk"
    both = _given(config, ["timestamp.initial", "timestamp.initial.ms"])
    if len(both) == 2 and config[both[0]].strip() != config[both[1]].strip():
        yield both[1], f"{both[0]} and {both[1]} are one option with two values"


def _deletes(config: Mapping[str, str]) -> Faults:
    wanted = config.get("headrace.delete.detection", "none").strip() != "none"
    if not wanted:
        return
    if _given(config, _QUERIES) and not _given(config, ["headrace.delete.detection.keys"]):
        yield "headrace.delete.detection.keys", "a query has no primary key: name the key columns"
    if not _given(config, ["transforms"]):
        yield (
            "headrace.delete.detection",
            "a tombstone needs a key, and no transform makes one (ValueToKey)",
        )
