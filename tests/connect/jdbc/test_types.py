from __future__ import annotations

import json
import logging

import pytest

from headrace.connect.data.schema import Schema, Type
from headrace.connect.jdbc.columns import SourceColumn
from headrace.connect.jdbc.dialects.postgres import PostgresDialect
from headrace.connect.jdbc.types import (
    GRANULARITIES,
    TypeSettings,
    array_of,
    fields,
    moment,
    numeric,
    reading,
)


@pytest.mark.parametrize(
    ("precision", "scale", "mapping", "read"),
    [
        (2, 0, "none", "decimal:0"),
        (2, 0, "precision_only", "whole:int8"),
        (2, 0, "best_fit", "whole:int8"),
        (4, 0, "best_fit", "whole:int16"),
        (9, 0, "best_fit", "whole:int32"),
        (18, 0, "best_fit", "whole:int64"),
        (19, 0, "best_fit", "decimal:0"),
        (19, 0, "best_fit_eager_double", "decimal:0"),
        (5, 2, "none", "decimal:2"),
        (5, 2, "precision_only", "decimal:2"),
        (5, 2, "best_fit", "double"),
        (18, 4, "best_fit", "double"),
        (19, 4, "best_fit", "decimal:4"),
        (30, 4, "best_fit_eager_double", "double"),
        # 3 digits and two zeros behind them need more than 16 bits.
        (3, -2, "best_fit", "whole:int32"),
        (3, -2, "precision_only", "decimal:0"),
        (38, 10, "none", "decimal:10"),
        (39, 10, "none", "string"),
        (37, -2, "none", "string"),
        (0, 0, "none", "string"),
        (0, 0, "best_fit", "string"),
        (0, 0, "best_fit_eager_double", "double"),
    ],
)
def test_numbers_with_a_fixed_point(precision, scale, mapping, read):
    assert numeric(precision, scale, TypeSettings(numeric_mapping=mapping)).read == read


def test_decimals_tell_scale_and_precision():
    schema = numeric(5, 2, TypeSettings()).schema
    assert schema.to_json() == {
        "type": "bytes",
        "optional": False,
        "name": "org.apache.kafka.connect.data.Decimal",
        "version": 1,
        "parameters": {"scale": "2", "connect.decimal.precision": "5"},
    }
    assert dict(numeric(3, -2, TypeSettings()).schema.parameters) == {
        "scale": "0",
        "connect.decimal.precision": "5",
    }


def test_timestamps_by_granularity():
    types = {
        form: moment("timestamp", TypeSettings(granularity=form)).schema for form in GRANULARITIES
    }
    assert types["connect_logical"].name == "org.apache.kafka.connect.data.Timestamp"
    assert types["micros_long"] == types["nanos_long"] == Schema(Type.INT64)
    assert {types[form] for form in GRANULARITIES if form.endswith("string")} == {
        Schema(Type.STRING)
    }


def test_arrays_may_hold_nulls():
    array = array_of(numeric(5, 2, TypeSettings()))
    assert array.read == "array:decimal:2"
    assert array.schema.values is not None
    assert array.schema.values.optional


def test_settings_of_a_configuration():
    assert TypeSettings.of({}) == TypeSettings()
    assert TypeSettings.of({"numeric.precision.mapping": "true"}).numeric_mapping == (
        "precision_only"
    )
    both = {"numeric.precision.mapping": "true", "numeric.mapping": "best_fit"}
    assert TypeSettings.of(both).numeric_mapping == "best_fit"
    given = {
        "timestamp.granularity": "nanos_long",
        "db.timezone": "Asia/Tokyo",
        "date.calendar.system": "PROLEPTIC_GREGORIAN",
        "headrace.unsupported.types": "drop",
        "headrace.unrepresentable.values": "null",
    }
    assert TypeSettings.of(given) == TypeSettings(
        "none", "nanos_long", "Asia/Tokyo", "PROLEPTIC_GREGORIAN", "drop", "null"
    )


COLUMNS = [
    SourceColumn("id", "int4", nullable=False),
    SourceColumn("tags", "text", array=True),
    SourceColumn("year", "int4", declared="year"),
    SourceColumn("Words", "tsvector"),
]


def test_every_column_is_a_field():
    found = fields(PostgresDialect(), COLUMNS, TypeSettings())
    assert [(f.name, f.schema.type, f.schema.optional) for f in found] == [
        ("id", Type.INT32, False),
        ("tags", Type.ARRAY, True),
        ("year", Type.INT32, True),
        ("Words", Type.STRING, True),
    ]
    assert found[0].select == '"id"'
    assert found[3].select == 'CAST("Words" AS text) AS "Words"'


def test_what_connect_leaves_out_is_warned_of(caplog):
    with caplog.at_level(logging.WARNING, "headrace.connect.jdbc"):
        found = fields(PostgresDialect(), COLUMNS, TypeSettings(unsupported="drop"))
    assert [field.name for field in found] == ["id"]
    assert [record.getMessage() for record in caplog.records] == [
        "column 'tags' is left out: Connect has no type for text[]",
        "column 'year' is left out: Connect has no type for year",
        "column 'Words' is left out: Connect has no type for tsvector",
    ]


def test_what_the_jvm_is_told():
    settings = TypeSettings("none", "nanos_long", "Asia/Tokyo", unrepresentable="null")
    told = json.loads(reading(fields(PostgresDialect(), COLUMNS[:1], settings), settings))
    assert told == {
        "columns": [{"name": "id", "read": "int32", "optional": False}],
        "zone": "Asia/Tokyo",
        "timestamps": "nanos_long",
        "legacyDates": True,
        "nullsForUnrepresentable": True,
    }
