"""ValueToKey: a key of some of the value's fields."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey, Importance, non_empty_list
from headrace.connect.data.columns import step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType
from headrace.connect.data.records import Part, Records, field_of, struct_of
from headrace.connect.data.schema import (
    SCHEMA_BUILDER_EXCEPTION,
    Schema,
    Type,
    duplicated,
    struct,
)
from headrace.connect.transforms.base import (
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_nulls,
    refuse_unstructured,
)

PURPOSE = "copying fields from value to key"

KEYS = (
    ConfigKey(
        "fields",
        ConfigType.LIST,
        documentation="Fields of the value that make the key.",
        importance=Importance.HIGH,
        validator=non_empty_list,
    ),
    REPLACE_NULL,
)


def build(config: Config, part: Part) -> Transform:
    names = config["fields"]

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.value
        checked = refuse_nulls(records, "value", PURPOSE)
        if schema is None:
            outcome = step("pick", {"fields": names, "purpose": PURPOSE}, sf.col("value"))
            keyed = checked.of_outcome("key", None, outcome)
            return keyed.changed({"key_typed": sf.lit(False)})
        if schema.type is not Type.STRUCT:
            return refuse_unstructured(checked, "value", schema, PURPOSE)
        return _with_schema(checked, schema, names, config[REPLACE_NULL.name])

    return apply


def _with_schema(records: Records, schema: Schema, names: list[str], defaults: bool) -> Records:
    from pyspark.sql import functions as sf

    value = sf.col("value")
    fields = {name: schema.field(name) for name in names}
    known = {name: inner for name, inner in fields.items() if inner is not None}
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        return records.failed(value.isNotNull(), f"Field does not exist: {unknown}")
    if len(fields) < len(names):
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        return records.failed(value.isNotNull(), duplicated(twice), SCHEMA_BUILDER_EXCEPTION)
    columns = {
        name: field_of(value, name, inner, defaults=defaults) for name, inner in known.items()
    }
    key = struct_of(columns, value.isNotNull())
    return records.of_value("key", struct(known), key, value.isNotNull())


PLUGIN = TransformPlugin(f"{PACKAGE}.ValueToKey", KEYS, build, sided=False)
