import dataclasses

import pytest

from headrace.catalog.table import Column, ComputedColumn, Identifier, MetadataColumn
from headrace.errors import Position
from headrace.plan.expressions import InputRef
from headrace.types import BIGINT, STRING, timestamp_ltz

ID = Column(name="id", type=BIGINT)
TWICE = ComputedColumn(name="twice", type=BIGINT, expression=InputRef(BIGINT, "id"), text="`id`")
WRITTEN = MetadataColumn(name="ts", type=timestamp_ltz(3), key="timestamp")
READ_ONLY = MetadataColumn(name="offset", type=BIGINT, key="offset", virtual=True)


@pytest.mark.parametrize(
    ("column", "physical", "persisted"),
    [
        (ID, True, True),
        (TWICE, False, False),
        (WRITTEN, False, True),
        (READ_ONLY, False, False),
    ],
)
def test_what_a_column_is(column, physical, persisted):
    assert column.is_physical is physical
    assert column.is_persisted is persisted


def test_columns_by_what_they_are(table):
    made = table(columns=(ID, TWICE, WRITTEN, READ_ONLY))
    assert made.physical_columns == (ID,)
    assert made.metadata_columns == (WRITTEN, READ_ONLY)
    assert made.persisted_columns == (ID, WRITTEN)
    assert made.column("twice") is TWICE


def test_an_identifier_reads_as_written():
    assert str(Identifier("c", "d", "t")) == "c.d.t"
    assert Identifier("c", "d", "t") == Identifier("c", "d", "t")


def test_places_do_not_make_tables_differ(table):
    one = table()
    moved = dataclasses.replace(one, positions={"connector": Position(9, 9)})
    assert one == moved
    assert one != dataclasses.replace(one, primary_key=("id",))


def test_tables_and_columns_do_not_change(table):
    with pytest.raises(dataclasses.FrozenInstanceError):
        table().primary_key = ("id",)
    with pytest.raises(dataclasses.FrozenInstanceError):
        ID.type = STRING


def test_a_view_keeps_its_text(view):
    assert view(columns=("a",)).columns == ("a",)
    assert view().query_text == "SELECT 1"
    assert not view().temporary
