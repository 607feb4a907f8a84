import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.sql.dialect import parse_type
from headrace.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    NULL,
    SMALLINT,
    SPARK_NAMES,
    STRING,
    TINYINT,
    DataType,
    Kind,
    array,
    char,
    decimal,
    map_of,
    multiset,
    quote,
    row,
    row_of,
    time,
    timestamp,
    timestamp_ltz,
    varchar,
)

SPELLINGS = [
    (BOOLEAN, "BOOLEAN", "boolean"),
    (TINYINT, "TINYINT", "tinyint"),
    (SMALLINT, "SMALLINT", "smallint"),
    (INT, "INT", "int"),
    (BIGINT, "BIGINT", "bigint"),
    (FLOAT, "FLOAT", "float"),
    (DOUBLE, "DOUBLE", "double"),
    (decimal(10, 2), "DECIMAL(10, 2)", "decimal(10,2)"),
    (decimal(), "DECIMAL(10, 0)", "decimal(10,0)"),
    (char(3), "CHAR(3)", "string"),
    (varchar(5), "VARCHAR(5)", "string"),
    (STRING, "STRING", "string"),
    (DataType(Kind.BINARY, length=4), "BINARY(4)", "binary"),
    (BYTES, "BYTES", "binary"),
    (DATE, "DATE", "date"),
    (time(), "TIME(0)", "time(0)"),
    (time(9), "TIME(9)", "time(6)"),
    (timestamp(3), "TIMESTAMP(3)", "timestamp_ntz"),
    (timestamp_ltz(), "TIMESTAMP_LTZ(6)", "timestamp"),
    (array(INT), "ARRAY<INT>", "array<int>"),
    (multiset(STRING), "MULTISET<STRING>", "map<string, int>"),
    (map_of(STRING, INT), "MAP<STRING, INT>", "map<string, int>"),
    (row(a=INT, b=array(STRING)), "ROW<`a` INT, `b` ARRAY<STRING>>", None),
]


@pytest.mark.parametrize(("kind", "flink", "spark"), SPELLINGS)
def test_spellings(kind, flink, spark):
    assert kind.sql() == flink
    assert str(kind) == flink
    if spark is not None:
        assert kind.spark() == spark


@pytest.mark.parametrize("kind", [kind for kind, _, _ in SPELLINGS])
def test_flink_spelling_reads_back(kind):
    assert parse_type(kind.sql()) == kind
    assert parse_type(kind.not_null().sql()) == kind.not_null()


def test_not_null_is_spelled_at_every_level():
    kind = array(decimal(10, 2).not_null()).not_null()
    assert kind.sql() == "ARRAY<DECIMAL(10, 2) NOT NULL> NOT NULL"


def test_a_row_in_spark_quotes_its_names():
    kind = row_of([("a b", INT), ("tick`s", row(x=DATE))])
    assert kind.spark() == "struct<`a b`: int, `tick``s`: struct<`x`: date>>"


def test_fields_of_a_row():
    kind = row(a=INT, b=STRING)
    assert list(kind.fields()) == [("a", INT), ("b", STRING)]
    assert row_of(kind.fields()) == kind


def test_same_as_looks_past_nullability_at_the_top_only():
    assert INT.same_as(INT.not_null())
    assert not INT.same_as(BIGINT)
    assert not array(INT).same_as(array(INT.not_null()))
    assert not decimal(10, 2).same_as(decimal(10, 3))


def test_nullability_is_changed_in_a_copy():
    assert INT.nullable
    assert not INT.not_null().nullable
    assert INT.not_null().as_nullable() == INT
    assert INT.as_nullable(False) == INT.not_null()
    assert INT.nullable


def test_every_simple_kind_has_a_spark_name():
    built = {Kind.DECIMAL, Kind.TIME, Kind.ARRAY, Kind.MAP, Kind.MULTISET, Kind.ROW}
    assert set(Kind) - built == set(SPARK_NAMES)
    assert NULL.spark() == "void"


simple = st.sampled_from([kind for kind, _, _ in SPELLINGS if not kind.children])
types = st.recursive(
    st.builds(DataType.as_nullable, simple, st.booleans()),
    lambda inner: st.one_of(
        inner.map(array),
        st.builds(map_of, inner, inner),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda kinds: row_of((f"f {i}", kind) for i, kind in enumerate(kinds))
        ),
    ),
    max_leaves=5,
)


@given(types)
def test_any_type_reads_back_from_its_spelling(kind):
    assert parse_type(kind.sql()) == kind


@given(st.text(min_size=1))
def test_a_quoted_name_has_no_lone_back_quote(name):
    quoted = quote(name)
    assert quoted[0] == quoted[-1] == "`"
    assert quoted[1:-1].replace("``", "") == name.replace("`", "")
