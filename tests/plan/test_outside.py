import pytest

from headrace.plan.nodes import Aggregate, Project
from headrace.plan.outside import Outside, same
from headrace.plan.queries import plan_scan


@pytest.fixture
def users(table):
    return plan_scan(table("users"))


def test_every_value_once_under_a_name_of_its_own(users):
    outside = Outside(users, {"age", "name"})
    node = outside.node()
    assert isinstance(node, Aggregate)
    assert node.names == outside.names == node.keys == ("name0", "age0")
    assert node.calls == ()
    assert isinstance(node.input, Project)
    assert node.input.label() == "Project(name AS name0, age AS age0)"


def test_an_expression_moves_and_what_it_names_is_known(users, expr):
    outside = Outside(users, users.names)
    moved = outside.moved(expr("age + user_id > 3", users))
    assert str(moved) == "((age0 + user_id0) > 3)"
    assert outside.used == {"age", "user_id"}


def test_nothing_is_used_before_it_is_named(users):
    assert Outside(users, users.names).used == set()


def test_pairs_are_in_the_order_outside(users):
    pairs = Outside(users, ["country", "user_id"]).pairs()
    assert [(str(a), str(b)) for a, b in pairs] == [
        ("user_id", "user_id0"),
        ("country", "country0"),
    ]


def test_same_is_never_unknown(users, expr):
    (pair,) = Outside(users, ["age"]).pairs()
    condition = same(*pair)
    assert str(condition) == "(age IS NOT DISTINCT FROM age0)"
    assert not condition.type.nullable
