import pytest

from headrace.errors import HeadraceError
from headrace.plan.expressions import Case
from headrace.plan.nodes import Aggregate, Join, JoinKind, Project


def joins(node) -> list[Join]:
    return [item for item in node.walk() if isinstance(item, Join)]


def value(query, expression: str):
    """The bound form of a select item over `orders AS o`, and the joins that serve it."""
    node = query(f"SELECT {expression} AS x FROM orders AS o")
    assert isinstance(node, Project)
    ((_, bound),) = node.outputs
    return bound, joins(node)


class TestScalars:
    def test_a_total_beside_every_row(self, query):
        bound, (join,) = value(query, "(SELECT MAX(age) FROM users)")
        assert (join.kind, join.residual) == (JoinKind.LEFT, None)
        assert str(bound) == "EXPR$0"
        assert bound.type.nullable

    def test_a_count_is_never_null(self, query):
        bound, (join,) = value(
            query, "(SELECT COUNT(*) FROM users AS u WHERE u.user_id = o.user_id)"
        )
        assert join.kind is JoinKind.LEFT
        assert str(bound) == "CASE WHEN IS NULL(found) THEN 0 ELSE EXPR$0 END"
        assert not bound.type.nullable

    def test_a_cell_of_a_row_by_its_key(self, query):
        bound, (join,) = value(query, "(SELECT name FROM users AS u WHERE u.user_id = o.user_id)")
        assert str(join.residual) == "(user_id0 = user_id)"
        assert (str(bound), bound.type.nullable) == ("name", True)

    def test_it_is_part_of_an_expression(self, query):
        bound, _ = value(query, "price + (SELECT MAX(age) FROM users)")
        assert str(bound) == "(price + EXPR$0)"

    def test_the_same_one_is_planned_once(self, query):
        maximum = "(SELECT MAX(age) FROM users)"
        _, found = value(query, f"{maximum} + {maximum}")
        assert len(found) == 1

    def test_what_may_give_several_rows_is_checked_while_it_runs(self, query):
        bound, (join,) = value(query, "(SELECT name FROM users AS u WHERE u.country = o.item)")
        checked = join.right
        assert isinstance(checked, Aggregate)
        assert checked.label() == (
            "Aggregate(groupBy=[key], SINGLE_VALUE(value RESPECT NULLS) AS single)"
        )
        assert str(join.residual) == "(item = key)"
        assert (str(bound), bound.type.nullable) == ("single", True)

    def test_by_more_than_equality_it_is_checked_for_every_value_outside(self, query):
        _, (join, _) = value(query, "(SELECT name FROM users AS u WHERE u.age < o.price)")
        assert str(join.residual) == "(price IS NOT DISTINCT FROM key)"
        assert "SINGLE_VALUE" in join.right.label()

    @pytest.mark.parametrize(
        ("subquery", "error"),
        [
            ("SELECT name, age FROM users", "[COLUMN_COUNT] a subquery used as a value gives one"),
        ],
    )
    def test_refusals(self, query, subquery, error):
        with pytest.raises(HeadraceError) as caught:
            query(f"SELECT ({subquery}) FROM orders")
        lines = caught.value.render().splitlines()
        assert lines[0].startswith(error)
        assert lines[1] == "  at: <sql>:1:8"


class TestMarks:
    def test_whether_rows_exist(self, query):
        bound, (join,) = value(query, "EXISTS (SELECT 1 FROM users AS u WHERE u.age > o.price)")
        assert (join.kind, join.mark) == (JoinKind.MARK, "matched")
        assert (str(bound), bound.type.nullable) == ("matched", False)
        assert join.names[-1] == "matched"

    def test_a_total_always_exists(self, query):
        bound, found = value(query, "EXISTS (SELECT MAX(age) FROM users)")
        assert (str(bound), found) == ("TRUE", [])

    def test_membership_where_nothing_can_be_null(self, query):
        node = query("SELECT user_id IN (SELECT user_id FROM users_copy) AS x FROM users")
        ((_, bound),) = node.outputs
        (join,) = joins(node)
        assert (join.kind, str(bound)) == (JoinKind.MARK, "matched")


class TestUnknown:
    def test_a_null_operand_is_unknown_unless_there_are_no_rows(self, query):
        bound, (counts, mark) = value(query, "o.user_id IN (SELECT user_id FROM users)")
        assert (counts.kind, mark.kind) == (JoinKind.LEFT, JoinKind.MARK)
        assert isinstance(bound, Case)
        assert [str(test) for test, _ in bound.branches] == [
            "matched",
            "AND(found, IS NULL(user_id))",
        ]

    def test_a_null_among_the_values_too(self, query):
        node = query("SELECT user_id IN (SELECT user_id FROM orders) AS x FROM users")
        ((_, bound),) = node.outputs
        assert [str(test) for test, _ in bound.branches] == ["matched", "has_null"]
        assert [str(result) for _, result in bound.branches] == ["TRUE", "NULL"]
        assert str(bound.otherwise) == "FALSE"

    def test_counts_are_taken_per_compared_value(self, query):
        _, (counts, _) = value(
            query, "o.user_id IN (SELECT u.user_id FROM users AS u WHERE u.name = o.item)"
        )
        aggregate = next(item for item in counts.right.walk() if isinstance(item, Aggregate))
        assert aggregate.keys == ("key",)
        assert str(counts.residual) == "(item = key)"

    @pytest.mark.parametrize(
        "test",
        [
            "(o.user_id, o.item) IN (SELECT u.user_id, u.name FROM users AS u)",
            "o.item IN (SELECT u.name FROM users AS u WHERE u.age > o.price)",
        ],
    )
    def test_otherwise_rows_that_may_be_equal_are_looked_for(self, query, test):
        bound, (possible, found) = value(query, test)
        assert possible.kind is found.kind is JoinKind.MARK
        assert "OR(OR((item = name), IS NULL(item)), IS NULL(name))" in str(possible.residual)
        assert [str(branch) for branch, _ in bound.branches] == ["matched", "matched0"]
