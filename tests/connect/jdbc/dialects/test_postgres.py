from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest

from headrace.connect.data.schema import DATE, DECIMAL, TIME, TIMESTAMP, Type
from headrace.connect.jdbc.columns import TableId, auto_increment, primary_key
from headrace.connect.jdbc.dialects.postgres import PostgresDialect
from headrace.connect.jdbc.filters import TableFilters

pytestmark = [pytest.mark.spark, pytest.mark.services]

DIALECT = PostgresDialect()

# Column, a value, Connect's type (with the name of a logical one), and what the JVM makes of the value.
TYPES = [
    ("int2", "'-3'", Type.INT16, None, -3),
    ("int4", "'4'", Type.INT32, None, 4),
    ("int8", "'9000000000'", Type.INT64, None, 9000000000),
    ("oid", "'4000000000'", Type.INT64, None, 4000000000),
    ("float4", "1.5", Type.FLOAT32, None, 1.5),
    ("float8", "'-Infinity'", Type.FLOAT64, None, float("-inf")),
    ("bool", "true", Type.BOOLEAN, None, True),
    ("bit(1)", "B'1'", Type.BOOLEAN, None, True),
    ("bit(4)", "B'1010'", Type.STRING, None, "1010"),
    ("varbit", "B'101'", Type.STRING, None, "101"),
    ("numeric(5,2)", "3.5", Type.BYTES, DECIMAL, "3.50"),
    ("numeric", "12345678901234567890123456789012345678901234.5", Type.STRING, None, "12345678901234567890123456789012345678901234.5"),
    ("numeric(3,-2)", "12345", Type.BYTES, DECIMAL, "12300"),
    ("money", "1234.5", Type.FLOAT64, None, 1234.5),
    ("text", "'żółw'", Type.STRING, None, "żółw"),
    ("varchar(5)", "'abc'", Type.STRING, None, "abc"),
    ("char(4)", "'ab'", Type.STRING, None, "ab  "),
    ('"char"', "'x'", Type.STRING, None, "x"),
    ("name", "'n'", Type.STRING, None, "n"),
    ("mood", "'happy'", Type.STRING, None, "happy"),
    ("year", "2006", Type.INT32, None, 2006),
    ("short_year", "2007", Type.INT32, None, 2007),
    ("json", """'{"a": 1}'""", Type.STRING, None, '{"a": 1}'),
    ("jsonb", """'{"a":1}'""", Type.STRING, None, '{"a": 1}'),
    ("uuid", "'6ecd8c99-4036-403d-bf84-cf8400f67836'", Type.STRING, None, "6ecd8c99-4036-403d-bf84-cf8400f67836"),
    # The server of the tests is built without a parser of XML.
    ("xml", "NULL", Type.STRING, None, None),
    ("bytea", r"'\x00ff'", Type.BYTES, None, b"\x00\xff"),
    ("date", "'2020-02-29'", Type.INT32, DATE, 18321),
    ("time", "'01:02:03.456789'", Type.INT32, TIME, 3723456),
    ("timetz", "'01:00:00+02'", Type.INT32, TIME, 82800000),
    ("timestamp", "'1970-01-01 00:00:01.234567'", Type.INT64, TIMESTAMP, 1234567),
    ("timestamptz", "'1970-01-01 02:00:00+01'", Type.INT64, TIMESTAMP, 3600000000),
    ("interval", "'1 day 2 hours'", Type.STRING, None, "1 day 02:00:00"),
    ("int4range", "'[1,5)'", Type.STRING, None, "[1,5)"),
    ("tsvector", "'cat dog'", Type.STRING, None, "'cat' 'dog'"),
    ("tsquery", "'cat & dog'", Type.STRING, None, "'cat' & 'dog'"),
    ("inet", "'10.0.0.1/8'", Type.STRING, None, "10.0.0.1/8"),
    ("cidr", "'10.0.0.0/8'", Type.STRING, None, "10.0.0.0/8"),
    ("macaddr", "'08:00:2b:01:02:03'", Type.STRING, None, "08:00:2b:01:02:03"),
    ("point", "'(1,2)'", Type.STRING, None, "(1,2)"),
    ("polygon", "'((0,0),(1,1))'", Type.STRING, None, "((0,0),(1,1))"),
    ("pg_lsn", "'16/B374D848'", Type.STRING, None, "16/B374D848"),
    ("pair", "ROW(1,'two')", Type.STRING, None, "(1,two)"),
    ("int4[]", "'{1,NULL,3}'", Type.ARRAY, Type.INT32, "[1,null,3]"),
    ("int2[]", "'{1,2}'", Type.ARRAY, Type.INT16, "[1,2]"),
    ("int8[]", "'{9000000000}'", Type.ARRAY, Type.INT64, "[9000000000]"),
    ("float8[]", "'{1.5,NaN}'", Type.ARRAY, Type.FLOAT64, "[1.5,NaN]"),
    ("bool[]", "'{t,f}'", Type.ARRAY, Type.BOOLEAN, "[true,false]"),
    ("text[]", """'{"a b","c,d",""}'""", Type.ARRAY, Type.STRING, "[a b,c,d,]"),
    ("mood[]", "'{sad}'", Type.ARRAY, Type.STRING, "[sad]"),
    ("numeric(5,2)[]", "'{1.5,2}'", Type.ARRAY, Type.BYTES, "[1.50,2.00]"),
    ("date[]", "'{2020-02-29,1970-01-02}'", Type.ARRAY, Type.INT32, "[18321,1]"),
    ("timestamp[]", """'{"1970-01-01 00:00:01.5"}'""", Type.ARRAY, Type.INT64, "[1500000]"),
    ("timestamptz[]", """'{"1970-01-01 00:00:01+01"}'""", Type.ARRAY, Type.INT64, "[-3599000000]"),
    ("time[]", "'{00:00:01}'", Type.ARRAY, Type.INT32, "[1000]"),
    ("uuid[]", "'{6ecd8c99-4036-403d-bf84-cf8400f67836}'", Type.ARRAY, Type.STRING, "[6ecd8c99-4036-403d-bf84-cf8400f67836]"),
    ("jsonb[]", """ARRAY['{"a": 1}'::jsonb]""", Type.ARRAY, Type.STRING, '[{"a": 1}]'),
    ("money[]", "ARRAY[1.5::money]", Type.ARRAY, Type.STRING, "[$1.50]"),
]  # fmt: skip

