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


@pytest.mark.parametrize(
    ("clause", "what"),
    [
        ("ORDER BY name", "ORDER BY"),
        ("LIMIT 3", "LIMIT"),
        ("LIMIT 3 OFFSET 1", "LIMIT"),
    ],
)
def test_clauses_that_are_not_planned_are_pointed_at(query, clause, what):
    assert refusal(query, f"SELECT * FROM users {clause}") == [
        f"[UNSUPPORTED_SQL] {what} is not supported yet",
        "  at: <sql>:1:21",
    ]


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
