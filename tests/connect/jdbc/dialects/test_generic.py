from __future__ import annotations

import pytest

from headrace.connect.data.schema import DATE, DECIMAL, TIME, TIMESTAMP, Type
from headrace.connect.jdbc.columns import SourceColumn, TableId, auto_increment, primary_key
from headrace.connect.jdbc.database import open_database
from headrace.connect.jdbc.dialects.generic import GenericDialect
from headrace.connect.jdbc.filters import TableFilters
from headrace.connect.jdbc.types import TypeSettings

DIALECT = GenericDialect()

# Of Derby, which comes with Spark: column, a value, Connect's type, and what the JVM makes of the value.
TYPES = [
    ("SMALLINT", "-3", Type.INT16, None, -3),
    ("INTEGER", "4", Type.INT32, None, 4),
    ("BIGINT", "9000000000", Type.INT64, None, 9000000000),
    ("REAL", "1.5", Type.FLOAT32, None, 1.5),
    ("DOUBLE", "2.5", Type.FLOAT64, None, 2.5),
    ("BOOLEAN", "TRUE", Type.BOOLEAN, None, True),
    ("DECIMAL(5,2)", "3.5", Type.BYTES, DECIMAL, "3.50"),
    ("CHAR(3)", "'ab'", Type.STRING, None, "ab "),
    ("VARCHAR(9)", "'żółw'", Type.STRING, None, "żółw"),
    ("CLOB", "'long'", Type.STRING, None, "long"),
    ("VARCHAR(2) FOR BIT DATA", "X'00ff'", Type.BYTES, None, b"\x00\xff"),
    ("BLOB", "CAST(X'01' AS BLOB)", Type.BYTES, None, b"\x01"),
    ("DATE", "'2020-02-29'", Type.INT32, DATE, 18321),
    ("TIME", "'01:02:03'", Type.INT32, TIME, 3723000),
    ("TIMESTAMP", "'1970-01-01 00:00:01.234567'", Type.INT64, TIMESTAMP, 1234567),
]
TABLE = TableId("", "SHOP", "TYPES")


@pytest.mark.parametrize(
    ("column", "type"),
    [
        (SourceColumn("a", "tinyint"), Type.INT8),
        (SourceColumn("a", "bit"), Type.INT8),
        (SourceColumn("a", "tinyint", unsigned=True), Type.INT16),
        (SourceColumn("a", "smallint", unsigned=True), Type.INT32),
        (SourceColumn("a", "integer", unsigned=True), Type.INT64),
        (SourceColumn("a", "float"), Type.FLOAT64),
        (SourceColumn("a", "timestamptz"), Type.INT64),
    ],
)
def test_types_by_their_jdbc_names(column, type):
    found = DIALECT.reading(column, TypeSettings())
    assert found is not None
    assert found.schema.type is type


def test_what_no_type_of_connect_fits_is_a_text():
    column = SourceColumn("a", "sdo_geometry")
    assert DIALECT.reading(column, TypeSettings()) is None
    assert DIALECT.text_of(column).schema.type is Type.STRING


@pytest.fixture(scope="module")
def database(spark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("derby") / "db"
    database = open_database(spark, f"jdbc:derby:{folder};create=true", {})
    statement = database.connection.createStatement()
    columns = ", ".join(f"c{i} {row[0]}" for i, row in enumerate(TYPES))
    statement.execute("CREATE SCHEMA shop")
    statement.execute(
        f"CREATE TABLE shop.types (line INT NOT NULL, id INT GENERATED ALWAYS AS IDENTITY, {columns}, PRIMARY KEY (id, line))"
    )
    names = ", ".join(f"c{i}" for i in range(len(TYPES)))
    values = ", ".join(row[1] for row in TYPES)
    statement.execute(f"INSERT INTO shop.types (line, {names}) VALUES (1, {values})")
    statement.execute("CREATE VIEW shop.seen AS SELECT id FROM shop.types")
    statement.close()
    yield database
    database.close()


@pytest.mark.spark
class TestOnDerby:
    @pytest.mark.parametrize("source", [TABLE, "SELECT * FROM SHOP.TYPES"], ids=["table", "query"])
    def test_every_type_arrives(self, make_rows, database, source):
        schemas, (row,) = make_rows(database, DIALECT).of(source)
        found = [
            (TYPES[i][0], schemas[f"C{i}"].type, schemas[f"C{i}"].name, row[f"C{i}"])
            for i in range(len(TYPES))
        ]
        assert found == [(declared, type, name, value) for declared, _, type, name, value in TYPES]

    def test_tables_keys_and_counters(self, database):
        assert DIALECT.tables(database, TableFilters(schema="SHOP")) == [TABLE]
        views = DIALECT.tables(database, TableFilters(schema="SH%", types=("VIEW",)))
        assert [table.name for table in views] == ["SEEN"]
        columns = DIALECT.columns(database, TABLE)
        assert [column.name for column in primary_key(columns)] == ["ID", "LINE"]
        assert auto_increment(columns).name == "ID"
        assert DIALECT.columns(database, TableId("", "SHOP", "T_PES")) == []
