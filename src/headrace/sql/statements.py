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
    name: ObjectName
    columns: tuple[ColumnDef, ...]
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
class AlterTableSet(Statement):
    name: ObjectName
    options: Options


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableReset(Statement):
    name: ObjectName
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterTableRename(Statement):
    name: ObjectName
    new_name: ObjectName


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert(Statement):
    """`query` may be a SELECT, a set operation or VALUES; `on_conflict` is NOTHING, ERROR or DEDUPLICATE."""

    target: ObjectName
    query: exp.Query
    columns: tuple[str, ...] = ()
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Statement):
    """`what` is TABLES, VIEWS, COLUMNS, CREATE TABLE, CREATE VIEW, JOBS, FUNCTIONS, CATALOGS, DATABASES, …"""

    what: str
    name: ObjectName | None = None
    like: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe(Statement):
    name: ObjectName


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