# What Connect's own connector leaves out of its records.
DROPPED = ("bit(4)", "varbit", "year", "short_year", "interval", "int4range", "tsvector", "tsquery", "inet", "cidr",
           "macaddr", "point", "polygon", "pg_lsn", "pair")  # fmt: skip


@pytest.fixture(scope="module")
def database(postgres_database):
    database, python = postgres_database
    python.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    python.execute("CREATE TYPE pair AS (a int, b text)")
    python.execute("CREATE DOMAIN year AS integer CHECK (VALUE > 1900)")
    python.execute("CREATE DOMAIN short_year AS year NOT NULL")
    columns = ", ".join(f"c{i} {row[0]}" for i, row in enumerate(TYPES))
    python.execute(f"CREATE TABLE types (id bigserial PRIMARY KEY, {columns})")
    values = ", ".join(row[1] for row in TYPES)
    python.execute(f"INSERT INTO types VALUES (DEFAULT, {values})")
    return database


@pytest.fixture
def execute(postgres_database):
    return postgres_database[1].execute


@pytest.fixture(scope="module")
def rows(make_rows, database):
    return make_rows(database, DIALECT)


TABLE = TableId(None, "public", "types")


def kind(schema):
    return schema.values.type if schema.values else schema.name


@pytest.mark.parametrize("source", [TABLE, "SELECT * FROM types"], ids=["table", "query"])
def test_every_type_arrives(rows, source):
    schemas, (row,) = rows.of(source)
    for i, (declared, _, type, inner, value) in enumerate(TYPES):
        found = schemas[f"c{i}"]
        assert (found.type, kind(found), row[f"c{i}"]) == (type, inner, value), declared


def test_nulls_of_every_type(rows, execute):
    execute("CREATE TABLE nulls AS SELECT * FROM types")
    nullable = [f"c{i}" for i, row in enumerate(TYPES) if row[0] != "short_year"]
    execute(f"UPDATE nulls SET {', '.join(f'{name} = NULL' for name in nullable)}")
    _, (row,) = rows.of(TableId(None, "public", "nulls"))
    assert [row[name] for name in nullable] == [None] * len(nullable)


