"""ReplaceField: fields left out, kept or renamed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.columns import step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType, pairs
from headrace.connect.data.records import Part, Records, field_of, struct_of
from headrace.connect.data.schema import (
    SCHEMA_BUILDER_EXCEPTION,
    Field,
    Schema,
    Type,
    duplicated,
)
from headrace.connect.transforms.base import (
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_unstructured,
)

PURPOSE = "field replacement"
RENAMES = "renames"


def _check(value: Any) -> None:
    pairs(RENAMES, value)


def _fields_key(name: str, what: str) -> ConfigKey:
    return ConfigKey(name, ConfigType.LIST, documentation=what, default=[])


KEYS = (
    _fields_key("exclude", "Fields to leave out, also when they are included."),
    _fields_key("include", "Fields to keep; all where none is named."),
    # Names of before 2.6, which 4.0 no longer knows; configurations that circulate have them.
    replace(_fields_key("blacklist", "Older name of 'exclude'."), listed=False),
    replace(_fields_key("whitelist", "Older name of 'include'."), listed=False),
    ConfigKey(
        RENAMES,
        ConfigType.LIST,
        documentation="Pairs of names, old:new.",
        default=[],
        validator=_check,
    ),
    REPLACE_NULL,
)


@dataclass(frozen=True, slots=True)
class Choice:
    include: list[str]
    exclude: list[str]
    renames: Mapping[str, str]

    def keeps(self, name: str) -> bool:
        return name not in self.exclude and (not self.include or name in self.include)

    def settings(self) -> dict[str, Any]:
        return {
            "include": self.include,
            "exclude": self.exclude,
            "renames": dict(self.renames),
            "purpose": PURPOSE,
        }


def build(config: Config, part: Part) -> Transform:
    choice = Choice(
        config["include"] or config["whitelist"],
        config["exclude"] or config["blacklist"],
        pairs(RENAMES, config[RENAMES]),
    )

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            outcome = step("replace", choice.settings(), sf.col(part))
            return records.of_outcome(part, None, sf.when(sf.col(part).isNotNull(), outcome))
        if schema.type is not Type.STRUCT:
            return refuse_unstructured(records, part, schema, PURPOSE)
        return replaced(records, part, schema, choice, config[REPLACE_NULL.name])

    return apply


def replaced(
    records: Records, part: Part, schema: Schema, choice: Choice, defaults: bool
) -> Records:
    """Records of structs, which have the chosen fields from here on."""
    from pyspark.sql import functions as sf

    kept = [field for field in schema.fields if choice.keeps(field.name)]
    names = {field.name: choice.renames.get(field.name, field.name) for field in kept}
    columns = {
        names[field.name]: field_of(sf.col(part), field.name, field.schema, defaults=defaults)
        for field in kept
    }
    present = sf.col(part).isNotNull()
    after = replace(
        schema.basics(Type.STRUCT),
        fields=tuple(Field(names[field.name], field.schema) for field in kept),
    )
    if len(columns) < len(kept):
        given = list(names.values())
        twice = next(name for at, name in enumerate(given) if name in given[:at])
        return records.failed(present, duplicated(twice), SCHEMA_BUILDER_EXCEPTION)
    return records.of_value(part, after, struct_of(columns, present), present)


PLUGIN = TransformPlugin(f"{PACKAGE}.ReplaceField", KEYS, build, passes_nulls=True)
