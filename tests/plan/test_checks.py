import pytest

from headrace.errors import PlanError, UnsupportedSql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT item FROM orders",
        "SELECT country, COUNT(*) FROM users GROUP BY country",
        "INSERT INTO lines SELECT order_id, item FROM orders",
        "INSERT INTO lines SELECT DISTINCT order_id, item FROM orders",
        "INSERT INTO console SELECT user_id, name FROM users",
        "INSERT INTO users_copy SELECT user_id, name FROM users",
        "INSERT INTO users_copy SELECT user_id, item FROM orders",
        "INSERT INTO totals SELECT country, COUNT(*) FROM users GROUP BY country",
        "INSERT INTO totals SELECT CAST(COUNT(*) AS STRING), MAX(user_id) FROM users",
    ],
)
def test_what_may_run(plan, sql):
    plan(sql)


@pytest.mark.parametrize(
    ("sql", "words", "found"),
    [
        (
            "INSERT INTO lines SELECT user_id, MAX(item) FROM orders GROUP BY user_id",
            "update",
            "[I,UB,UA] produced by Aggregate(groupBy=[user_id], MAX(item) AS agg0)",
        ),
        (
            "INSERT INTO lines SELECT user_id, name FROM users WHERE age > 3",
            "update and delete",
            "[I,UB,UA,D] produced by Scan(default_catalog.default_database.users, "
            "columns=[user_id, name, age])",
        ),
        (
            "INSERT INTO lines SELECT order_id, item FROM orders UNION ALL SELECT user_id, name FROM users",
            "update and delete",
            "[I,UB,UA,D] produced by Scan(default_catalog.default_database.users, "
            "columns=[user_id, name])",
        ),
    ],
)
def test_updates_into_a_sink_of_inserts_name_their_origin(plan, sql, words, found):
    with pytest.raises(PlanError) as caught:
        plan(sql)
    assert caught.value.render().splitlines() == [
        "[CHANGELOG_MISMATCH] sink table 'lines' takes inserts only, "
        f"but the query also produces {words} changes",
        "  at: <sql>:1:13",
        f"  found: changelog={found}",
        "  expected: changelog=[I]",
        "  cure: write to an 'upsert-kafka' table with a PRIMARY KEY",
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO users_copy SELECT user_id, name FROM users ON CONFLICT DO ERROR",
        "INSERT INTO users_copy SELECT user_id, name FROM users ON CONFLICT DO NOTHING",
        "INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users ON CONFLICT DO DEDUPLICATE",
        "INSERT INTO users_copy SELECT user_id, item FROM orders ON CONFLICT DO DEDUPLICATE",
        "INSERT INTO totals SELECT country, COUNT(*) FROM users GROUP BY country ON CONFLICT DO ERROR",
    ],
)
def test_conflicts_that_cannot_be_or_are_settled(plan, sql):
    plan(sql)


@pytest.mark.parametrize("action", ["NOTHING", "ERROR"])
@pytest.mark.parametrize(
    "query", ["SELECT CAST(age AS BIGINT), name FROM users", "SELECT user_id, item FROM orders"]
)
def test_conflicts_that_can_be(plan, query, action):
    with pytest.raises(UnsupportedSql) as caught:
        plan(f"INSERT INTO users_copy {query} ON CONFLICT DO {action}")
    lines = caught.value.render().splitlines()
    assert lines[0].startswith(f"[UNSUPPORTED_SQL] ON CONFLICT DO {action} is supported where")
    assert lines[1] == "  at: <sql>:1:13"
    assert caught.value.expected == "a query with the key (user_id)"


@pytest.mark.parametrize("sink", ["lines", "console"])
def test_conflicts_are_of_sinks_with_a_key(plan, sink):
    with pytest.raises(PlanError, match="written by their primary key"):
        plan(f"INSERT INTO {sink} SELECT order_id, item FROM orders ON CONFLICT DO DEDUPLICATE")


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        ("SELECT 1 FROM orders, users", "1:21"),
        ("SELECT 1 FROM orders o JOIN users u ON o.user_id > u.user_id", "1:24"),
        ("SELECT 1 FROM orders o LEFT JOIN users u ON o.user_id = 1 AND u.user_id = 2", "1:24"),
        ("SELECT 1 FROM orders WHERE EXISTS (SELECT 1 FROM users)", "1:28"),
    ],
)
def test_a_join_needs_an_equality(plan, sql, place):
    with pytest.raises(UnsupportedSql, match="at least one equality") as caught:
        plan(sql)
    assert str(caught.value.where) == f"<sql>:{place}"


def test_an_interval_join_is_named(plan):
    sql = (
        "SELECT 1 FROM orders a JOIN orders b ON a.order_id = b.order_id "
        "AND a.event_time {} b.event_time + INTERVAL '1' HOUR"
    )
    with pytest.raises(UnsupportedSql, match="interval join"):
        plan(sql.format("<"))
    plan(
        "SELECT 1 FROM orders a JOIN orders b ON a.order_id = b.order_id "
        "AND CAST(a.event_time AS TIMESTAMP(6)) < CAST(b.event_time AS TIMESTAMP(6))"
    )


def test_a_row_number_needs_a_last_one(plan):
    inner = "SELECT item, ROW_NUMBER() OVER (ORDER BY price) AS rn FROM orders"
    plan(f"SELECT * FROM ({inner}) WHERE rn < 3")
    with pytest.raises(UnsupportedSql, match="last number") as caught:
        plan(f"SELECT * FROM ({inner}) WHERE rn > 3")
    assert str(caught.value.where) == "<sql>:1:29"
