from dataclasses import replace

import pytest

from headrace.catalog.table import Column, ComputedColumn, Identifier, MetadataColumn
from headrace.connectors.registry import connector_named
from headrace.errors import HeadraceError, InvalidOption
from headrace.plan.tables import build_table, options_map, validate_table, with_options
from headrace.sql.dialect import parse_statement

KAFKA = (
    "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', "
    "'format' = 'json'"
)
PRINT = "'connector' = 'print'"


def build(columns: str, options: str = PRINT, rest: str = ""):
    statement = parse_statement(f"CREATE TABLE t ({columns}) {rest} WITH ({options})")
    return build_table(statement, Identifier("c", "d", "t"), connector_named)


def refusal(columns: str, options: str = PRINT, rest: str = "") -> str:
    with pytest.raises(HeadraceError) as caught:
        build(columns, options, rest)
    return caught.value.render()


def test_columns_of_every_kind():
    made = build(
        "id INT NOT NULL, at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL, "
        "`offset` BIGINT METADATA VIRTUAL, twice AS id * 2",
        KAFKA,
    )
    plain, at, offset, twice = made.columns
    assert type(plain) is Column
    assert plain.type.sql() == "INT NOT NULL"
    assert isinstance(at, MetadataColumn)
    assert (at.key, at.virtual) == ("timestamp", True)
    assert (offset.key, offset.virtual) == ("offset", True)
    assert isinstance(twice, ComputedColumn)
    assert (twice.text, str(twice.expression), twice.type.sql()) == (
        "id * 2",
        "(id * 2)",
        "INT NOT NULL",
    )


def test_the_table_carries_what_was_declared():
    made = build(
        "id INT, day DATE, PRIMARY KEY (id) NOT ENFORCED",
        "'connector' = 'print', 'print-identifier' = 'x'",
        "COMMENT 'why' PARTITIONED BY (day)",
    )
    assert made.connector is connector_named("print")
    assert made.options == {"connector": "print", "print-identifier": "x"}
    assert made.primary_key == ("id",)
    assert made.partition_keys == ("day",)
    assert made.comment == "why"
    assert set(made.positions) == {"connector", "print-identifier"}


def test_key_columns_are_not_null():
    made = build("id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED")
    assert [column.type.nullable for column in made.columns] == [False, True]


def test_a_watermark_on_a_physical_or_computed_column():
    made = build("ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND")
    assert made.watermark is not None
    assert (made.watermark.column, made.watermark.text) == ("ts", "ts - INTERVAL '5' SECOND")
    computed = build("ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts")
    assert computed.watermark is not None
    assert computed.watermark.expression.input_names() == {"ts"}


@pytest.mark.parametrize("kind", ["TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "TIMESTAMP"])
def test_rowtime_types(kind):
    assert build(f"ts {kind}, WATERMARK FOR ts AS ts").watermark is not None


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ("a INT, a INT", "[INVALID_SCHEMA] column 'a' is declared twice\n  at: <sql>:1:24"),
        (
            "a INT, PRIMARY KEY (b) NOT ENFORCED",
            "[UNKNOWN_COLUMN] column 'b' does not exist (in PRIMARY KEY)",
        ),
        (
            "a INT PRIMARY KEY NOT ENFORCED, b INT PRIMARY KEY NOT ENFORCED",
            "[INVALID_SCHEMA] a table has at most one PRIMARY KEY",
        ),
        (
            "a INT, b AS a, PRIMARY KEY (b) NOT ENFORCED",
            "[INVALID_SCHEMA] invalid primary key: column 'b' is not a physical column",
        ),
        (
            "a TIMESTAMP(3), WATERMARK FOR b AS a",
            "[UNKNOWN_COLUMN] column 'b' does not exist (in WATERMARK)",
        ),
        (
            "a STRING, WATERMARK FOR a AS a",
            "[INVALID_SCHEMA] column 'a' cannot be a rowtime attribute",
        ),
        (
            "a TIMESTAMP(3), WATERMARK FOR a AS a, WATERMARK FOR a AS a",
            "[INVALID_SCHEMA] a table has at most one WATERMARK",
        ),
        (
            "a TIMESTAMP(3), WATERMARK FOR a AS 5",
            "[INVALID_SCHEMA] a watermark must be a point in time",
        ),
        ("a INT, b AS c", "[UNKNOWN_COLUMN] column 'c' does not exist"),
        ("a INT, b AS a, c AS b", "[UNKNOWN_COLUMN] column 'b' does not exist"),
        ("a INT, b AS NOPE(a)", "[UNKNOWN_FUNCTION] function 'NOPE' does not exist"),
    ],
)
def test_schemas_that_cannot_be(columns, error):
    assert refusal(columns).startswith(error)


@pytest.mark.parametrize(
    ("column", "error"),
    [
        ("x INT METADATA", "[UNKNOWN_METADATA] connector 'kafka' has no metadata key 'x'"),
        (
            "x BOOLEAN METADATA FROM 'headers'",
            "[METADATA_TYPE] metadata column 'x' must be castable from its key's type",
        ),
        (
            "x BIGINT METADATA FROM 'offset', y INT METADATA FROM 'offset' VIRTUAL",
            "[DUPLICATE_METADATA] columns 'x' and 'y' are both of metadata key 'offset'",
        ),
    ],
)
def test_metadata_that_is_not_there(column, error):
    assert refusal(f"a INT, {column}", KAFKA).startswith(error)


def test_a_near_metadata_key_is_offered():
    assert refusal("a INT, x BIGINT METADATA FROM 'ofset'", KAFKA).endswith(
        "cure: did you mean 'offset'?"
    )


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ("'topic' = 'x'", "[MISSING_OPTION] table 't' names no connector"),
        ("'connector' = 'pint'", "[UNKNOWN_CONNECTOR] connector 'pint' does not exist"),
        ("'connector' = 'kafka'", "[MISSING_OPTION] connector 'kafka' needs options"),
        (f"{PRINT}, 'x' = '1'", "[UNKNOWN_OPTION] connector 'print' does not support"),
        (f"{PRINT}, {PRINT}", "[INVALID_OPTION] option 'connector' is given 2 times"),
    ],
)
def test_options_that_do_not_fit(options, error):
    told = refusal("a INT", options)
    assert told.startswith(error)
    assert "\n  at: <sql>:1:" in told


def test_options_may_be_changed_and_are_checked_anew():
    made = build("a INT")
    hints = parse_statement("ALTER TABLE t SET ('print-identifier' = 'x')").options
    changed = with_options(made, hints)
    assert changed.options == {"connector": "print", "print-identifier": "x"}
    assert made.options == {"connector": "print"}
    bad = parse_statement("ALTER TABLE t SET ('standard-error' = 'x')").options
    with pytest.raises(InvalidOption) as caught:
        with_options(made, bad)
    assert str(caught.value.where) == "<sql>:1:20"


def test_an_error_without_a_place_gets_the_statements():
    made = build("a INT", KAFKA)
    broken = {k: v for k, v in made.options.items() if k != "topic"}
    here = parse_statement("SELECT 1").position
    with pytest.raises(InvalidOption, match="needs a topic") as caught:
        validate_table(replace(made, options=broken, positions={}), here)
    assert caught.value.where == here


def test_options_as_a_map():
    entries = parse_statement("ALTER TABLE t SET ('a' = '1', 'b' = '2')").options
    assert options_map(entries) == {"a": "1", "b": "2"}
