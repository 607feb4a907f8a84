import pytest

from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import (
    Aggregate,
    Collect,
    Field,
    Filter,
    Join,
    JoinKind,
    Materialize,
    Normalize,
    Project,
    Rank,
    Scan,
    Sink,
)
from headrace.plan.nodes import Union as UnionAll
from headrace.types import BIGINT, INT, STRING


@pytest.fixture
def users(table) -> Scan:
    columns = (Field("user_id", BIGINT), Field("name", STRING), Field("age", INT))
    return Scan(table("users"), columns)


def project(node, expr, **outputs) -> Project:
    return Project(node, tuple((name, expr(text, node)) for name, text in outputs.items()))


def keys(node) -> list[list[str]]:
    return sorted(sorted(key) for key in unique_keys(node))


def test_a_source_has_its_primary_key(users, table):
    assert keys(users) == [["user_id"]]
    assert keys(Scan(users.table, users.columns[1:])) == []
    assert keys(Scan(table("orders"), (Field("order_id", BIGINT),))) == []


def test_what_rows_pass_through_keeps_keys(users, expr, table):
    normalized = Normalize(users, ("user_id",))
    filtered = Filter(normalized, expr("age > 3", users))
    assert keys(normalized) == [["user_id"]]
    assert keys(filtered) == [["user_id"]]
    assert keys(Collect(filtered)) == [["user_id"]]
    assert keys(Sink(filtered, table("users_copy"))) == [["user_id"]]


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ({"user_id": "user_id", "name": "name"}, [["user_id"]]),
        ({"id": "user_id"}, [["id"]]),
        ({"name": "name"}, []),
        ({"id": "user_id", "again": "user_id"}, [["again"], ["id"]]),
        ({"next": "user_id + 1"}, []),
        ({"text": "CAST(user_id AS STRING)"}, [["text"]]),
        ({"narrow": "CAST(user_id AS INT)"}, []),
        ({"short": "CAST(CAST(user_id AS STRING) AS VARCHAR(3))"}, []),
    ],
)
def test_a_projection_keeps_keys_that_stay_apart(users, expr, outputs, expected):
    assert keys(project(users, expr, **outputs)) == expected


def test_an_integer_key_may_widen(users, expr):
    grouped = Aggregate(users, ("age",), ())
    assert keys(project(grouped, expr, wide="CAST(age AS BIGINT)")) == [["wide"]]
    assert keys(project(grouped, expr, small="CAST(age AS SMALLINT)")) == []


def test_groups_are_unique(users):
    assert keys(Aggregate(users, ("name", "age"), ())) == [["age", "name"]]


def test_all_rows_in_one_group_are_one_row(users, expr):
    one = Aggregate(users, (), ())
    assert keys(one) == [[]]
    assert keys(project(one, expr, x="1")) == [[]]


def test_copies_of_two_key_columns_combine(users, expr):
    grouped = Aggregate(users, ("name", "age"), ())
    node = project(grouped, expr, a="name", b="name", c="age")
    assert keys(node) == [["a", "c"], ["b", "c"]]


def test_a_union_has_no_key(users):
    assert keys(UnionAll((users, users))) == []


@pytest.mark.parametrize(
    ("partition", "rows", "rank", "expected"),
    [
        (("name",), (1, 3), "rn", [["name", "rn"], ["user_id"]]),
        (("name",), (1, 3), None, [["user_id"]]),
        (("name",), (1, 1), None, [["name"], ["user_id"]]),
        (("name",), (2, 2), "rn", [["name"], ["user_id"]]),
        ((), (1, 3), "rn", [["rn"], ["user_id"]]),
        ((), (1, 1), None, [[]]),
        (("user_id", "name"), (1, 1), None, [["user_id"]]),
    ],
)
def test_a_rank_numbers_the_rows_of_a_partition(users, partition, rows, rank, expected):
    assert keys(Rank(users, partition, (), *rows, rank)) == expected


class TestJoin:
    """`a` is unique by (x, y), `b` by (z, w); their columns may be NULL unless said."""

    @staticmethod
    def join(users, kind, left_keys, right_keys, *, null: bool = True) -> Join:
        kinds = (INT.as_nullable(null), STRING)
        left = Scan(users.table, tuple(map(Field, ("x", "y"), kinds)))
        right = Scan(users.table, tuple(map(Field, ("z", "w"), kinds)))
        a, b = Aggregate(left, ("x", "y"), ()), Aggregate(right, ("z", "w"), ())
        return Join(a, b, kind, left_keys, right_keys)

    @pytest.mark.parametrize(
        ("kind", "left_keys", "right_keys", "expected"),
        [
            (JoinKind.INNER, ("x",), ("z",), [["w", "x", "y"], ["w", "y", "z"]]),
            (JoinKind.LEFT, ("x",), ("z",), [["w", "x", "y"]]),
            (JoinKind.RIGHT, ("x",), ("z",), [["w", "y", "z"]]),
            (JoinKind.LEFT, ("x", "y"), ("z", "w"), [["x", "y"]]),
            (JoinKind.RIGHT, ("x", "y"), ("z", "w"), [["w", "z"]]),
            (
                JoinKind.INNER,
                ("x", "y"),
                ("z", "w"),
                [["w", "x"], ["w", "z"], ["x", "y"], ["y", "z"]],
            ),
            (JoinKind.SEMI, ("x",), ("z",), [["x", "y"]]),
            (JoinKind.ANTI, ("x",), ("z",), [["x", "y"]]),
            (JoinKind.FULL, ("x", "y"), ("z", "w"), []),
        ],
    )
    def test_keys(self, users, kind, left_keys, right_keys, expected):
        assert keys(self.join(users, kind, left_keys, right_keys)) == expected

    def test_a_full_join_has_a_key_where_one_column_is_never_null(self, users):
        join = self.join(users, JoinKind.FULL, ("x",), ("z",), null=False)
        assert keys(join) == [["w", "x", "y", "z"]]

    def test_a_side_without_a_key(self, users, table):
        orders = Scan(table("orders"), (Field("order_id", BIGINT),))
        join = Join(users, orders, JoinKind.INNER, ("user_id",), ("order_id",))
        assert keys(join) == []
        assert keys(Join(users, orders, JoinKind.SEMI, ("user_id",), ("order_id",))) == [
            ["user_id"]
        ]


def test_a_materialized_key_is_unique(users):
    assert keys(Materialize(users, ("name",))) == [["name"]]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT user_id FROM users INTERSECT ALL SELECT user_id FROM users",
        "SELECT user_id, x FROM users CROSS JOIN UNNEST(ARRAY[1, 2]) AS t (x)",
        "SELECT name, MAX(age) FROM users GROUP BY ROLLUP (name)",
    ],
)
def test_what_makes_more_of_a_row_has_no_key(query, sql):
    assert unique_keys(query(sql)) == ()
