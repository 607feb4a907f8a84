"""Schemas from the JSON that the JSON converter writes, with the errors it has for malformed ones."""

from __future__ import annotations

import json
from typing import Any

from headrace.connect.data.schema import (
    DATA_EXCEPTION,
    SCHEMA_BUILDER_EXCEPTION,
    ConnectFault,
    Field,
    Schema,
    Type,
    duplicated,
)


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
        default=_default(node, type),
        fields=_fields(node) if type is Type.STRUCT else (),
        keys=_inner(node, "keys", "Map schema did not specify the key type", type is Type.MAP),
        values=_values(node, type),
    )


def _default(node: dict[str, Any], type: Type) -> str | None:
    """As Connect reads it: what is of another type than the schema counts as zero, false or nothing."""
    if "default" not in node:
        return None
    found = node["default"]
    if found is None and node.get("optional") is not True:
        raise ConnectFault(f"Invalid null value for required {type.name} field")
    if found is not None and type is Type.STRUCT:
        # A struct is compared with a schema that is not finished yet, and never fits.
        cause = f"{DATA_EXCEPTION}: Struct schemas do not match."
        raise ConnectFault(f"Invalid default value\nCaused by: {cause}", SCHEMA_BUILDER_EXCEPTION)
    kept = None if found is None else _of_type(found, type)
    return None if kept is None else json.dumps(kept)


def _of_type(found: Any, type: Type) -> Any:
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    match type:
        case Type.BOOLEAN:
            return found is True
        case Type.STRING:
            return found if isinstance(found, str) else None
        case Type.INT8 | Type.INT16 | Type.INT32 | Type.INT64:
            return int(found) if is_number else 0
        case Type.FLOAT32 | Type.FLOAT64:
            return found if is_number else 0.0
    return found


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
    fields = tuple(_field(field) for field in node["fields"])
    names = [field.name for field in fields]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise ConnectFault(duplicated(twice), SCHEMA_BUILDER_EXCEPTION)
    return fields


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
