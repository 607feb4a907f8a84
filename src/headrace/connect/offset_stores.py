"""Where a source's offsets are kept: in the worker's topic and, before that, in one of its own where it names one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from headrace.connect.plugins import Offset
from headrace.connect.state import ClusterState, canonical, offset_entry
from headrace.connect.topics import Fenced, Log

logger = logging.getLogger("headrace.connect")

Changes = Sequence[tuple[Offset, Offset | None]]


class Own(Protocol):
    """A connector's own topic: `found` has its offsets by the canonical texts of their partitions."""

    found: dict[str, tuple[Offset, Offset]]

    def write(self, changes: Changes) -> None: ...


Opening = Callable[[str, Mapping[str, str]], Own | None]


def no_own_topics(name: str, config: Mapping[str, str]) -> Own | None:
    return None


class OffsetStore:
    """The offsets of one source. What its own topic does not have is looked up in the worker's."""

    def __init__(self, name: str, state: ClusterState, log: Log, own: Own | None = None) -> None:
        self.name = name
        self.state = state
        self.log = log
        self.own = own

    def all(self) -> list[tuple[Offset, Offset]]:
        found = {canonical(entry[0]): entry for entry in self.state.offsets_of(self.name)}
        return list({**found, **(self.own.found if self.own else {})}.values())

    def get(self, partition: Offset) -> Offset | None:
        own = self.own.found.get(canonical(partition)) if self.own else None
        return self.state.offset(self.name, partition) if own is None else own[1]

    def write(self, changes: Changes) -> None:
        if self.own is None:
            self._write_workers(changes)
            return
        # The worker's first: what is gone from the connector's topic alone would be found there again.
        self._write_workers([change for change in changes if change[1] is None])
        self.own.write(changes)
        try:
            self._write_workers([change for change in changes if change[1] is not None])
        except Fenced:
            raise
        except Exception as error:
            logger.warning("offsets of %s are in its own topic alone: %s", self.name, error)

    def _write_workers(self, changes: Changes) -> None:
        if changes:
            self.log.write([offset_entry(self.name, *change) for change in changes])


class OffsetStores:
    def __init__(self, state: ClusterState, log: Log, own: Opening = no_own_topics) -> None:
        self.state = state
        self.log = log
        self.own = own

    def open(self, name: str, config: Mapping[str, str]) -> OffsetStore:
        """With what the connector's topic has now; `config` has its references resolved."""
        return OffsetStore(name, self.state, self.log, self.own(name, config))

    def shared(self, name: str) -> OffsetStore:
        """The worker's topic alone."""
        return OffsetStore(name, self.state, self.log)
