import pytest

from headrace.errors import PlanError, UnsupportedSql
from headrace.plan.explain import advise
from headrace.plan.nodes import Materialize


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


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("SELECT CAST(age AS BIGINT), name FROM users", "a query without a key"),
        ("SELECT user_id, item FROM orders", "a query without a key"),
        ("SELECT COUNT(*), name FROM users GROUP BY name", "a query with the key (name)"),
    ],
)
def test_conflicts_must_be_settled_where_that_is_asked_for(env, plan, query, found):
    plan(f"INSERT INTO users_copy {query}")
    env.execute_sql("SET 'table.exec.sink.require-on-conflict' = 'true'")
    with pytest.raises(PlanError) as caught:
        plan(f"INSERT INTO users_copy {query}")
    assert caught.value.condition == "CONFLICT_UNSAID"
    assert str(caught.value.where) == "<sql>:1:13"
    assert (caught.value.found, caught.value.expected) == (found, "a query with the key (user_id)")
    for action in ("NOTHING", "ERROR", "DEDUPLICATE"):
        plan(f"INSERT INTO users_copy {query} ON CONFLICT DO {action}")


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO users_copy SELECT user_id, name FROM users",
        "INSERT INTO users_copy SELECT u.user_id, c.name FROM users u JOIN users_copy c ON u.user_id = c.user_id",
        "INSERT INTO lines SELECT order_id, item FROM orders",
    ],
)
def test_where_no_conflict_can_be_nothing_is_asked_for(env, plan, sql):
    env.execute_sql("SET 'table.exec.sink.require-on-conflict' = 'true'")
    plan(sql)


def test_an_action_needs_the_rows_of_a_key(env, plan):
    env.execute_sql("SET 'table.exec.sink.upsert-materialize' = 'NONE'")
    sql = "INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users"
    assert not any(isinstance(item.node, Materialize) for item in plan(sql).root.walk())
    with pytest.raises(PlanError, match="'NONE' keeps none") as caught:
        plan(f"{sql} ON CONFLICT DO ERROR")
    assert str(caught.value.where) == "<sql>:1:13"


@pytest.mark.parametrize("sink", ["lines", "console"])
def test_conflicts_are_of_sinks_with_a_key(plan, sink):
    with pytest.raises(PlanError, match="written by their primary key"):
        plan(f"INSERT INTO {sink} SELECT order_id, item FROM orders ON CONFLICT DO DEDUPLICATE")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM orders, users",
        "SELECT 1 FROM orders o JOIN users u ON o.user_id > u.user_id",
        "SELECT 1 FROM orders o LEFT JOIN users u ON o.user_id = 1 AND u.user_id = 2",
        "SELECT 1 FROM orders WHERE EXISTS (SELECT 1 FROM users)",
    ],
)
def test_a_join_without_an_equality_runs_with_advice(plan, sql):
    advice = advise(plan(sql))
    assert any(line.startswith("Join has no equality between its sides") for line in advice)
    assert any("all rows of both sides" in line for line in advice)


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


@pytest.fixture
def batch(env):
    env.config.set("execution.runtime-mode", "BATCH")


ENDS = "/*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */"


def test_batch_mode_reads_tables_of_inserts_that_end(plan, batch):
    plan(f"SELECT item FROM orders {ENDS}")
    plan(f"SELECT item, COUNT(*) FROM orders {ENDS} GROUP BY item")
    plan("SELECT * FROM (VALUES (1), (2)) AS t (n)")


@pytest.mark.parametrize(
    ("sql", "said", "found", "cure"),
    [
        (
            "SELECT item FROM orders",
            "table 'orders' has no end",
            "'connector' = 'kafka', without an end",
            "'scan.bounded.mode' = 'latest-offset'",
        ),
        (
            f"SELECT o.item FROM orders {ENDS} AS o JOIN users AS u ON o.user_id = u.user_id",
            "table 'users' has no end",
            "'connector' = 'upsert-kafka', without an end",
            "'scan.bounded.mode' = 'latest-offset'",
        ),
        (
            f"INSERT INTO users_copy SELECT user_id, name FROM users {ENDS}",
            "table 'users' holds updates and deletes",
            "changelog=[I,UA,D]",
            "SET 'execution.runtime-mode' = 'streaming'",
        ),
    ],
)
def test_batch_mode_reads_no_other_tables(plan, batch, sql, said, found, cure):
    with pytest.raises(PlanError, match=said) as caught:
        plan(sql)
    assert caught.value.condition == "UNFIT_FOR_BATCH"
    assert caught.value.found == found
    assert cure in caught.value.cure
