"""Generators as Spark SQL over the columns `value` (0, 1, 2, …) and `seed` of the sequence source.

Random values are hashes of seed, row number and field: a batch that is replayed gives the same rows again.
"""

from __future__ import annotations

import math
from datetime import timedelta
from decimal import Decimal

from headrace.connectors.datagen.generators import MOST_MILLIS, Generator
from headrace.connectors.datagen.options import SEQUENCE
from headrace.types import BINARY_KINDS, CHARACTER, Kind

# 53 random bits fill the mantissa of a double.
UNIT = "(shiftrightunsigned({hash}, 11) * CAST(1.1102230246251565E-16 AS DOUBLE))"
MD5_DIGITS = 32
# Flink draws the multiplicity of a multiset's element between 0 and 10.
MOST_OF_ONE_ELEMENT = 11


def column_sql(generator: Generator) -> str:
    if generator.kind == SEQUENCE:
        return _sequence(generator)
    return _random(generator, ())


def _sequence(generator: Generator) -> str:
    number = f"(value + {_bigint(generator.settings['start'])})"
    if generator.type.kind in BINARY_KINDS:
        return f"unhex(lpad(hex({number}), 16, '0'))"
    return f"CAST({number} AS {generator.type.spark()})"


def _random(generator: Generator, inside: tuple[str, ...]) -> str:
    """`inside` are the lambda variables of the collections around this generator."""
    text = f"CAST({_value(generator, inside)} AS {generator.type.spark()})"
    rate = generator.settings.get("null-rate", 0)
    if not rate:
        return text
    return f"IF({_unit(generator, inside, 'null')} < CAST({rate} AS DOUBLE), NULL, {text})"


def _value(generator: Generator, inside: tuple[str, ...]) -> str:
    match generator.type.kind:
        case Kind.BOOLEAN:
            return f"({_hash(generator, inside)} < 0)"
        case Kind.TINYINT | Kind.SMALLINT | Kind.INT | Kind.BIGINT:
            return _integer(generator, inside)
        case Kind.FLOAT | Kind.DOUBLE:
            return _real(generator, inside)
        case Kind.DECIMAL:
            return _decimal(generator, inside)
        case kind if kind in CHARACTER:
            return _text(generator, inside)
        case kind if kind in BINARY_KINDS:
            return f"unhex({_text(generator, inside, digits=2)})"
        case Kind.INTERVAL_YEAR_MONTH:
            return f"make_ym_interval(0, CAST({_integer(generator, inside)} AS INT))"
        case Kind.INTERVAL_DAY_SECOND:
            return f"({_integer(generator, inside)} * INTERVAL '0.001' SECOND)"
        case Kind.ROW:
            return _row(generator, inside)
        case Kind.ARRAY:
            return _elements(generator, generator.parts[0], inside)
        case Kind.MAP | Kind.MULTISET:
            return _map(generator, inside)
        case _:
            return _moment(generator, inside)


def _hash(generator: Generator, inside: tuple[str, ...], purpose: str = "") -> str:
    salt = _quoted(f"{generator.path}/{purpose}")
    return f"xxhash64({', '.join(('seed', 'value', salt, *inside))})"


def _unit(generator: Generator, inside: tuple[str, ...], purpose: str = "") -> str:
    return UNIT.format(hash=_hash(generator, inside, purpose))


def _integer(generator: Generator, inside: tuple[str, ...]) -> str:
    lowest, highest = generator.bounds
    span = int(highest) - int(lowest) + 1
    number = _hash(generator, inside)
    if span < 2**63:
        return f"({_bigint(lowest)} + pmod({number}, {_bigint(span)}))"
    wide = "CAST({} AS DECIMAL(20, 0))"
    remainder = f"pmod({wide.format(number)}, {wide.format(_quoted(str(span)))})"
    return f"CAST({wide.format(_quoted(str(lowest)))} + {remainder} AS BIGINT)"


