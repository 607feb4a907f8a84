"""SetSchemaMetadata: another name or version for a schema."""

from __future__ import annotations

from dataclasses import replace

from headrace.connect.configdef import ConfigKey, Importance, InvalidConfig
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType
from headrace.connect.data.records import Part, Records, fields_of, struct_of
from headrace.connect.data.schema import Type
from headrace.connect.transforms.base import NO_FIELDS, PACKAGE, Transform, TransformPlugin

KEYS = (
    ConfigKey("schema.name", ConfigType.STRING, None, Importance.HIGH, "The name."),
    ConfigKey("schema.version", ConfigType.INT, None, Importance.HIGH, "The version."),
    REPLACE_NULL,
)


def build(config: Config, part: Part) -> Transform:
    name, version = config["schema.name"], config["schema.version"]
    if name is None and version is None:
        raise InvalidConfig("Neither schema name nor version configured")

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            message = "Schema required for [updating schema metadata]"
            return records.failed(sf.col(part).isNotNull(), message)
        if schema.type is not Type.STRUCT:
            # Connect looks for fields in whatever has a schema.
            return records.failed(sf.col(f"{part}_typed"), NO_FIELDS)
        after = replace(
            schema,
            name=schema.name if name is None else name,
            version=schema.version if version is None else version,
        )
        columns = fields_of(sf.col(part), schema, defaults=config[REPLACE_NULL.name])
        return records.of_value(part, after, struct_of(columns, sf.col(part).isNotNull()))

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.SetSchemaMetadata", KEYS, build)
