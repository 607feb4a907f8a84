"""Flink's logical types and what each one is in Spark: one class, one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


class Kind(StrEnum):
    BOOLEAN = "BOOLEAN"
    TINYINT = "TINYINT"
    SMALLINT = "SMALLINT"
    INT = "INT"
    BIGINT = "BIGINT"
    FLOAT = "FLOAT"
    DOUBLE = "DOUBLE"
    DECIMAL = "DECIMAL"
    CHAR = "CHAR"
    VARCHAR = "VARCHAR"
    STRING = "STRING"
    BINARY = "BINARY"
    VARBINARY = "VARBINARY"
    BYTES = "BYTES"
    DATE = "DATE"
    TIME = "TIME"
    TIMESTAMP = "TIMESTAMP"
    TIMESTAMP_LTZ = "TIMESTAMP_LTZ"
    INTERVAL_YEAR_MONTH = "INTERVAL YEAR TO MONTH"
    INTERVAL_DAY_SECOND = "INTERVAL DAY TO SECOND"
    ARRAY = "ARRAY"
    MAP = "MAP"
    MULTISET = "MULTISET"
    ROW = "ROW"
    NULL = "NULL"


INTEGERS = (Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT)
APPROXIMATE = (Kind.FLOAT, Kind.DOUBLE)
NUMERIC = (*INTEGERS, Kind.DECIMAL, *APPROXIMATE)
CHARACTER = (Kind.CHAR, Kind.VARCHAR, Kind.STRING)
BINARY_KINDS = (Kind.BINARY, Kind.VARBINARY, Kind.BYTES)
TIMESTAMPS = (Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ)
TEMPORAL = (Kind.DATE, Kind.TIME, *TIMESTAMPS)

MAX_DECIMAL_PRECISION = 38

SPARK_NAMES: dict[Kind, str] = {
    Kind.BOOLEAN: "boolean",
    Kind.TINYINT: "tinyint",
    Kind.SMALLINT: "smallint",
    Kind.INT: "int",
    Kind.BIGINT: "bigint",
    Kind.FLOAT: "float",
    Kind.DOUBLE: "double",
    Kind.CHAR: "string",
    Kind.VARCHAR: "string",
    Kind.STRING: "string",
    Kind.BINARY: "binary",
    Kind.VARBINARY: "binary",
    Kind.BYTES: "binary",
    Kind.DATE: "date",
    Kind.TIMESTAMP: "timestamp_ntz",
    Kind.TIMESTAMP_LTZ: "timestamp",
    Kind.INTERVAL_YEAR_MONTH: "interval year to month",
    Kind.INTERVAL_DAY_SECOND: "interval day to second",
    Kind.NULL: "void",
}


@dataclass(frozen=True, slots=True)
class DataType:
    """A Flink type. `length` is of CHAR/VARCHAR/BINARY, `precision` of DECIMAL and times; `children` are the
    element (ARRAY, MULTISET), key and value (MAP) or field types (ROW, named by `names`)."""

    kind: Kind
    nullable: bool = True
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    children: tuple[DataType, ...] = ()
    names: tuple[str, ...] = ()

    def not_null(self) -> DataType:
        return replace(self, nullable=False)

    def as_nullable(self, nullable: bool = True) -> DataType:
        return replace(self, nullable=nullable)

    def fields(self) -> Iterator[tuple[str, DataType]]:
        return zip(self.names, self.children, strict=True)

    def same_as(self, other: DataType) -> bool:
        """Equal but for nullability at the top."""
        return self.as_nullable() == other.as_nullable()

    def sql(self) -> str:
        """Flink's own spelling, e.g. `ROW<a DECIMAL(10, 2) NOT NULL>`."""
        return self._base_sql() + ("" if self.nullable else " NOT NULL")

    def _base_sql(self) -> str:
        match self.kind:
            case Kind.DECIMAL:
                return f"DECIMAL({self.precision}, {self.scale})"
            case Kind.CHAR | Kind.VARCHAR | Kind.BINARY | Kind.VARBINARY:
                return f"{self.kind}({self.length})"
            case Kind.TIME | Kind.TIMESTAMP | Kind.TIMESTAMP_LTZ:
                return f"{self.kind}({self.precision})"
            case Kind.ROW:
                return f"ROW<{', '.join(f'{quote(n)} {t.sql()}' for n, t in self.fields())}>"
            case Kind.ARRAY | Kind.MULTISET | Kind.MAP:
                return f"{self.kind}<{', '.join(child.sql() for child in self.children)}>"
            case _:
                return str(self.kind)

    def spark(self) -> str:
        """The same type in Spark's DDL, e.g. `struct<`a`: decimal(10,2)>`."""
        match self.kind:
            case Kind.DECIMAL:
                return f"decimal({self.precision},{self.scale})"
            case Kind.TIME:
                return f"time({min(self.precision or 0, 6)})"
            case Kind.ROW:
                fields = (f"{quote(name)}: {child.spark()}" for name, child in self.fields())
                return f"struct<{', '.join(fields)}>"
            case Kind.ARRAY:
                return f"array<{self.children[0].spark()}>"
            case Kind.MAP:
                return f"map<{self.children[0].spark()}, {self.children[1].spark()}>"
            case Kind.MULTISET:
                return f"map<{self.children[0].spark()}, int>"
            case _:
                return SPARK_NAMES[self.kind]

    def __str__(self) -> str:
        return self.sql()


def quote(name: str) -> str:
    """A name as a back-quoted identifier, the same in Flink SQL and in Spark SQL."""
    return "`" + name.replace("`", "``") + "`"


BOOLEAN = DataType(Kind.BOOLEAN)
TINYINT = DataType(Kind.TINYINT)
SMALLINT = DataType(Kind.SMALLINT)
INT = DataType(Kind.INT)
BIGINT = DataType(Kind.BIGINT)
FLOAT = DataType(Kind.FLOAT)
DOUBLE = DataType(Kind.DOUBLE)
STRING = DataType(Kind.STRING)
BYTES = DataType(Kind.BYTES)
DATE = DataType(Kind.DATE)
NULL = DataType(Kind.NULL)


def decimal(precision: int = 10, scale: int = 0) -> DataType:
    return DataType(Kind.DECIMAL, precision=precision, scale=scale)


def char(length: int = 1) -> DataType:
    return DataType(Kind.CHAR, length=length)


def varchar(length: int = 1) -> DataType:
    return DataType(Kind.VARCHAR, length=length)


def time(precision: int = 0) -> DataType:
    return DataType(Kind.TIME, precision=precision)


def timestamp(precision: int = 6) -> DataType:
    return DataType(Kind.TIMESTAMP, precision=precision)


def timestamp_ltz(precision: int = 6) -> DataType:
    return DataType(Kind.TIMESTAMP_LTZ, precision=precision)


def array(element: DataType) -> DataType:
    return DataType(Kind.ARRAY, children=(element,))


def multiset(element: DataType) -> DataType:
    return DataType(Kind.MULTISET, children=(element,))


def map_of(key: DataType, value: DataType) -> DataType:
    return DataType(Kind.MAP, children=(key, value))


def row(**fields: DataType) -> DataType:
    return row_of(fields.items())


def row_of(fields: Iterable[tuple[str, DataType]]) -> DataType:
    pairs = tuple(fields)
    return DataType(
        Kind.ROW, names=tuple(name for name, _ in pairs), children=tuple(kind for _, kind in pairs)
    )