def _real(generator: Generator, inside: tuple[str, ...]) -> str:
    lowest, highest = (f"CAST('{float(bound)!r}' AS DOUBLE)" for bound in generator.bounds)
    part = _unit(generator, inside)
    # Not lowest + part * (highest - lowest): the difference of the widest bounds is infinite.
    return f"({lowest} * (1 - {part}) + {highest} * {part})"


def _decimal(generator: Generator, inside: tuple[str, ...]) -> str:
    lowest, highest = (Decimal(bound) for bound in generator.bounds)
    type = generator.type.spark()
    largest = f"CAST('{highest:f}' AS {type})"
    # A double near the largest value may round past it.
    return (
        f"least(coalesce(try_cast({_real(generator, inside)} AS {type}), {largest}), {largest}"
        + (f", greatest({largest}, CAST('{lowest:f}' AS {type})))")
    )


def _text(generator: Generator, inside: tuple[str, ...], digits: int = 1) -> str:
    """Hexadecimal digits, as many as the length asks for (`digits` per unit of length)."""
    length = generator.length
    depth = f"b{len(inside)}"
    parts = ("seed", "value", _quoted(generator.path), *inside, depth)
    block = f"md5(concat_ws(':', {', '.join(f'CAST({part} AS STRING)' for part in parts)}))"
    blocks = max(1, math.ceil(length * digits / MD5_DIGITS))
    whole = f"array_join(transform(sequence(1, {blocks}), {depth} -> {block}), '')"
    wanted = str(length)
    if generator.settings.get("var-len") and length > 1:
        picked = f"pmod({_hash(generator, inside, 'length')}, {_bigint(length)})"
        wanted = f"CAST(1 + {picked} AS INT)"
    return f"substring({whole}, 1, {wanted} * {digits})"


def _row(generator: Generator, inside: tuple[str, ...]) -> str:
    names = generator.type.names
    fields = (
        f"{_quoted(name)}, {_random(part, inside)}"
        for name, part in zip(names, generator.parts, strict=True)
    )
    return f"named_struct({', '.join(fields)})"


def _elements(generator: Generator, part: Generator, inside: tuple[str, ...]) -> str:
    if generator.length == 0:
        return "array()"
    each = f"e{len(inside)}"
    element = _random(part, (*inside, each))
    return f"transform(sequence(1, {generator.length}), {each} -> {element})"


def _map(generator: Generator, inside: tuple[str, ...]) -> str:
    if generator.length == 0:
        return "map()"
    keys = f"array_distinct(filter({_elements(generator, generator.parts[0], inside)}, k -> k IS NOT NULL))"
    each, place = f"k{len(inside)}", f"p{len(inside)}"
    if generator.type.kind is Kind.MULTISET:
        drawn = _hash(generator, (*inside, place), "count")
        value = f"CAST(pmod({drawn}, {MOST_OF_ONE_ELEMENT}) AS INT)"
    else:
        value = _random(generator.parts[1], (*inside, place))
    return f"map_from_entries(transform({keys}, ({each}, {place}) -> struct({each}, {value})))"


def _moment(generator: Generator, inside: tuple[str, ...]) -> str:
    if generator.type.kind is Kind.DATE:
        return "current_date()"
    now = f"date_trunc('{'MILLISECOND' if generator.type.precision else 'SECOND'}', current_timestamp())"
    if generator.type.kind is Kind.TIME:
        return f"date_format({now}, 'HH:mm:ss.SSS')"
    past: timedelta = generator.settings.get("max-past", timedelta())
    millis = min(past // timedelta(milliseconds=1), MOST_MILLIS)
    if not millis:
        return now
    ago = f"pmod({_hash(generator, inside)}, {_bigint(millis + 1)})"
    return f"timestampadd(MILLISECOND, -{ago}, {now})"


def _bigint(number: int) -> str:
    return f"CAST('{int(number)}' AS BIGINT)"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
