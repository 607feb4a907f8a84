import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Project, Rank, SortKey


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


def ranks(node) -> list[Rank]:
    return [item for item in node.walk() if isinstance(item, Rank)]


def over(query, window: str) -> Rank:
    (rank,) = ranks(query(f"SELECT ROW_NUMBER() OVER ({window}) AS rn FROM users"))
    return rank


def test_a_rank_counts_within_a_partition(query):
    rank = over(query, "PARTITION BY country, name ORDER BY age DESC, user_id")
    assert rank.partition == ("country", "name")
    assert [str(key) for key in rank.order] == ["age DESC", "user_id"]
    assert (rank.start, rank.end, rank.rank) == (1, None, "row_number")


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ("age", SortKey("age", False, True)),
        ("age ASC", SortKey("age", False, True)),
        ("age DESC", SortKey("age", True, False)),
        ("age NULLS LAST", SortKey("age", False, False)),
        ("age DESC NULLS FIRST", SortKey("age", True, True)),
    ],
)
def test_null_is_the_smallest_unless_said(query, order, key):
    assert over(query, f"ORDER BY {order}").order == (key,)


def test_expressions_are_computed_below(query):
    rank = over(query, "PARTITION BY UPPER(name) ORDER BY age + 1, age + 1 DESC, age")
    assert rank.partition == ("part",)
    assert [key.column for key in rank.order] == ["sort", "age"]
    assert isinstance(rank.input, Project)
    assert rank.input.label().endswith("UPPER(name) AS part, (age + 1) AS sort)")


def test_a_partition_column_that_stands_twice_is_one(query):
    assert over(query, "PARTITION BY name, name ORDER BY age").partition == ("name",)


def test_the_number_may_be_part_of_an_expression(query):
    node = query("SELECT ROW_NUMBER() OVER (ORDER BY age) + 1 AS x FROM users")
    assert node.label() == "Project((row_number + 1) AS x)"


def test_equal_calls_are_one(query):
    node = query(
        "SELECT ROW_NUMBER() OVER (ORDER BY age) AS a FROM users "
        "QUALIFY ROW_NUMBER() OVER (ORDER BY age) < 3"
    )
    assert len(ranks(node)) == 1


def test_different_calls_are_two_and_named_apart(query):
    node = query(
        "SELECT ROW_NUMBER() OVER (ORDER BY age) AS a, ROW_NUMBER() OVER (ORDER BY name) AS b FROM users"
    )
    assert [rank.rank for rank in ranks(node)] == ["row_number0", "row_number"]
    assert [str(expr) for _, expr in node.outputs] == ["row_number", "row_number0"]


def test_a_column_of_the_same_name(query):
    node = query(
        "SELECT row_number, ROW_NUMBER() OVER (ORDER BY row_number) AS n "
        "FROM (SELECT age AS row_number FROM users)"
    )
    assert [str(expr) for _, expr in node.outputs] == ["row_number", "row_number0"]


def test_aggregates_may_order_the_groups(query):
    node = query(
        "SELECT name FROM users GROUP BY name QUALIFY ROW_NUMBER() OVER (ORDER BY MAX(age) DESC) = 1"
    )
    (rank,) = ranks(node)
    assert [str(key) for key in rank.order] == ["agg0 DESC"]


def test_a_named_window(query):
    sql = "SELECT ROW_NUMBER() OVER w AS rn FROM users WINDOW w AS (PARTITION BY name ORDER BY age)"
    (rank,) = ranks(query(sql))
    assert rank.partition == ("name",)


def test_a_named_window_over_groups(query):
    sql = (
        "SELECT name, ROW_NUMBER() OVER w AS rn FROM users GROUP BY name "
        "WINDOW w AS (ORDER BY SUM(age))"
    )
    (rank,) = ranks(query(sql))
    assert [str(key) for key in rank.order] == ["agg0"]


def test_a_window_that_nobody_uses(query):
    assert ranks(query("SELECT name FROM users WINDOW w AS (ORDER BY age)")) == []


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("RANK() OVER (ORDER BY age)", "RANK is not supported on a stream"),
        ("DENSE_RANK() OVER (ORDER BY age)", "DENSE_RANK is not supported on a stream"),
        (
            "SUM(age) OVER (ORDER BY age)",
            "SUM with OVER needs event time, which is not supported yet",
        ),
        (
            "LAG(age) OVER (ORDER BY age)",
            "LAG with OVER needs event time, which is not supported yet",
        ),
        (
            "ROW_NUMBER() OVER (PARTITION BY name)",
            "ROW_NUMBER without an order to count in is not supported",
        ),
        (
            "ROW_NUMBER() OVER (w ORDER BY age)",
            "a window that extends another is not supported yet",
        ),
    ],
)
def test_refusals(query, call, error):
    lines = refusal(query, f"SELECT {call} FROM users WINDOW w AS (PARTITION BY name)")
    assert lines[:2] == [f"[UNSUPPORTED_SQL] {error}", "  at: <sql>:1:8"]


def test_an_unknown_window(query):
    lines = refusal(query, "SELECT ROW_NUMBER() OVER w FROM users WINDOW v AS (ORDER BY age)")
    assert lines[0] == "[UNKNOWN_WINDOW] window 'w' does not exist"
    assert lines[2] == "  expected: v"
