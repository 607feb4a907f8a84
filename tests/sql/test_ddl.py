from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.errors import SqlSyntaxError, UnsupportedSql
from headrace.sql.dialect import parse_statement
from headrace.sql.statements import (
    AlterTableRename,
    AlterTableReset,
    AlterTableSet,
    ComputedColumnDef,
    CreateTable,
    CreateView,
    Drop,
    LikeFeature,
    LikeMode,
    MetadataColumnDef,
    PhysicalColumnDef,
)
from headrace.types import (
    BIGINT,
    DOUBLE,
    INT,
    STRING,
    array,
    decimal,
    map_of,
    row,
    timestamp,
    timestamp_ltz,
)

ORDERS = """\
CREATE TABLE IF NOT EXISTS shop.orders (
  order_id BIGINT NOT NULL COMMENT 'unique per shop',
  `user` STRING,
  price DECIMAL(10, 2),
  quantity INT,
  total AS price * quantity COMMENT 'before tax',
  ordered_at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  `partition` INT METADATA VIRTUAL,
  `offset` BIGINT METADATA FROM 'offset' VIRTUAL COMMENT 'in its partition',
  WATERMARK FOR ordered_at AS ordered_at - INTERVAL '5' SECOND,
  PRIMARY KEY (order_id, `user`) NOT ENFORCED
) COMMENT 'all orders'
PARTITIONED BY (`user`)
WITH (
  'connector' = 'kafka', -- the source
  'topic' = 'orders;v1',
  "format" = "json"
)"""


@pytest.fixture(scope="module")
def orders():
    return parse_statement(ORDERS + ";", "shop.sql")


def columns_of(text):
    return parse_statement(f"CREATE TABLE t ({text})").columns


def test_the_whole_statement_is_kept_as_written(orders):
    assert isinstance(orders, CreateTable)
    assert orders.sql == ORDERS
    assert str(orders.position) == "shop.sql:1:1"


def test_the_name_and_its_place(orders):
    assert orders.name.parts == ("shop", "orders")
    assert (orders.name.position.line, orders.name.position.column) == (1, 28)
    assert orders.name.position.length == len("shop.orders")
    assert orders.if_not_exists
    assert not orders.temporary


def test_columns_come_in_order_each_of_its_kind(orders):
    assert [(type(column), column.name) for column in orders.columns] == [
        (PhysicalColumnDef, "order_id"),
        (PhysicalColumnDef, "user"),
        (PhysicalColumnDef, "price"),
        (PhysicalColumnDef, "quantity"),
        (ComputedColumnDef, "total"),
        (MetadataColumnDef, "ordered_at"),
        (MetadataColumnDef, "partition"),
        (MetadataColumnDef, "offset"),
    ]


def test_physical_columns(orders):
    order_id, user, price, quantity = orders.columns[:4]
    assert order_id.type == BIGINT.not_null()
    assert order_id.comment == "unique per shop"
    assert (user.type, user.comment) == (STRING, None)
    assert price.type == decimal(10, 2)
    assert quantity.type == INT
    assert (price.position.line, price.position.column, price.position.length) == (4, 3, 5)


def test_computed_columns_keep_text_and_tree(orders):
    total = orders.columns[4]
    assert total.text == "price * quantity"
    assert isinstance(total.expression, exp.Mul)
    assert total.comment == "before tax"


def test_metadata_columns(orders):
    ordered_at, partition, offset = orders.columns[5:]
    assert (ordered_at.key, ordered_at.virtual, ordered_at.type) == (
        "timestamp",
        False,
        timestamp_ltz(3),
    )
    assert (partition.key, partition.virtual, partition.type) == (None, True, INT)
    assert (offset.key, offset.virtual, offset.comment) == ("offset", True, "in its partition")


def test_the_watermark(orders):
    (watermark,) = orders.watermarks
    assert watermark.column == "ordered_at"
    assert watermark.text == "ordered_at - INTERVAL '5' SECOND"
    assert isinstance(watermark.expression, exp.Sub)
    assert (watermark.position.line, watermark.position.column) == (10, 3)
    assert (watermark.column_position.column, watermark.column_position.length) == (17, 10)


def test_the_primary_key(orders):
    (key,) = orders.primary_keys
    assert key.columns == ("order_id", "user")
    assert key.name is None
    assert (key.position.line, key.position.column) == (11, 3)


