"""The plan: a tree of immutable nodes. What each node infers (mode, keys, state) lives in `plan.traits`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Self

from headrace.catalog.table import Table
from headrace.errors import Position
from headrace.plan.expressions import AggregateCall, Expr, InputRef
from headrace.types import BIGINT, BOOLEAN, DataType


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: DataType

    def ref(self) -> InputRef:
        return InputRef(self.type, self.name)


Schema = tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Node:
    @property
    def inputs(self) -> tuple[Node, ...]:
        return ()

    @property
    def schema(self) -> Schema:
        raise NotImplementedError(type(self).__name__)

    def with_inputs(self, inputs: tuple[Node, ...]) -> Self:
        assert not inputs
        return self

    def walk(self) -> Iterator[Node]:
        yield self
        for child in self.inputs:
            yield from child.walk()

    def label(self) -> str:
        """One line for EXPLAIN, without what was inferred."""
        return type(self).__name__

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.schema)


@dataclass(frozen=True, slots=True)
class Scan(Node):
    """The physical and metadata columns of a source table that the query needs. `every_change`: whether all rows of a key
    are passed on, where otherwise the newest of a batch would do."""

    table: Table
    columns: Schema
    every_change: bool = False

    @property
    def schema(self) -> Schema:
        return self.columns

    def label(self) -> str:
        return f"Scan({self.table.identifier}, columns=[{', '.join(self.names)}])"


@dataclass(frozen=True, slots=True)
class Values(Node):
    rows: tuple[tuple[Expr, ...], ...]
    columns: Schema

    @property
    def schema(self) -> Schema:
        return self.columns

    def label(self) -> str:
        return f"Values(rows={len(self.rows)}, columns=[{', '.join(self.names)}])"


@dataclass(frozen=True, slots=True)
class Unary(Node):
    input: Node

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)

    @property
    def schema(self) -> Schema:
        return self.input.schema

    def with_inputs(self, inputs: tuple[Node, ...]) -> Self:
        return replace(self, input=inputs[0])


@dataclass(frozen=True, slots=True)
class Project(Unary):
    outputs: tuple[tuple[str, Expr], ...]

    @property
    def schema(self) -> Schema:
        return tuple(Field(name, expr.type) for name, expr in self.outputs)

    def label(self) -> str:
        shown = (n if str(e) == n else f"{e} AS {n}" for n, e in self.outputs)
        return f"Project({', '.join(shown)})"


@dataclass(frozen=True, slots=True)
class Filter(Unary):
    condition: Expr

    def label(self) -> str:
        return f"Filter({self.condition})"


@dataclass(frozen=True, slots=True)
class Normalize(Unary):
    """Upserts by `key` to weighted rows: keeps the last row per key. `origin`: columns that tell where a row comes from;
    rows of several origins are told apart although the key alone is declared to be unique."""

    key: tuple[str, ...]
    origin: tuple[str, ...] = ()

    def label(self) -> str:
        origin = f", origin=[{', '.join(self.origin)}]" if self.origin else ""
        return f"Normalize(key=[{', '.join(self.key)}]{origin})"


@dataclass(frozen=True, slots=True)
class Aggregate(Unary):
    """GROUP BY `keys`; arguments and filters of the calls are plain input columns. `ttl`: how long a group that does
    not change is kept; None is the job's. `buckets`: how many parts the values under DISTINCT are split into, by their
    hash; 0 for not at all."""

    keys: tuple[str, ...]
    calls: tuple[tuple[str, AggregateCall], ...]
    ttl: timedelta | None = None
    buckets: int = 0

    @property
    def schema(self) -> Schema:
        kept = {column.name: column for column in self.input.schema}
        results = (Field(name, call.type) for name, call in self.calls)
        return (*(kept[key] for key in self.keys), *results)

    def label(self) -> str:
        shown = ", ".join(f"{call} AS {name}" for name, call in self.calls)
        return f"Aggregate(groupBy=[{', '.join(self.keys)}]{', ' + shown if shown else ''})"


@dataclass(frozen=True, slots=True)
class Union(Node):
    """UNION ALL: columns by position, named as in the first branch; one may be NULL where it may be in any."""

    branches: tuple[Node, ...]

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.branches

    @property
    def schema(self) -> Schema:
        columns = zip(*(branch.schema for branch in self.branches), strict=True)
        return tuple(_nullable_if_any(same) for same in columns)

    def with_inputs(self, inputs: tuple[Node, ...]) -> Self:
        return replace(self, branches=inputs)

    def label(self) -> str:
        return f"Union(branches={len(self.branches)})"


def _nullable_if_any(columns: Sequence[Field]) -> Field:
    first = columns[0]
    if first.type.nullable or not any(column.type.nullable for column in columns):
        return first
    return Field(first.name, first.type.as_nullable())


class JoinKind(StrEnum):
    INNER = "INNER"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    FULL = "FULL"
    SEMI = "SEMI"
    ANTI = "ANTI"
    # Every left row once, with whether it has a match.
    MARK = "MARK"

    @property
    def keeps_left(self) -> bool:
        """Whether a left row without a match is in the result, with NULLs for the right."""
        return self in (JoinKind.LEFT, JoinKind.FULL)

    @property
    def keeps_right(self) -> bool:
        return self in (JoinKind.RIGHT, JoinKind.FULL)

    @property
    def is_left_only(self) -> bool:
        """Whether the result has no columns of the right side."""
        return self in (JoinKind.SEMI, JoinKind.ANTI, JoinKind.MARK)


@dataclass(frozen=True, slots=True)
class Join(Node):
    """Rows match when the keys are equal, pair by pair, and `residual` holds; no name is on both sides. As planned a
    join has the whole condition in `residual`; the rules take the keys out of it. `null_safe` are the left keys of pairs
    in which NULL equals NULL. `mark` names the column of a MARK join. A time to live is that of one side's state; None
    is the job's."""

    left: Node
    right: Node
    kind: JoinKind
    left_keys: tuple[str, ...] = ()
    right_keys: tuple[str, ...] = ()
    residual: Expr | None = None
    position: Position | None = field(default=None, compare=False)
    mark: str | None = None
    left_ttl: timedelta | None = None
    right_ttl: timedelta | None = None
    null_safe: tuple[str, ...] = ()

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    @property
    def schema(self) -> Schema:
        left = _padded(self.left.schema, self.kind.keeps_right)
        if self.mark is not None:
            return (*left, Field(self.mark, BOOLEAN.not_null()))
        if self.kind.is_left_only:
            return left
        return left + _padded(self.right.schema, self.kind.keeps_left)

    def with_inputs(self, inputs: tuple[Node, ...]) -> Self:
        left, right = inputs
        return replace(self, left=left, right=right)

    def label(self) -> str:
        pairs = zip(self.left_keys, self.right_keys, strict=True)
        on = ", ".join(f"{left} {self._equals(left)} {right}" for left, right in pairs)
        residual = f", where={self.residual}" if self.residual is not None else ""
        mark = f", mark={self.mark}" if self.mark is not None else ""
        return f"Join({self.kind}, on=[{on}]{residual}{mark})"

    def _equals(self, left_key: str) -> str:
        return "IS NOT DISTINCT FROM" if left_key in self.null_safe else "="


