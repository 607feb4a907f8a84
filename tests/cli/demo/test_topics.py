from __future__ import annotations

import io

import fastavro
import pytest

from headrace.cli.demo.topics import AvroReader, ResultReader, decode_row
from headrace.cli.demo.views import RegionCount

NOWHERE = "127.0.0.1:1"
KEY = {"type": "record", "name": "key", "fields": [{"name": "user_region", "type": "string"}]}
VALUE = {
    "type": "record",
    "name": "value",
    "fields": [
        {"name": "user_region", "type": "string"},
        {"name": "pv", "type": ["null", "long"]},
        {"name": "uv", "type": ["null", "long"]},
    ],
}


def encoded(schema: dict[str, object], **fields: object) -> bytes:
    buffer = io.BytesIO()
    fastavro.schemaless_writer(buffer, fastavro.parse_schema(schema), fields)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("pv", "uv"), [(0, 0), (1, 1), (63, 64), (-1, -65), (2**40, 2**62), (8191, 8192)]
)
def test_rows_are_decoded_as_avro_encodes_them(pv, uv):
    data = encoded(VALUE, user_region="Skåne", pv=pv, uv=uv)
    assert decode_row(data) == RegionCount("Skåne", pv, uv)


def test_a_null_count_is_none_at_all():
    reader = AvroReader(encoded(VALUE, user_region="", pv=None, uv=3))
    assert (reader.text(), reader.optional_long(), reader.optional_long()) == ("", None, 3)


@pytest.fixture
def reader():
    made = ResultReader(NOWHERE)
    yield made
    made.close()


def test_the_last_value_of_a_key_is_its_row(reader):
    for pv in (1, 2):
        value = encoded(VALUE, user_region="Crete", pv=pv, uv=1)
        reader.apply(encoded(KEY, user_region="Crete"), value)
    assert reader.table == {"Crete": RegionCount("Crete", 2, 1)}
    assert reader.changes == 2


def test_no_value_deletes(reader):
    key = encoded(KEY, user_region="Crete")
    reader.apply(key, encoded(VALUE, user_region="Crete", pv=1, uv=1))
    reader.apply(key, None)
    reader.apply(key, None)
    assert reader.table == {}
