"""The changes of rows as each kind of capture saw them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from headrace.cli.demo.pagila.topics import Message

Sightings = dict[int, list[str]]

TOMBSTONE = "tombstone"


def by_query(messages: Iterable[Message], key: str) -> Sightings:
    """What versions of a row that came later changed."""
    rows = (message.value for message in messages if message.value is not None)
    return _collected((row[key], row) for row in rows)


def by_log(messages: Iterable[Message], key: str) -> Sightings:
    """The same from events, which also tell of ends."""
    return _collected(_event(message, key) for message in messages)


def _event(message: Message, key: str) -> tuple[int, Mapping[str, Any] | str]:
    event = message.value
    if event is None:
        return message.key[key], TOMBSTONE
    if event["op"] == "d":
        return event["before"][key], "deleted"
    return event["after"][key], event["after"]


def _collected(versions: Iterable[tuple[int, Mapping[str, Any] | str]]) -> Sightings:
    known: dict[int, Mapping[str, Any]] = {}
    seen: Sightings = {}
    for key, version in versions:
        if isinstance(version, str):
            seen.setdefault(key, []).append(version)
            continue
        if key in known:
            seen.setdefault(key, []).append(", ".join(_changes(known[key], version)))
        known[key] = version
    return seen


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """The time of the change changes always."""
    for name, value in after.items():
        if name != "last_update" and before.get(name) != value:
            yield f"{name} = {value!r}"
