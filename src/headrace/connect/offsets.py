"""Offsets of connectors: shown, altered and reset. Sources keep them in the worker's topic, sinks in their group."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from headrace.connect.answers import Refusal, bad_request
from headrace.connect.group_client import Positions
from headrace.connect.herder import Herder
from headrace.connect.offset_stores import Changes, OffsetStore
from headrace.connect.plugins import Kind, Offset, sink_group
from headrace.connect.state import TargetState

logger = logging.getLogger("headrace.connect")

TOPIC, PARTITION, OFFSET = "kafka_topic", "kafka_partition", "kafka_offset"

# A stopped connector's tasks end before its offsets change; twice what ending them may take.
_SETTLING_SECONDS = 10.0

# A partition with a key that begins so is a note beside the partition that the other keys name.
NOTE = "headrace."


class Groups(Protocol):
    """Committed offsets of consumer groups."""

    def read(self, group: str) -> Positions: ...

    def replace(self, group: str, positions: Positions) -> None:
        """The group holds these offsets and no others. Refusal where it has members, UnknownPlace where one is nowhere."""


class UnknownPlace(Exception):
    """An offset of a topic or partition that does not exist."""


class Offsets:
    def __init__(self, herder: Herder, groups: Groups) -> None:
        self.herder = herder
        self.groups = groups

    def read(self, name: str) -> dict[str, Any]:
        config = self.herder.config(name)
        if self.herder.type_of(config) == Kind.SINK:
            found: list[tuple[Offset, Offset]] = [
                ({TOPIC: topic, PARTITION: partition}, {OFFSET: offset})
                for (topic, partition), offset in sorted(
                    self.groups.read(_group(name, config)).items()
                )
            ]
        else:
            found = [entry for entry in self._stored(name, config) if not is_note(entry[0])]
        return {"offsets": [{"partition": partition, "offset": at} for partition, at in found]}

    def alter(self, name: str, changes: Changes) -> dict[str, str]:
        if not changes:
            raise bad_request(
                "Partitions / offsets need to be provided for an alter offsets request"
            )
        return self._change(name, changes, "altered")

    def reset(self, name: str) -> dict[str, str]:
        return self._change(name, None, "reset")

    def _change(self, name: str, changes: Changes | None, word: str) -> dict[str, str]:
        """Apply changes, or reset everything where there are none."""
        config = self._require_stopped(name)
        plugin = self.herder.plugins.connector(config["connector.class"])
        is_sink = plugin.kind is Kind.SINK
        before = self.groups.read(_group(name, config)) if is_sink else {}
        wanted = _positions(changes) if is_sink and changes is not None else {}
        if changes is None:
            changes = [(entry["partition"], None) for entry in self.read(name)["offsets"]]
        try:
            theirs = plugin().alter_offsets(self.herder.providers.resolve(config), changes)
        except ValueError as error:
            # Whatever a connector refuses is an error of the server in Connect.
            raise Refusal(500, str(error)) from None
        if is_sink:
            _require_places(name, wanted)
            self._replace(name, config, _merged(before, wanted, word))
        else:
            self._write(self._store(name, config), changes)
        return {"message": _message(theirs, word)}

    def _stored(self, name: str, config: Mapping[str, str]) -> list[tuple[Offset, Offset]]:
        try:
            return self._store(name, config).all()
        except Exception:
            # A topic of the connector's own may be of no use, which its status tells.
            logger.exception("the offsets of %s cannot be read", name)
            raise Refusal(500, f"Failed to retrieve offsets for source connector {name}") from None

    def _store(self, name: str, config: Mapping[str, str]) -> OffsetStore:
        return self.herder.runner.stores.open(name, self.herder.providers.resolve(config))

    def _write(self, store: OffsetStore, changes: Changes) -> None:
        notes = _notes(store, [partition for partition, _ in changes])
        with self.herder.leading():
            store.write([*changes, *((note, None) for note in notes)])

    def _replace(self, name: str, config: Mapping[str, str], positions: Positions) -> None:
        try:
            self.groups.replace(_group(name, config), positions)
        except UnknownPlace:
            raise Refusal(
                500, f"Failed to alter consumer group offsets for connector {name}"
            ) from None

    def _require_stopped(self, name: str) -> dict[str, str]:
        self.herder.require_leader()
        config = self.herder.config(name)
        if self.herder.state.targets.get(name) is not TargetState.STOPPED:
            raise bad_request(
                "Connectors must be in the STOPPED state before their offsets can be modified. This can be done "
                f"for the specified connector by issuing a 'PUT' request to the '/connectors/{name}/stop' endpoint"
            )
        if not self.herder.runner.settled(_SETTLING_SECONDS):
            raise Refusal(500, f"the tasks of {name} have not stopped yet; try again")
        return config


def is_note(partition: Offset) -> bool:
    """Whether a connector of Headrace's keeps something of its own there, which no client knows of."""
    return any(key.startswith(NOTE) for key in partition)


