import dataclasses

import pytest

from headrace.plan.expressions import AggregateCall, InputRef
from headrace.plan.functions.lookup import lookup_aggregate
from headrace.plan.nodes import (
    Aggregate,
    Collect,
    Conflict,
    Expand,
    Field,
    Filter,
    Join,
    JoinKind,
    Materialize,
    Node,
    Normalize,
    Project,
    Rank,
    Repeat,
    Scan,
    Sink,
    SortKey,
    Union,
    Unnest,
    Values,
)
from headrace.types import BIGINT, BOOLEAN, INT, STRING, array


@pytest.fixture
def scan(table) -> Scan:
    return Scan(table("users"), (Field("user_id", BIGINT), Field("name", STRING)))


@pytest.fixture
def count() -> AggregateCall:
    return AggregateCall(lookup_aggregate("COUNT"), (), BIGINT.not_null())


def test_a_scan_gives_its_columns(scan):
    assert scan.inputs == ()
    assert scan.names == ("user_id", "name")
    assert scan.label() == "Scan(default_catalog.default_database.users, columns=[user_id, name])"


def test_a_filter_passes_columns_on(scan, expr):
    node = Filter(scan, expr("user_id > 1", scan))
    assert node.schema == scan.schema
    assert node.label() == "Filter((user_id > 1))"


def test_a_projection_names_and_types_its_outputs(scan, expr):
    node = Project(scan, (("user_id", expr("user_id", scan)), ("up", expr("UPPER(name)", scan))))
    assert node.schema == (Field("user_id", BIGINT), Field("up", STRING))
    assert node.label() == "Project(user_id, UPPER(name) AS up)"


def test_an_aggregate_gives_keys_then_calls(scan, count):
    node = Aggregate(scan, ("name",), (("n", count),))
    assert node.schema == (Field("name", STRING), Field("n", BIGINT.not_null()))
    assert node.label() == "Aggregate(groupBy=[name], COUNT(*) AS n)"
    assert Aggregate(scan, ("name",), ()).label() == "Aggregate(groupBy=[name])"


def test_a_union_is_named_by_its_first_branch(scan):
    other = Values((), (Field("x", BIGINT), Field("y", STRING)))
    node = Union((scan, other))
    assert node.schema == scan.schema
    assert node.inputs == (scan, other)
    assert node.with_inputs((other, scan)).names == ("x", "y")
    assert node.label() == "Union(branches=2)"


def test_labels_of_the_ends(scan, table):
    assert Normalize(scan, ("user_id",)).label() == "Normalize(key=[user_id])"
    assert Collect(scan).label() == "Collect(user_id, name)"
    sink = Sink(scan, table("users_copy"))
    assert (
        sink.label() == "Sink(default_catalog.default_database.users_copy, columns=[user_id, name])"
    )
    assert Values((), (Field("x", BIGINT),)).label() == "Values(rows=0, columns=[x])"


def test_walk_goes_from_the_root_down(scan):
    root = Collect(Normalize(scan, ("user_id",)))
    assert [type(node) for node in root.walk()] == [Collect, Normalize, Scan]


def test_new_inputs_make_a_new_node(scan):
    old = Normalize(scan, ("user_id",))
    other = Scan(scan.table, scan.columns[:1])
    new = old.with_inputs((other,))
    assert new == Normalize(other, ("user_id",))
    assert old.input is scan
    assert scan.with_inputs(()) is scan


def test_nodes_do_not_change(scan):
    with pytest.raises(dataclasses.FrozenInstanceError):
        scan.columns = ()


def test_every_kind_of_node_has_a_schema():
    with pytest.raises(NotImplementedError, match="Node"):
        _ = Node().schema


def test_a_field_refers_to_itself():
    assert Field("a", BIGINT).ref() == InputRef(BIGINT, "a")


