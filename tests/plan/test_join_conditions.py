"""Subqueries in ON: above an inner join, beside one side of an outer one."""

import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Filter, Join, JoinKind

FROM = "SELECT o.item, u.name FROM orders AS o {} JOIN users AS u ON o.user_id = u.user_id AND {}"


def joins(node) -> list[Join]:
    return [item for item in node.walk() if isinstance(item, Join)]


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


class TestInner:
    def test_rows_are_kept_after_the_join(self, query):
        node = query(FROM.format("", "u.name IN (SELECT name FROM users_copy)"))
        semi, inner = joins(node)
        assert (semi.kind, str(semi.residual)) == (JoinKind.SEMI, "(name = name0)")
        assert (inner.kind, str(inner.residual)) == (JoinKind.INNER, "(user_id = user_id0)")

    def test_it_may_name_columns_of_both_sides(self, query):
        test = "EXISTS (SELECT 1 FROM users AS c WHERE c.name = o.item AND c.age = u.age)"
        semi, _ = joins(query(FROM.format("", test)))
        assert str(semi.residual) == "AND((name0 = item), (age0 = age))"

    def test_a_value_is_compared(self, query):
        node = query(FROM.format("", "o.price > (SELECT MAX(age) FROM users)"))
        value, inner = joins(node)
        assert (value.kind, inner.kind) == (JoinKind.LEFT, JoinKind.INNER)
        assert any(isinstance(item, Filter) for item in node.walk())

    def test_the_columns_are_those_of_the_tables(self, query):
        sql = "SELECT * FROM users AS u JOIN users_copy AS c ON u.age IN (SELECT price FROM orders)"
        assert query(sql).names == (
            *("user_id", "name", "country", "age"),
            *("user_id0", "name0"),
        )


class TestOuter:
    def test_a_test_of_the_left_side_is_a_mark_on_it(self, query):
        test = "EXISTS (SELECT 1 FROM users AS c WHERE c.name = o.item)"
        outer, mark = joins(query(FROM.format("LEFT", test)))
        assert (outer.kind, mark.kind) == (JoinKind.LEFT, JoinKind.MARK)
        assert outer.left is mark
        assert str(outer.residual) == "AND((user_id = user_id0), matched)"

    def test_a_value_of_the_right_side_lies_beside_it(self, query):
        value = "u.age = (SELECT MAX(c.age) FROM users AS c WHERE c.country = u.country)"
        outer, inside = joins(query(FROM.format("FULL", value)))
        assert outer.kind is JoinKind.FULL
        assert inside in list(outer.right.walk())
        assert "age" in str(outer.residual)

    def test_both_sides_may_have_their_own(self, query):
        tests = (
            "o.item IN (SELECT name FROM users_copy) AND u.name IN (SELECT name FROM users_copy)"
        )
        node = query(FROM.format("RIGHT", tests))
        outer = joins(node)[0]
        assert len(joins(outer.left)) == len(joins(outer.right)) == 2
        assert len(set(outer.names)) == len(outer.names)

    def test_what_names_nothing_stands_anywhere(self, query):
        outer, _ = joins(query(FROM.format("LEFT", "u.age > (SELECT MAX(price) FROM orders)")))
        assert outer.kind is JoinKind.LEFT

    def test_one_in_another(self, query):
        test = "(SELECT MAX(name) FROM users_copy) IN (SELECT item FROM orders AS p WHERE p.price = u.age)"
        outer = joins(query(FROM.format("LEFT", test)))[0]
        assert not joins(outer.left)
        assert joins(outer.right)


@pytest.mark.parametrize(
    ("test", "error"),
    [
        (
            "EXISTS (SELECT 1 FROM users AS c WHERE c.name = o.item AND c.age = u.age)",
            "[UNSUPPORTED_SQL] a subquery in ON of an outer join that names columns of both sides is not supported",
        ),
        (
            "EXISTS (SELECT 1 FROM users AS c WHERE c.name = o.nobody)",
            "[UNKNOWN_COLUMN] column 'nobody' does not exist in 'o'",
        ),
        (
            "EXISTS (SELECT 1 FROM orders AS p WHERE p.price = age) AND user_id IN (SELECT age FROM users)",
            "[AMBIGUOUS_COLUMN] column 'user_id' is ambiguous",
        ),
    ],
)
def test_refusals(query, test, error):
    lines = refusal(query, FROM.format("LEFT", test))
    assert lines[0] == error
    assert lines[1].startswith("  at: <sql>:1:")