def test_comment_and_partitions(orders):
    assert orders.comment == "all orders"
    assert orders.partitioned_by == ("user",)


def test_options_with_their_places(orders):
    assert [(entry.key, entry.value) for entry in orders.options] == [
        ("connector", "kafka"),
        ("topic", "orders;v1"),
        ("format", "json"),
    ]
    topic = orders.options[1]
    assert (topic.key_position.line, topic.key_position.column, topic.key_position.length) == (
        16,
        3,
        7,
    )
    assert (topic.value_position.line, topic.value_position.column) == (16, 13)


def test_a_temporary_table():
    assert parse_statement("CREATE TEMPORARY TABLE t (a INT)").temporary


@pytest.mark.parametrize(
    "word",
    [
        "offset",
        "partition",
        "timestamp",
        "value",
        "key",
        "date",
        "user",
        "order",
        "end",
        "from",
        "table",
        "metadata",
    ],
)
def test_any_word_names_a_column_when_a_type_follows(word):
    (column,) = columns_of(f"{word} BIGINT")
    assert (column.name, column.type) == (word, BIGINT)


def test_types_of_every_shape_in_columns():
    columns = columns_of(
        "a ARRAY<STRING NOT NULL>, m MAP<STRING, ROW<x INT>>, r ROW<y DOUBLE 'why', z TIMESTAMP(3)> NOT NULL"
    )
    assert [column.type for column in columns] == [
        array(STRING.not_null()),
        map_of(STRING, row(x=INT)),
        row(y=DOUBLE, z=timestamp(3)).not_null(),
    ]


@pytest.mark.parametrize(
    ("text", "columns", "name"),
    [
        ("id INT, PRIMARY KEY (id) NOT ENFORCED", ("id",), None),
        ("id INT, CONSTRAINT pk PRIMARY KEY (id) NOT ENFORCED", ("id",), "pk"),
        ("id INT PRIMARY KEY NOT ENFORCED", ("id",), None),
        ("id INT CONSTRAINT pk PRIMARY KEY NOT ENFORCED", ("id",), "pk"),
        ("id INT NOT NULL PRIMARY KEY NOT ENFORCED COMMENT 'the key'", ("id",), None),
    ],
)
def test_primary_keys_in_every_form(text, columns, name):
    (key,) = parse_statement(f"CREATE TABLE t ({text})").primary_keys
    assert (key.columns, key.name) == (columns, name)


def test_a_column_that_is_the_key_is_not_null():
    (column,) = columns_of("id INT PRIMARY KEY NOT ENFORCED COMMENT 'the key'")
    assert column.type == INT.not_null()
    assert column.comment == "the key"


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("WATERMARK FOR ts AS ts", exp.Column),
        ("WATERMARK FOR `ts` AS `ts` - INTERVAL '0.001' SECOND", exp.Sub),
        ("WATERMARK FOR ts AS SOURCE_WATERMARK()", exp.Anonymous),
    ],
)
def test_watermarks(text, expression):
    (watermark,) = parse_statement(f"CREATE TABLE t (ts TIMESTAMP(3), {text})").watermarks
    assert watermark.column == "ts"
    assert isinstance(watermark.expression, expression)


def test_a_nested_watermark_column_is_named_whole():
    statement = parse_statement(
        "CREATE TABLE t (r ROW<ts TIMESTAMP(3)>, WATERMARK FOR r.ts AS r.ts)"
    )
    assert statement.watermarks[0].column == "r.ts"


@pytest.mark.parametrize("word", ["watermark", "primary", "constraint"])
def test_a_column_may_be_called_like_a_clause(word):
    plain, computed = columns_of(f"{word} BIGINT, {word} AS 1")
    assert (plain.name, computed.name) == (word, word)


def test_computed_columns_may_call_functions():
    columns = columns_of(
        "a STRING, b AS PROCTIME(), c AS CAST(a AS INT), d AS a || ',' || a COMMENT 'x'"
    )
    assert [column.text for column in columns[1:]] == [
        "PROCTIME()",
        "CAST(a AS INT)",
        "a || ',' || a",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t (b INT) WITH ('k' = 'v') LIKE db.src",
        "CREATE TABLE t (b INT) LIKE db.src WITH ('k' = 'v')",
    ],
)
def test_like_before_or_after_the_options(text):
    statement = parse_statement(text)
    assert statement.like.source.parts == ("db", "src")
    assert statement.like.rules == ()
    assert [entry.key for entry in statement.options] == ["k"]


