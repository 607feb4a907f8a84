"""Avro schemas of tables: the one Flink derives from columns, and whether a given one describes the same columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from headrace.types import (
    BINARY_KINDS,
    BYTES,
    CHARACTER,
    INT,
    STRING,
    DataType,
    Kind,
    decimal,
    map_of,
    row_of,
    time,
    timestamp,
)
from headrace.types import array as array_of

# Part of the contract with readers: a registry tells schemas apart by it.
RECORD_NAME = "org.apache.flink.avro.generated.record"

_PRIMITIVES: Mapping[Kind, str] = {
    Kind.BOOLEAN: "boolean",
    Kind.TINYINT: "int",
    Kind.SMALLINT: "int",
    Kind.INT: "int",
    Kind.BIGINT: "long",
    Kind.FLOAT: "float",
    Kind.DOUBLE: "double",
    **dict.fromkeys(CHARACTER, "string"),
    **dict.fromkeys(BINARY_KINDS, "bytes"),
}

# The units a timestamp counts in, by the digits of its fraction.
_UNITS = ((3, "millis"), (6, "micros"), (9, "nanos"))


def derived_schema(fields: DataType, *, legacy: bool) -> Any:
    """The schema of a table's row; `legacy` calls a local timestamp `timestamp-millis`."""
    return _derived(fields.not_null(), RECORD_NAME, legacy)


def nullable_schema(fields: DataType, *, legacy: bool) -> Any:
    """The same in a union with null."""
    return _derived(fields.as_nullable(), RECORD_NAME, legacy)


def _derived(type: DataType, name: str, legacy: bool) -> Any:
    if type.kind is Kind.NULL:
        return "null"
    schema = _not_null(type, name, legacy)
    return ["null", schema] if type.nullable else schema


def _not_null(type: DataType, name: str, legacy: bool) -> Any:
    match type.kind:
        case Kind.DECIMAL:
            return _logical("bytes", "decimal", precision=type.precision, scale=type.scale)
        case Kind.DATE:
            return _logical("int", "date")
        case Kind.TIME:
            return _logical("int", "time-millis")
        case Kind.TIMESTAMP | Kind.TIMESTAMP_LTZ:
            return _logical("long", _timestamp_name(type, legacy))
        case Kind.ARRAY:
            return {"type": "array", "items": _derived(type.children[0], name, legacy)}
        case Kind.MAP:
            return {"type": "map", "values": _derived(type.children[1], name, legacy)}
        case Kind.MULTISET:
            return {"type": "map", "values": ["null", "int"]}
        case Kind.ROW:
            return _record(type, name, legacy)
        case _:
            return _PRIMITIVES[type.kind]


def _record(type: DataType, name: str, legacy: bool) -> dict[str, Any]:
    fields = [
        {"name": field, "type": _derived(child, f"{name}_{field}", legacy)}
        | ({"default": None} if child.nullable else {})
        for field, child in type.fields()
    ]
    namespace, _, simple = name.rpartition(".")
    return {"type": "record", "name": simple, "namespace": namespace, "fields": fields}


def _logical(base: str, name: str, **more: int | None) -> dict[str, Any]:
    return {"type": base, "logicalType": name, **more}


def _timestamp_name(type: DataType, legacy: bool) -> str:
    unit = next(unit for digits, unit in _UNITS if (type.precision or 0) <= digits)
    is_local = type.kind is Kind.TIMESTAMP and not legacy
    return f"local-timestamp-{unit}" if is_local else f"timestamp-{unit}"


def describes(schema: str, fields: DataType) -> bool:
    """Whether a schema, as JSON text, has the table's columns in their order, with their types and nullability;
    ValueError where the text is no Avro schema of types that SQL has."""
    try:
        found = _type_of(json.loads(schema), {}, "")
    except (KeyError, TypeError, AttributeError, RecursionError) as malformed:
        raise ValueError(f"no schema of a row: {malformed}") from None
    return found.as_nullable() == _in_general(fields).as_nullable()


