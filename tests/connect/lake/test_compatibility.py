"""Which schemas share a file, and values brought from one to another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Field, Schema, Type
from headrace.connect.lake.compatibility import clashes, fault, fits, projected, shares


def of(type: Type, **facts: Any) -> Schema:
    return Schema(type, **facts)


def version(number: int | None, **fields: Schema) -> Schema:
    return replace(cs.struct(fields, "order"), version=number)


INT, LONG, TEXT = of(Type.INT32), of(Type.INT64), cs.string()
V1 = version(1, id=INT)
V2 = version(2, id=LONG, note=cs.string(optional=True))
WIDE = version(3, id=INT, must=INT)


class TestShares:
    @pytest.mark.parametrize(
        ("mode", "record", "file", "expected"),
        [
            ("NONE", V1, V2, False),
            ("BACKWARD", V1, V2, True),
            ("BACKWARD", V2, V1, False),
            ("FULL", V1, V2, True),
            ("FULL", V2, V1, False),
            # The newer id does not fit the older one's type.
            ("FORWARD", V2, V1, False),
            ("FORWARD", WIDE, V1, True),
            ("FORWARD", V1, WIDE, False),
            ("BACKWARD", V1, WIDE, False),
            ("BACKWARD", version(1, id=INT, more=TEXT), V1, True),
            ("BACKWARD", None, V1, False),
            ("BACKWARD", version(None, id=INT), V1, False),
        ],
    )
    def test_by_version_and_structure(self, mode, record, file, expected):
        assert shares(mode, record, file) is expected

    def test_versions_are_needed(self):
        unversioned = version(None, id=INT)
        assert fault("NONE", unversioned) is None
        assert fault("FULL", V1) is None
        assert fault("FULL", None) is None
        assert "FULL needs schemas with a version; Schema{order:STRUCT}" in str(
            fault("FULL", unversioned)
        )

    def test_records_with_a_schema_and_without_clash(self):
        assert clashes("FULL", None, V1)
        assert clashes("FORWARD", V1, None)
        assert not clashes("NONE", None, V1)
        assert not clashes("FULL", V1, V2)
        assert not clashes("FULL", None, None)


class TestFits:
    @pytest.mark.parametrize(
        ("source", "target", "expected"),
        [
            (of(Type.INT8), of(Type.FLOAT64), True),
            (LONG, of(Type.FLOAT32), True),
            (LONG, INT, False),
            (INT, TEXT, False),
            (of(Type.BOOLEAN), INT, False),
            (cs.string(optional=True), TEXT, False),
            (cs.string(optional=True), replace(TEXT, default='"x"'), True),
            (TEXT, cs.string(optional=True), True),
            (cs.timestamp(), LONG, False),
            (cs.decimal(2), cs.decimal(3), False),
            (cs.decimal(2), cs.decimal(2), True),
            (of(Type.ARRAY, values=INT), of(Type.ARRAY, values=LONG), True),
            (of(Type.ARRAY, values=LONG), of(Type.ARRAY, values=INT), False),
            (
                of(Type.MAP, keys=TEXT, values=INT),
                of(Type.MAP, keys=INT, values=INT),
                False,
            ),
            (cs.struct({"a": INT}), cs.struct({"b": INT}), False),
            (cs.struct({"a": INT}), cs.struct({"b": replace(INT, default="1")}), True),
            (cs.struct({"a": INT}), cs.struct({"a": INT}, "named"), False),
        ],
    )
    def test_every_value_or_none(self, source, target, expected):
        assert fits(source, target) is expected


@pytest.mark.spark
def test_values_become_those_of_the_other_schema(spark):
    from pyspark.sql import functions as sf
    from pyspark.sql.types import StructType

    inner = cs.struct({"n": INT})
    wide = cs.struct({"n": LONG, "m": replace(INT, default="7")})
    source = cs.struct(
        {
            "gone": TEXT,
            "id": INT,
            "note": cs.string(optional=True),
            "inner": replace(inner, optional=True),
            "list": of(Type.ARRAY, values=INT),
            "map": of(Type.MAP, keys=TEXT, values=inner),
        }
    )
    target = Schema(
        Type.STRUCT,
        fields=(
            Field("id", of(Type.FLOAT64)),
            Field("note", replace(TEXT, default='"none"')),
            Field("inner", replace(wide, optional=True)),
            Field("list", of(Type.ARRAY, values=LONG)),
            Field("map", of(Type.MAP, keys=TEXT, values=wide)),
            Field("new", cs.timestamp(optional=True)),
            Field("set", replace(LONG, default="5")),
        ),
    )
    assert fits(source, target)
    rows = [
        (("x", 1, None, (2,), [3], {"k": (4,)}),),
        (("x", 1, "y", None, [], {}),),
        (None,),
    ]
    frame = spark.createDataFrame(rows, StructType().add("value", source.spark()))
    found = frame.select(projected(sf.col("value"), source, target).alias("value"))
    assert found.schema["value"].dataType.simpleString() == target.spark().simpleString()
    values = [row.value and row.value.asDict(recursive=True) for row in found.collect()]
    more = {"new": None, "set": 5}
    assert values == [
        {
            "id": 1.0,
            "note": "none",
            "inner": {"n": 2, "m": 7},
            "list": [3],
            "map": {"k": {"n": 4, "m": 7}},
            **more,
        },
        {"id": 1.0, "note": "y", "inner": None, "list": [], "map": {}, **more},
        None,
    ]
