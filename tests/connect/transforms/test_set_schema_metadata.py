"""SetSchemaMetadata."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.config import parse
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.set_schema_metadata import KEYS, build


def test_a_name_or_a_version_is_needed():
    with pytest.raises(InvalidConfig, match="Neither schema name nor version configured"):
        build(parse(KEYS, {}), "value")
    with pytest.raises(
        InvalidConfig, match=r"Invalid value one for configuration schema\.version: Not a number"
    ):
        parse(KEYS, {"schema.version": "one"})


@pytest.mark.spark
def test_schemas_get_names_and_versions(connect):
    row = cs.struct(
        {
            "a": cs.string(
                optional=True,
            )
        },
        "old",
    )
    options = {"schema.name": "new", "schema.version": "2"}
    result = connect.apply("SetSchemaMetadata$Value", options, [{"a": "x"}, None], row)
    assert (result.value_schema.name, result.value_schema.version) == ("new", 2)
    assert result.values == [{"a": "x"}, None]
    plain = connect.apply("SetSchemaMetadata$Value", {"schema.version": "3"}, ["x"], cs.string())
    assert plain.errors == ["Cannot list fields on non-struct type"]
    without = connect.apply("SetSchemaMetadata$Value", options, ["1", None])
    assert without.errors == ["Schema required for [updating schema metadata]", None]


@pytest.mark.spark
def test_keys_and_defaults(connect):
    row = cs.struct({"a": Schema(Type.INT32, optional=True, default="5")}, "old")
    filled = connect.apply("SetSchemaMetadata$Value", {"schema.name": "n"}, [{"a": None}], row)
    assert filled.values == [{"a": 5}]
    options = {"schema.name": "n", "replace.null.with.default": "false"}
    assert connect.apply("SetSchemaMetadata$Value", options, [{"a": None}], row).values == [
        {"a": None}
    ]
    keyed = connect.apply(
        "SetSchemaMetadata$Key",
        {"schema.name": "k"},
        ["v"],
        cs.string(),
        keys=[{"a": 1}],
        key_schema=row,
    )
    assert (keyed.key_schema.name, keyed.value_schema.name) == ("k", None)