@pytest.mark.parametrize(
    ("kind", "names", "nullable"),
    [
        (JoinKind.INNER, ("user_id", "name", "x"), [True, True, False]),
        (JoinKind.LEFT, ("user_id", "name", "x"), [True, True, True]),
        (JoinKind.RIGHT, ("user_id", "name", "x"), [True, True, False]),
        (JoinKind.SEMI, ("user_id", "name"), [True, True]),
        (JoinKind.ANTI, ("user_id", "name"), [True, True]),
    ],
)
def test_a_join_has_the_columns_of_both_sides_or_of_the_left(scan, kind, names, nullable):
    right = Values((), (Field("x", BIGINT.not_null()),))
    join = Join(scan, right, kind, ("user_id",), ("x",))
    assert join.names == names
    assert [field.type.nullable for field in join.schema] == nullable
    assert join.inputs == (scan, right)
    assert join.with_inputs((right, scan)).left is right


def test_a_joins_label_says_keys_and_condition(scan, expr):
    right = Values((), (Field("x", BIGINT),))
    join = Join(scan, right, JoinKind.LEFT, ("user_id",), ("x",))
    assert join.label() == "Join(LEFT, on=[user_id = x])"
    narrowed = dataclasses.replace(join, residual=expr("name > 'a'", scan))
    assert narrowed.label() == "Join(LEFT, on=[user_id = x], where=(name > 'a'))"


def test_a_rank_may_show_its_number(scan):
    order = (SortKey("user_id", descending=True, nulls_first=False),)
    node = Rank(scan, ("name",), order, 1, 3)
    assert node.schema == scan.schema
    assert node.label() == "Rank(partitionBy=[name], orderBy=[user_id DESC], rows=1..3)"
    numbered = Rank(scan, (), order, rank="rn")
    assert numbered.names == ("user_id", "name", "rn")
    assert numbered.schema[-1].type == BIGINT.not_null()
    assert numbered.label() == "Rank(partitionBy=[], orderBy=[user_id DESC], rows=1.., rank=rn)"


@pytest.mark.parametrize(
    ("descending", "nulls_first", "shown"),
    [
        (False, True, "a"),
        (True, False, "a DESC"),
        (False, False, "a NULLS LAST"),
        (True, True, "a DESC NULLS FIRST"),
    ],
)
def test_a_sort_key_says_where_nulls_go_when_it_is_unusual(descending, nulls_first, shown):
    assert str(SortKey("a", descending, nulls_first)) == shown


def test_a_repeated_row_keeps_its_columns(scan, expr):
    node = Repeat(scan, expr("user_id + 1", scan))
    assert node.schema == scan.schema
    assert node.label() == "Repeat((user_id + 1))"


def test_unnesting_adds_the_items_columns():
    source = Values((), (Field("tags", array(STRING.not_null())),))
    columns = (Field("tag", STRING.not_null()), Field("n", INT.not_null()))
    node = Unnest(source, source.schema[0].ref(), columns, ordinality=True)
    assert node.schema == (*source.schema, *columns)
    assert node.label() == "Unnest(tags AS (tag, n))"
    outer = dataclasses.replace(node, outer=True)
    assert all(field.type.nullable for field in outer.schema)
    assert outer.label() == "Unnest(tags AS (tag, n), outer)"


def test_expanding_computes_several_rows_of_each(scan, expr):
    rows = ((expr("user_id", scan), expr("1", scan)), (expr("CAST(NULL AS BIGINT)", scan),) * 2)
    node = Expand(scan, ("a", "b"), rows)
    assert node.schema == (Field("a", BIGINT), Field("b", INT))
    assert node.label() == "Expand([a, b], (user_id, 1), (NULL, NULL))"


def test_a_materialized_sink_key(scan):
    node = Materialize(scan, ("user_id",))
    assert node.schema == scan.schema
    assert node.label() == "Materialize(key=[user_id])"
    strict = Materialize(scan, ("user_id",), Conflict.ERROR)
    assert strict.label() == "Materialize(key=[user_id], onConflict=ERROR)"


def test_a_mark_join_has_the_left_columns_and_the_mark(scan):
    node = Join(scan, scan, JoinKind.MARK, ("user_id",), ("user_id",), mark="found")
    assert node.schema == (*scan.schema, Field("found", BOOLEAN.not_null()))
    assert node.label().endswith("mark=found)")