@dataclass(frozen=True, slots=True)
class SortKey:
    column: str
    descending: bool
    nulls_first: bool

    def __str__(self) -> str:
        # NULL is the smallest value unless it is said otherwise.
        nulls = f" NULLS {'FIRST' if self.nulls_first else 'LAST'}"
        usual = self.nulls_first is not self.descending
        return f"{self.column}{' DESC' if self.descending else ''}{'' if usual else nulls}"


@dataclass(frozen=True, slots=True)
class Rank(Unary):
    """The rows numbered `start` to `end` of each partition; `rank` names the column with the number, if any. As planned
    the numbers have no end; the rules take it from the conditions above."""

    partition: tuple[str, ...]
    order: tuple[SortKey, ...]
    start: int = 1
    end: int | None = None
    rank: str | None = None
    position: Position | None = field(default=None, compare=False)

    @property
    def schema(self) -> Schema:
        number = (Field(self.rank, BIGINT.not_null()),) if self.rank is not None else ()
        return self.input.schema + number

    def label(self) -> str:
        rows = f"{self.start}..{'' if self.end is None else self.end}"
        shown = f", rank={self.rank}" if self.rank is not None else ""
        order = ", ".join(map(str, self.order))
        return f"Rank(partitionBy=[{', '.join(self.partition)}], orderBy=[{order}], rows={rows}{shown})"


