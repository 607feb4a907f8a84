import pytest

from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import Aggregate, Collect, Field, Filter, Normalize, Project, Scan, Sink
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