def test_like_with_rules():
    statement = parse_statement(
        "CREATE TABLE t LIKE src (EXCLUDING ALL INCLUDING GENERATED OVERWRITING OPTIONS)"
    )
    assert statement.columns == ()
    assert statement.like.rules == (
        (LikeMode.EXCLUDING, LikeFeature.ALL),
        (LikeMode.INCLUDING, LikeFeature.GENERATED),
        (LikeMode.OVERWRITING, LikeFeature.OPTIONS),
    )


def test_create_table_as():
    statement = parse_statement("CREATE TABLE t WITH ('k' = 'v') AS SELECT a FROM s WHERE b > 1")
    assert isinstance(statement.as_query, exp.Select)
    assert statement.columns == ()


def test_create_view():
    statement = parse_statement(
        "CREATE TEMPORARY VIEW IF NOT EXISTS db.v (a, `b c`) COMMENT 'seen'\nAS SELECT 1,\n  2 /* two */ ;"
    )
    assert isinstance(statement, CreateView)
    assert statement.name.parts == ("db", "v")
    assert statement.columns == ("a", "b c")
    assert statement.comment == "seen"
    assert statement.query_text == "SELECT 1,\n  2"
    assert (statement.temporary, statement.if_not_exists) == (True, True)
    assert isinstance(statement.query, exp.Select)


def test_a_plain_view_over_a_set_operation():
    statement = parse_statement("CREATE VIEW v AS SELECT 1 UNION ALL SELECT 2")
    assert isinstance(statement.query, exp.Union)
    assert (statement.columns, statement.comment, statement.temporary) == ((), None, False)


@pytest.mark.parametrize(
    ("text", "kind", "if_exists", "temporary"),
    [
        ("DROP TABLE a.b", "TABLE", False, False),
        ("DROP TABLE IF EXISTS a.b", "TABLE", True, False),
        ("DROP TEMPORARY TABLE a.b", "TABLE", False, True),
        ("drop view if exists a.b;", "VIEW", True, False),
        ("DROP TEMPORARY VIEW IF EXISTS a.b", "VIEW", True, True),
    ],
)
def test_drop(text, kind, if_exists, temporary):
    statement = parse_statement(text)
    assert isinstance(statement, Drop)
    assert (statement.kind, statement.name.parts) == (kind, ("a", "b"))
    assert (statement.if_exists, statement.temporary) == (if_exists, temporary)


def test_alter_table_set():
    statement = parse_statement("ALTER TABLE t SET ('a' = 'b', 'c' = 'd')")
    assert isinstance(statement, AlterTableSet)
    assert [(entry.key, entry.value) for entry in statement.options] == [("a", "b"), ("c", "d")]


def test_alter_table_reset():
    statement = parse_statement("ALTER TABLE t RESET ('a', 'c')")
    assert isinstance(statement, AlterTableReset)
    assert statement.keys == ("a", "c")


def test_alter_table_rename():
    statement = parse_statement("ALTER TABLE db.t RENAME TO u")
    assert isinstance(statement, AlterTableRename)
    assert (str(statement.name), str(statement.new_name)) == ("db.t", "u")


