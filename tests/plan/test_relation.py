import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.plan.nodes import Field, Values
from headrace.plan.relation import Relation, project, unique_names
from headrace.types import BIGINT, STRING

NODE = Values((), (Field("a", BIGINT), Field("b", STRING)))


def test_a_relation_names_the_columns_of_its_node():
    relation = Relation.of(NODE, "t")
    assert relation.columns == (("t", "a", NODE.schema[0]), ("t", "b", NODE.schema[1]))


def test_an_alias_renames_columns_but_not_the_fields_behind():
    relation = Relation.of(NODE, None, ["x", "y"])
    assert [(name, field.name) for _, name, field in relation.columns] == [("x", "a"), ("y", "b")]


def test_as_many_names_as_columns():
    with pytest.raises(ValueError, match="zip"):
        Relation.of(NODE, "t", ["x"])


@pytest.mark.parametrize(
    ("names", "unique"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a"], ["a", "a0"]),
        (["a", "a", "a"], ["a", "a0", "a1"]),
        (["a0", "a", "a"], ["a0", "a", "a1"]),
    ],
)
def test_unique_names(names, unique):
    assert unique_names(names) == unique


@given(st.lists(st.sampled_from(["a", "b", "a0", "b1"])))
def test_names_are_made_unique_and_the_first_ones_stay(names):
    result = unique_names(names)
    assert len(set(result)) == len(names)
    assert all(new.startswith(old) for old, new in zip(names, result, strict=True))


def test_projecting_two_columns_of_one_name():
    first, second = NODE.schema
    node = project(NODE, [("x", first.ref()), ("x", second.ref())])
    assert node.names == ("x", "x0")
    assert [expr.name for _, expr in node.outputs] == ["a", "b"]


def test_a_relation_over_another_node_keeps_its_names():
    relation = Relation.of(NODE, "t", ["x", "y"])
    other = Values((), (Field("b0", STRING), Field("a", STRING)))
    moved = relation.over(other, {"b": "b0"})
    assert [(q, name, field.name) for q, name, field in moved.columns] == [
        ("t", "x", "a"),
        ("t", "y", "b0"),
    ]
    assert moved.columns[0][2].type == STRING


def test_names_that_are_taken_are_changed_below():
    relation = Relation.of(NODE, "t")
    assert relation.apart_from(["c"]) is relation
    moved = relation.apart_from(["a"])
    assert moved.node.names == ("a0", "b")
    assert [(name, field.name) for _, name, field in moved.columns] == [("a", "a0"), ("b", "b")]


def test_hidden_columns_move_along():
    relation = Relation(NODE, (), Relation.of(NODE, "t").columns)
    assert relation.qualifiers == {"t"}
    assert [field.name for _, _, field in relation.apart_from(["b"]).hidden] == ["a", "b0"]