def _in_general(type: DataType) -> DataType:
    """A type as wide as the Avro type that carries it, which knows no lengths, small integers or time zones."""
    if type.kind in CHARACTER:
        return STRING.as_nullable(type.nullable)
    if type.kind in BINARY_KINDS:
        return BYTES.as_nullable(type.nullable)
    if type.kind in (Kind.TINYINT, Kind.SMALLINT):
        return INT.as_nullable(type.nullable)
    if type.kind is Kind.MULTISET:
        return map_of(STRING.not_null(), INT).as_nullable(type.nullable)
    if type.kind is Kind.MAP:
        value = _in_general(type.children[1])
        return map_of(STRING.not_null(), value).as_nullable(type.nullable)
    if type.kind in (Kind.TIME, Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ):
        digits = next(digits for digits, _ in _UNITS if (type.precision or 0) <= digits)
        kind = Kind.TIME if type.kind is Kind.TIME else Kind.TIMESTAMP
        return DataType(kind, type.nullable, precision=digits)
    return replace(type, children=tuple(map(_in_general, type.children)))


def _type_of(schema: Any, named: dict[str, Any], namespace: str) -> DataType:
    if isinstance(schema, list):
        return _union(schema, named, namespace)
    if isinstance(schema, str):
        known = named.get(schema) or named.get(f"{namespace}.{schema}")
        return _simple(schema, {}) if known is None else _type_of(known, named, namespace)
    match schema["type"]:
        case "record":
            return _record_type(schema, named, namespace)
        case "array":
            return array_of(_type_of(schema["items"], named, namespace)).not_null()
        case "map":
            value = _type_of(schema["values"], named, namespace)
            return map_of(STRING.not_null(), value).not_null()
        case "enum" | "fixed":
            named[_full_name(schema, namespace)] = schema
            return _simple(schema["type"], schema)
        case str() as name:
            return _simple(name, schema)
        case nested:
            return _type_of(nested, named, namespace)


def _union(branches: Sequence[Any], named: dict[str, Any], namespace: str) -> DataType:
    values = [branch for branch in branches if branch != "null"]
    if len(values) != 1:
        raise ValueError(f"a union of {len(values)} types is no SQL type")
    return _type_of(values[0], named, namespace).as_nullable(len(values) < len(branches))


def _record_type(schema: Any, named: dict[str, Any], namespace: str) -> DataType:
    full = _full_name(schema, namespace)
    named[full] = schema
    inner = full.rpartition(".")[0]
    fields = [(f["name"], _type_of(f["type"], named, inner)) for f in schema["fields"]]
    return row_of(fields).not_null()


def _full_name(schema: Any, namespace: str) -> str:
    name: str = schema["name"]
    space = schema.get("namespace", namespace)
    return name if "." in name or not space else f"{space}.{name}"


# What a logical type makes of the type beneath it.
_LOGICAL: Mapping[tuple[str, str], DataType] = {
    ("int", "date"): DataType(Kind.DATE),
    ("int", "time-millis"): time(3),
    ("long", "time-micros"): time(6),
    ("long", "timestamp-millis"): timestamp(3),
    ("long", "timestamp-micros"): timestamp(6),
    ("long", "local-timestamp-millis"): timestamp(3),
    ("long", "local-timestamp-micros"): timestamp(6),
}
_NAMED_PRIMITIVES: Mapping[str, DataType] = {
    "boolean": DataType(Kind.BOOLEAN),
    "int": INT,
    "long": DataType(Kind.BIGINT),
    "float": DataType(Kind.FLOAT),
    "double": DataType(Kind.DOUBLE),
    "string": STRING,
    "enum": STRING,
    "bytes": BYTES,
    "fixed": BYTES,
}


def _simple(name: str, schema: Mapping[str, Any]) -> DataType:
    logical = schema.get("logicalType", "")
    if logical == "decimal" and name in ("bytes", "fixed"):
        return decimal(schema["precision"], schema.get("scale", 0)).not_null()
    if name not in _NAMED_PRIMITIVES:
        raise ValueError(f"'{name}' is no type of the schema")
    return _LOGICAL.get((name, logical), _NAMED_PRIMITIVES[name]).not_null()
