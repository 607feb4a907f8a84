from datetime import timedelta
from decimal import Decimal

import pytest

from headrace.connectors.datagen.generators import default_bounds, generators_of, row_limit
from headrace.errors import InvalidOption, UnknownName
from headrace.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INT,
    STRING,
    TINYINT,
    array,
    char,
    decimal,
    map_of,
    row,
    timestamp,
    varchar,
)

NESTED = {"tags": array(STRING), "m": map_of(STRING, INT), "r": row(a=INT, b=array(INT))}


@pytest.fixture
def datagen(table):
    def make(columns, **options):
        named = {key.replace("__", "."): value for key, value in options.items()}
        return table({"connector": "datagen"} | named, columns)

    return make


def made(datagen, type, **options):
    table = datagen({"f": type}, **{f"fields__f__{k}": v for k, v in options.items()})
    return generators_of(table)["f"]


@pytest.mark.parametrize(
    ("type", "bounds"),
    [
        (TINYINT, (-128, 127)),
        (BIGINT, (-(2**63), 2**63 - 1)),
        (decimal(4, 2), (Decimal(0), Decimal("99.99"))),
        (DOUBLE, (4.9e-324, 1.7976931348623157e308)),
    ],
)
def test_default_bounds(type, bounds):
    assert default_bounds(type) == bounds


def test_bounds_are_of_the_columns_type(datagen):
    assert made(datagen, INT, min="-5", max="7").bounds == (-5, 7)
    assert made(datagen, decimal(5, 2), min="-1.5", max="2.25").bounds == (
        Decimal("-1.5"),
        Decimal("2.25"),
    )


@pytest.mark.parametrize(
    ("type", "option", "text"),
    [
        (INT, "min", "1.5"),
        (TINYINT, "max", "200"),
        (INT, "max", "x"),
        (decimal(3, 1), "max", "100"),
    ],
)
def test_a_bound_outside_the_type_is_refused(datagen, type, option, text):
    with pytest.raises(InvalidOption, match=f"'{text}'") as caught:
        made(datagen, type, **{option: text})
    assert "between" in caught.value.expected


def test_lengths(datagen):
    assert made(datagen, STRING).length == 100
    assert made(datagen, varchar(10)).length == 10
    assert made(datagen, varchar(10), length="4").length == 4
    assert made(datagen, char(7)).length == 7
    assert made(datagen, BYTES, length="5").length == 5
    assert made(datagen, array(INT)).length == 3


def test_a_length_longer_than_the_type_is_refused(datagen):
    with pytest.raises(InvalidOption, match=r"VARCHAR\(10\)"):
        made(datagen, varchar(10), length="11")


@pytest.mark.parametrize(
    ("type", "option", "text"),
    [
        (INT, "length", "3"),
        (char(5), "length", "3"),
        (INT, "var-len", "true"),
        (STRING, "min", "1"),
        (BOOLEAN, "max", "1"),
        (INT, "max-past", "1 s"),
        (INT, "start", "1"),
    ],
)
def test_an_option_without_effect_is_refused(datagen, type, option, text):
    with pytest.raises(InvalidOption, match="has no effect on a random") as caught:
        made(datagen, type, **{option: text})
    assert caught.value.cure == f"remove 'fields.f.{option}'"


def test_ranges(datagen):
    with pytest.raises(InvalidOption, match="more than its largest"):
        made(datagen, INT, min="5", max="4")
    with pytest.raises(InvalidOption, match="between 0 and 1"):
        made(datagen, INT, **{"null-rate": "1.5"})
    assert made(datagen, timestamp(3), **{"max-past": "1 min"}).settings == {
        "max-past": timedelta(minutes=1)
    }


def test_nested_fields_have_dotted_paths(datagen):
    table = datagen(
        NESTED, fields__tags__element__length="2", fields__m__key__length="3", fields__r__a__min="1"
    )
    found = generators_of(table)
    assert found["tags"].parts[0].length == 2
    assert [part.path for part in found["m"].parts] == ["m.key", "m.value"]
    assert found["r"].parts[0].settings == {"min": 1}
    assert [g.path for g in found["r"].walk()] == ["r", "r.a", "r.b", "r.b.element"]


def test_an_option_of_no_field_names_the_nearest(datagen):
    with pytest.raises(UnknownName, match=r"did you mean 'r\.a'") as caught:
        generators_of(datagen(NESTED, fields__r__aa__min="1"))
    assert caught.value.where is not None


def test_sequences_need_start_and_end(datagen):
    with pytest.raises(InvalidOption, match=r"needs 'fields\.f\.end'"):
        made(datagen, INT, kind="sequence", start="1")
    with pytest.raises(InvalidOption, match="has no sequence"):
        made(datagen, BOOLEAN, kind="sequence", start="1", end="2")
    with pytest.raises(InvalidOption, match="ends before it starts"):
        made(datagen, INT, kind="sequence", start="3", end="2")
    with pytest.raises(InvalidOption, match="has no effect on a sequence"):
        made(datagen, INT, kind="sequence", start="3", end="4", min="2")


def test_the_end_is_the_first_of_all_ends(datagen):
    columns = {"a": INT, "b": STRING}
    assert row_limit(datagen(columns)) is None
    assert row_limit(datagen(columns, **{"number-of-rows": "5"})) == 5
    sequences = {
        "fields.a.kind": "sequence",
        "fields.a.start": "11",
        "fields.a.end": "20",
        "fields.b.kind": "sequence",
        "fields.b.start": "1",
        "fields.b.end": "7",
    }
    assert row_limit(datagen(columns, **sequences)) == 7
    assert row_limit(datagen(columns, **sequences, **{"number-of-rows": "5"})) == 5