def _padded(columns: Schema, with_nulls: bool) -> Schema:
    if not with_nulls:
        return columns
    return tuple(Field(column.name, column.type.as_nullable()) for column in columns)


@dataclass(frozen=True, slots=True)
class Repeat(Unary):
    """Every row as many times as `count` says."""

    count: Expr

    def label(self) -> str:
        return f"Repeat({self.count})"


@dataclass(frozen=True, slots=True)
class Unnest(Unary):
    """Every row once for each item of its `collection`; `columns` are the item's, then its number with `ordinality`.
    With `outer` a row without items is kept, with NULLs."""

    collection: Expr
    columns: Schema
    outer: bool = False
    ordinality: bool = False

    @property
    def schema(self) -> Schema:
        return self.input.schema + _padded(self.columns, self.outer)

    def label(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"Unnest({self.collection} AS ({names}){', outer' if self.outer else ''})"


@dataclass(frozen=True, slots=True)
class Expand(Unary):
    """Every row once for each of `rows`, which compute the columns `output_names`."""

    output_names: tuple[str, ...]
    rows: tuple[tuple[Expr, ...], ...]

    @property
    def schema(self) -> Schema:
        columns = zip(self.output_names, zip(*self.rows, strict=True), strict=True)
        return tuple(
            Field(name, cells[0].type.as_nullable(any(cell.type.nullable for cell in cells)))
            for name, cells in columns
        )

    def label(self) -> str:
        shown = ", ".join(f"({', '.join(map(str, row))})" for row in self.rows)
        return f"Expand([{', '.join(self.output_names)}], {shown})"


class Conflict(StrEnum):
    """What happens to rows that share a key of the sink."""

    DEDUPLICATE = "DEDUPLICATE"
    NOTHING = "NOTHING"
    ERROR = "ERROR"


class UpsertMaterialize(StrEnum):
    """When rows are kept per key of the sink: where it is needed, never, or always."""

    AUTO = "AUTO"
    NONE = "NONE"
    FORCE = "FORCE"


@dataclass(frozen=True, slots=True)
class Materialize(Unary):
    """One row per `key`, whatever the rows' own key is: that of the sink `table`, or without one that of a query which
    keeps the first or the newest. Of several `conflict` says which: with DEDUPLICATE the newest, with NOTHING the first as
    long as it is there; with ERROR there must be one. `own_key` tells two rows from two versions of one; without it rows
    that differ are two."""

    key: tuple[str, ...]
    conflict: Conflict = Conflict.DEDUPLICATE
    own_key: tuple[str, ...] = ()
    table: str = ""

    def label(self) -> str:
        action = "" if self.conflict is Conflict.DEDUPLICATE else f", onConflict={self.conflict}"
        return f"Materialize(key=[{', '.join(self.key)}]{action})"


@dataclass(frozen=True, slots=True)
class Sink(Unary):
    """INSERT INTO: the input's columns are the table's persisted columns, in order and of their types. `conflict`: what
    ON CONFLICT says, if it is there."""

    table: Table
    conflict: Conflict | None = None
    materialize: UpsertMaterialize = UpsertMaterialize.AUTO

    @property
    def is_upsert(self) -> bool:
        return self.table.connector.sink_mode(self.table).is_upsert

    def label(self) -> str:
        return f"Sink({self.table.identifier}, columns=[{', '.join(self.names)}])"


@dataclass(frozen=True, slots=True)
class Collect(Unary):
    """A SELECT's rows, brought to the client."""

    def label(self) -> str:
        return f"Collect({', '.join(self.names)})"
