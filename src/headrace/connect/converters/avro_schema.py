"""Avro's schemas for Connect's, as Confluent's converters write and read them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from headrace.connect.data.schema import (
    DATE,
    DECIMAL,
    TIME,
    TIMESTAMP,
    ConnectFault,
    Field,
    Schema,
    Type,
)

DEFAULT_NAME = "io.confluent.connect.avro.ConnectDefault"
# What Confluent's converters write where a schema does not say; Spark reads 38 digits at most.
WRITTEN_PRECISION = 64
READ_PRECISION = 38

_PRIMITIVES = {
    Type.INT8: "int",
    Type.INT16: "int",
    Type.INT32: "int",
    Type.INT64: "long",
    Type.FLOAT32: "float",
    Type.FLOAT64: "double",
    Type.BOOLEAN: "boolean",
    Type.STRING: "string",
    Type.BYTES: "bytes",
}
_LOGICAL = {DATE: "date", TIME: "time-millis", TIMESTAMP: "timestamp-millis", DECIMAL: "decimal"}
_READ = {
    "int": Type.INT32,
    "long": Type.INT64,
    "float": Type.FLOAT32,
    "double": Type.FLOAT64,
    "boolean": Type.BOOLEAN,
    "string": Type.STRING,
    "bytes": Type.BYTES,
    "fixed": Type.BYTES,
    "enum": Type.STRING,
}
_LOGICAL_READ = {
    ("int", "date"): DATE,
    ("int", "time-millis"): TIME,
    ("long", "timestamp-millis"): TIMESTAMP,
    ("bytes", "decimal"): DECIMAL,
}


def to_avro_schema(schema: Schema, *, facts: bool = True) -> Any:
    """The schema as JSON; `facts` is whether Connect's own facts are in it (`connect.meta.data`)."""
    return _Writer(facts).written(schema)


class _Writer:
    """A record is defined where it first appears, and named from there on."""

    def __init__(self, facts: bool) -> None:
        self._facts = facts
        self._defined: dict[str, Schema] = {}

    def written(self, schema: Schema) -> Any:
        plain = self._plain(schema)
        if not schema.optional:
            return plain
        return ["null", plain] if schema.default is None else [plain, "null"]

    def _plain(self, schema: Schema) -> Any:
        if schema.type is Type.STRUCT:
            return self._record(schema)
        extra = _facts(schema) if self._facts else {}
        if schema.name in _LOGICAL:
            extra |= {"logicalType": _LOGICAL[schema.name]}
        shape = self._shape(schema)
        return shape["type"] if not extra and len(shape) == 1 else shape | extra

    def _shape(self, schema: Schema) -> dict[str, Any]:
        match schema.type:
            case Type.ARRAY if schema.values is not None:
                return {"type": "array", "items": self.written(schema.values)}
            case Type.MAP if schema.values is not None and schema.keys is not None:
                if schema.keys.type is not Type.STRING or schema.keys.optional:
                    raise ConnectFault("maps whose keys are no strings are not written as Avro")
                return {"type": "map", "values": self.written(schema.values)}
        shape: dict[str, Any] = {"type": _PRIMITIVES[schema.type]}
        return shape | (_digits(schema) if schema.name == DECIMAL else {})

    def _record(self, schema: Schema) -> Any:
        full = schema.name or DEFAULT_NAME
        if not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", full, re.ASCII):
            raise ConnectFault(f"Illegal character in Avro name: {full}")
        bare = replace(schema, optional=False, default=None)
        if self._defined.setdefault(full, bare) is not bare:
            if self._defined[full] != bare:
                raise ConnectFault(f"Can't redefine: {full}")
            return full
        namespace, _, name = full.rpartition(".")
        place = {"namespace": namespace} if namespace else {}
        fields = [self._field(field) for field in schema.fields]
        record = {"type": "record", "name": name} | place | {"fields": fields}
        return record | (_facts(bare) if self._facts else {})

    def _field(self, field: Field) -> dict[str, Any]:
        described = {"name": field.name, "type": self.written(field.schema)}
        if field.schema.default is not None and field.schema.name != DECIMAL:
            return described | {"default": json.loads(field.schema.default)}
        return described | ({"default": None} if field.schema.optional else {})


def _digits(schema: Schema) -> dict[str, int]:
    given = dict(schema.parameters)
    precision = given.get("connect.decimal.precision", WRITTEN_PRECISION)
    return {"scale": int(given.get("scale", "0")), "precision": int(precision)}


