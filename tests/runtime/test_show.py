import pytest

from headrace.errors import HeadraceError
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.jobs import Job

USERS = """CREATE TABLE `default_catalog`.`default_database`.`users` (
  `id` BIGINT NOT NULL COMMENT 'the key',
  `name` VARCHAR(2147483647),
  `at` TIMESTAMP(3) WITH LOCAL TIME ZONE METADATA FROM 'timestamp' VIRTUAL,
  `offset` BIGINT METADATA VIRTUAL,
  `up` AS UPPER(`name`),
  `seen` TIMESTAMP(3),
  WATERMARK FOR `seen` AS `seen` - INTERVAL '1' SECOND,
  CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED
)
COMMENT 'it''s theirs'
WITH (
  'connector' = 'upsert-kafka',
  'key.format' = 'json',
  'properties.bootstrap.servers' = 'b:9092',
  'properties.sasl.jaas.config' = '{secret}',
  'topic' = 'users',
  'value.format' = 'json'
)
"""


@pytest.fixture
def shop() -> TableEnvironment:
    env = TableEnvironment()
    env.execute_sql(USERS.format(secret="hunter2"))
    env.execute_sql("CREATE VIEW adults (who) AS SELECT name FROM users")
    return env


def rows(env: TableEnvironment, sql: str) -> list[tuple]:
    return [tuple(row) for row in env.execute_sql(sql).collect()]


@pytest.mark.parametrize(
    ("sql", "column", "expected"),
    [
        ("SHOW TABLES", "table name", ["adults", "users"]),
        ("SHOW TABLES LIKE 'us%'", "table name", ["users"]),
        ("SHOW TABLES LIKE 'user_'", "table name", ["users"]),
        ("SHOW TABLES LIKE 'u.*'", "table name", []),
        ("SHOW VIEWS", "view name", ["adults"]),
        ("SHOW CATALOGS", "catalog name", ["default_catalog"]),
        ("SHOW DATABASES", "database name", ["default_database"]),
        ("SHOW CURRENT CATALOG", "current catalog name", ["default_catalog"]),
        ("SHOW CURRENT DATABASE", "current database name", ["default_database"]),
    ],
)
def test_names(shop, sql, column, expected):
    result = shop.execute_sql(sql)
    assert result.columns == (column,)
    assert [name for (name,) in result.collect()] == expected


def test_functions(shop):
    names = [name for (name,) in rows(shop, "SHOW FUNCTIONS")]
    assert {"upper", "count", "coalesce"} <= set(names)
    assert names == sorted(names)


def test_databases_of_a_catalog(shop):
    shop.execute_sql("CREATE DATABASE other")
    assert rows(shop, "SHOW DATABASES") == [("default_database",), ("other",)]
    shop.execute_sql("CREATE CATALOG c WITH ('type' = 'generic_in_memory')")
    assert rows(shop, "SHOW DATABASES FROM c") == [("default",)]
    assert rows(shop, "SHOW CATALOGS") == [("c",), ("default_catalog",)]


def test_names_of_another_database(shop):
    shop.execute_sql("CREATE DATABASE other")
    shop.execute_sql("CREATE TABLE other.t (a INT) WITH ('connector' = 'print')")
    assert rows(shop, "SHOW TABLES FROM other") == [("t",)]
    with pytest.raises(HeadraceError, match="database 'nope' does not exist"):
        shop.execute_sql("SHOW TABLES FROM nope")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SHOW TABLES NOT LIKE 'us%'", [("adults",)]),
        ("SHOW VIEWS NOT LIKE 'us%'", [("adults",)]),
        ("SHOW FUNCTIONS ILIKE 'ABS'", [("abs",)]),
        ("SHOW FUNCTIONS LIKE 'ABS'", []),
        ("SHOW USER FUNCTIONS", []),
        ("SHOW MODULES", [("core",)]),
        ("SHOW FULL MODULES", [("core", True)]),
        ("SHOW JARS", []),
    ],
)
def test_lists(shop, sql, expected):
    assert rows(shop, sql) == expected


def test_partitions(shop):
    shop.execute_sql("CREATE TABLE p (a INT) PARTITIONED BY (a) WITH ('connector' = 'print')")
    assert shop.execute_sql("SHOW PARTITIONS p").columns == ("partition name",)
    assert rows(shop, "SHOW PARTITIONS p PARTITION (a = 1)") == []
    with pytest.raises(HeadraceError, match="'users' is not partitioned"):
        shop.execute_sql("SHOW PARTITIONS users")


