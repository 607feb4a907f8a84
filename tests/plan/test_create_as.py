import pytest

from headrace.errors import HeadraceError
from headrace.plan.create_as import with_query_columns
from headrace.plan.nodes import Field
from headrace.sql.dialect import parse_statement
from headrace.types import BIGINT, INT, STRING

SCHEMA = (Field("a", INT.not_null()), Field("b", STRING))


def columns(brackets: str) -> list[tuple[str, str | None]]:
    statement = parse_statement(f"CREATE TABLE t {brackets} AS SELECT 1 AS a, 'x' AS b")
    merged = with_query_columns(statement, SCHEMA)
    assert merged.order == ()
    return [(c.name, c.type.sql() if hasattr(c, "type") else None) for c in merged.columns]


def refusal(brackets: str, kind: str = "TABLE") -> list[str]:
    statement = parse_statement(f"CREATE {kind} t {brackets} AS SELECT 1 AS a, 'x' AS b")
    with pytest.raises(HeadraceError) as caught:
        with_query_columns(statement, SCHEMA)
    return caught.value.render().splitlines()


@pytest.mark.parametrize(
    ("brackets", "expected"),
    [
        ("", [("a", "INT NOT NULL"), ("b", "STRING")]),
        ("(b, a)", [("b", "STRING"), ("a", "INT NOT NULL")]),
        ("(z INT)", [("z", "INT"), ("a", "INT NOT NULL"), ("b", "STRING")]),
        ("(b STRING, a BIGINT)", [("a", "BIGINT"), ("b", "STRING")]),
        (
            "(c AS a + 1, m INT METADATA)",
            [("c", None), ("m", "INT"), ("a", "INT NOT NULL"), ("b", "STRING")],
        ),
        ("(PRIMARY KEY (a) NOT ENFORCED)", [("a", "INT NOT NULL"), ("b", "STRING")]),
        (
            "(a BIGINT, PRIMARY KEY (a) NOT ENFORCED)",
            [("a", "BIGINT"), ("b", "STRING")],
        ),
    ],
)
def test_own_columns_come_first_and_others_say_their_type(brackets, expected):
    assert columns(brackets) == expected


def test_the_list_names_every_column_once():
    assert refusal("(b)") == [
        "[INVALID_SCHEMA] the column list must name every column of the query once",
        "  at: <sql>:1:14",
        "  found: b",
        "  expected: a, b",
    ]
    assert refusal("(b, c)")[0] == "[UNKNOWN_COLUMN] column 'c' does not exist"
    assert refusal("(a, a)")[0].startswith("[INVALID_SCHEMA] the column list")


def test_a_key_is_of_columns_that_are_never_null():
    assert refusal("(PRIMARY KEY (b) NOT ENFORCED)")[0] == (
        "[INVALID_SCHEMA] invalid primary key: column 'b' of the query may be NULL"
    )


def test_types_must_take_the_querys():
    assert refusal("(a STRING)") == [
        "[TYPE_MISMATCH] column 'a' cannot take the query's column of that name",
        "  at: <sql>:1:17",
        "  found: INT NOT NULL",
        "  expected: STRING",
    ]
    assert refusal("(b STRING NOT NULL)")[2:] == ["  found: STRING", "  expected: STRING NOT NULL"]


def test_columns_that_nothing_fills():
    assert refusal("(z INT NOT NULL)")[0] == (
        "[INVALID_SCHEMA] column 'z' is NOT NULL, and the query does not give it"
    )
    assert refusal("(a AS 5)")[0] == (
        "[INVALID_SCHEMA] column 'a' is computed, and the query gives it as well"
    )


def test_no_temporary_tables():
    assert refusal("", "TEMPORARY TABLE")[0] == (
        "[INVALID_SCHEMA] CREATE TABLE AS cannot make a temporary table"
    )


def test_wider_numbers_are_taken():
    assert columns("(a BIGINT)")[0] == ("a", BIGINT.sql())
