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
    ("query", "found"),
    [
        ("SELECT MAX(user_id), country FROM users GROUP BY country", "query key (name)"),
        ("SELECT CAST(age AS BIGINT), name FROM users", "a query without a key"),
    ],
)
def test_another_key_than_the_sinks_is_refused(plan, query, found):
    with pytest.raises(UnsupportedSql) as caught:
        plan(f"INSERT INTO users_copy {query}")
    assert caught.value.condition == "UNSUPPORTED_SINK_KEY"
    assert caught.value.found == found
    assert caught.value.expected == "primary key (user_id)"
