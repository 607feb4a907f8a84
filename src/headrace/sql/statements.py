"""Flink SQL statements as data. A query stays a sqlglot tree; everything around it is a dataclass with a place."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from sqlglot import exp

from headrace.errors import Position
from headrace.types import DataType


@dataclass(frozen=True, slots=True)
class ObjectName:
    """`[catalog.][database.]name`, as written."""

    parts: tuple[str, ...]
    position: Position

    @property
    def name(self) -> str:
        return self.parts[-1]

    def __str__(self) -> str:
        return ".".join(self.parts)


@dataclass(frozen=True, slots=True)
class OptionEntry:
    """One `'key' = 'value'` of WITH, SET or a hint."""

    key: str
    value: str
    key_position: Position
    value_position: Position


Options = tuple[OptionEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysicalColumnDef:
    name: str
    type: DataType
    position: Position
    comment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedColumnDef:
    name: str
    expression: exp.Expression
    text: str
    position: Position
    comment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataColumnDef:
    name: str
    type: DataType
    position: Position
    key: str | None = None
    virtual: bool = False
    comment: str | None = None


ColumnDef = PhysicalColumnDef | ComputedColumnDef | MetadataColumnDef


@dataclass(frozen=True, slots=True)
class WatermarkDef:
    column: str
    expression: exp.Expression
    text: str
    position: Position
    column_position: Position


@dataclass(frozen=True, slots=True)
class PrimaryKeyDef:
    columns: tuple[str, ...]
    position: Position
    name: str | None = None


class LikeMode(StrEnum):
    INCLUDING = "INCLUDING"
    EXCLUDING = "EXCLUDING"
    OVERWRITING = "OVERWRITING"


class LikeFeature(StrEnum):
    ALL = "ALL"
    CONSTRAINTS = "CONSTRAINTS"
    DISTRIBUTION = "DISTRIBUTION"
    GENERATED = "GENERATED"
    METADATA = "METADATA"
    OPTIONS = "OPTIONS"
    PARTITIONS = "PARTITIONS"
    WATERMARKS = "WATERMARKS"


@dataclass(frozen=True, slots=True)
class LikeClause:
    source: ObjectName
    rules: tuple[tuple[LikeMode, LikeFeature], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """`sql` is the statement's own text; `position` is where it begins in the script."""

    sql: str
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTable(Statement):
    """`order` is a list of names alone, in which CREATE TABLE AS takes the columns of its query. `replaces`: of
    REPLACE TABLE AS and CREATE OR REPLACE TABLE AS; the former `needs_existing`."""

    name: ObjectName
    columns: tuple[ColumnDef, ...]
    order: tuple[str, ...] = ()
    replaces: bool = False
    needs_existing: bool = False
    watermarks: tuple[WatermarkDef, ...] = ()
    primary_keys: tuple[PrimaryKeyDef, ...] = ()
    comment: str | None = None
    partitioned_by: tuple[str, ...] = ()
    options: Options = ()
    like: LikeClause | None = None
    as_query: exp.Query | None = None
    temporary: bool = False
    if_not_exists: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateView(Statement):
    name: ObjectName
    query: exp.Query
    query_text: str
    columns: tuple[str, ...] = ()
    comment: str | None = None
    temporary: bool = False
    if_not_exists: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Statement):
    """`kind` is TABLE or VIEW."""

    kind: str
    name: ObjectName
    if_exists: bool = False
    temporary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTable(Statement):
    """Changes of one table; with `if_exists` none when there is no such table."""

    name: ObjectName
    if_exists: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableSet(AlterTable):
    options: Options


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableReset(AlterTable):
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableRename(AlterTable):
    new_name: ObjectName


@dataclass(frozen=True, slots=True)
class PlacedColumn:
    """A column to ADD or MODIFY, and where it goes: before all others, after one, or where it was or last."""

    column: ColumnDef
    first: bool = False
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableSchema(AlterTable):
    """`modifies` what is there, or adds what is not."""

    modifies: bool
    columns: tuple[PlacedColumn, ...] = ()
    watermarks: tuple[WatermarkDef, ...] = ()
    primary_keys: tuple[PrimaryKeyDef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableDrop(AlterTable):
    """Columns, or else `what`: PRIMARY KEY (also by its name), or WATERMARK."""

    columns: tuple[str, ...] = ()
    what: str | None = None
    constraint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableRenameColumn(AlterTable):
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterViewRename(Statement):
    name: ObjectName
    new_name: ObjectName


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterViewAs(Statement):
    name: ObjectName
    query: exp.Query
    query_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateNamespace(Statement):
    """`kind` is CATALOG or DATABASE."""

    kind: str
    name: ObjectName
    comment: str | None = None
    options: Options = ()
    if_not_exists: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DropNamespace(Statement):
    kind: str
    name: ObjectName
    if_exists: bool = False
    cascade: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterNamespace(Statement):
    """Sets options, or takes those of `keys` away, or sets the comment."""

    kind: str
    name: ObjectName
    options: Options = ()
    keys: tuple[str, ...] = ()
    comment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert(Statement):
    """`query` may be a SELECT, a set operation or VALUES; `partition` are the columns of PARTITION (…); `on_conflict` is
    NOTHING, ERROR or DEDUPLICATE."""

    target: ObjectName
    query: exp.Query
    columns: tuple[str, ...] = ()
    partition: tuple[str, ...] = ()
    overwrite: bool = False
    target_hints: Options = ()
    on_conflict: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementSet(Statement):
    inserts: tuple[Insert, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Select(Statement):
    query: exp.Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Set(Statement):
    """`SET 'k' = 'v'`; without a key it lists the current settings."""

    entry: OptionEntry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(Statement):
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """`[NOT] LIKE 'text'`, or ILIKE, which tells no capitals from small letters."""

    text: str
    negated: bool = False
    ignores_case: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Statement):
    """`what` is TABLES, VIEWS, COLUMNS, CREATE TABLE, CREATE VIEW, JOBS, FUNCTIONS, CATALOGS, DATABASES, …"""

    what: str
    name: ObjectName | None = None
    like: Pattern | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe(Statement):
    """`kind` is TABLE (also a view) or CATALOG."""

    name: ObjectName
    kind: str = "TABLE"
    extended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StopJob(Statement):
    job: str
    job_position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain(Statement):
    """`details` are upper-case words such as CHANGELOG_MODE; `statement` is what is explained."""

    statement: Select | Insert | StatementSet
    details: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Use(Statement):
    """`kind` is DATABASE or CATALOG."""

    kind: str
    name: ObjectName
