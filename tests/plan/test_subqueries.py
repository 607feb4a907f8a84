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
    ("table", "inner", "unknown"),
    [
        ("orders", "users", "WHEN AND(found, IS NULL(user_id)) THEN NULL"),
        ("users", "orders", "WHEN has_null THEN NULL"),
        (
            "orders",
            "orders",
            "WHEN has_null THEN NULL WHEN AND(found, IS NULL(user_id)) THEN NULL",
        ),
    ],
)
def test_not_in_where_a_null_can_be(query, table, inner, unknown):
    node = query(f"SELECT 1 FROM {table} WHERE user_id NOT IN (SELECT user_id FROM {inner})")
    assert [join.kind for join in joins(node)] == [JoinKind.LEFT, JoinKind.MARK]
    (condition,) = (str(item.condition) for item in node.walk() if isinstance(item, Filter))
    assert condition == f"NOT(CASE WHEN matched THEN TRUE {unknown} ELSE FALSE END)"


def test_where_only_true_counts_one_mark_is_enough(query):
    node = query(
        "SELECT 1 FROM orders WHERE item = 'x' OR (user_id IN (SELECT user_id FROM users) AND price > 1)"
    )
    (join,) = joins(node)
    assert join.kind is JoinKind.MARK


def test_under_a_not_unknown_must_be_told_from_false(query):
    node = query(
        "SELECT 1 FROM orders WHERE NOT (item = 'x' OR user_id IN (SELECT user_id FROM users))"
    )
    assert [join.kind for join in joins(node)] == [JoinKind.LEFT, JoinKind.MARK]


@pytest.mark.parametrize(
    ("word", "shape_of_it"), [("", "Project(Scan)"), ("NOT ", "Project(Filter(Scan))")]
)
def test_a_total_always_exists(query, shape, word, shape_of_it):
    node = query(f"SELECT name FROM users WHERE {word}EXISTS (SELECT COUNT(*) FROM orders)")
    assert shape(node) == shape_of_it


class TestClauses:
    """Where a subquery may be a value."""

    def test_select_and_order(self, query, shape):
        node = query(
            "SELECT name, age + (SELECT MAX(price) FROM orders) FROM users "
            "ORDER BY (SELECT MIN(price) FROM orders) LIMIT 1"
        )
        assert [join.kind for join in joins(node)] == [JoinKind.LEFT] * 2

    def test_case(self, query):
        node = query(
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM users AS u WHERE u.user_id = o.user_id) THEN 1 END FROM orders o"
        )
        assert [join.kind for join in joins(node)] == [JoinKind.MARK]

    def test_having_sees_groups(self, query):
        node = query(
            "SELECT country FROM users AS u GROUP BY country "
            "HAVING COUNT(*) > (SELECT COUNT(*) FROM orders AS o WHERE o.item = u.country)"
        )
        (join,) = joins(node)
        assert str(join.residual) == "(country = key)"

    def test_a_group_is_what_a_subquery_sees(self, query):
        lines = refusal(
            query,
            "SELECT country, (SELECT MAX(price) FROM orders AS o WHERE o.item = u.name) FROM users AS u "
            "GROUP BY country",
        )
        assert lines[0].startswith(
            "[NOT_GROUPED] column 'u.name' is neither grouped nor aggregated"
        )

    def test_inside_a_call_it_is_worked_out_below_the_groups(self, query, shape):
        node = query("SELECT SUM(age * (SELECT MAX(price) FROM orders)) FROM users")
        assert shape(node).startswith("Project(Aggregate(Project(Join(Scan, ")
        assert len(joins(node)) == 1

    def test_an_operand_may_be_one(self, query):
        node = query(
            "SELECT 1 FROM orders WHERE (SELECT MAX(name) FROM users) IN (SELECT name FROM users_copy)"
        )
        assert [join.kind for join in joins(node)] == [JoinKind.MARK, JoinKind.LEFT]

    def test_what_any_and_all_keep(self, query):
        """Equality is a join of its own; an order needs no more than the least or the greatest."""
        kinds = {
            "user_id = ANY (SELECT user_id FROM users)": [JoinKind.SEMI],
            "user_id <> ALL (SELECT user_id FROM users)": [JoinKind.LEFT, JoinKind.MARK],
            "price > ALL (SELECT age FROM users)": [JoinKind.LEFT],
            "price < SOME (SELECT age FROM users)": [JoinKind.LEFT],
            "NOT user_id = ANY (SELECT user_id FROM users)": [JoinKind.LEFT, JoinKind.MARK],
        }
        for condition, expected in kinds.items():
            node = query(f"SELECT item FROM orders WHERE {condition}")
            assert [join.kind for join in joins(node)] == expected, condition

    def test_all_of_what_is_never_null(self, query):
        node = query("SELECT 1 FROM users WHERE user_id <> ALL (SELECT user_id FROM users_copy)")
        assert [join.kind for join in joins(node)] == [JoinKind.ANTI]


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
            "(item, price) > ANY (SELECT name, age FROM users)",
            "[COLUMN_COUNT] ANY compares 2 with 2 columns",
        ),
        (
            "price > ALL (SELECT event_time FROM orders)",
            "[TYPE_MISMATCH] <= cannot compare these types",
        ),
        (
            "item = 'x' OR item IN (SELECT name, age FROM users)",
            "[COLUMN_COUNT] IN compares 1 with 2 columns",
        ),
        (
            "price > (SELECT age, name FROM users)",
            "[COLUMN_COUNT] a subquery used as a value gives one column, not 2",
        ),
    ],
)
def test_refusals(query, condition, error):
    lines = refusal(query, f"SELECT item FROM orders WHERE {condition}")
    assert lines[0] == error
    assert lines[1].startswith("  at: <sql>:1:")