def test_connects_own_choice_of_types(rows):
    schemas, _ = rows.of(TABLE, unsupported="drop")
    left_out = {row[0] for i, row in enumerate(TYPES) if f"c{i}" not in schemas}
    assert left_out == {*DROPPED, *(row[0] for row in TYPES if row[0].endswith("[]"))}


def test_keys_counters_and_nulls_of_columns(database):
    columns = DIALECT.columns(database, TABLE)
    assert [column.name for column in primary_key(columns)] == ["id"]
    assert auto_increment(columns).name == "id"
    required = [column.declared for column in columns if not column.nullable]
    assert required == [None, "short_year"]


def test_a_key_of_several_columns_and_an_identity(database, execute):
    execute("CREATE TABLE line (no int, id int GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (id, no))")
    columns = DIALECT.columns(database, TableId(None, "public", "line"))
    assert [column.name for column in primary_key(columns)] == ["id", "no"]
    assert auto_increment(columns).name == "id"


@pytest.mark.parametrize(
    ("granularity", "value"),
    [
        ("connect_logical", 1577804645123456),
        ("micros_long", 1577804645123456),
        ("micros_string", "1577804645123456"),
        ("micros_iso_datetime_string", "2020-01-01T00:04:05.123456"),
        ("nanos_long", 1577804645123456000),
        ("nanos_string", "1577804645123456000"),
        ("nanos_iso_datetime_string", "2020-01-01T00:04:05.123456000"),
    ],
)
def test_granularities_in_a_zone(rows, granularity, value):
    query = "SELECT timestamp '2020-01-01 00:04:05.123456' AS a, timestamptz '2019-12-31 15:04:05.123456+00' AS b"
    _, (row,) = rows.of(query, granularity=granularity, timezone="Asia/Tokyo")
    assert row == {"a": value, "b": value}


def test_numbers_by_mapping(rows):
    query = "SELECT 12::numeric(4,0) AS a, 1.25::numeric(5,2) AS b, 7::numeric(20,0) AS c"
    _, (row,) = rows.of(query, numeric_mapping="best_fit")
    assert row == {"a": 12, "b": 1.25, "c": "7"}
    _, (row,) = rows.of(query)
    assert row == {"a": "12", "b": "1.25", "c": "7"}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("'NaN'::numeric(5,2)", "NaN"),
        ("'infinity'::timestamp", "infinity"),
        ("'-infinity'::timestamptz", "-infinity"),
        ("'infinity'::date", "infinity"),
        ("ARRAY['infinity'::date]", "infinity"),
        ("ARRAY['NaN'::numeric(5,2)]", "NaN"),
        ("ARRAY[ARRAY[1],ARRAY[2]]", "one dimension"),
    ],
)
def test_values_that_connect_cannot_hold(rows, execute, value, words):
    execute("DROP TABLE IF EXISTS odd")
    execute(f"CREATE TABLE odd AS SELECT {value} AS v")
    odd = TableId(None, "public", "odd")
    with pytest.raises(Exception, match=f"column 'v': .*{words}"):
        rows.of(odd)
    assert rows.of(odd, unrepresentable="null")[1] == [{"v": None}]
    execute("ALTER TABLE odd ALTER v SET NOT NULL")
    with pytest.raises(Exception, match="column 'v'"):
        rows.of(odd, unrepresentable="null")


def test_numbers_without_bounds_may_be_nan(rows):
    query = "SELECT 'NaN'::numeric AS a, '-Infinity'::numeric AS b"
    assert rows.of(query)[1] == [{"a": "NaN", "b": "-Infinity"}]
    _, (row,) = rows.of(query, numeric_mapping="best_fit_eager_double")
    assert row["b"] == float("-inf")
    _, (row,) = rows.of(
        "SELECT array['NaN', 1.5]::numeric[] AS a", numeric_mapping="best_fit_eager_double"
    )
    assert row["a"] == "[NaN,1.5]"