def _facts(schema: Schema) -> dict[str, Any]:
    small = {"connect.type": str(schema.type)} if schema.type in (Type.INT8, Type.INT16) else {}
    facts: dict[str, Any] = {
        "connect.doc": schema.doc,
        "connect.version": schema.version,
        "connect.parameters": dict(schema.parameters) or None,
        "connect.default": None if schema.default is None else json.loads(schema.default),
        "connect.name": schema.name,
    }
    return small | {name: fact for name, fact in facts.items() if fact is not None}


def of_avro_schema(node: Any) -> Schema:
    """The schema of Avro's JSON; raises ConnectFault for what Connect has no type for."""
    return _Reader().read(node, None)


class _Reader:
    def __init__(self) -> None:
        self._defined: dict[str, Schema] = {}

    def read(self, node: Any, default: Any, space: str = "") -> Schema:
        """`default` is that of the field, `space` the namespace around it."""
        if isinstance(node, list):
            return self._union(node, default, space)
        if isinstance(node, str):
            known = self._defined.get(node) or self._defined.get(f"{space}.{node}")
            if known is not None:
                return known
            node = {"type": node}
        if isinstance(node.get("type"), dict | list):
            return self.read(node["type"], default, space)
        return self._described(node, default, space)

    def _union(self, branches: list[Any], default: Any, space: str) -> Schema:
        others = [branch for branch in branches if branch != "null"]
        if len(others) != 1 or len(branches) != 2:
            raise ConnectFault("unions of several types are not read as Connect's values")
        return self.read(others[0], default, space).made_optional()

    def _described(self, node: Mapping[str, Any], default: Any, space: str) -> Schema:
        match node["type"]:
            case "record":
                return self._record(node, space)
            case "array":
                items = self.read(node["items"], None, space)
                return Schema(Type.ARRAY, values=items, **_known(node, default))
            case "map":
                values, keys = self.read(node["values"], None, space), Schema(Type.STRING)
                return Schema(Type.MAP, keys=keys, values=values, **_known(node, default))
            case kind if kind not in _READ:
                raise ConnectFault(f"Couldn't translate unsupported schema type {kind}.")
            case kind:
                small = node.get("connect.type")
                type = Type(small) if small in set(Type) else _READ[kind]
                read = Schema(type, **_known(node, default))
        if "name" in node:
            self._defined[_full_name(node, space)] = read
        return read

    def _record(self, node: Mapping[str, Any], space: str) -> Schema:
        full = _full_name(node, space)
        inner = full.rpartition(".")[0]
        fields = tuple(
            Field(field["name"], self.read(field["type"], field.get("default"), inner))
            for field in node["fields"]
        )
        known = _known(node, None)
        if known["name"] is None and full != DEFAULT_NAME:
            known["name"] = full
        self._defined[full] = Schema(Type.STRUCT, fields=fields, **known)
        return self._defined[full]


def _known(node: Mapping[str, Any], default: Any) -> dict[str, Any]:
    """Name, version, doc, parameters and default."""
    logical = _LOGICAL_READ.get((node["type"], node.get("logicalType", "")))
    name = node.get("connect.name") or logical
    given = node.get("connect.default", default)
    return {
        "name": name,
        "version": node.get("connect.version", 1 if name in _LOGICAL else None),
        "doc": node.get("connect.doc"),
        "parameters": _parameters(node, name),
        "default": None if given is None else json.dumps(given),
    }


def _full_name(node: Mapping[str, Any], space: str) -> str:
    name, own = str(node["name"]), node.get("namespace", space)
    return name if "." in name or not own else f"{own}.{name}"


def _parameters(node: Mapping[str, Any], name: str | None) -> tuple[tuple[str, str], ...]:
    given = node.get("connect.parameters")
    if given is None and name == DECIMAL:
        given = {"scale": str(node.get("scale", 0))}
    return tuple((given or {}).items())


def for_spark(node: Any) -> Any:
    """The same bytes under a schema that Spark reads: no more digits than it has, and times of day as numbers."""
    if isinstance(node, list):
        return [for_spark(branch) for branch in node]
    if not isinstance(node, dict):
        return node
    kept = {name: for_spark(inner) for name, inner in node.items() if name != "default"}
    if kept.get("logicalType") == "decimal":
        kept["precision"] = min(int(kept["precision"]), READ_PRECISION)
    if str(kept.get("logicalType", "")).startswith("time-"):
        del kept["logicalType"]
    return kept