@pytest.mark.parametrize(
    ("text", "column", "length", "cure"),
    [
        ("CREATE TABEL t (a INT)", 8, 5, "did you mean TABLE?"),
        ("CREATE TABLE t (a INT, PRIMRY KEY (a) NOT ENFORCED)", 24, 6, "did you mean PRIMARY?"),
        ("CREATE TABLE t (a INT, WATERMRK FOR a AS a)", 24, 8, "did you mean WATERMARK?"),
        ("CREATE TABLE t (a INT, CONSTRAIN k PRIMARY KEY (a))", 24, 9, "did you mean CONSTRAINT?"),
        ("CREATE TABLE t (a INT, PRIMARY KEI (a) NOT ENFORCED)", 32, 3, "did you mean KEY?"),
        ("CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ENFORCD)", 44, 7, "did you mean ENFORCED?"),
        ("CREATE TABLE t (a INTEGR)", 19, 6, "did you mean INTEGER?"),
        ("CREATE TABLE t (a INT) WIHT ('a' = 'b')", 24, 4, "did you mean WITH?"),
        ("CREATE TABLE t (a INT) COMENT 'x'", 24, 6, "did you mean COMMENT?"),
        ("CREATE TABLE t (a INT) PARTITIOND BY (a)", 24, 10, "did you mean PARTITIONED?"),
        ("CREATE TABLE t LIKE s (INCLUDNG ALL)", 24, 8, "did you mean INCLUDING?"),
        ("CREATE TABLE t LIKE s (INCLUDING OPTION)", 34, 6, "did you mean OPTIONS?"),
        ("DROP TABL t", 6, 4, "did you mean TABLE?"),
        ("ALTER TABLE t RENAM TO u", 15, 5, "did you mean RENAME?"),
    ],
)
def test_misspelled_words_are_pointed_at_and_corrected(reject, place, text, column, length, cure):
    error = reject(text)
    assert isinstance(error, SqlSyntaxError)
    assert place(error) == (1, column, length)
    assert error.cure == cure


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("CREATE TABLE", 13, "the name of the table"),
        ("CREATE TABLE t ()", 17, "a column"),
        ("CREATE TABLE t (a INT,)", 23, "a column name"),
        ("CREATE TABLE t (a INT b INT)", 23, "',' or ')'"),
        ("CREATE TABLE t (a INT, b)", 24, "a type after the name"),
        ("CREATE TABLE t (a INT NOT NUL)", 27, "NOT NULL"),
        ("CREATE TABLE t (a INT DEFAULT 1)", 23, "',' or ')'"),
        ("CREATE TABLE t (a VARCHAR(MAX))", 27, "length of VARCHAR, a whole number"),
        ("CREATE TABLE t (a INT, PRIMARY KEY a NOT ENFORCED)", 36, "'('"),
        ("CREATE TABLE t (a INT, WATERMARK a AS a)", 34, "FOR"),
        ("CREATE TABLE t (a AS)", 21, "an expression"),
        ("CREATE TABLE t (a INT METADATA FROM key)", 37, "the metadata key in single quotes"),
        ("CREATE TABLE t (a INT COMMENT x)", 31, "the comment in single quotes"),
        ("CREATE TABLE t (WATERMARK FOR a)", 32, "AS"),
        ("CREATE TABLE t (a INT, PRIMARY KEY NOT ENFORCED)", 36, "'('"),
        ("CREATE TABLE t (a INT WITH ('a' = 'b')", 23, "',' or ')'"),
        ("CREATE TABLE t (a INT", 16, "')'"),
        ("CREATE TABLE t (a INT) WITH", 28, "'('"),
        ("CREATE TABLE t (a INT) WITH ('a' = 'b'", 29, "')'"),
        ("CREATE TABLE t (a INT) WITH ('a' = 'b' 'c' = 'd')", 40, "',' or ')'"),
        ("CREATE TABLE t (a INT) WITH ('a' = 'b',)", 40, "a key in single quotes, as in 'connector' = 'kafka'"),
        ("CREATE TABLE t (a INT) WITH (a = 'b')", 30, "a key in single quotes, as in 'connector' = 'kafka'"),
        ("CREATE TABLE t (a INT) WITH ('a' 'b')", 34, "'='"),
        ("CREATE TABLE t (a INT) WITH ('a' = b)", 36, "a value in single quotes"),
        ("CREATE TABLE t (a INT) PARTITIONED (a)", 36, "PARTITIONED BY"),
        ("CREATE TABLE t AS", 18, "a query: SELECT, VALUES or WITH"),
        ("CREATE VIEW v SELECT 1", 15, "AS"),
        ("CREATE VIEW v AS", 17, "a query: SELECT, VALUES or WITH"),
        ("DROP t", 6, "TABLE or VIEW"),
        ("DROP TABLE t CASCADE", 14, "';' or the end of the statement"),
        ("ALTER TABLE t", 14, "SET, RESET, RENAME, ADD, MODIFY or DROP"),
        ("CREATE TABLE t (a, b)", 17, "a type after the name"),
        ("ALTER TABLE t RESET (a)", 22, "a key in single quotes"),
    ],
)  # fmt: skip
def test_broken_definitions_are_pointed_at(reject, place, text, column, expected):
    error = reject(text)
    assert place(error)[:2] == (1, column)
    assert error.expected == expected


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("CREATE TABLE t (a INT, PRIMARY KEY (a))", 24),
        ("CREATE TABLE t (a INT PRIMARY KEY)", 23),
        ("CREATE TABLE t (a INT, CONSTRAINT k PRIMARY KEY (a))", 37),
        ("CREATE TABLE t (a INT, PRIMARY KEY (a) ENFORCED)", 40),
    ],
)
def test_a_key_must_be_not_enforced(reject, place, text, column):
    error = reject(text)
    assert error.summary == "PRIMARY KEY is declared without NOT ENFORCED"
    assert error.cure == "add NOT ENFORCED"
    assert place(error)[:2] == (1, column)


