import pytest

from headrace.plan.nodes import Collect, Join, Project
from headrace.plan.rules.find_join_keys import find_join_keys


def found(query, on: str) -> Join:
    sql = f"SELECT 1 FROM users AS a LEFT JOIN users_copy AS b ON {on}"
    root = find_join_keys(Collect(query(sql)))
    (join,) = (node for node in root.walk() if isinstance(node, Join))
    return join


@pytest.mark.parametrize(
    ("on", "left", "right", "residual"),
    [
        ("a.user_id = b.user_id", ("user_id",), ("user_id0",), "None"),
        ("b.user_id = a.user_id", ("user_id",), ("user_id0",), "None"),
        (
            "a.user_id = b.user_id AND a.name = b.name",
            ("user_id", "name"),
            ("user_id0", "name0"),
            "None",
        ),
        ("a.user_id = b.user_id AND a.age > 3", ("user_id",), ("user_id0",), "(age > 3)"),
        ("a.user_id < b.user_id", (), (), "(user_id < user_id0)"),
        ("a.user_id = 1", (), (), "(user_id = 1)"),
        ("a.user_id = a.age", (), (), "(user_id = CAST(age AS BIGINT))"),
        ("a.user_id = b.user_id OR a.age = 1", (), (), "OR((user_id = user_id0), (age = 1))"),
        (
            "a.user_id = b.user_id AND a.user_id = CHAR_LENGTH(b.name)",
            ("user_id",),
            ("user_id0",),
            "(user_id = CAST(CHAR_LENGTH(name0) AS BIGINT))",
        ),
        (
            "a.name IS NOT DISTINCT FROM b.name",
            ("name",),
            ("name0",),
            "None",
        ),
        ("a.user_id + b.user_id = b.user_id", (), (), "((user_id + user_id0) = user_id0)"),
    ],
)
def test_equalities_of_the_two_sides_are_keys(query, on, left, right, residual):
    join = found(query, on)
    assert (join.left_keys, join.right_keys, str(join.residual)) == (left, right, residual)


def test_computed_keys_are_computed_below(query):
    join = found(query, "UPPER(a.name) = b.name AND a.age = b.user_id")
    assert join.left_keys == ("key0", "key1")
    assert join.right_keys == ("name0", "user_id0")
    assert join.left.label().endswith("UPPER(name) AS key0, CAST(age AS BIGINT) AS key1)")


def test_computed_keys_of_both_sides_have_names_of_their_own(query):
    join = found(query, "UPPER(a.name) = LOWER(b.name)")
    assert join.left_keys != join.right_keys
    assert len(set(join.names)) == len(join.names)


def test_both_sides_of_a_key_have_one_type(query):
    join = found(query, "a.age = b.user_id AND a.name = b.name")
    types = [
        [field.type.as_nullable() for name in keys for field in side.schema if field.name == name]
        for side, keys in ((join.left, join.left_keys), (join.right, join.right_keys))
    ]
    assert types[0] == types[1]


def test_computed_keys_do_not_come_out(query):
    sql = "SELECT * FROM users AS a JOIN users_copy AS b ON UPPER(a.name) = b.name"
    before = Collect(query(sql))
    after = find_join_keys(before)
    assert after.schema == before.schema
    (join,) = (node for node in after.walk() if isinstance(node, Join))
    (above,) = (node for node in after.walk() if join in node.inputs)
    assert isinstance(above, Project)
    assert "key0" in join.names
    assert "key0" not in above.names


def test_a_semi_join_shows_no_computed_key_either(query):
    before = Collect(query("SELECT * FROM users WHERE UPPER(name) IN (SELECT item FROM orders)"))
    assert find_join_keys(before).schema == before.schema


def test_finding_twice_changes_nothing_more(query):
    sql = "SELECT 1 FROM users AS a JOIN users_copy AS b ON UPPER(a.name) = b.name AND a.age > 1"
    once = find_join_keys(Collect(query(sql)))
    assert find_join_keys(once) == once


@pytest.mark.parametrize(
    ("on", "null_safe", "shown"),
    [
        ("a.name IS NOT DISTINCT FROM b.name", ("name",), "on=[name IS NOT DISTINCT FROM name0]"),
        # Never NULL on either side.
        ("a.user_id IS NOT DISTINCT FROM b.user_id", (), "on=[user_id = user_id0]"),
        (
            "a.user_id = b.user_id AND UPPER(b.name) IS NOT DISTINCT FROM a.name",
            ("name",),
            "on=[user_id = user_id0, name IS NOT DISTINCT FROM key1]",
        ),
    ],
)
def test_nulls_match_where_it_is_said(query, on, null_safe, shown):
    join = found(query, on)
    assert join.null_safe == null_safe
    assert shown in join.label()