class TestCatalogs:
    @pytest.fixture
    def made(self, shop):
        shop.execute_sql(
            "CREATE CATALOG c COMMENT 'mine' "
            "WITH ('type' = 'generic_in_memory', 'default-database' = 'd')"
        )
        return shop

    def test_describe(self, made):
        plain = [("name", "c"), ("type", "generic_in_memory"), ("comment", "mine")]
        assert rows(made, "DESCRIBE CATALOG c") == plain
        assert rows(made, "DESC CATALOG EXTENDED c") == [*plain, ("option:default-database", "d")]

    def test_show_create(self, made):
        ((text,),) = made.execute_sql("SHOW CREATE CATALOG c").collect()
        assert text.splitlines() == [
            "CREATE CATALOG `c`",
            "COMMENT 'mine'",
            "WITH (",
            "  'default-database' = 'd',",
            "  'type' = 'generic_in_memory'",
            ")",
        ]

    def test_the_first_one_has_nothing_to_tell(self, made):
        with pytest.raises(HeadraceError, match="'default_catalog' is not made by a statement"):
            made.execute_sql("DESCRIBE CATALOG default_catalog")


def test_jobs(shop, query):
    job = Job("nightly", bounded=False, query=query())
    job.started = 0.0
    shop.jobs.append(job)
    result = shop.execute_sql("SHOW JOBS")
    assert result.columns == ("job id", "job name", "status", "start time")
    ((identity, name, status, start),) = result.collect()
    assert (identity, name, status) == ("nightly", "nightly", "RUNNING")
    assert start[:4] in ("1969", "1970")
    assert len(start) == len("1970-01-01 00:00:00")


def test_describe_a_table(shop):
    result = shop.execute_sql("DESCRIBE users")
    assert result.columns == ("name", "type", "null", "key", "extras", "watermark", "comment")
    assert [tuple(row) for row in result.collect()] == [
        ("id", "BIGINT", False, "PRI(id)", None, None, "the key"),
        ("name", "STRING", True, None, None, None, None),
        (
            "at",
            "TIMESTAMP_LTZ(3)",
            True,
            None,
            "METADATA FROM 'timestamp' VIRTUAL",
            None,
            None,
        ),
        ("offset", "BIGINT", True, None, "METADATA VIRTUAL", None, None),
        ("up", "STRING", True, None, "AS UPPER(`name`)", None, None),
        (
            "seen",
            "TIMESTAMP(3) *ROWTIME*",
            True,
            None,
            None,
            "`seen` - INTERVAL '1' SECOND",
            None,
        ),
    ]


def test_without_comments_there_is_no_column_for_them(shop):
    shop.execute_sql("CREATE TABLE p (a INT, now AS PROCTIME()) WITH ('connector' = 'datagen')")
    result = shop.execute_sql("DESCRIBE EXTENDED p")
    assert result.columns == ("name", "type", "null", "key", "extras", "watermark")
    assert [tuple(row) for row in result.collect()] == [
        ("a", "INT", True, None, None, None),
        ("now", "TIMESTAMP_LTZ(3) *PROCTIME*", False, None, "AS PROCTIME()", None),
    ]


def test_describe_a_view(shop):
    assert rows(shop, "DESCRIBE adults") == [("who", "STRING", True, None, None, None)]
    assert rows(shop, "SHOW COLUMNS FROM adults") == rows(shop, "DESCRIBE adults")


def test_columns_like(shop):
    found = rows(shop, "SHOW COLUMNS FROM users LIKE 'n%'")
    assert [name for name, *_ in found] == ["name"]


def test_a_table_can_be_made_again_from_its_text_secrets_apart(shop):
    result = shop.execute_sql("SHOW CREATE TABLE users")
    ((text,),) = result.collect()
    assert text == USERS.format(secret="******")
    assert result.message == text
    again = TableEnvironment()
    again.execute_sql(text)
    ((second,),) = again.execute_sql("SHOW CREATE TABLE users").collect()
    assert second == text


@pytest.mark.parametrize(
    ("sql", "lines"),
    [
        (
            "SHOW CREATE TABLE adults",
            [
                "[USER_ERROR] 'adults' is a view",
                "  at: <sql>:1:19",
                "  cure: SHOW CREATE VIEW adults",
            ],
        ),
        (
            "SHOW CREATE VIEW users",
            [
                "[USER_ERROR] 'users' is a table",
                "  at: <sql>:1:18",
                "  cure: SHOW CREATE TABLE users",
            ],
        ),
        (
            "DESCRIBE usrs",
            [
                "[UNKNOWN_TABLE] table 'usrs' does not exist",
                "  at: <sql>:1:10",
                "  expected: users, adults",
                "  cure: did you mean 'users'?",
            ],
        ),
    ],
)
def test_what_cannot_be_shown(shop, sql, lines):
    with pytest.raises(HeadraceError) as caught:
        shop.execute_sql(sql)
    assert caught.value.render().splitlines() == lines
