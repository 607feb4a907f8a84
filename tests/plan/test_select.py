import pytest

from headrace.errors import HeadraceError


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT item FROM orders", "Project(Project(Scan))"),
        ("SELECT name FROM users", "Project(Scan)"),
        ("SELECT name FROM users WHERE age > 1", "Project(Filter(Scan))"),
        ("SELECT DISTINCT name FROM users", "Aggregate(Project(Scan))"),
        ("SELECT COUNT(*) FROM users", "Project(Aggregate(Project(Scan)))"),
        (
            "SELECT name FROM users WHERE age > 1 GROUP BY name HAVING COUNT(*) > 1",
            "Project(Filter(Aggregate(Project(Filter(Scan)))))",
        ),
        (
            "SELECT DISTINCT COUNT(*) FROM users GROUP BY name",
            "Aggregate(Project(Aggregate(Project(Scan))))",
        ),
        ("SELECT 1", "Project(Values)"),
        ("SELECT x FROM (SELECT name AS x FROM users)", "Project(Project(Scan))"),
    ],
)
def test_clauses_become_nodes_in_their_order(query, shape, sql, expected):
    assert shape(query(sql)) == expected


def test_types_follow_the_columns(query):
    fields = query("SELECT user_id, name, age * 2 FROM users").schema
    assert [field.type.sql() for field in fields] == ["BIGINT NOT NULL", "STRING", "INT"]


def test_clauses_above_the_groups(query, shape):
    sql = (
        "SELECT name, COUNT(*) AS n FROM users GROUP BY name HAVING COUNT(*) > 1 "
        "QUALIFY ROW_NUMBER() OVER (ORDER BY name) < 9 ORDER BY n LIMIT 3"
    )
    expected = "Rank(Project(Filter(Rank(Filter(Aggregate(Project(Scan)))))))"
    assert shape(query(sql)) == expected


def test_distinct_rows_are_ordered_after(query, shape):
    sql = "SELECT DISTINCT name FROM users ORDER BY name LIMIT 3"
    assert shape(query(sql)) == "Rank(Aggregate(Project(Scan)))"


def test_a_condition_is_boolean(query):
    assert refusal(query, "SELECT name FROM users WHERE age") == [
        "[TYPE_MISMATCH] a condition must be BOOLEAN",
        "  at: <sql>:1:30",
        "  found: INT",
        "  expected: BOOLEAN",
    ]


def test_where_knows_no_aggregates_and_no_aliases(query):
    assert refusal(query, "SELECT name FROM users WHERE COUNT(*) > 1")[0] == (
        "[MISPLACED_AGGREGATE] an aggregate function cannot stand here"
    )
    assert refusal(query, "SELECT age AS years FROM users WHERE years > 1")[0] == (
        "[UNKNOWN_COLUMN] column 'years' does not exist"
    )
