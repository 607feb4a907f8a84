"""Tables and columns of a database, as its dialect found them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class TableId:
    """Catalogue and schema are None where the database has none, or where tables are told apart without."""

    catalog: str | None
    schema: str | None
    name: str

    @property
    def full_name(self) -> str:
        """As Connect's offsets spell it: public.address."""
        return ".".join(self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(part for part in (self.catalog, self.schema, self.name) if part)

    def __str__(self) -> str:
        return self.full_name


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """`type` is the database's own name of the type, in lower case, of an array that of its elements, and of a domain what
    it is built on; `declared` is what the column was declared as where that is another. A precision of 0 is none."""

    name: str
    type: str
    nullable: bool = True
    precision: int = 0
    scale: int = 0
    array: bool = False
    unsigned: bool = False
    auto_increment: bool = False
    key_position: int | None = None
    enumeration: bool = False
    declared: str | None = None

    @property
    def label(self) -> str:
        """How a message calls its type."""
        return self.declared or (f"{self.type}[]" if self.array else self.type)


def primary_key(columns: list[SourceColumn]) -> list[SourceColumn]:
    """The columns of the primary key in its order; none where there is no key."""
    return sorted(
        (column for column in columns if column.key_position is not None),
        key=lambda column: column.key_position or 0,
    )


_FRACTIONS = {"float4", "float8", "float", "double", "real", "money"}


def has_fractions(column: SourceColumn) -> bool:
    """A number without bounds may have them too, which nothing tells beforehand."""
    return column.scale > 0 or column.type in _FRACTIONS


def auto_increment(columns: list[SourceColumn]) -> SourceColumn | None:
    """The one column that the database counts up; None where there is none, or more than one."""
    counted = [column for column in columns if column.auto_increment]
    return counted[0] if len(counted) == 1 else None
