import pytest

from headrace.errors import HeadraceError, UnsupportedSql
from headrace.plan.nodes import Union, Values
from headrace.sql.dialect import parse_statement


def label(node) -> list[str]:
    return [item.label() for item in node.walk()]


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


def test_a_table_gives_its_columns_in_declared_order_with_computed_ones(query):
    node = query("SELECT * FROM orders")
    assert node.names == (
        "order_id",
        "user_id",
        "price",
        "item",
        "address",
        "event_time",
        "ingested",
        "cents",
    )
    assert label(node)[-1].endswith(
        "columns=[order_id, user_id, price, item, address, event_time, ingested])"
    )


def test_a_table_by_its_full_name(query):
    node = query("SELECT orders.item FROM default_catalog.default_database.orders")
    assert node.names == ("item",)


def test_an_alias_hides_the_table_name(query):
    assert query("SELECT o.item FROM orders AS o").names == ("item",)
    assert refusal(query, "SELECT orders.item FROM orders AS o")[0] == (
        "[UNKNOWN_TABLE] table 'orders' does not exist"
    )


def test_an_alias_may_rename_columns(query):
    assert query("SELECT a, t.b FROM (VALUES (1, 'x')) AS t (a, b)").names == ("a", "b")
    assert refusal(query, "SELECT * FROM (VALUES (1, 'x')) AS t (a)") == [
        "[COLUMN_COUNT] the alias has 1 column names for 2 columns",
        "  at: <sql>:1:36",
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CURRENT_DATABASE() AS d",
        "SELECT * FROM (VALUES (current_database()))",
        "SELECT CURRENT_DATABASE() AS d FROM default_database.users GROUP BY name",
    ],
)
def test_the_current_database_is_that_of_the_query(env, sql):
    env.execute_sql("CREATE DATABASE shop")
    env.execute_sql("USE shop")
    node = env.planner().query(parse_statement(sql))
    assert node.schema[0].type.sql() == "STRING NOT NULL"
    shown = [str(e) for item in node.walk() for e in _computed(item)]
    assert "'shop'" in shown


def _computed(node):
    return (
        node.rows[0] if isinstance(node, Values) else [e for _, e in getattr(node, "outputs", ())]
    )


def test_a_definition_has_no_current_database(env):
    with pytest.raises(UnsupportedSql) as caught:
        env.execute_sql(
            "CREATE TABLE t (d AS CURRENT_DATABASE(), a INT) WITH ('connector' = 'datagen')"
        )
    assert caught.value.summary == "CURRENT_DATABASE cannot stand here"


class TestWith:
    def test_a_query_by_name(self, query):
        node = query("WITH x (a) AS (SELECT item FROM orders) SELECT x.a FROM x")
        assert node.names == ("a",)

    def test_a_later_one_sees_the_earlier(self, query):
        node = query(
            "WITH x AS (SELECT item AS i FROM orders), y AS (SELECT i AS j FROM x) SELECT j FROM y"
        )
        assert node.names == ("j",)

    def test_a_name_is_given_once(self, query):
        assert refusal(query, "WITH x AS (SELECT 1), x AS (SELECT 2) SELECT * FROM x")[0] == (
            "[ALREADY_EXISTS] WITH names 'x' twice"
        )

    def test_its_columns_have_names_of_their_own(self, query):
        twice = "AS (SELECT 1 AS a, 2 AS a)"
        assert refusal(query, f"WITH x {twice} SELECT 1 FROM x")[0] == (
            "[DUPLICATE_COLUMN] the query 'x' of WITH has two columns 'a'"
        )
        assert query(f"WITH x (b, c) {twice} SELECT c FROM x").names == ("c",)

    def test_it_hides_a_table(self, query):
        node = query("WITH orders AS (SELECT 1 AS only) SELECT * FROM orders")
        assert node.names == ("only",)

    def test_it_is_seen_inside_subqueries_and_unions(self, query):
        node = query(
            "WITH x AS (SELECT 1 AS a) SELECT a FROM (SELECT a FROM x) UNION ALL SELECT a FROM x"
        )
        assert isinstance(node, Union)

    def test_one_within_another(self, query):
        node = query(
            "WITH x AS (WITH users AS (SELECT item AS i FROM orders) SELECT i FROM users) "
            "SELECT x.i, users.name FROM x JOIN users ON users.name = x.i"
        )
        scans = [item for item in label(node) if item.startswith("Scan(")]
        assert [scan.split(".")[2].split(",")[0] for scan in scans] == ["orders", "users"]

    def test_an_inner_one_hides_an_outer_one(self, query):
        node = query(
            "WITH x AS (SELECT 1 AS a) SELECT * FROM (WITH x AS (SELECT 2 AS b) SELECT * FROM x) AS t, x"
        )
        assert node.names == ("b", "a")

    def test_it_may_read_the_table_it_hides(self, query):
        node = query("WITH users AS (SELECT name FROM users) SELECT * FROM users")
        assert node.names == ("name",)

    def test_it_is_seen_in_a_subquery(self, query):
        node = query(
            "WITH x AS (SELECT MAX(age) AS m FROM users) SELECT item FROM orders WHERE price > (SELECT m FROM x)"
        )
        assert node.names == ("item",)


