import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Filter, Join, JoinKind


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


def joins(node) -> list[Join]:
    return [item for item in node.walk() if isinstance(item, Join)]


@pytest.mark.parametrize(
    ("condition", "kind", "residual"),
    [
        ("user_id IN (SELECT user_id FROM users)", JoinKind.SEMI, "(user_id = user_id0)"),
        ("(user_id IN (SELECT user_id FROM users))", JoinKind.SEMI, "(user_id = user_id0)"),
        (
            "(user_id, item) IN (SELECT user_id, name FROM users)",
            JoinKind.SEMI,
            "AND((user_id = user_id0), (item = name))",
        ),
        (
            "EXISTS (SELECT 1 FROM users AS u WHERE u.user_id = orders.user_id)",
            JoinKind.SEMI,
            "(user_id0 = user_id)",
        ),
        (
            "NOT EXISTS (SELECT * FROM users WHERE age = price AND name = item)",
            JoinKind.ANTI,
            "AND((CAST(age AS DECIMAL(12, 2)) = CAST(price AS DECIMAL(12, 2))), (name = item))",
        ),
        (
            "user_id IN (SELECT MAX(user_id) FROM users GROUP BY name)",
            JoinKind.SEMI,
            "(user_id = EXPR$0)",
        ),
        (
            "item IN (SELECT name FROM users UNION ALL SELECT name FROM users_copy)",
            JoinKind.SEMI,
            "(item = name)",
        ),
    ],
)
def test_subqueries_become_joins(query, condition, kind, residual):
    (join,) = joins(query(f"SELECT item FROM orders WHERE {condition}"))
    assert (join.kind, str(join.residual)) == (kind, residual)


def test_not_in_where_no_null_can_be(query):
    (join,) = joins(
        query("SELECT name FROM users WHERE user_id NOT IN (SELECT user_id FROM users_copy)")
    )
    assert join.kind is JoinKind.ANTI


@pytest.mark.parametrize(
    ("table", "inner"),
    [("orders", "users"), ("users", "orders"), ("orders", "orders")],
)
def test_not_in_where_a_null_can_be(query, table, inner):
    lines = refusal(
        query, f"SELECT 1 FROM {table} WHERE user_id NOT IN (SELECT user_id FROM {inner})"
    )
    assert lines[0].startswith("[UNSUPPORTED_SQL] NOT IN (SELECT …) of columns that may be NULL")
    assert lines[1].startswith("  at: <sql>:1:")
    assert "NOT EXISTS" in lines[-1]


def test_plain_conditions_filter_below_the_join(query, shape):
    node = query(
        "SELECT name FROM users WHERE age > 1 AND user_id IN (SELECT user_id FROM orders) AND age < 9"
    )
    (join,) = joins(node)
    assert isinstance(join.left, Filter)
    assert str(join.left.condition) == "AND((age > 1), (age < 9))"


def test_conditions_of_the_subquery_alone_stay_in_it(query):
    (join,) = joins(
        query(
            "SELECT item FROM orders AS o WHERE EXISTS "
            "(SELECT 1 FROM users AS u WHERE u.age > 3 AND u.user_id = o.user_id)"
        )
    )
    assert isinstance(join.right, Filter)
    assert str(join.right.condition) == "(age > 3)"


def test_inner_names_come_first(query):
    (join,) = joins(
        query("SELECT 1 FROM orders WHERE item IN (SELECT name FROM users WHERE user_id = 1)")
    )
    assert str(join.residual) == "(item = name)"
    assert isinstance(join.right, Filter)


def test_one_in_another(query):
    node = query(
        "SELECT 1 FROM orders WHERE user_id IN (SELECT user_id FROM users WHERE "
        "NOT EXISTS (SELECT 1 FROM users_copy AS c WHERE c.user_id = users.user_id))"
    )
    assert [join.kind for join in joins(node)] == [JoinKind.SEMI, JoinKind.ANTI]


def test_several(query):
    node = query(
        "SELECT 1 FROM orders WHERE user_id IN (SELECT user_id FROM users) "
        "AND item IN (SELECT name FROM users)"
    )
    assert len(joins(node)) == 2
    assert node.names == ("EXPR$0",)


@pytest.mark.parametrize(
    ("condition", "error"),
    [
        (
            "user_id IN (SELECT user_id, name FROM users)",
            "[COLUMN_COUNT] IN compares 1 with 2 columns",
        ),
        ("event_time IN (SELECT age FROM users)", "[TYPE_MISMATCH] = cannot compare these types"),
        (
            "EXISTS (SELECT 1 FROM users WHERE nobody = item)",
            "[UNKNOWN_COLUMN] column 'nobody' does not exist",
        ),
        (
            "EXISTS (SELECT name FROM users GROUP BY name HAVING name = item)",
            "[UNKNOWN_COLUMN] column 'item' does not exist",
        ),
        (
            "item = 'x' OR item IN (SELECT name FROM users)",
            "[UNSUPPORTED_SQL] IN (subquery) is not supported here",
        ),
        (
            "price > (SELECT 1)",
            "[UNSUPPORTED_SQL] a subquery cannot be used as a value here",
        ),
    ],
)
def test_refusals(query, condition, error):
    lines = refusal(query, f"SELECT item FROM orders WHERE {condition}")
    assert lines[0] == error
    assert lines[1].startswith("  at: <sql>:1:")
