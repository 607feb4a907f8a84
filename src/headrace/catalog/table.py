"""Tables and views as the planner sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headrace.errors import Position
from headrace.types import DataType

if TYPE_CHECKING:
    from headrace.catalog.connector import Connector
    from headrace.plan.expressions import Expr


# A catalog and a database in it.
Path = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Identifier:
    catalog: str
    database: str
    name: str

    @property
    def path(self) -> Path:
        return self.catalog, self.database

    def __str__(self) -> str:
        return f"{self.catalog}.{self.database}.{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A physical column; its subclasses are computed and metadata columns."""

    name: str
    type: DataType
    comment: str | None = None

    @property
    def is_physical(self) -> bool:
        return type(self) is Column

    @property
    def is_persisted(self) -> bool:
        """Whether INSERT INTO has a place for it."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedColumn(Column):
    """`expression` refers to the table's physical and metadata columns by name."""

    expression: Expr
    text: str

    @property
    def is_persisted(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataColumn(Column):
    key: str
    virtual: bool = False

    @property
    def is_persisted(self) -> bool:
        return not self.virtual


@dataclass(frozen=True, slots=True)
class Watermark:
    column: str
    expression: Expr
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    identifier: Identifier
    columns: tuple[Column, ...]
    options: Mapping[str, str]
    connector: Connector
    primary_key: tuple[str, ...] = ()
    key_name: str | None = None
    watermark: Watermark | None = None
    partition_keys: tuple[str, ...] = ()
    comment: str | None = None
    temporary: bool = False
    positions: Mapping[str, Position] = field(default_factory=dict, compare=False)

    @property
    def physical_columns(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.is_physical)

    @property
    def metadata_columns(self) -> tuple[MetadataColumn, ...]:
        return tuple(c for c in self.columns if isinstance(c, MetadataColumn))

    @property
    def persisted_columns(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.is_persisted)

    def column(self, name: str) -> Column:
        return next(column for column in self.columns if column.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """`path` is where its query was written: unqualified names in it are of that database."""

    identifier: Identifier
    query_text: str
    path: Path
    columns: tuple[str, ...] = ()
    comment: str | None = None
    temporary: bool = False
