import pytest

from headrace.plan.nodes import Collect, Filter, Rank
from headrace.plan.rules.bound_ranks import bound_ranks
from headrace.plan.rules.push_conditions import push_conditions


def bounded(query, condition: str) -> tuple[Rank, list[str]]:
    inner = "SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY age) AS rn FROM users"
    root = bound_ranks(
        push_conditions(Collect(query(f"SELECT rn FROM ({inner}) WHERE {condition}")))
    )
    (rank,) = (node for node in root.walk() if isinstance(node, Rank))
    return rank, [str(node.condition) for node in root.walk() if isinstance(node, Filter)]


@pytest.mark.parametrize(
    ("condition", "start", "end"),
    [
        ("rn <= 3", 1, 3),
        ("rn < 3", 1, 2),
        ("rn = 1", 1, 1),
        ("3 >= rn", 1, 3),
        ("3 > rn", 1, 2),
        ("2 = rn", 2, 2),
        ("rn > 1 AND rn <= 3", 2, 3),
        ("1 < rn AND 4 >= rn", 2, 4),
        ("rn >= 2 AND rn < 9 AND rn <= 5", 2, 5),
        ("rn BETWEEN 2 AND 4", 2, 4),
        ("rn <= CAST(3 AS BIGINT)", 1, None),
        ("rn > 2", 3, None),
    ],
)
def test_conditions_on_the_number(query, condition, start, end):
    rank, _ = bounded(query, condition)
    assert (rank.start, rank.end) == (start, end)


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("rn <= 3 AND age > 1", ["(age > 1)"]),
        ("rn <= 3 AND rn <> 2", ["(row_number <> 2)"]),
        ("rn <= 3 AND rn < age", ["(row_number < CAST(age AS BIGINT))"]),
        ("rn <= 3 AND (rn = 1 OR age = 1)", ["OR((row_number = 1), (age = 1))"]),
        ("rn <= 3 AND rn * 2 <= 4", ["((row_number * 2) <= 4)"]),
        ("rn <= 3", []),
    ],
)
def test_other_conditions_stay_above(query, condition, left):
    rank, filters = bounded(query, condition)
    assert rank.end == 3
    assert filters == left


@pytest.mark.parametrize(
    "condition", ["rn <= 0", "rn < 1", "rn BETWEEN 3 AND 2", "rn <= 3 AND rn > 5", "0 >= rn"]
)
def test_where_no_number_is_wanted_nothing_is_ranked(query, condition):
    inner = "SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY age) AS rn FROM users"
    before = Collect(query(f"SELECT rn, name FROM ({inner}) WHERE {condition}"))
    root = bound_ranks(push_conditions(before))
    assert not any(isinstance(node, Rank) for node in root.walk())
    assert [str(node.condition) for node in root.walk() if isinstance(node, Filter)] == ["FALSE"]
    assert root.schema == before.schema


def test_bounding_twice_changes_nothing_more(query):
    sql = "SELECT name FROM users QUALIFY ROW_NUMBER() OVER (ORDER BY age) <= 3"
    once = bound_ranks(push_conditions(Collect(query(sql))))
    assert bound_ranks(once) == once
    assert not any(isinstance(node, Filter) for node in once.walk())


def test_a_limit_is_not_read_again(query):
    root = Collect(query("SELECT * FROM (SELECT name, age FROM users LIMIT 3) WHERE age = 1"))
    (rank,) = (node for node in bound_ranks(root).walk() if isinstance(node, Rank))
    assert (rank.start, rank.end) == (1, 3)
