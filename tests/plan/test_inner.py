import pytest

from headrace.plan.inner import Inner, as_written, closed, sides_of
from headrace.plan.nodes import Project
from headrace.plan.queries import plan_scan
from headrace.plan.relation import Relation


@pytest.fixture
def orders(table):
    return plan_scan(table("orders"))


@pytest.fixture
def users(table, orders):
    """Apart from the names of `orders`."""
    return Relation.of(plan_scan(table("users")), None).apart_from(orders.names).node


@pytest.fixture
def both(orders, users, expr):
    """A condition over the columns of both tables."""

    class Both:
        schema = (*orders.schema, *users.schema)

    return lambda text: expr(text, Both())


class TestSides:
    def test_of_an_equality(self, both):
        same = both("order_id = user_id")
        assert [str(side) for side in sides_of(same, {"user_id"})] == ["order_id", "user_id"]
        assert [str(side) for side in sides_of(same, {"order_id"})] == ["user_id", "order_id"]

    def test_nulls_may_be_equal(self, both):
        condition = both("item IS NOT DISTINCT FROM name")
        assert [str(side) for side in sides_of(condition, {"name"})] == ["item", "name"]

    @pytest.mark.parametrize(
        ("condition", "own"),
        [
            ("order_id = user_id", {"order_id", "user_id"}),
            ("order_id > user_id", {"user_id"}),
            ("item IS DISTINCT FROM name", {"name"}),
            ("item = name OR age = 1", {"name"}),
        ],
    )
    def test_other_conditions_have_none(self, both, condition, own):
        assert sides_of(both(condition), own) is None


def test_an_equality_stays_of_its_kind(both, orders, users):
    for text in ("(item = name)", "(item IS NOT DISTINCT FROM name)"):
        condition = both(text)
        sides = sides_of(condition, set(users.names))
        assert str(as_written(condition, *sides)) == text


class TestInner:
    def inner(self, users, *conditions) -> Inner:
        return Inner(users, ("name",), (users.schema[1].ref(),), conditions)

    def test_equalities_alone(self, users, both):
        assert self.inner(users).by_equality
        assert self.inner(users, both("item = name"), both("user_id0 = user_id")).by_equality
        assert not self.inner(users, both("item = name"), both("age > price")).by_equality

    def test_a_row_by_its_key(self, users, both):
        assert self.inner(users, both("user_id0 = order_id")).is_single
        assert not self.inner(users, both("name = item")).is_single

    def test_equalities_with_other_columns(self, users, both):
        inner = self.inner(
            users, both("item = name"), both("age > price"), both("name IS NOT DISTINCT FROM item")
        )
        own = [users.schema[2].ref(), users.schema[2].ref()]
        assert [str(condition) for condition in inner.compared_again(own)] == [
            "(item = country)",
            "(item IS NOT DISTINCT FROM country)",
        ]


def test_a_query_that_looks_at_nothing_outside(orders, table):
    found = closed(plan_scan(table("users")), orders)
    assert found.conditions == ()
    assert found.names[0] == "user_id"
    assert isinstance(found.node, Project)
    assert found.node.names[0] == "user_id0"
