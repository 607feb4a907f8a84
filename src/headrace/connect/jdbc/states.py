"""What a task reads, as the database has it now: columns and tables that come and go while it runs are followed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.database import Database
from headrace.connect.jdbc.links import Link
from headrace.connect.jdbc.looks import State
from headrace.connect.jdbc.positions import Marks, Position
from headrace.connect.jdbc.tables import Source, cells, sources

logger = logging.getLogger("headrace.connect.jdbc")

Stored = Callable[[Source], tuple[Position | None, Marks | None]]


class States:
    """`current` are those of the tables that are there. `stored` tells where a table stood that is new to the task."""

    def __init__(self, link: Link, names: Sequence[TableId], stored: Stored) -> None:
        self.link = link
        self.names = names
        self.stored = stored
        self.current: list[State] = []
        self._known: dict[str, State] = {}
        self.begun = False
        self._shape: Any = None

    def refresh(self, database: Database) -> bool:
        """Whether something is not as it was; to be asked in the snapshot that the rows are read in."""
        shape = self.shape(database)
        if self._shape == shape and self.begun:
            return False
        self.begun, self._shape = True, shape
        found = sources(self.link, database, self.names)
        self._tell_gone({source.name for source in found})
        self.current = [self._state(source) for source in found]
        return True

    def shape(self, database: Database) -> Any:
        query = self.link.settings.query
        if query:
            return self.link.dialect.columns(database, query)
        return self.link.dialect.shape(database, self.names)

    def is_another(self, database: Database) -> bool:
        return bool(self.shape(database) != self._shape)

    def _tell_gone(self, there: set[str]) -> None:
        for state in self.current:
            if state.source.name not in there:
                logger.warning("%s is gone, and is read again when it is back", state.source.name)

    def _state(self, source: Source) -> State:
        known = self._known.get(source.name)
        if known is None:
            position, marks = self.stored(source)
            known = State(source, cells(self.link.session, source), position, marks)
            self._known[source.name] = known
        elif known.source != source:
            logger.info("the columns of %s have changed", source.name)
            known.source, known.cells = source, cells(self.link.session, source)
            known.pipeline = None
        return known
