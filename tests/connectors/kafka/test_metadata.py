import pytest

from headrace.catalog.table import MetadataColumn
from headrace.connectors.kafka.metadata import (
    METADATA,
    RECORD_FIELDS,
    check_readable,
    check_writable,
    read_expression,
)
from headrace.errors import InvalidSchema, UnknownName
from headrace.types import STRING, map_of, timestamp, timestamp_ltz


def column(key, type=STRING, *, name=None, virtual=False):
    return MetadataColumn(name=name or key, type=type, key=key, virtual=virtual)


def test_a_metadata_column_is_cast_to_its_declared_type_and_named():
    made = column("timestamp", timestamp(3), name="at`x")
    assert read_expression(made) == "CAST(__record_timestamp AS timestamp_ntz) AS `at``x`"


def test_all_keys_can_be_read(kafka_table):
    check_readable(kafka_table(metadata=[column(key) for key in RECORD_FIELDS]))


@pytest.mark.parametrize("check", [check_readable, check_writable])
def test_an_unknown_key_names_the_nearest(kafka_table, check):
    with pytest.raises(UnknownName, match="did you mean 'timestamp'") as caught:
        check(kafka_table(metadata=[column("timestmp", timestamp_ltz(3), name="ts")]))
    assert caught.value.condition == "UNKNOWN_METADATA_KEY"


@pytest.mark.parametrize("key", ["topic", "partition", "offset", "timestamp-type", "leader-epoch"])
def test_read_only_keys_must_be_virtual_in_a_sink(kafka_table, key):
    with pytest.raises(InvalidSchema, match="cannot be written") as caught:
        check_writable(kafka_table(metadata=[column(key)]))
    assert caught.value.cure == f"`{key}` STRING METADATA FROM '{key}' VIRTUAL"
    check_writable(kafka_table(metadata=[column(key, virtual=True)]))


def test_headers_and_timestamp_can_be_written(kafka_table):
    headers = column("headers", map_of(STRING, STRING))
    check_writable(kafka_table(metadata=[headers, column("timestamp", timestamp_ltz(3))]))


def test_only_one_of_the_two_header_forms_can_be_written(kafka_table):
    both = [column(key, METADATA[key].type) for key in ("headers", "header-list")]
    with pytest.raises(InvalidSchema, match="both 'headers' and 'header-list'"):
        check_writable(kafka_table(metadata=both))
    check_writable(kafka_table(metadata=[both[0], column("header-list", virtual=True)]))


def test_a_written_column_must_be_castable_to_its_key(kafka_table):
    check_writable(kafka_table(metadata=[column("headers", map_of(STRING, STRING), name="h")]))
    with pytest.raises(InvalidSchema, match="castable to its key's type") as caught:
        check_writable(kafka_table(metadata=[column("headers", STRING, name="h")]))
    assert caught.value.condition == "METADATA_TYPE"
    check_writable(kafka_table(metadata=[column("headers", STRING, name="h", virtual=True)]))