class TestViews:
    def test_a_view_is_its_query(self, env, query):
        env.execute_sql("CREATE VIEW v (who) AS SELECT name FROM users")
        assert query("SELECT who FROM v").names == ("who",)

    def test_a_view_over_a_view(self, env, query):
        env.execute_sql("CREATE VIEW v AS SELECT name FROM users")
        env.execute_sql("CREATE VIEW w AS SELECT UPPER(name) AS up FROM v")
        assert label(query("SELECT up FROM w"))[-1].startswith("Scan(")

    def test_a_view_does_not_see_the_readers_names(self, env, query):
        env.execute_sql("CREATE VIEW v AS SELECT name FROM users")
        node = query("WITH users AS (SELECT 1 AS x) SELECT * FROM v")
        assert node.names == ("name",)

    def test_an_error_inside_points_into_the_view(self, env, query):
        env.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'datagen')")
        env.execute_sql("CREATE VIEW v AS SELECT a FROM t")
        env.execute_sql("DROP TABLE t")
        assert refusal(query, "SELECT * FROM v")[1] == "  at: view v:1:15"


class TestValues:
    def test_rows_take_the_common_type(self, query):
        node = query("SELECT * FROM (VALUES (1, 'a'), (CAST(2 AS BIGINT), NULL)) AS t (n, s)")
        (values,) = (item for item in node.walk() if isinstance(item, Values))
        assert len(values.rows) == 2
        assert [field.type.sql() for field in node.schema] == ["BIGINT NOT NULL", "CHAR(1)"]

    @pytest.mark.parametrize(
        ("sql", "error"),
        [
            (
                "SELECT * FROM (VALUES (1), (1, 2)) AS t",
                "[COLUMN_COUNT] all rows of VALUES must have as many columns",
            ),
            (
                "SELECT * FROM (VALUES (1), (TRUE)) AS t",
                "[TYPE_MISMATCH] a column of VALUES mixes types without a common one",
            ),
            (
                "SELECT * FROM (VALUES (x)) AS t",
                "[UNKNOWN_COLUMN] column 'x' does not exist",
            ),
        ],
    )
    def test_refusals(self, query, sql, error):
        assert refusal(query, sql)[0] == error


def test_hints_override_the_tables_options_for_this_query(env, query, table):
    sql = "SELECT item FROM orders /*+ OPTIONS('scan.startup.mode' = 'latest-offset') */"
    scan = list(query(sql).walk())[-1]
    assert scan.table.options["scan.startup.mode"] == "latest-offset"
    assert table("orders").options["scan.startup.mode"] == "earliest-offset"


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        (
            "SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(event_time), INTERVAL '1' HOUR))",
            "table function TUMBLE",
        ),
        (
            "SELECT * FROM orders FOR SYSTEM_TIME AS OF event_time",
            "FOR SYSTEM_TIME AS OF, an event-time join,",
        ),
    ],
)
def test_what_is_not_planned_is_named(query, sql, what):
    assert refusal(query, sql)[0] == f"[UNSUPPORTED_SQL] {what} is not supported yet"


def test_a_sink_cannot_be_read(query):
    assert refusal(query, "SELECT * FROM console") == [
        "[NOT_A_SOURCE] 'console' cannot be read: connector 'print' is a sink",
        "  at: <sql>:1:15",
    ]


def test_a_source_is_checked_as_one_when_read(env, query):
    env.execute_sql(
        "CREATE TABLE odd (a INT) WITH ('connector' = 'kafka', 'topic' = 'a', 'format' = 'json', "
        "'properties.bootstrap.servers' = 'b:9092', 'scan.startup.mode' = 'timestamp')"
    )
    lines = refusal(query, "SELECT a FROM odd")
    assert "scan.startup.timestamp-millis" in "\n".join(lines)
    assert any(line.startswith("  at: ") for line in lines)
