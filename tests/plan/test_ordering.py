import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Filter, Project, Rank


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


def rank_of(node) -> Rank:
    (rank,) = (item for item in node.walk() if isinstance(item, Rank))
    return rank


@pytest.mark.parametrize(
    ("clauses", "start", "end"),
    [
        ("LIMIT 3", 1, 3),
        ("LIMIT 3 OFFSET 2", 3, 5),
        ("OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY", 3, 5),
        ("FETCH FIRST ROW ONLY", 1, 1),
        ("ORDER BY age LIMIT 3", 1, 3),
    ],
)
def test_which_rows(query, clauses, start, end):
    rank = rank_of(query(f"SELECT name FROM users {clauses}"))
    assert (rank.start, rank.end, rank.rank, rank.partition) == (start, end, None, ())


@pytest.mark.parametrize(
    ("select", "order", "keys"),
    [
        ("name", "name", ["name"]),
        ("name", "name DESC", ["name DESC"]),
        ("name AS n", "n", ["n"]),
        ("name AS age", "age", ["age"]),
        ("name AS n", "users.name", ["n"]),
        ("name, age", "2, 1 DESC", ["age", "name DESC"]),
        ("name", "age", ["sort"]),
        ("name", "age + 1, user_id", ["sort", "sort0"]),
        ("name, age + 1", "age + 1", ["EXPR$1"]),
        ("country, COUNT(*) AS n", "n DESC, country", ["n DESC", "country"]),
        ("country, COUNT(*) AS n", "MAX(age)", ["sort"]),
        ("country, COUNT(*) AS n", "COUNT(*)", ["n"]),
    ],
)
def test_what_is_sorted_by(query, select, order, keys):
    group = "GROUP BY country" if "COUNT" in select else ""
    node = query(f"SELECT {select} FROM users {group} ORDER BY {order} LIMIT 3")
    assert [str(key) for key in rank_of(node).order] == keys


def test_what_is_only_sorted_by_is_not_shown(query):
    node = query("SELECT name FROM users ORDER BY age LIMIT 3")
    assert isinstance(node, Project)
    assert node.names == ("name",)
    assert rank_of(node).input.label() == "Project(name, age AS sort)"


def test_distinct_rows_are_sorted_by_what_they_show(query):
    node = query("SELECT DISTINCT age + 1 AS a FROM users ORDER BY a, a * 2 LIMIT 3")
    assert [str(key) for key in rank_of(node).order] == ["a", "sort"]
    lines = refusal(query, "SELECT DISTINCT name FROM users ORDER BY age LIMIT 3")
    assert lines[0] == "[UNKNOWN_COLUMN] column 'age' does not exist"


def test_a_query_in_brackets(query):
    node = query("(SELECT name, age FROM users) ORDER BY age LIMIT 1")
    assert [str(key) for key in rank_of(node).order] == ["age"]


def test_no_rows_at_all(query):
    node = query("SELECT name FROM users LIMIT 0")
    assert isinstance(node, Filter)
    assert str(node.condition) == "FALSE"


def test_limit_all_is_no_limit(query):
    assert not any(isinstance(n, Rank) for n in query("SELECT name FROM users LIMIT ALL").walk())


def test_a_limit_inside_and_outside(query):
    node = query(
        "SELECT * FROM (SELECT name FROM users ORDER BY age LIMIT 9) ORDER BY name LIMIT 3"
    )
    assert [n.end for n in node.walk() if isinstance(n, Rank)] == [3, 9]


@pytest.mark.parametrize(
    ("clauses", "error"),
    [
        (
            "ORDER BY age",
            "[UNSUPPORTED_SQL] ORDER BY without LIMIT is not supported: a stream has no end to wait for",
        ),
        (
            "OFFSET 3",
            "[UNSUPPORTED_SQL] OFFSET without LIMIT is not supported: a stream has no end to wait for",
        ),
        ("LIMIT 1 + 1", "[TYPE_MISMATCH] LIMIT takes a whole number"),
        ("LIMIT 2.5", "[TYPE_MISMATCH] LIMIT takes a whole number"),
        ("LIMIT 1 OFFSET age", "[TYPE_MISMATCH] OFFSET takes a whole number"),
        ("ORDER BY 2 LIMIT 1", "[COLUMN_COUNT] ORDER BY 2 names no column"),
        ("ORDER BY nmae LIMIT 1", "[UNKNOWN_COLUMN] column 'nmae' does not exist"),
    ],
)
def test_refusals(query, clauses, error):
    lines = refusal(query, f"SELECT name FROM users {clauses}")
    assert lines[0] == error
    assert lines[1].startswith("  at: <sql>:1:")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM (SELECT name FROM users ORDER BY age)",
        "WITH u AS (SELECT name FROM users ORDER BY age) SELECT * FROM u",
        "SELECT item FROM orders WHERE item IN (SELECT name FROM users ORDER BY age)",
        "(SELECT name FROM users ORDER BY age) UNION ALL SELECT item FROM orders",
    ],
)
def test_an_order_inside_a_query_means_nothing(query, sql):
    assert not any(isinstance(node, Rank) for node in query(sql).walk())


def test_an_offset_inside_a_query_still_needs_a_limit(query):
    lines = refusal(query, "SELECT * FROM (SELECT name FROM users ORDER BY age OFFSET 2)")
    assert lines[0].startswith("[UNSUPPORTED_SQL] OFFSET without LIMIT is not supported")


def test_a_view_has_an_order_of_its_own(env, query):
    env.execute_sql("CREATE VIEW sorted AS SELECT name FROM users LIMIT 3")
    assert any(isinstance(node, Rank) for node in query("SELECT * FROM sorted").walk())
