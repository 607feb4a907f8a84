"""IN, ANY and ALL: what they compare, and when they are unknown."""

import pytest

from headrace.plan.expressions import Case
from headrace.plan.memberships import OPPOSITES, is_membership, membership_of
from headrace.plan.nodes import Aggregate, Join, JoinKind
from headrace.sql.dialect import parse_expression


def joins(node) -> list[Join]:
    return [item for item in node.walk() if isinstance(item, Join)]


def value(query, expression: str):
    """The bound form of a select item over `orders AS o`, and the joins that serve it."""
    node = query(f"SELECT {expression} AS x FROM orders AS o")
    return node.outputs[0][1], joins(node)


@pytest.mark.parametrize(
    ("sql", "operator", "negated"),
    [
        ("a IN (SELECT b FROM t)", "=", False),
        ("a = ANY (SELECT b FROM t)", "=", False),
        ("a = SOME (SELECT b FROM t)", "=", False),
        ("a <> ANY (SELECT b FROM t)", "<>", False),
        ("a >= ANY (SELECT b FROM t)", ">=", False),
        ("a <> ALL (SELECT b FROM t)", "=", True),
        ("a = ALL (SELECT b FROM t)", "<>", True),
        ("a > ALL (SELECT b FROM t)", "<=", True),
    ],
)
def test_all_is_the_opposite_of_any(sql, operator, negated):
    test = parse_expression(sql)
    assert is_membership(test)
    found = membership_of(test)
    assert (found.operator, found.negated) == (operator, negated)
    assert [item.sql() for item in found.items] == ["a"]
    assert found.body.sql() == "SELECT b FROM t"


@pytest.mark.parametrize("sql", ["a IN (1, 2)", "a = (SELECT b FROM t)", "a > b"])
def test_other_conditions(sql):
    assert not is_membership(parse_expression(sql))


def test_opposites_of_opposites():
    assert {OPPOSITES[OPPOSITES[operator]] for operator in OPPOSITES} == set(OPPOSITES)


class TestByExtreme:
    @pytest.mark.parametrize(
        ("test", "call", "condition"),
        [
            ("o.price > ANY", "MIN", "(price > extreme)"),
            ("o.price <= ANY", "MAX", "(price <= extreme)"),
            ("o.price > ALL", "MAX", "(price <= extreme)"),
            ("o.price <= ALL", "MIN", "(price > extreme)"),
        ],
    )
    def test_the_least_or_the_greatest_decides(self, query, test, call, condition):
        bound, (join,) = value(query, f"{test} (SELECT price FROM orders)")
        assert join.kind is JoinKind.LEFT
        facts = next(item for item in join.right.walk() if isinstance(item, Aggregate))
        assert str(dict(facts.calls)["extreme"]) == f"{call}(value)"
        assert condition in str(bound)

    def test_a_null_on_either_side_makes_it_unknown(self, query):
        bound, _ = value(query, "o.price > ANY (SELECT price FROM orders)")
        assert isinstance(bound, Case)
        assert [str(test) for test, _ in bound.branches] == [
            "(price > extreme)",
            "has_null",
            "AND(found, IS NULL(price))",
        ]
        assert [str(result) for _, result in bound.branches] == ["TRUE", "NULL", "NULL"]

    def test_it_is_taken_per_compared_value(self, query):
        _, (join,) = value(
            query, "o.price > ANY (SELECT u.age FROM users AS u WHERE u.name = o.item)"
        )
        assert str(join.residual) == "(item = key)"


class TestByMark:
    def test_other_comparisons_look_at_the_rows(self, query):
        bound, (facts, mark) = value(query, "o.item <> ANY (SELECT name FROM users)")
        assert (facts.kind, mark.kind) == (JoinKind.LEFT, JoinKind.MARK)
        assert str(mark.residual) == "(item <> name)"
        assert str(bound.branches[0][0]) == "matched"

    def test_an_order_too_where_more_than_equality_is_asked(self, query):
        bound, found = value(
            query, "o.price > ANY (SELECT u.age FROM users AS u WHERE u.age < o.user_id)"
        )
        assert {join.kind for join in found} == {JoinKind.MARK}
        assert [str(test) for test, _ in bound.branches] == ["matched", "matched0"]

    def test_where_it_only_decides_unknown_is_false(self, query):
        node = query("SELECT 1 FROM orders WHERE item <> ANY (SELECT name FROM users) OR price > 1")
        assert len(joins(node)) == 1

    def test_the_opposite_must_know(self, query):
        node = query("SELECT 1 FROM orders WHERE item = ALL (SELECT name FROM users) OR price > 1")
        assert len(joins(node)) == 2


@pytest.mark.parametrize("written", ["(a, b)", "ROW(a, b)", "row(a, b)"])
def test_rows_are_compared_column_by_column(written):
    found = membership_of(parse_expression(f"{written} IN (SELECT c, d FROM t)"))
    assert [item.sql() for item in found.items] == ["a", "b"]
