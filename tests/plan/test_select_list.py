import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Filter
from headrace.plan.select_list import aggregate_calls, needs_grouping, own_nodes, without_aliases
from headrace.sql.dialect import parse_expression, parse_query


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


@pytest.mark.parametrize(
    ("items", "names"),
    [
        ("name", ("name",)),
        ("name AS n, age", ("n", "age")),
        ("users.name", ("name",)),
        ("age + 1, name", ("EXPR$0", "name")),
        ("name, name", ("name", "name0")),
        ("name, *", ("name", "user_id", "name0", "country", "age")),
        ("u.*", None),
        ("users.*", ("user_id", "name", "country", "age")),
    ],
)
def test_output_names_are_flinks(query, items, names):
    sql = f"SELECT {items} FROM users"
    if names is None:
        assert refusal(query, sql)[0] == "[UNKNOWN_TABLE] table 'u' does not exist"
    else:
        assert query(sql).names == names


def test_a_field_of_a_row_gives_the_column_its_name(query):
    assert query("SELECT address.city FROM orders").names == ("city",)
    assert query("SELECT o.address.zip FROM orders AS o").names == ("zip",)


def test_a_field_of_anything_else_does_not(query):
    sql = "SELECT ARRAY[address][1].city, order_id FROM orders"
    assert query(sql).names == ("EXPR$0", "order_id")


def test_a_star_spreads_a_row(query):
    for item in ("address.*", "orders.address.*"):
        node = query(f"SELECT order_id, {item} FROM orders")
        assert node.names == ("order_id", "city", "zip")
        assert [field.type.nullable for field in node.schema[1:]] == [True, True]
    assert refusal(query, "SELECT item.* FROM orders")[:2] == [
        "[NOT_A_ROW] 'item' has no fields that * could stand for",
        "  at: <sql>:1:8",
    ]
    assert refusal(query, "SELECT nope.* FROM orders")[0] == (
        "[UNKNOWN_TABLE] table 'nope' does not exist"
    )


def test_columns_that_are_named_alike_mean_neither_above(query):
    for outside in ("a", "x.a"):
        lines = refusal(query, f"SELECT {outside} FROM (SELECT 1 AS a, 2 AS a, 3 AS b) AS x")
        assert lines[0] == "[AMBIGUOUS_COLUMN] column 'a' is ambiguous"
    assert refusal(query, "SELECT a0 FROM (SELECT 1 AS a, 2 AS a)")[0].startswith(
        "[UNKNOWN_COLUMN]"
    )
    assert query("SELECT b FROM (SELECT 1 AS a, 2 AS a, 3 AS b)").names == ("b",)
    assert query("SELECT d FROM (SELECT 1 AS a, 2 AS a) AS x (c, d)").names == ("d",)


def test_a_star_below_tells_them_apart(query):
    both = "SELECT * FROM users_copy AS a JOIN users_copy AS b ON a.user_id = b.user_id"
    assert query(f"SELECT name, name0 FROM ({both})").names == ("name", "name0")


def test_a_star_needs_columns(query):
    assert refusal(query, "SELECT *") == [
        "[NO_COLUMNS] there is nothing that * could stand for",
        "  at: <sql>:1:8",
        "  cure: add a FROM clause, or list expressions",
    ]


def test_a_star_goes_with_no_group(query):
    assert refusal(query, "SELECT * FROM users GROUP BY name")[0].startswith("[NOT_GROUPED]")


def test_a_star_shows_every_table_of_a_join(query):
    sql = "SELECT {} FROM users_copy AS a JOIN users_copy AS b ON a.user_id = b.user_id"
    assert query(sql.format("*")).names == ("user_id", "name", "user_id0", "name0")
    assert query(sql.format("b.*")).names == ("user_id", "name")
    assert refusal(query, sql.format("c.*"))[2] == "  expected: a, b"


@pytest.mark.parametrize(
    ("sql", "grouped"),
    [
        ("SELECT a FROM t", False),
        ("SELECT a FROM t GROUP BY a", True),
        ("SELECT COUNT(*) FROM t", True),
        ("SELECT 1 + MAX(a) FROM t", True),
        ("SELECT a FROM t HAVING TRUE", True),
        ("SELECT a FROM t WHERE a IN (SELECT MAX(b) FROM s)", False),
        ("SELECT a, (SELECT MAX(b) FROM s) FROM t", False),
        ("SELECT SUM(a) OVER (ORDER BY b) FROM t", False),
    ],
)
def test_what_needs_grouping(sql, grouped):
    assert needs_grouping(parse_query(sql)) is grouped


def test_own_nodes_are_not_those_of_queries_inside():
    node = parse_expression("a + (SELECT b FROM t)")
    assert [item.name for item in own_nodes(node) if item.key == "column"] == ["a"]


class TestAliasesInQualify:
    def test_an_alias_is_what_it_stands_for(self):
        select = parse_query("SELECT a + 1 AS b, c FROM t QUALIFY b > c")
        assert without_aliases(select).args["qualify"].sql() == "QUALIFY (a + 1) > c"
        assert select.args["qualify"].sql() == "QUALIFY b > c"

    def test_it_comes_before_a_column(self, query):
        sql = "SELECT -age AS age, ROW_NUMBER() OVER (ORDER BY name) AS rn FROM users QUALIFY rn < 3 AND age > 1"
        (condition,) = (
            str(item.condition) for item in query(sql).walk() if isinstance(item, Filter)
        )
        assert condition == "AND((row_number < 3), (UNARY -(age) > 1))"

    def test_a_qualified_name_is_a_column(self):
        select = parse_query("SELECT -t.a AS a FROM t QUALIFY t.a > 1")
        assert without_aliases(select).args["qualify"].sql() == "QUALIFY t.a > 1"

    @pytest.mark.parametrize("sql", ["SELECT a AS b FROM t", "SELECT a FROM t QUALIFY a > 1"])
    def test_most_queries_stay_as_they_are(self, sql):
        select = parse_query(sql)
        assert without_aliases(select) is select


def test_calls_of_the_query_itself():
    select = parse_query("SELECT SUM(a) + MAX(b), (SELECT MIN(c) FROM u) FROM t ORDER BY COUNT(*)")
    assert [call.sql() for call in aggregate_calls(select)] == ["SUM(a)", "MAX(b)", "COUNT(*)"]
