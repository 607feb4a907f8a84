"""What the planner and the compiler ask of a connector. Declarations need no JVM; reading and writing do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from headrace.catalog.options import Option
from headrace.changelog import ChangelogMode
from headrace.types import DataType

if TYPE_CHECKING:
    from headrace.catalog.table import Table


@dataclass(frozen=True, slots=True)
class MetadataKey:
    """A metadata key of a connector or a format: its type, and whether it can be read and written. `constant`: whether it
    names where a row comes from, and so is the same in all changes of the row."""

    type: DataType
    readable: bool = True
    writable: bool = False
    doc: str = ""
    constant: bool = False


class Changes(StrEnum):
    """How the changes of one key lie in a batch."""

    SINGLE = "single"  # at most one
    CONTIGUOUS = "contiguous"  # several, one after the other in one task
    SCATTERED = "scattered"  # several, anywhere


class Connector(Protocol):
    """One per `'connector' = '…'` name. Instances are stateless; a table carries the settings."""

    name: str
    is_source: bool
    is_sink: bool

    def options(self, given: Mapping[str, str]) -> Sequence[Option]:
        """The declared options, those of the formats that `given` names included."""

    def metadata(self, table_options: Mapping[str, str]) -> Mapping[str, MetadataKey]: ...

    def validate(self, table: Table) -> None:
        """Rules that hold whichever way the table is used; raises UserError."""

    def validate_source(self, table: Table) -> None: ...

    def validate_sink(self, table: Table) -> None: ...

    def scan_mode(self, table: Table) -> ChangelogMode:
        """The kinds of change its records mean: append, upsert (by primary key) or retract."""

    def sink_mode(self, table: Table) -> ChangelogMode:
        """The kinds of change it can take."""

    def is_bounded(self, table: Table) -> bool: ...

    def read(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        """A streaming DataFrame of the named physical and metadata columns plus the weight column; an upsert
        source adds `__partition` and `__offset`, by which the last record of a key is found."""

    def identity(self, session: Any, table: Table) -> Mapping[str, str]:
        """What the table reads by nature, not by name (a topic's id): a new identity is a new source."""

    def writer(
        self,
        session: Any,
        table: Table,
        columns: Sequence[str],
        *,
        key: Sequence[str] = (),
        changes: Changes = Changes.SCATTERED,
    ) -> Any:
        """A batch writer: an object of the JVM that takes a batch DataFrame of `columns` plus the weight.

        `key` is the unique key of the incoming changes where there is one; `changes` says how those of one key lie
        in a batch, and so what an upsert sink must do to write one record for them."""


@runtime_checkable
class CondensedSource(Protocol):
    """A source that can leave out the history of a key within a batch."""

    def read_newest(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        """As `read`; of an upsert source's rows of a key at least the newest of each batch."""


@runtime_checkable
class ChangeSource(Protocol):
    """A source whose records can be changes that tell the old row and the new."""

    def by_key(self, table: Table) -> Table:
        """The table as one that is read by its primary key, so that a change told twice counts once."""


@runtime_checkable
class ReplayedSource(Protocol):
    """A source that a job without a checkpoint may read again from its beginning."""

    def is_replayed(self, table: Table) -> bool:
        """Whether it does; else the answer lacks what came before."""

    def is_empty(self, session: Any, table: Table) -> bool: ...


@runtime_checkable
class ReconciledSink(Protocol):
    """A sink that can hold rows before its job first writes: the first batch deletes those that the answer lacks."""

    def existing(self, session: Any, table: Table) -> Mapping[str, int]:
        """Where the rows end that are there now; empty when none are, or when the table says to leave them."""

    def reconcile(
        self, session: Any, table: Table, writer: Any, existing: Mapping[str, int]
    ) -> None:
        """Tells `writer` which rows to look at, in its first batch."""

    def notices(self, table: Table, writer: Any) -> Iterator[str]:
        """What the user should know since the last call."""


@runtime_checkable
class TransactionalSink(Protocol):
    """A sink that can show a batch whole, and once."""

    def begin_transactions(self, table: Table, writer: Any, folder: Path, number: int) -> None:
        """Before the job's first batch, where the table asks for it. `folder` is the job's own, with its checkpoint;
        `number` that of the sink among the job's."""


@runtime_checkable
class PacedSink(Protocol):
    """A sink that gathers changes for some time."""

    def write_interval(self, table: Table) -> timedelta:
        """How long; 0 for not at all."""


@runtime_checkable
class RemarkingSink(Protocol):
    """A sink that has something to say about its options."""

    def remarks(self, table: Table) -> Iterator[str]: ...


@runtime_checkable
class LiveSource(Protocol):
    """A source that can be read without batches."""

    gives_rows_live: bool


@runtime_checkable
class LiveSink(Protocol):
    """A sink that can be written without batches."""

    def live_writer(self, session: Any, table: Table, columns: Sequence[str], rows: Any) -> Any:
        """The streaming query over `rows` (as `writer` takes them) in the JVM, ready to be started."""
