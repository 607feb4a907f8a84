import pytest

from headrace.errors import HeadraceError
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.jobs import Job

USERS = """CREATE TABLE `default_catalog`.`default_database`.`users` (
  `id` BIGINT NOT NULL COMMENT 'the key',
  `name` STRING,
  `at` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
  `offset` BIGINT METADATA VIRTUAL,
  `up` AS UPPER(name),
  `seen` TIMESTAMP(3),
  WATERMARK FOR `seen` AS seen - INTERVAL '1' SECOND,
  PRIMARY KEY (`id`) NOT ENFORCED
) COMMENT 'it''s theirs' WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'users',
  'properties.bootstrap.servers' = 'b:9092',
  'properties.sasl.jaas.config' = '{secret}',
  'key.format' = 'json',
  'value.format' = 'json'
)"""


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
    assert {"UPPER", "COUNT", "COALESCE"} <= set(names)
    assert names == sorted(names)


def test_a_database_is_shown_when_it_holds_something(shop):
    shop.execute_sql("CREATE TABLE other.t (a INT) WITH ('connector' = 'print')")
    assert rows(shop, "SHOW DATABASES") == [("default_database",), ("other",)]


def test_names_of_another_database(shop):
    shop.execute_sql("CREATE TABLE other.t (a INT) WITH ('connector' = 'print')")
    assert rows(shop, "SHOW TABLES FROM other") == [("t",)]
    with pytest.raises(HeadraceError, match="database 'nope' does not exist"):
        shop.execute_sql("SHOW TABLES FROM nope")


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
    assert result.columns == ("name", "type", "null", "key", "extras", "watermark")
    assert [tuple(row) for row in result.collect()] == [
        ("id", "BIGINT", "FALSE", "PRI(id)", None, None),
        ("name", "STRING", "TRUE", None, None, None),
        (
            "at",
            "TIMESTAMP_LTZ(3)",
            "TRUE",
            None,
            "METADATA FROM 'timestamp' VIRTUAL",
            None,
        ),
        ("offset", "BIGINT", "TRUE", None, "METADATA VIRTUAL", None),
        ("up", "STRING", "TRUE", None, "AS UPPER(name)", None),
        ("seen", "TIMESTAMP(3)", "TRUE", None, None, "seen - INTERVAL '1' SECOND"),
    ]


def test_describe_a_view(shop):
    assert rows(shop, "DESCRIBE adults") == [("who", "STRING", "TRUE", None, None, None)]


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


def test_names_and_values_are_quoted():
    env = TableEnvironment()
    env.execute_sql(
        "CREATE TEMPORARY TABLE `a.b``c` (`x y` INT) PARTITIONED BY (`x y`) "
        "WITH ('connector' = 'print', 'print-identifier' = 'it''s')"
    )
    ((text,),) = env.execute_sql("SHOW CREATE TABLE `a.b``c`").collect()
    assert text == (
        "CREATE TEMPORARY TABLE `default_catalog`.`default_database`.`a.b``c` (\n"
        "  `x y` INT\n"
        ") PARTITIONED BY (`x y`) WITH (\n"
        "  'connector' = 'print',\n"
        "  'print-identifier' = 'it''s'\n"
        ")"
    )


def test_a_view_can_be_made_again_from_its_text(shop):
    ((text,),) = shop.execute_sql("SHOW CREATE VIEW adults").collect()
    assert text == (
        "CREATE VIEW `default_catalog`.`default_database`.`adults` (`who`) AS SELECT name FROM users"
    )


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
