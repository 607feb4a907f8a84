import pytest

from headrace.plan.nodes import Collect, Filter, Join, Union
from headrace.plan.rules.push_conditions import push_conditions


def pushed(query, sql: str) -> tuple[list[str], str | None]:
    """The filters from the root down, and the join's own condition."""
    root = push_conditions(Collect(query(sql)))
    joins = [node for node in root.walk() if isinstance(node, Join)]
    filters = [str(node.condition) for node in root.walk() if isinstance(node, Filter)]
    residual = joins[0].residual if joins else None
    return filters, None if residual is None else str(residual)


def places(query, join: str, on: str, where: str) -> list[str]:
    """Where the filters of `a join b` ended: above, left or right."""
    sql = f"SELECT 1 FROM users AS a {join} users_copy AS b ON a.user_id = b.user_id{on} WHERE {where}"
    root = push_conditions(Collect(query(sql)))
    (node,) = (item for item in root.walk() if isinstance(item, Join))
    above = [item for item in root.walk() if isinstance(item, Filter) and node in item.walk()]
    found = ["above"] * len(above)
    for name, side in (("left", node.left), ("right", node.right)):
        found += [name for item in side.walk() if isinstance(item, Filter)]
    return found


@pytest.mark.parametrize(
    ("join", "left", "right"),
    [
        ("JOIN", ["left"], ["right"]),
        ("LEFT JOIN", ["left"], ["above"]),
        ("RIGHT JOIN", ["above"], ["right"]),
        ("FULL JOIN", ["above"], ["above"]),
    ],
)
def test_where_goes_to_the_side_that_keeps_its_rows(query, join, left, right):
    assert places(query, join, "", "a.age > 1") == left
    assert places(query, join, "", "b.name = 'x'") == right


@pytest.mark.parametrize(
    ("join", "left", "right"),
    [
        ("JOIN", ["left"], ["right"]),
        ("LEFT JOIN", [], ["right"]),
        ("RIGHT JOIN", ["left"], []),
        ("FULL JOIN", [], []),
    ],
)
def test_on_goes_to_the_side_whose_rows_need_a_match(query, join, left, right):
    assert places(query, join, " AND a.age > 1", "TRUE") == left
    assert places(query, join, " AND b.name = 'x'", "TRUE") == right


def test_a_condition_over_both_sides_joins_an_inner_join(query):
    sql = "SELECT 1 FROM users a, users_copy b WHERE a.user_id = b.user_id AND a.name < b.name"
    assert pushed(query, sql) == ([], "AND((user_id = user_id0), (name < name0))")


def test_and_stays_above_an_outer_one(query):
    sql = "SELECT 1 FROM users a LEFT JOIN users_copy b ON a.user_id = b.user_id WHERE a.name < b.name"
    assert pushed(query, sql) == (["(name < name0)"], "(user_id = user_id0)")


def test_conditions_fall_through_several_joins(query):
    sql = (
        "SELECT 1 FROM users AS a, users_copy AS b LEFT JOIN orders AS o ON o.user_id = b.user_id "
        "WHERE a.user_id = b.user_id AND b.name = 'x' AND a.age = 1 AND o.price = 2"
    )
    root = push_conditions(Collect(query(sql)))
    outer, inner = (node for node in root.walk() if isinstance(node, Join))
    assert str(outer.residual) == "(user_id = user_id0)"
    assert [str(n.condition) for n in outer.left.walk() if isinstance(n, Filter)] == ["(age = 1)"]
    assert [str(n.condition) for n in inner.left.walk() if isinstance(n, Filter)] == [
        "(name = 'x')"
    ]
    assert isinstance(outer.right.input, Filter)


@pytest.mark.parametrize("negation", ["", "NOT "])
def test_of_a_semi_or_anti_join_the_left_side_is_filtered(query, negation):
    sql = (
        "SELECT x FROM (SELECT age AS x FROM users AS u WHERE "
        f"{negation}EXISTS (SELECT 1 FROM orders AS o WHERE o.user_id = u.user_id)) WHERE x > 3"
    )
    assert pushed(query, sql)[0] == ["(age > 3)"]


def test_a_left_condition_of_not_exists_stays_with_the_match(query):
    sql = (
        "SELECT 1 FROM users AS u WHERE NOT EXISTS "
        "(SELECT 1 FROM orders AS o WHERE o.user_id = u.user_id AND u.age > 3)"
    )
    assert pushed(query, sql) == ([], "AND((user_id0 = user_id), (age > 3))")


def test_columns_that_are_passed_on_let_conditions_through(query, shape):
    sql = "SELECT * FROM (SELECT name AS n, age + 1 AS m FROM users) WHERE n = 'x' AND m = 1"
    assert pushed(query, sql)[0] == ["(m = 1)", "(name = 'x')"]


def test_two_filters_become_one(query, shape):
    root = push_conditions(
        Collect(query("SELECT * FROM (SELECT * FROM users WHERE age > 1) WHERE age < 9"))
    )
    assert shape(root) == "Collect(Project(Project(Filter(Scan))))"


def test_groups_and_unions_are_not_passed(query, shape):
    grouped = "SELECT n FROM (SELECT name, COUNT(*) AS n FROM users GROUP BY name) WHERE n > 1"
    assert pushed(query, grouped)[0] == ["(agg0 > 1)"]
    union = (
        "SELECT * FROM (SELECT name FROM users UNION ALL SELECT item FROM orders) WHERE name = 'x'"
    )
    root = push_conditions(Collect(query(union)))
    (above,) = (node for node in root.walk() if isinstance(node, Filter))
    assert isinstance(above.input, Union)


def test_pushing_twice_changes_nothing_more(query):
    sql = (
        "SELECT o.item FROM orders AS o LEFT JOIN users AS u ON o.user_id = u.user_id AND u.age > 2 "
        "WHERE o.price > 1 AND u.name IS NULL"
    )
    once = push_conditions(Collect(query(sql)))
    assert push_conditions(once) == once


def test_whole_partitions_are_left_out_before_they_are_numbered(query):
    inner = "SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY age) AS rn FROM users"
    sql = f"SELECT name FROM ({inner}) WHERE country = 'IT' AND age > 3 AND rn < 4"
    root = push_conditions(Collect(query(sql)))
    above, below = (node for node in root.walk() if isinstance(node, Filter))
    assert str(above.condition) == "AND((age > 3), (row_number < 4))"
    assert str(below.condition) == "(country = 'IT')"


def test_a_limit_comes_before_conditions_above_it(query, shape):
    sql = "SELECT * FROM (SELECT name FROM users ORDER BY age LIMIT 3) WHERE name = 'x'"
    root = push_conditions(Collect(query(sql)))
    assert shape(root) == "Collect(Project(Project(Filter(Rank(Project(Scan))))))"


def test_a_mark_join_filters_its_left_side_early(query):
    """The mark itself is known above only, and a condition of its own must not drop rows of the left."""
    filters, residual = pushed(
        query,
        "SELECT 1 FROM users AS a WHERE a.age > 1 AND "
        "(a.name = 'x' OR EXISTS (SELECT 1 FROM users_copy AS b WHERE b.name = 'y' AND a.country = 'z'))",
    )
    assert filters == ["OR((name = 'x'), matched)", "(age > 1)", "(name = 'y')"]
    assert residual == "(country = 'z')"
