"""Schemas from the JSON that the JSON converter writes, with the errors it has for malformed ones."""

from __future__ import annotations

import json
from typing import Any

from headrace.connect.data.schema import ConnectFault, Field, Schema, Type


def schema_of_text(text: str) -> Schema | None:
    return schema_of(json.loads(text))


def schema_of(node: Any) -> Schema | None:
    """None for JSON's null; raises ConnectFault."""
    if node is None:
        return None
    if not isinstance(node, dict) or not isinstance(node.get("type"), str):
        raise ConnectFault("Schema must contain 'type' field")
    if node["type"] not in set(Type):
        raise ConnectFault(f"Unknown schema type: {node['type']}")
    type = Type(node["type"])
    version = node.get("version")
    return Schema(
        type,
        optional=node.get("optional") is True,
        name=_text(node, "name"),
        version=version if isinstance(version, int) else None,
        doc=_text(node, "doc"),
        parameters=_parameters(node.get("parameters")),
        default=json.dumps(node["default"]) if node.get("default") is not None else None,
        fields=_fields(node) if type is Type.STRUCT else (),
        keys=_inner(node, "keys", "Map schema did not specify the key type", type is Type.MAP),
        values=_values(node, type),
    )


def _text(node: dict[str, Any], name: str) -> str | None:
    value = node.get(name)
    return value if isinstance(value, str) else None


def _parameters(node: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(node, dict):
        return ()
    if not all(isinstance(value, str) for value in node.values()):
        raise ConnectFault("Schema parameters must have string values.")
    return tuple(node.items())


def _fields(node: dict[str, Any]) -> tuple[Field, ...]:
    if not isinstance(node.get("fields"), list):
        raise ConnectFault('Struct schema\'s "fields" argument is not an array.')
    return tuple(_field(field) for field in node["fields"])


def _field(node: Any) -> Field:
    if not isinstance(node, dict) or not isinstance(node.get("field"), str):
        raise ConnectFault("Struct schema's field name not specified properly")
    schema = schema_of(node)
    if schema is None:
        raise ConnectFault("Schema must contain 'type' field")
    return Field(node["field"], schema)


def _values(node: dict[str, Any], type: Type) -> Schema | None:
    if type is Type.ARRAY:
        return _inner(node, "items", "Array schema did not specify the element type", True)
    return _inner(node, "values", "Map schema did not specify the value type", type is Type.MAP)


def _inner(node: dict[str, Any], name: str, missing: str, wanted: bool) -> Schema | None:
    if not wanted:
        return None
    inner = schema_of(node.get(name))
    if inner is None:
        raise ConnectFault(missing)
    return inner
