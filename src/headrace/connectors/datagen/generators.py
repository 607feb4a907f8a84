"""One generator per column, nested ones for the parts of collections and rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from headrace.catalog.options import ParsedOptions
from headrace.catalog.table import Table
from headrace.connectors.datagen.options import (
    DATAGEN_OPTIONS,
    FIELD_OPTIONS,
    RANDOM,
    SEQUENCE,
    SEQUENCES,
    VARIABLE_LENGTH,
    options_of,
)
from headrace.connectors.support import option_error, parsed
from headrace.errors import InvalidOption, UnknownName
from headrace.types import APPROXIMATE, NUMERIC, DataType, Kind

INTEGER_BITS = {Kind.TINYINT: 8, Kind.SMALLINT: 16, Kind.INT: 32, Kind.BIGINT: 64}
SMALLEST_FLOAT = {Kind.FLOAT: 1.4e-45, Kind.DOUBLE: 4.9e-324}
LARGEST_FLOAT = {Kind.FLOAT: 3.4028234663852886e38, Kind.DOUBLE: 1.7976931348623157e308}
# Flink's default, ten thousand years.
MOST_MONTHS = 120_000
# Spark keeps an interval in microseconds, so this is the longest one in milliseconds.
MOST_MILLIS = (2**63 - 1) // 1000
TEXT_LENGTH = 100
COLLECTION_LENGTH = 3


@dataclass(frozen=True, slots=True)
class Generator:
    """`path` names the field in options: `price`, `tags.element`, `buyer.first_name`."""

    path: str
    type: DataType
    kind: str
    settings: dict[str, Any]
    parts: tuple[Generator, ...] = ()

    @property
    def bounds(self) -> tuple[Any, Any]:
        lowest, highest = default_bounds(self.type)
        return self.settings.get("min", lowest), self.settings.get("max", highest)

    @property
    def length(self) -> int:
        if self.type.kind in (Kind.CHAR, Kind.BINARY):
            return self.type.length or 1
        default = TEXT_LENGTH if self.type.kind in VARIABLE_LENGTH else COLLECTION_LENGTH
        wanted: int = self.settings.get("length", min(default, self.type.length or default))
        return wanted

    def walk(self) -> Iterator[Generator]:
        yield self
        for part in self.parts:
            yield from part.walk()


def default_bounds(type: DataType) -> tuple[Any, Any]:
    match type.kind:
        case kind if kind in INTEGER_BITS:
            half = 2 ** (INTEGER_BITS[kind] - 1)
            return -half, half - 1
        case Kind.FLOAT | Kind.DOUBLE:
            return SMALLEST_FLOAT[type.kind], LARGEST_FLOAT[type.kind]
        case Kind.DECIMAL:
            return Decimal(0), _largest_decimal(type)
        case Kind.INTERVAL_YEAR_MONTH:
            return 0, MOST_MONTHS
        case _:
            return -MOST_MILLIS, MOST_MILLIS


def _largest_decimal(type: DataType) -> Decimal:
    precision, scale = type.precision or 0, type.scale or 0
    return Decimal((0, (9,) * precision, -scale))


def generators_of(table: Table) -> dict[str, Generator]:
    """By column; raises InvalidOption for options that no generator listens to."""
    options = parsed(table, DATAGEN_OPTIONS)
    made = {
        column.name: _generator(table, options, column.name, column.type)
        for column in table.physical_columns
    }
    _check_paths(table, made)
    return made


def row_limit(table: Table) -> int | None:
    """How many rows there are in all: the given number, or what the shortest sequence has."""
    options = parsed(table, DATAGEN_OPTIONS)
    ends = [
        generator.settings["end"] - generator.settings["start"] + 1
        for generator in generators_of(table).values()
        if generator.kind == SEQUENCE and generator.type.kind in SEQUENCES
    ]
    if options.is_set("number-of-rows"):
        ends.append(options["number-of-rows"])
    return min(ends) if ends else None


def _generator(table: Table, options: ParsedOptions, path: str, type: DataType) -> Generator:
    kind = options.get(f"fields.{path}.kind", RANDOM)
    given = {
        name: options[f"fields.{path}.{name}"]
        for name in FIELD_OPTIONS
        if options.is_set(f"fields.{path}.{name}")
    }
    if kind == SEQUENCE:
        _check_sequence(table, path, type, given)
        return Generator(path, type, kind, given)
    settings = _random_settings(table, path, type, given)
    parts = tuple(_generator(table, options, f"{path}.{name}", t) for name, t in _parts(type))
    return Generator(path, type, kind, settings, parts)


def _parts(type: DataType) -> Iterator[tuple[str, DataType]]:
    if type.kind is Kind.ROW:
        yield from type.fields()
    elif type.kind is Kind.MAP:
        yield from zip(("key", "value"), type.children, strict=True)
    elif type.children:
        yield "element", type.children[0]


def _check_paths(table: Table, made: dict[str, Generator]) -> None:
    """Every `fields.…` option belongs to a field that exists."""
    paths = {inner.path for outer in made.values() for inner in outer.walk()}
    for key in table.options:
        path = key.removeprefix("fields.").rpartition(".")[0]
        if key.startswith("fields.") and path not in paths:
            where = table.positions.get(key)
            raise UnknownName("field", path, paths, where=where, context=f", named by '{key}'")


def _check_sequence(table: Table, path: str, type: DataType, given: dict[str, Any]) -> None:
    key = f"fields.{path}.kind"
    if type.kind not in SEQUENCES:
        raise option_error(
            table,
            key,
            f"field '{path}' of type {type.sql()} has no sequence",
            expected="a numeric, text or binary type",
            cure=f"'{key}' = 'random'",
        )
    for name in ("start", "end"):
        if name not in given:
            raise option_error(
                table,
                key,
                f"a sequence needs 'fields.{path}.{name}'",
                condition="MISSING_OPTION",
                cure=f"'fields.{path}.{name}' = '…'",
            )
    for name in given:
        if name not in ("kind", "start", "end"):
            raise _not_listened(table, path, name, "a sequence", ("start", "end"))
    if given["end"] < given["start"]:
        raise option_error(
            table,
            f"fields.{path}.end",
            f"the sequence of field '{path}' ends before it starts",
            expected=f"{given['start']} or more",
        )


def _random_settings(
    table: Table, path: str, type: DataType, given: dict[str, Any]
) -> dict[str, Any]:
    allowed = options_of(type.kind)
    for name in given:
        if name != "kind" and name not in allowed:
            raise _not_listened(table, path, name, f"a random {type.sql()}", allowed)
    settings = {
        name: _bound(table, f"fields.{path}.{name}", type) if name in ("min", "max") else value
        for name, value in given.items()
    }
    _check_ranges(table, path, type, settings)
    return settings


def _not_listened(
    table: Table, path: str, name: str, what: str, allowed: tuple[str, ...]
) -> InvalidOption:
    key = f"fields.{path}.{name}"
    return option_error(
        table,
        key,
        f"option '{key}' has no effect on {what}",
        expected=", ".join(f"fields.{path}.{item}" for item in allowed),
        cure=f"remove '{key}'",
    )


def _bound(table: Table, key: str, type: DataType) -> Any:
    """`min` and `max` are of the column's type."""
    text = table.options[key].strip()
    exact = type.kind not in (*APPROXIMATE, Kind.DECIMAL)
    try:
        value: Any = int(text) if exact else Decimal(text)
    except (ValueError, ArithmeticError):
        value = None
    lowest, highest = default_bounds(type)
    if type.kind in NUMERIC:
        lowest = min(lowest, -highest)
    if value is None or not lowest <= value <= highest:
        raise option_error(
            table,
            key,
            f"invalid value for option '{key}'",
            expected=f"a value of {type.sql()} between {lowest} and {highest}",
        )
    return value


def _check_ranges(table: Table, path: str, type: DataType, settings: dict[str, Any]) -> None:
    lowest, highest = Generator(path, type, RANDOM, settings).bounds
    if "min" in options_of(type.kind) and lowest > highest:
        raise option_error(
            table,
            f"fields.{path}.min",
            f"the smallest value of field '{path}' is more than its largest",
            expected=f"{highest} or less",
        )
    if not 0 <= settings.get("null-rate", 0) <= 1:
        raise option_error(
            table,
            f"fields.{path}.null-rate",
            f"invalid value for option 'fields.{path}.null-rate'",
            expected="a number between 0 and 1",
        )
    if settings.get("length", 0) < 0 or (type.length and settings.get("length", 0) > type.length):
        raise option_error(
            table,
            f"fields.{path}.length",
            f"invalid length of field '{path}'",
            expected=f"between 0 and {type.length or 'any'} for {type.sql()}",
        )