def test_old_dates_by_calendar(rows):
    query = "SELECT date '1000-01-01' AS d, date '0044-03-15 BC' AS bc, timestamp '1000-01-01' AS t"
    _, (modern,) = rows.of(query, calendar="PROLEPTIC_GREGORIAN")
    assert modern["d"] == (datetime(1000, 1, 1, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).days
    assert modern["bc"] == -735160
    assert modern["t"] == modern["d"] * 86_400_000_000
    _, (legacy,) = rows.of(query)
    # The Julian calendar was five days behind on that day, and two ahead at Caesar's death.
    assert (legacy["d"] - modern["d"], legacy["bc"] - modern["bc"]) == (5, -2)
    assert legacy["t"] == legacy["d"] * 86_400_000_000


def test_the_end_of_a_day_is_its_last_millisecond(rows):
    assert rows.of("SELECT time '24:00' AS t")[1] == [{"t": 86399999}]


def tables(database, **filters):
    return [table.full_name for table in DIALECT.tables(database, TableFilters(**filters))]


@pytest.fixture(scope="module")
def shop(postgres_database):
    _, python = postgres_database
    python.execute("CREATE SCHEMA shop")
    python.execute("CREATE TABLE shop.plain (id int)")
    python.execute("CREATE TABLE shop.parent (id int) PARTITION BY RANGE (id)")
    python.execute("CREATE TABLE shop.part PARTITION OF shop.parent FOR VALUES FROM (0) TO (9)")
    python.execute("CREATE VIEW shop.seen AS SELECT 1 AS one")
    python.execute("CREATE MATERIALIZED VIEW shop.kept AS SELECT 1 AS one")


def test_kinds_of_tables(database, shop):
    assert tables(database, schema="shop") == ["shop.parent", "shop.plain"]
    assert tables(database, schema="shop", types=("VIEW",)) == ["shop.seen"]
    assert tables(database, schema="shop", types=("MATERIALIZED VIEW", "VIEW")) == [
        "shop.kept",
        "shop.seen",
    ]
    assert "pg_catalog.pg_class" in tables(database, schema="pg_catalog", types=("SYSTEM TABLE",))
    assert tables(database, schema="") == []


def test_a_catalogue_that_is_no_database_narrows_nothing(database, shop, caplog):
    with caplog.at_level(logging.WARNING, "headrace.connect.jdbc"):
        assert tables(database, catalog="jdbc_types", whitelist=("plain",)) == ["shop.plain"]
        assert not caplog.records
        assert tables(database, catalog="public", whitelist=("plain",)) == ["shop.plain"]
        assert tables(database, catalog="public", whitelist=("plain",)) == ["shop.plain"]
    assert caplog.text.count("catalog.pattern 'public'") == 1


def test_columns_of_many_tables_at_once(database, shop):
    wanted = [TableId(None, "shop", name) for name in ("plain", "parent", "gone")]
    found = DIALECT.columns_of(database, wanted)
    assert {table.name: [c.name for c in columns] for table, columns in found.items()} == {
        "plain": ["id"],
        "parent": ["id"],
    }


def test_views_hold_no_rows_of_their_own(database, execute):
    execute("CREATE VIEW derived AS SELECT 1 AS id")
    execute("CREATE MATERIALIZED VIEW made AS SELECT 1 AS id")
    wanted = [TableId(None, "public", name) for name in ("derived", "made", "gone")]
    assert DIALECT.derived(database, wanted) == {wanted[0]}
    execute("DROP VIEW derived")
    execute("DROP MATERIALIZED VIEW made")


def test_another_shape_is_seen(database, execute):
    wanted = [TableId(None, "public", "shaped"), TableId(None, "public", "gone")]
    seen = [DIALECT.shape(database, wanted)]
    for change in (
        "CREATE TABLE shaped (a int, b text)",
        "ALTER TABLE shaped ADD c int",
        "ALTER TABLE shaped RENAME c TO d",
        "ALTER TABLE shaped ALTER a TYPE bigint",
        "ALTER TABLE shaped ALTER a SET NOT NULL",
        "ALTER TABLE shaped DROP b",
        "DROP TABLE shaped",
    ):
        execute(change)
        seen.append(DIALECT.shape(database, wanted))
    assert seen[0] == seen[-1] == [[None]]
    assert len({str(shape) for shape in seen}) == len(seen) - 1
    execute("CREATE TABLE shaped (a int)")
    before = DIALECT.shape(database, wanted)
    execute("INSERT INTO shaped VALUES (1)")
    execute("ANALYZE shaped")
    assert DIALECT.shape(database, wanted) == before
    execute("DROP TABLE shaped")
    execute("CREATE TABLE shaped (a int)")
    assert DIALECT.shape(database, wanted) != before
    execute("DROP TABLE shaped")


def test_the_clock(database):
    assert abs(DIALECT.now(database, "Asia/Tokyo") / 1e6 - datetime.now(UTC).timestamp()) < 60
