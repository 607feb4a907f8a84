from __future__ import annotations

from datetime import UTC, datetime

import pytest

from headrace.connect.data.schema import DATE, DECIMAL, TIME, TIMESTAMP, Type
from headrace.connect.jdbc.columns import TableId, auto_increment, primary_key
from headrace.connect.jdbc.database import open_database
from headrace.connect.jdbc.dialects.mysql import MySqlDialect
from headrace.connect.jdbc.filters import TableFilters

DIALECT = MySqlDialect()
NAME = "jdbc_types"

# Column, a value, Connect's type (with the name of a logical one), and what the JVM makes of the value.
TYPES = [
    ("tinyint", "-5", Type.INT8, None, -5),
    ("tinyint(1)", "1", Type.INT8, None, 1),
    ("tinyint unsigned", "200", Type.INT16, None, 200),
    ("smallint", "-3", Type.INT16, None, -3),
    ("smallint unsigned", "65535", Type.INT32, None, 65535),
    ("mediumint", "-8388608", Type.INT32, None, -8388608),
    ("mediumint unsigned", "16777215", Type.INT32, None, 16777215),
    ("int", "7", Type.INT32, None, 7),
    ("int unsigned", "4294967295", Type.INT64, None, 4294967295),
    ("bigint", "-9000000000", Type.INT64, None, -9000000000),
    ("bigint unsigned", "9223372036854775807", Type.INT64, None, 9223372036854775807),
    ("float", "1.5", Type.FLOAT32, None, 1.5),
    ("double", "-2.25", Type.FLOAT64, None, -2.25),
    ("decimal(5,2)", "3.5", Type.BYTES, DECIMAL, "3.50"),
    ("decimal(65,0)", "'12345678901234567890123456789012345678901'", Type.STRING, None, "12345678901234567890123456789012345678901"),
    ("bit(1)", "b'1'", Type.INT8, None, 1),
    ("bit(12)", "b'101000000001'", Type.BYTES, None, b"\x0a\x01"),
    ("char(4)", "'ab'", Type.STRING, None, "ab"),
    ("varchar(9)", "'żółw'", Type.STRING, None, "żółw"),
    ("longtext", "'long'", Type.STRING, None, "long"),
    ("enum('sad','happy')", "'happy'", Type.STRING, None, "happy"),
    ("set('a','b','c')", "'a,c'", Type.STRING, None, "a,c"),
    ("json", """'{"a": 1}'""", Type.STRING, None, '{"a": 1}'),
    ("binary(2)", "x'00ff'", Type.BYTES, None, b"\x00\xff"),
    ("varbinary(9)", "x'0102'", Type.BYTES, None, b"\x01\x02"),
    ("blob", "x'03'", Type.BYTES, None, b"\x03"),
    ("date", "'2020-02-29'", Type.INT32, DATE, 18321),
    ("time(3)", "'01:02:03.456'", Type.INT32, TIME, 3723456),
    ("datetime(6)", "'1970-01-01 00:00:01.234567'", Type.INT64, TIMESTAMP, 1234567),
    ("timestamp(6) NULL", "'1971-01-01 00:00:01.5'", Type.INT64, TIMESTAMP, 31536001500000),
    ("year", "2006", Type.INT32, DATE, 13149),
    ("point", "ST_GeomFromText('POINT(1 2)')", Type.STRING, None, "POINT(1 2)"),
    ("inet6", "'2001:db8::1'", Type.STRING, None, "2001:db8::1"),
    ("uuid", "'6ecd8c99-4036-403d-bf84-cf8400f67836'", Type.STRING, None, "6ecd8c99-4036-403d-bf84-cf8400f67836"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("jdbc:mariadb://h/db", "jdbc:mariadb://h/db"),
        ("jdbc:mysql://h/db", "jdbc:mysql://h/db?permitMysqlScheme"),
        ("jdbc:mysql://h/db?a=b", "jdbc:mysql://h/db?a=b&permitMysqlScheme"),
        ("jdbc:mysql://h/db?permitMysqlScheme", "jdbc:mysql://h/db?permitMysqlScheme"),
    ],
)
def test_addresses_of_mysql_are_taken(given, wanted):
    assert DIALECT.address(given) == wanted


class Server:
    """Statements through the JVM; no client of MariaDB is needed for Python."""

    def __init__(self, database) -> None:
        self.database = database

    def execute(self, sql):
        statement = self.database.connection.createStatement()
        statement.execute(sql)
        statement.close()