def _notes(store: OffsetStore, partitions: Sequence[Offset]) -> list[Offset]:
    """What a connector has noted beside these partitions; it belongs to their old offsets."""
    noted = [partition for partition, _ in store.all() if is_note(partition)]
    return [note for note in noted if _without_note(note) in partitions]


def _without_note(partition: Offset) -> dict[str, Any]:
    return {key: value for key, value in partition.items() if not key.startswith(NOTE)}


def _message(theirs: bool, word: str) -> str:
    if theirs:
        return f"The offsets for this connector have been {word} successfully"
    return (
        f"The Connect framework-managed offsets for this connector have been {word} successfully. "
        "However, if this connector manages offsets externally, they will need to be manually "
        f"{word} in the system that the connector uses."
    )


def _group(name: str, config: Mapping[str, str]) -> str:
    return config.get("consumer.override.group.id") or sink_group(name)


def _require_places(name: str, wanted: Mapping[tuple[str, int], int | None]) -> None:
    """Numbers that no client would send."""
    if any(offset is not None and offset < 0 for offset in wanted.values()):
        raise Refusal(500, f"Failed to modify offsets for sink connector {name}")
    if any(partition < 0 for _, partition in wanted):
        raise Refusal(500, f"Failed to alter consumer group offsets for connector {name}")


def _merged(before: Positions, wanted: dict[tuple[str, int], int | None], word: str) -> Positions:
    if word == "reset":
        return {}
    merged = {**before, **wanted}
    return {place: offset for place, offset in merged.items() if offset is not None}


def _positions(changes: Changes) -> dict[tuple[str, int], int | None]:
    return dict(_position(partition, offset) for partition, offset in changes)


def _position(
    partition: Offset | None, offset: Offset | None
) -> tuple[tuple[str, int], int | None]:
    if partition is None:
        raise bad_request("The partition for a sink connector offset cannot be null or missing")
    if TOPIC not in partition or PARTITION not in partition:
        raise bad_request(
            f"The partition for a sink connector offset must contain the keys '{TOPIC}' and '{PARTITION}'"
        )
    if partition[TOPIC] is None:
        raise bad_request("Kafka topic names must be valid strings and may not be null")
    if partition[PARTITION] is None:
        raise bad_request("Kafka partitions must be valid numbers and may not be null")
    place = (str(partition[TOPIC]), _number("partition", partition[PARTITION]))
    if offset is None:
        return place, None
    if OFFSET not in offset:
        raise bad_request(
            f"The offset for a sink connector should either be null or contain the key '{OFFSET}'"
        )
    return place, _number("offset", offset[OFFSET])


# Java's int and long.
_BITS = {"partition": 32, "offset": 64}


def _number(what: str, value: Any) -> int:
    """Numbers are taken as such and as text."""
    text, bound = "null" if value is None else str(value), 2 ** (_BITS[what] - 1)
    if not re.fullmatch(r"[+-]?[0-9]+", text) or not -bound <= int(text) < bound:
        raise bad_request(
            f"Failed to parse the following Kafka {what} value in the provided offsets: '{text}'. "
            f"{what.capitalize()} values for sink connectors need to be integers."
        )
    return int(text)
