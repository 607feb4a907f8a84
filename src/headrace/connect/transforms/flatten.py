"""Flatten: fields of nested structs under names that join those of the levels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.columns import step
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part, Records, field_of, struct_of
from headrace.connect.data.schema import ConnectFault, Field, Schema, Type
from headrace.connect.transforms.base import (
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_unstructured,
)

if TYPE_CHECKING:
    from pyspark.sql import Column

PURPOSE = "flattening"

KEYS = (
    ConfigKey(
        "delimiter",
        ConfigType.STRING,
        documentation="The separator between the names of nested levels.",
        default=".",
    ),
)


def build(config: Config, part: Part) -> Transform:
    delimiter = config["delimiter"]

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            settings = {"delimiter": delimiter, "purpose": PURPOSE}
            outcome = sf.when(sf.col(part).isNotNull(), step("flatten", settings, sf.col(part)))
            return records.of_outcome(part, None, outcome)
        if schema.type is not Type.STRUCT:
            return refuse_unstructured(records, part, schema, PURPOSE)
        return _with_schema(records, part, schema, delimiter)

    return apply


def _with_schema(records: Records, part: Part, schema: Schema, delimiter: str) -> Records:
    from pyspark.sql import functions as sf

    value = sf.col(part)
    default = None if schema.default is None else json.loads(schema.default)
    try:
        flat = list(_flat(schema, value, "", delimiter, schema.optional, default))
    except ConnectFault as fault:
        return records.failed(value.isNotNull(), fault.message)
    after = replace(
        schema.basics(Type.STRUCT), fields=tuple(Field(name, inner) for name, inner, _ in flat)
    )
    columns = {name: column for name, _, column in flat}
    return records.of_value(part, after, struct_of(columns, value.isNotNull()), value.isNotNull())


def _flat(
    schema: Schema, struct: Column, prefix: str, delimiter: str, optional: bool, default: Any
) -> Iterator[tuple[str, Schema, Column]]:
    """Name, schema and value of each field; whatever lies in something optional is optional."""
    from pyspark.sql import functions as sf

    for field in schema.fields:
        name = f"{prefix}{delimiter}{field.name}" if prefix else field.name
        inner = field.schema
        own = None if inner.default is None else json.loads(inner.default)
        given = own if own is not None or default is None else default.get(field.name)
        can_miss = optional or inner.optional
        if inner.type is Type.MAP:
            raise ConnectFault(
                f"Flatten transformation does not support {inner.label()} for record with schemas"
                f" (for field {name})."
            )
        if inner.type is Type.STRUCT:
            column = struct.getField(field.name)
            yield from _flat(inner, column, name, delimiter, can_miss, given)
            continue
        kept = replace(
            inner, optional=can_miss, default=None if given is None else json.dumps(given)
        )
        column = field_of(struct, field.name, inner, defaults=True)
        yield name, kept, sf.when(struct.isNotNull(), column)


PLUGIN = TransformPlugin(f"{PACKAGE}.Flatten", KEYS, build, passes_nulls=True)