def test_a_table_named_like_a_misspelled_clause_is_not_blamed(reject, place):
    error = reject("CREATE TABLE form a INT)")
    assert place(error) == (1, 19, 1)
    assert error.cure is None


def test_an_error_on_a_later_line_has_that_line(reject, place):
    assert place(reject("CREATE TABLE t (\n  a INT,\n  b STRNG\n) WITH ('a' = 'b');")) == (3, 5, 5)


def test_a_missing_value_says_how_to_write_it(reject):
    assert reject("CREATE TABLE t (a INT) WITH ('topic' 'x')").cure == "write 'topic' = '…'"


def test_secrets_stay_out_of_errors(reject):
    error = reject("CREATE TABLE t (a INT) WITH ('password' 'hunter2' 'x')")
    assert "hunter2" not in error.render()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("CREATE FUNCTION f AS 'x.Y'", "CREATE FUNCTION"),
        ("CREATE TEMPORARY FUNCTION f AS 'x.Y'", "CREATE FUNCTION"),
        ("CREATE TEMPORARY SYSTEM FUNCTION f AS 'x.Y'", "CREATE SYSTEM"),
        ("CREATE MODEL m", "CREATE MODEL"),
        ("CREATE MATERIALIZED TABLE t AS SELECT 1", "CREATE MATERIALIZED"),
        ("CREATE TABLE t (a INT) DISTRIBUTED BY (a) INTO 4 BUCKETS", "DISTRIBUTED BY"),
        ("CREATE TABLE t (a INT, UNIQUE (a))", "UNIQUE"),
        ("CREATE TABLE t (a INT, CONSTRAINT u UNIQUE (a))", "UNIQUE"),
        ("CREATE TABLE t (a INT, PERIOD FOR SYSTEM_TIME)", "PERIOD FOR SYSTEM_TIME"),
        ("DROP FUNCTION f", "DROP FUNCTION"),
        ("DROP MODEL m", "DROP MODEL"),
    ],
)
def test_definitions_that_are_not_run(reject, text, what):
    error = reject(text)
    assert isinstance(error, UnsupportedSql)
    assert error.summary == f"{what} is not supported"


class TestCreateTableAs:
    def test_names_alone_are_an_order(self):
        statement = parse_statement(
            "CREATE TABLE t (b, `a`) WITH ('k' = 'v') AS SELECT 1 AS a, 2 AS b"
        )
        assert (statement.order, statement.columns) == (("b", "a"), ())

    def test_names_without_types_are_for_queries_only(self, reject):
        assert reject("CREATE TABLE t (b) WITH ('k' = 'v')").summary == "the column 'b' has no type"
        assert reject("CREATE TABLE t (b, c INT) AS SELECT 1").summary == (
            "the column 'b' has no type"
        )

    @pytest.mark.parametrize(
        ("text", "replaces", "needs_existing"),
        [
            ("CREATE OR REPLACE TABLE t AS SELECT 1 AS a", True, False),
            ("REPLACE TABLE t WITH ('k' = 'v') AS SELECT 1 AS a", True, True),
            ("CREATE OR REPLACE TABLE t (a INT)", False, False),
        ],
    )
    def test_replacing(self, text, replaces, needs_existing):
        statement = parse_statement(text)
        assert (statement.replaces, statement.needs_existing) == (replaces, needs_existing)

    def test_replacing_needs_a_query_and_takes_no_condition(self, reject):
        assert reject("REPLACE TABLE t (a INT)").expected == "AS and a query"
        assert reject("CREATE OR REPLACE TABLE IF NOT EXISTS t AS SELECT 1").summary == (
            "CREATE OR REPLACE TABLE AS takes no IF NOT EXISTS"
        )
