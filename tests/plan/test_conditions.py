import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.errors import TypeMismatch
from headrace.plan.conditions import (
    all_of,
    bind_condition,
    equal,
    filtered,
    parts_of,
    written_parts,
)
from headrace.plan.expressions import Cast, InputRef, Literal
from headrace.plan.nodes import Field, Filter, Values
from headrace.plan.queries import QueryContext, scope_of
from headrace.plan.relation import Relation
from headrace.sql.dialect import parse_expression
from headrace.types import BIGINT, BOOLEAN, INT, STRING, timestamp

NODE = Values((), (Field("a", BOOLEAN), Field("b", BOOLEAN), Field("n", INT)))
TRUE = Literal(BOOLEAN.not_null(), True)


@pytest.fixture
def context(env) -> QueryContext:
    return QueryContext(env.catalog, "<sql>", lambda table, _: table)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ["a"]),
        ("a AND b", ["a", "b"]),
        ("(a AND b) AND (n = 1)", ["a", "b", "n = 1"]),
        ("a OR b", ["a OR b"]),
        ("NOT (a AND b)", ["NOT (a AND b)"]),
        ("a AND (b OR n = 1)", ["a", "b OR n = 1"]),
    ],
)
def test_parts_as_written(text, parts):
    assert [part.sql() for part in written_parts(parse_expression(text))] == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ["a"]),
        ("a AND b AND n = 1", ["a", "b", "(n = 1)"]),
        ("a OR b", ["OR(a, b)"]),
        ("TRUE", []),
        ("a AND TRUE", ["a"]),
        ("FALSE", ["FALSE"]),
    ],
)
def test_parts_of_a_bound_condition(expr, text, parts):
    assert [str(part) for part in parts_of(expr(text, NODE))] == parts


def test_no_condition_has_no_parts():
    assert list(parts_of(None)) == []
    assert all_of([]) is None


@given(st.lists(st.sampled_from([InputRef(BOOLEAN, "a"), InputRef(BOOLEAN, "b")]), min_size=1))
def test_parts_put_together_come_apart_again(parts):
    assert list(parts_of(all_of(parts))) == parts


def test_nothing_to_filter_leaves_the_node():
    assert filtered(NODE, []) is NODE
    node = filtered(NODE, [InputRef(BOOLEAN, "a"), InputRef(BOOLEAN, "b")])
    assert isinstance(node, Filter)
    assert str(node.condition) == "AND(a, b)"


def test_equality_casts_to_what_is_compared():
    same = equal(InputRef(BIGINT, "a"), InputRef(BIGINT, "b"))
    assert str(same) == "(a = b)"
    mixed = equal(InputRef(INT, "a"), InputRef(BIGINT, "b"))
    assert isinstance(mixed.args[0], Cast)
    assert mixed.args[1] == InputRef(BIGINT, "b")


def test_equality_of_types_that_cannot_be_compared():
    with pytest.raises(TypeMismatch):
        equal(InputRef(timestamp(3), "a"), InputRef(BOOLEAN, "b"))


def test_a_condition_is_boolean_and_pointed_at(context):
    scope = scope_of(Relation.of(NODE, None), context)
    assert str(bind_condition(parse_expression("a"), scope, context)) == "a"
    with pytest.raises(TypeMismatch) as caught:
        bind_condition(parse_expression("n"), scope, context)
    assert caught.value.found == INT.sql()
    assert str(caught.value.where) == "<sql>:1:1"


def test_text_is_no_condition(context):
    scope = scope_of(Relation.of(Values((), (Field("s", STRING),)), None), context)
    with pytest.raises(TypeMismatch):
        bind_condition(parse_expression("s"), scope, context)
