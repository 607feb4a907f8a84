import pytest

from headrace.catalog.table import Table, View
from headrace.errors import HeadraceError, InternalError
from headrace.runtime.definitions import define
from headrace.sql.dialect import parse_statement


def refusal(env, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        env.execute_sql(sql)
    return caught.value.render().splitlines()


def table(env, name: str = "t") -> Table:
    return env.catalog.table(parse_statement(f"DESCRIBE {name}").name)


def test_a_table_is_made_once(env):
    sql = "CREATE TABLE t (a INT) WITH ('connector' = 'print')"
    result = env.execute_sql(sql)
    assert result.message == "OK"
    assert table(env).physical_columns[0].name == "a"
    assert refusal(env, sql)[:2] == [
        "[ALREADY_EXISTS] table or view 'default_catalog.default_database.t' already exists",
        "  at: <sql>:1:14",
    ]
    env.execute_sql(sql.replace("TABLE t (a", "TABLE IF NOT EXISTS t (b"))
    assert table(env).physical_columns[0].name == "a"


def test_like_takes_over_the_source(env):
    env.execute_sql("CREATE TABLE t (extra INT) LIKE numbers")
    assert [column.name for column in table(env).columns] == ["n", "word", "extra"]
    assert table(env).options == {"connector": "datagen"}


def test_like_an_unknown_table(env):
    assert refusal(env, "CREATE TABLE t LIKE nubmers")[0] == (
        "[UNKNOWN_TABLE] table 'nubmers' does not exist"
    )


class TestViews:
    def test_a_view_is_kept_as_text(self, env):
        env.execute_sql("CREATE TEMPORARY VIEW v (x) COMMENT 'c' AS SELECT n + 1 FROM numbers")
        view = env.catalog.get(parse_statement("DESCRIBE v").name)
        assert isinstance(view, View)
        assert (view.columns, view.comment, view.temporary) == (("x",), "c", True)
        assert view.query_text == "SELECT n + 1 FROM numbers"

    def test_its_query_is_checked(self, env):
        assert refusal(env, "CREATE VIEW v AS SELECT m FROM numbers")[:2] == [
            "[UNKNOWN_COLUMN] column 'm' does not exist",
            "  at: <sql>:1:25",
        ]
        assert refusal(env, "CREATE VIEW v (a, b) AS SELECT n FROM numbers")[0] == (
            "[COLUMN_COUNT] the view names 2 columns, its query gives 1"
        )
        assert refusal(env, "CREATE VIEW v (a, a) AS SELECT n, n FROM numbers")[0] == (
            "[DUPLICATE_COLUMN] a column stands twice in the view's list"
        )
        assert env.list_views() == []

    def test_a_name_is_a_table_or_a_view(self, env):
        assert refusal(env, "CREATE VIEW numbers AS SELECT 1")[0].startswith("[ALREADY_EXISTS]")


class TestDrop:
    def test_tables_and_views(self, env):
        env.execute_sql("CREATE VIEW v AS SELECT n FROM numbers")
        env.execute_sql("DROP VIEW v")
        env.execute_sql("DROP TABLE numbers")
        assert env.list_tables() == ["console"]

    def test_what_is_not_there(self, env):
        env.execute_sql("DROP TABLE IF EXISTS nope")
        env.execute_sql("DROP VIEW IF EXISTS nope")
        assert (
            refusal(env, "DROP VIEW numbers")[0] == "[UNKNOWN_VIEW] view 'numbers' does not exist"
        )

    def test_temporary_ones_by_their_word(self, env):
        env.execute_sql("CREATE TEMPORARY TABLE t (a INT) WITH ('connector' = 'print')")
        assert refusal(env, "DROP TABLE t")[-1] == "  cure: DROP TEMPORARY TABLE t"
        env.execute_sql("DROP TEMPORARY TABLE t")
        assert "t" not in env.list_tables()


class TestAlter:
    def test_options_are_set_and_reset(self, env):
        env.execute_sql("ALTER TABLE console SET ('print-identifier' = 'x')")
        assert table(env, "console").options["print-identifier"] == "x"
        env.execute_sql("ALTER TABLE console RESET ('print-identifier')")
        assert table(env, "console").options == {"connector": "print"}

    def test_a_change_that_does_not_fit_leaves_the_table(self, env):
        assert refusal(env, "ALTER TABLE console SET ('standard-error' = 'x')")[1] == (
            "  at: <sql>:1:26"
        )
        assert table(env, "console").options == {"connector": "print"}

    def test_a_needed_option_cannot_go(self, env):
        env.execute_sql(
            "CREATE TABLE t (a INT) WITH ('connector' = 'kafka', 'topic' = 'x', 'format' = 'json', "
            "'properties.bootstrap.servers' = 'b:9092')"
        )
        assert refusal(env, "ALTER TABLE t RESET ('topic')")[:2] == [
            "[MISSING_OPTION] connector 'kafka' needs a topic",
            "  at: <sql>:1:1",
        ]
        assert refusal(env, "ALTER TABLE t RESET ('connector')")[0] == (
            "[USER_ERROR] the option 'connector' cannot be reset"
        )

    def test_rename(self, env):
        env.execute_sql("ALTER TABLE console RENAME TO log")
        assert env.list_tables() == ["log", "numbers"]
        assert refusal(env, "ALTER TABLE log RENAME TO numbers") == [
            "[ALREADY_EXISTS] 'numbers' already exists",
            "  at: <sql>:1:27",
        ]

    def test_rename_stays_in_the_database(self, env):
        env.execute_sql("CREATE DATABASE shop")
        env.execute_sql("CREATE TABLE shop.a (x INT) WITH ('connector' = 'print')")
        env.execute_sql("ALTER TABLE shop.a RENAME TO console")
        env.execute_sql("USE shop")
        assert env.list_tables() == ["console"]

    def test_rename_a_temporary_table(self, env):
        env.execute_sql("CREATE TEMPORARY TABLE t (a INT) WITH ('connector' = 'print')")
        env.execute_sql("ALTER TABLE t RENAME TO u")
        assert table(env, "u").temporary


class TestAlterView:
    def test_rename(self, env):
        env.execute_sql("CREATE VIEW v AS SELECT n FROM numbers")
        env.execute_sql("ALTER VIEW v RENAME TO w")
        assert env.list_views() == ["w"]
        assert refusal(env, "ALTER VIEW w RENAME TO numbers")[0] == (
            "[ALREADY_EXISTS] 'numbers' already exists"
        )

    def test_another_query(self, env):
        env.execute_sql("CREATE VIEW v (x) COMMENT 'c' AS SELECT n FROM numbers")
        env.execute_sql("ALTER VIEW v AS SELECT 1 AS a, 2 AS b")
        view = env.catalog.get(parse_statement("DESCRIBE v").name)
        assert (view.query_text, view.columns, view.comment) == ("SELECT 1 AS a, 2 AS b", (), "c")
        assert refusal(env, "ALTER VIEW v AS SELECT nope FROM numbers")[0].startswith(
            "[UNKNOWN_COLUMN]"
        )

    def test_what_cannot_be_altered(self, env):
        env.execute_sql("CREATE TEMPORARY VIEW tv AS SELECT 1 AS a")
        assert refusal(env, "ALTER VIEW numbers RENAME TO x")[0] == (
            "[USER_ERROR] 'numbers' is a table, not a view"
        )
        assert refusal(env, "ALTER VIEW tv AS SELECT 2")[0] == (
            "[TEMPORARY_OBJECT] view 'tv' is temporary and cannot be altered"
        )
        assert refusal(env, "ALTER VIEW nope AS SELECT 2")[0].startswith("[UNKNOWN_TABLE]")
        assert refusal(env, "ALTER TABLE tv ADD a INT")[0].startswith("[NOT_A_TABLE]")


def test_use(env):
    env.execute_sql("USE CATALOG default_catalog")
    env.execute_sql("USE default_database")
    assert refusal(env, "USE shop")[0] == "[UNKNOWN_DATABASE] database 'shop' does not exist"


class TestNamespaces:
    def test_databases(self, env):
        env.execute_sql("CREATE DATABASE shop COMMENT 'c' WITH ('a' = 'b')")
        env.execute_sql("ALTER DATABASE shop SET ('x' = 'y')")
        made = env.catalog.spaces.catalog("default_catalog").databases["shop"]
        assert (made.comment, made.options) == ("c", {"a": "b", "x": "y"})
        env.execute_sql("CREATE TABLE shop.t (a INT) WITH ('connector' = 'print')")
        assert refusal(env, "DROP DATABASE shop")[0] == "[NOT_EMPTY] database 'shop' is not empty"
        env.execute_sql("DROP DATABASE shop CASCADE")
        assert refusal(env, "CREATE TABLE shop.t (a INT) WITH ('connector' = 'print')")[:2] == [
            "[UNKNOWN_DATABASE] database 'shop' does not exist",
            "  at: <sql>:1:14",
        ]

    def test_catalogs(self, env):
        env.execute_sql("CREATE CATALOG c COMMENT 'old' WITH ('type' = 'generic_in_memory')")
        env.execute_sql("ALTER CATALOG c COMMENT 'new'")
        env.execute_sql("ALTER CATALOG c SET ('default-database' = 'd')")
        made = env.catalog.spaces.catalog("c")
        assert made.comment == "new"
        assert made.options == {"type": "generic_in_memory", "default-database": "d"}
        env.execute_sql("ALTER CATALOG c RESET ('default-database')")
        assert made.options == {"type": "generic_in_memory"}
        assert refusal(env, "ALTER CATALOG c RESET ('type')")[0].startswith("[MISSING_OPTION]")
        env.execute_sql("DROP CATALOG c")
        assert refusal(env, "USE CATALOG c")[0] == "[UNKNOWN_CATALOG] catalog 'c' does not exist"

    def test_a_view_means_the_database_it_was_written_in(self, env):
        env.execute_sql("CREATE DATABASE shop")
        env.execute_sql("CREATE VIEW shop.v AS SELECT n FROM numbers")
        env.execute_sql("USE shop")
        plan = env.explain_sql("SELECT * FROM v")
        assert "numbers" in plan
        assert refusal(env, "SELECT * FROM numbers")[0].startswith("[UNKNOWN_TABLE]")
        env.execute_sql("ALTER VIEW v AS SELECT n FROM default_database.numbers")
        assert "numbers" in env.explain_sql("SELECT * FROM v")


def test_what_defines_nothing_is_a_defect(env):
    with pytest.raises(InternalError, match="no way to define Select"):
        define(parse_statement("SELECT 1"), env.catalog, lambda _: None, env.planner())


def test_columns_of_create_table_as_come_from_its_query(env):
    statement = parse_statement(
        "CREATE TABLE t WITH ('connector' = 'print') AS SELECT n AS m FROM numbers"
    )
    assert env.define(statement).message == "OK"
    assert [(c.name, c.type.sql()) for c in table(env).columns] == [("m", "BIGINT")]
    statement = parse_statement(
        "CREATE TABLE u (a INT) WITH ('connector' = 'print') AS SELECT n FROM numbers"
    )
    env.define(statement)
    assert [column.name for column in table(env, "u").columns] == ["a", "n"]


class TestReplace:
    AS = "WITH ('connector' = 'print') AS SELECT n AS m FROM numbers"

    def test_a_table_is_made_anew(self, env):
        env.define(parse_statement(f"CREATE OR REPLACE TABLE console {self.AS}"))
        assert [column.name for column in table(env, "console").columns] == ["m"]
        env.define(parse_statement(f"REPLACE TABLE console (x INT) {self.AS}"))
        assert [column.name for column in table(env, "console").columns] == ["x", "m"]
        env.define(parse_statement(f"CREATE OR REPLACE TABLE t {self.AS}"))
        assert "t" in env.list_tables()

    def test_replace_wants_a_table(self, env):
        env.execute_sql("CREATE VIEW v AS SELECT 1 AS a")
        assert refusal(env, f"REPLACE TABLE consle {self.AS}")[0] == (
            "[UNKNOWN_TABLE] table 'consle' does not exist"
        )
        assert refusal(env, f"CREATE OR REPLACE TABLE v {self.AS}")[0].startswith("[NOT_A_TABLE]")

    def test_without_a_query_the_words_mean_nothing(self, env):
        sql = "CREATE OR REPLACE TABLE t (a INT) WITH ('connector' = 'print')"
        env.execute_sql(sql)
        assert refusal(env, sql)[0].startswith("[ALREADY_EXISTS]")
        env.execute_sql("CREATE OR REPLACE VIEW v AS SELECT 1 AS a")
        assert refusal(env, "CREATE OR REPLACE VIEW v AS SELECT 2")[0].startswith(
            "[ALREADY_EXISTS]"
        )