@pytest.fixture(scope="module")
def database(spark, mariadb_server):
    server = open_database(spark, mariadb_server.url, {})
    Server(server).execute(f"CREATE OR REPLACE DATABASE {NAME} CHARACTER SET utf8mb4")
    server.close()
    url = mariadb_server.url.replace("/headrace?", f"/{NAME}?").replace("mariadb:", "mysql:", 1)
    database = open_database(spark, DIALECT.address(url), {})
    execute = Server(database).execute
    columns = ", ".join(f"c{i} {row[0]}" for i, row in enumerate(TYPES))
    execute(f"CREATE TABLE types (id bigint AUTO_INCREMENT PRIMARY KEY, {columns})")
    execute(f"INSERT INTO types VALUES (DEFAULT, {', '.join(row[1] for row in TYPES)})")
    yield database
    database.close()


@pytest.fixture
def execute(database):
    return Server(database).execute


@pytest.fixture(scope="module")
def rows(make_rows, database):
    return make_rows(database, DIALECT)


TABLE = TableId(NAME, None, "types")


@pytest.mark.spark
@pytest.mark.services
class TestOnAServer:
    @pytest.mark.parametrize("source", [TABLE, "SELECT * FROM types"], ids=["table", "query"])
    def test_every_type_arrives(self, rows, source):
        schemas, (row,) = rows.of(source)
        found = [
            (TYPES[i][0], schemas[f"c{i}"].type, schemas[f"c{i}"].name, row[f"c{i}"])
            for i in range(len(TYPES))
        ]
        assert found == [(declared, type, name, value) for declared, _, type, name, value in TYPES]

    def test_keys_and_counters_of_columns(self, database):
        columns = DIALECT.columns(database, TABLE)
        assert [column.name for column in primary_key(columns)] == ["id"]
        assert auto_increment(columns).name == "id"
        assert [column.name for column in columns if not column.nullable] == ["id"]

    def test_another_shape_is_seen(self, database, execute):
        wanted = [TableId(TABLE.catalog, None, "shaped")]
        execute("CREATE TABLE shaped (a int)")
        before = DIALECT.shape(database, wanted)
        assert DIALECT.shape(database, wanted) == before
        execute("ALTER TABLE shaped ADD b int")
        assert DIALECT.shape(database, wanted) != before
        execute("DROP TABLE shaped")
        assert DIALECT.shape(database, wanted) == {}

    def test_what_connect_leaves_out(self, rows):
        schemas, _ = rows.of(TABLE, unsupported="drop")
        left_out = {row[0] for i, row in enumerate(TYPES) if f"c{i}" not in schemas}
        assert left_out == {"point", "inet6", "uuid"}

    @pytest.mark.parametrize(
        ("declared", "value"),
        [
            ("date", "'0000-00-00'"),
            ("datetime", "'0000-00-00 00:00:00'"),
            ("time", "'-01:00:00'"),
            ("time", "'100:00:00'"),
            ("bigint unsigned", "18446744073709551615"),
        ],
    )
    def test_values_that_connect_cannot_hold(self, rows, execute, declared, value):
        execute("SET sql_mode = ''")
        execute(f"CREATE OR REPLACE TABLE odd (v {declared})")
        execute(f"INSERT INTO odd VALUES ({value})")
        odd = TableId(NAME, None, "odd")
        with pytest.raises(Exception, match="column 'v': "):
            rows.of(odd)
        assert rows.of(odd, unrepresentable="null")[1] == [{"v": None}]

    def test_moments_without_a_zone_are_of_the_given_one(self, rows):
        query = "SELECT CAST('2020-01-01 00:04:05.123456' AS datetime(6)) AS a"
        _, (row,) = rows.of(query, timezone="Asia/Tokyo")
        assert row == {"a": 1577804645123456}

    def test_tables_of_the_connections_database(self, database, execute):
        execute("CREATE OR REPLACE VIEW seen AS SELECT 1 AS one")
        execute("DROP TABLE IF EXISTS odd")
        found = DIALECT.tables(database, TableFilters())
        assert [table.full_name for table in found] == ["jdbc_types.types"]
        views = DIALECT.tables(database, TableFilters(types=("VIEW",)))
        assert [table.name for table in views] == ["seen"]
        listed = DIALECT.tables(database, TableFilters(whitelist=("`jdbc_types`.`types`",)))
        assert listed == found
        assert DIALECT.tables(database, TableFilters(catalog="mysql", whitelist=("proc",))) == [
            TableId("mysql", None, "proc")
        ]

    def test_the_clock_is_that_of_the_servers_zone(self, database):
        now = datetime.now(UTC).timestamp()
        assert abs(DIALECT.now(database, "UTC") / 1e6 - now) < 60
        assert abs(DIALECT.now(database, "Asia/Tokyo") / 1e6 + 9 * 3600 - now) < 60
