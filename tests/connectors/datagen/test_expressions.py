"""Generators evaluated by Spark over a range of row numbers with a fixed seed."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from headrace.connectors.datagen.expressions import column_sql
from headrace.connectors.datagen.generators import generators_of
from headrace.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TINYINT,
    DataType,
    Kind,
    array,
    char,
    decimal,
    map_of,
    multiset,
    row,
    time,
    timestamp,
    timestamp_ltz,
    varchar,
)

pytestmark = pytest.mark.spark
ROWS = 500


@pytest.fixture
def generate(spark, table):
    def run(columns: dict[str, DataType], options: dict[str, str] | None = None, seed: int = 7):
        given = {f"fields.{key}": value for key, value in (options or {}).items()}
        made = generators_of(table({"connector": "datagen"} | given, columns))
        numbers = spark.range(ROWS).selectExpr("id AS value", f"CAST({seed} AS BIGINT) AS seed")
        chosen = [f"{column_sql(generator)} AS {name}" for name, generator in made.items()]
        return numbers.selectExpr(*chosen)

    return run


def values(frame, name="f"):
    return [line[name] for line in frame.collect()]


def test_every_type_gives_its_own_type(generate):
    columns = {
        "boolean": BOOLEAN,
        "tinyint": TINYINT,
        "smallint": SMALLINT,
        "int": INT,
        "bigint": BIGINT,
        "float": FLOAT,
        "double": DOUBLE,
        "decimal": decimal(32, 2),
        "char": char(4),
        "varchar": varchar(9),
        "string": STRING,
        "binary": DataType(Kind.BINARY, length=3),
        "bytes": BYTES,
        "date": DATE,
        "time": time(3),
        "timestamp": timestamp(3),
        "ltz": timestamp_ltz(3),
        "months": DataType(Kind.INTERVAL_YEAR_MONTH),
        "seconds": DataType(Kind.INTERVAL_DAY_SECOND),
        "array": array(INT),
        "map": map_of(STRING, INT),
        "multiset": multiset(STRING),
        "row": row(a=INT, b=array(STRING)),
    }
    frame = generate(columns)
    wanted = {
        name: type.spark().replace("`", "").replace(" ", "") for name, type in columns.items()
    }
    found = {name: type.replace(" ", "") for name, type in frame.dtypes}
    assert {n: t.replace(":", "") for n, t in found.items()} == {
        n: t.replace(":", "") for n, t in wanted.items()
    }
    counts = frame.selectExpr(*(f"count(`{name}`) AS `{name}`" for name in columns)).first()
    assert set(counts.asDict().values()) == {ROWS}


def test_integers_cover_their_bounds_and_no_more(generate):
    found = set(values(generate({"f": INT}, {"f.min": "-2", "f.max": "3"})))
    assert found == {-2, -1, 0, 1, 2, 3}


@pytest.mark.parametrize(("type", "bits"), [(TINYINT, 8), (SMALLINT, 16), (INT, 32), (BIGINT, 64)])
def test_default_integers_spread_over_the_whole_type(generate, type, bits):
    found = values(generate({"f": type}))
    assert min(found) < -(2 ** (bits - 2))
    assert max(found) > 2 ** (bits - 2)


def test_wide_bounds_do_not_overflow(generate):
    bounds = {"f.min": str(-(2**63) + 1), "f.max": str(2**63 - 2)}
    found = values(generate({"f": BIGINT}, bounds))
    assert -(2**63) < min(found) < 0 < max(found) < 2**63 - 1


def test_reals_and_decimals_stay_inside_their_bounds(generate):
    options = {"f.min": "1.5", "f.max": "2.5", "d.min": "-1.25", "d.max": "9.99"}
    lines = generate({"f": DOUBLE, "d": decimal(3, 2)}, options).collect()
    assert all(1.5 <= line["f"] < 2.5 for line in lines)
    assert all(Decimal("-1.25") <= line["d"] <= Decimal("9.99") for line in lines)
    assert len({line["f"] for line in lines}) == ROWS


def test_the_largest_decimal_does_not_overflow(generate):
    found = values(generate({"f": decimal(38, 0)}))
    assert max(found) <= Decimal(10) ** 38 - 1
    assert len(set(found)) == ROWS


def test_text_is_hexadecimal_of_the_asked_length(generate):
    options = {"b.length": "70", "v.length": "6", "v.var-len": "true"}
    lines = generate({"a": char(5), "b": STRING, "v": STRING, "x": BYTES}, options).collect()
    assert {len(line["a"]) for line in lines} == {5}
    assert {len(line["b"]) for line in lines} == {70}
    assert {len(line["v"]) for line in lines} == {1, 2, 3, 4, 5, 6}
    assert {len(line["x"]) for line in lines} == {100}
    assert all(set(line["b"]) <= set("0123456789abcdef") for line in lines)
    assert len({line["b"] for line in lines}) == ROWS


def test_null_rate(generate):
    found = values(generate({"f": INT}, {"f.null-rate": "0.5"}))
    assert ROWS * 0.35 < found.count(None) < ROWS * 0.65
    assert values(generate({"f": INT}, {"f.null-rate": "1"})) == [None] * ROWS


def test_collections_have_their_length_and_differ_inside(generate):
    options = {"a.length": "4", "m.length": "5", "e.length": "0", "a.element.max": "1000000"}
    columns = {
        "a": array(INT),
        "m": map_of(STRING, INT),
        "s": multiset(BOOLEAN),
        "e": array(STRING),
        "n": array(array(INT)),
    }
    lines = generate(columns, options | {"a.element.min": "0"}).collect()
    assert {len(line["a"]) for line in lines} == {4}
    assert {len(line["m"]) for line in lines} == {5}
    assert all(0 <= count <= 10 for line in lines for count in line["s"].values())
    assert {len(line["s"]) for line in lines} == {1, 2}
    assert all(line["e"] == [] for line in lines)
    assert all(len(set(line["a"])) > 1 for line in lines[:20])
    assert lines[0]["n"][0] != lines[0]["n"][1]


def test_times_are_now_or_a_little_before(generate):
    before = dt.datetime.now(dt.UTC) - dt.timedelta(seconds=1)
    lines = generate(
        {"n": timestamp_ltz(3), "p": timestamp_ltz(3)}, {"p.max-past": "10 min"}
    ).collect()
    after = dt.datetime.now(dt.UTC)
    now = {line["n"].astimezone(dt.UTC) for line in lines}
    assert len(now) == 1
    assert before <= now.pop() <= after
    past = [line["p"].astimezone(dt.UTC) for line in lines]
    assert before - dt.timedelta(minutes=10) <= min(past) < before - dt.timedelta(minutes=1)
    assert max(past) <= after


def test_sequences(generate):
    columns = {"i": INT, "s": STRING, "b": BYTES, "d": decimal(6, 2)}
    options = {}
    for name in columns:
        options |= {f"{name}.kind": "sequence", f"{name}.start": "10", f"{name}.end": "1000"}
    lines = sorted(generate(columns, options).collect())
    assert lines[0].asDict() == {
        "i": 10,
        "s": "10",
        "b": bytearray(b"\x00\x00\x00\x00\x00\x00\x00\x0a"),
        "d": Decimal("10.00"),
    }
    assert [line["i"] for line in lines] == list(range(10, 10 + ROWS))


def test_the_seed_decides(generate):
    columns = {"f": BIGINT, "s": STRING}
    assert generate(columns).collect() == generate(columns).collect()
    assert generate(columns).collect() != generate(columns, seed=8).collect()


def test_columns_are_independent(generate):
    pairs = generate({"a": BIGINT, "b": BIGINT}).collect()
    assert all(pair["a"] != pair["b"] for pair in pairs)
