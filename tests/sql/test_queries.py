from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.sql.dialect import parse_query, position_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1", "Select([1])"),
        ("SELECT *", "Select([*])"),
        ("SELECT a, t.*, b + 1", "Select([a, t.*, Add(b, 1)])"),
        (
            "SELECT a AS x, b y, c AS `z 1`",
            "Select([Alias(a, alias=x), Alias(b, alias=y), Alias(c, alias=z 1)])",
        ),
        ("SELECT a AS value, b AS key", "Select([Alias(a, alias=value), Alias(b, alias=key)])"),
        ("SELECT DISTINCT a", "Select(distinct=Distinct(), [a])"),
        ("SELECT ALL a", "Select([a])"),
        ("select a from t", "Select([a], from_=From(Table(t)))"),
        ("SELECT a FROM t WHERE a > 1", "Select([a], from_=From(Table(t)), where=Where(GT(a, 1)))"),
        (
            "SELECT a FROM t GROUP BY a HAVING COUNT(*) > 1",
            "Select([a], from_=From(Table(t)), group=Group([a]), having=Having(GT(COUNT(*), 1)))",
        ),
        (
            "SELECT a FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY b) = 1",
            "Select([a], from_=From(Table(t)), qualify=Qualify(EQ(Window(ROW_NUMBER(),"
            " order=Order([Ordered(b, desc=False)]), over=OVER), 1)))",
        ),
        (
            "SELECT SUM(a) OVER w FROM t WINDOW w AS (PARTITION BY b), v AS (w ORDER BY c)",
            "Select([Window(SUM(a), alias=w, over=OVER)], from_=From(Table(t)), windows=[Window(w,"
            " partition_by=[b]), Window(v, alias=w, order=Order([Ordered(c, desc=False)]))])",
        ),
    ],
)
def test_select(picture, text, expected):
    assert picture(parse_query(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "Group([a])"),
        ("a, b + 1, 3", "Group([a, Add(b, 1), 3])"),
        ("(a, b)", "Group([Tuple([a, b])])"),
        ("()", "Group([Tuple()])"),
        ("CUBE (a, b)", "Group(cube=[Cube([a, b])])"),
        ("ROLLUP (a, (b, c))", "Group(rollup=[Rollup([a, Tuple([b, c])])])"),
        (
            "GROUPING SETS ((a, b), (a), b, ())",
            "Group(grouping_sets=[GroupingSets([Tuple([a, b]), Paren(a), b, Tuple()])])",
        ),
        ("a, ROLLUP (b)", "Group([a], rollup=[Rollup([b])])"),
        ("window_start, window_end, a", "Group([window_start, window_end, a])"),
        ("TUMBLE(ts, INTERVAL '1' HOUR)", "Group([TUMBLE(ts, Interval('1', unit=HOUR))])"),
        ("cube, rollup", "Group([cube, rollup])"),
    ],
)
def test_group_by(picture, text, expected):
    query = parse_query(f"SELECT 1 FROM t GROUP BY {text}")
    assert picture(query.args["group"]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ORDER BY a", {"order": "Order([Ordered(a, desc=False)])"}),
        (
            "ORDER BY a DESC, b ASC NULLS FIRST",
            {"order": "Order([Ordered(a, desc=True), Ordered(b, desc=False, nulls_first=True)])"},
        ),
        ("LIMIT 10", {"limit": "Limit(10)"}),
        ("LIMIT ALL", {}),
        ("LIMIT 10 OFFSET 5", {"limit": "Limit(10)", "offset": "Offset(5)"}),
        ("OFFSET 5 ROWS", {"offset": "Offset(5)"}),
        ("FETCH FIRST 3 ROWS ONLY", {"limit": "Limit(3)"}),
        ("OFFSET 1 ROW FETCH NEXT ROW ONLY", {"offset": "Offset(1)", "limit": "Limit(1)"}),
    ],
)
def test_order_and_limit(picture, text, expected):
    query = parse_query(f"SELECT a FROM t {text}")
    found = {key: query.args.get(key) for key in ("order", "limit", "offset")}
    assert {key: picture(value) for key, value in found.items() if value} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1 UNION SELECT 2", "Union(Select([1]), Select([2]), distinct=True)"),
        ("SELECT 1 UNION ALL SELECT 2", "Union(Select([1]), Select([2]), distinct=False)"),
        ("SELECT 1 UNION DISTINCT SELECT 2", "Union(Select([1]), Select([2]), distinct=True)"),
        ("SELECT 1 INTERSECT SELECT 2", "Intersect(Select([1]), Select([2]), distinct=True)"),
        ("SELECT 1 EXCEPT ALL SELECT 2", "Except(Select([1]), Select([2]), distinct=False)"),
        ("SELECT 1 MINUS SELECT 2", "Except(Select([1]), Select([2]), distinct=True)"),
        (
            "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3",
            "Union(Union(Select([1]), Select([2]), distinct=False), Select([3]), distinct=False)",
        ),
        (
            "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
            "Union(Select([1]), Intersect(Select([2]), Select([3]), distinct=True), distinct=True)",
        ),
        (
            "(SELECT 1) UNION ALL (SELECT 2)",
            "Union(Subquery(Select([1])), Subquery(Select([2])), distinct=False)",
        ),
        (
            "SELECT 1 UNION ALL SELECT 2 ORDER BY 1 LIMIT 3",
            "Union(Select([1]), Select([2]), distinct=False,"
            " order=Order([Ordered(1, desc=False)]), limit=Limit(3))",
        ),
    ],
)
def test_set_operations(picture, text, expected):
    assert picture(parse_query(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("VALUES (1, 'a')", "Select([*], from_=From(Values([Tuple([1, 'a'])])))"),
        ("VALUES (1), (2)", "Select([*], from_=From(Values([Tuple([1]), Tuple([2])])))"),
        ("TABLE t", "Select([*], from_=From(Table(t)))"),
        ("(SELECT 1)", "Subquery(Select([1]))"),
    ],
)
def test_queries_without_select_are_queries_all_the_same(picture, text, expected):
    query = parse_query(text)
    assert isinstance(query, exp.Query)
    assert picture(query) == expected


def test_common_tables():
    query = parse_query(
        "WITH a AS (SELECT 1 AS x), b (y, z) AS (SELECT x, 2 FROM a) SELECT * FROM a, b"
    )
    first, second = query.args["with_"].expressions
    assert (first.alias, second.alias) == ("a", "b")
    assert second.alias_column_names == ["y", "z"]
    assert isinstance(second.this, exp.Select)
    assert query.args["with_"].args.get("recursive") is None


def test_common_tables_over_a_set_operation():
    query = parse_query("WITH a AS (SELECT 1) SELECT * FROM a UNION ALL SELECT * FROM a")
    assert isinstance(query, exp.Union)
    assert [table.alias for table in query.args["with_"].expressions] == ["a"]


def test_a_recursive_with_says_so():
    query = parse_query("WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a")
    assert query.args["with_"].args["recursive"] is True


def test_a_subquery_may_have_its_own_common_tables():
    query = parse_query("SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) q")
    assert query.find(exp.Subquery).this.args["with_"].expressions[0].alias == "a"


def test_the_query_of_a_changelog_pipeline_parses_whole():
    query = parse_query(
        """
        SELECT region, window_start,
               COUNT(*) AS views,
               COUNT(DISTINCT user_id) FILTER (WHERE user_id > 0) AS users  -- signed in
        FROM TABLE(TUMBLE(TABLE views, DESCRIPTOR(viewed_at), INTERVAL '1' MINUTE))
        WHERE region IS NOT NULL /* and nothing else */
        GROUP BY region, window_start, window_end
        """
    )
    assert [item.alias_or_name for item in query.expressions] == [
        "region",
        "window_start",
        "views",
        "users",
    ]
    assert len(query.args["group"].expressions) == 3


@pytest.mark.parametrize(
    ("text", "kind", "line", "column"),
    [
        ("\n  SELECT 1", exp.Select, 2, 3),
        ("SELECT a,\n  bb FROM t", exp.Column, 1, 8),
        ("SELECT 1\nFROM t\nWHERE x", exp.Where, 3, 1),
        ("SELECT 1\nFROM t\nGROUP BY x", exp.Group, 3, 1),
        ("SELECT 1 FROM t ORDER BY\n a DESC", exp.Ordered, 2, 2),
        ("WITH a AS (SELECT 1)\nSELECT * FROM a", exp.CTE, 1, 6),
        ("SELECT 1 LIMIT 5", exp.Limit, 1, 10),
    ],
)
def test_clauses_know_their_place(text, kind, line, column):
    position = position_of(parse_query(text).find(kind))
    assert (position.line, position.column) == (line, column)


def test_every_clause_and_expression_of_a_query_has_a_place():
    query = parse_query(
        "SELECT a AS x, COUNT(*) c FROM t AS u JOIN v ON u.a = v.a WHERE b > 1 GROUP BY a HAVING c > 2"
    )
    unplaced = {type(node) for node in query.walk() if "line" not in node.meta}
    assert unplaced == set()


@pytest.mark.parametrize(
    ("text", "column", "cure"),
    [
        ("SELECT a FORM t", 10, "did you mean FROM?"),
        ("SELECT a FROM t WHER x > 1", 17, "did you mean WHERE?"),
        ("SELECT a FROM t GROPU BY a", 17, "did you mean GROUP?"),
        ("SELECT a FROM t ODRER BY a", 17, "did you mean ORDER?"),
        ("SELECT a FROM t x WHRE a = 1", 19, "did you mean WHERE?"),
        ("SELECT a FROM t LIMITT 5", 17, "did you mean LIMIT?"),
        ("SELECT a FROM t x UNOIN SELECT 1", 19, "did you mean UNION?"),
        ("SELECT a FORM orders", 10, "did you mean FROM?"),
        ("SELECT * FROM (SELECT a FORM t) x", 25, "did you mean FROM?"),
        ("SELECT * FROM t WHERE a IN (SELECT b FROM u WHER c = 1)", 45, "did you mean WHERE?"),
        ("WITH q AS (SELECT a FROM t GROPU BY a) SELECT 1", 28, "did you mean GROUP?"),
    ],
)
def test_a_misspelled_clause_is_blamed_itself(reject, place, text, column, cure):
    error = reject(text)
    assert place(error)[:2] == (1, column)
    assert error.cure == cure


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("SELECT", 7, "a column or an expression"),
        ("SELECT FROM t", 8, "a column or an expression"),
        ("SELECT a, FROM t", 11, "a column or an expression"),
        ("SELECT a,, b FROM t", 10, "a column or an expression"),
        ("SELECT a AS FROM t", 13, "a name after AS"),
        ("SELECT a FROM t WHERE", 22, "an expression"),
        ("SELECT a FROM t WHERE x = ", 26, "an expression"),
        ("SELECT a FROM t GROUP a", 23, "GROUP BY"),
        ("SELECT a FROM t GROUP BY", 25, "an expression"),
        ("SELECT a FROM t ORDER BY a,", 28, "an expression"),
        ("SELECT 1 UNION", 15, "a query: SELECT, VALUES or WITH"),
        ("SELECT 1 UNION ALL FROM t", 20, "a query: SELECT, VALUES or WITH"),
        ("WITH a SELECT 1", 8, "AS"),
        ("WITH a AS SELECT 1", 11, "'('"),
        ("WITH a AS (SELECT 1), SELECT 1", 23, "the name of a common table"),
        ("SELECT 1 FETCH 3 ROWS ONLY", 16, "FIRST or NEXT"),
        ("SELECT 1 FETCH FIRST 3 ROWS", 28, "ONLY"),
        ("SELECT SUM(a) OVER w FROM t WINDOW w (ORDER BY b)", 38, "AS"),
        ("VALUES", 7, "an expression"),
    ],
)
def test_broken_queries_are_pointed_at(reject, place, text, column, expected):
    error = reject(text)
    assert place(error)[:2] == (1, column)
    assert error.expected == expected


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("SELECT a b c FROM t", 12),
        ("SELECT a FROM t GROUP BY a WHERE b", 28),
        ("SELECT a FROM t HAVING a GROUP BY b", 26),
        ("SELECT a FROM t LIMIT 1 ORDER BY a", 25),
        ("SELECT a FROM t)", 16),
        ("SELECT a FROM t; SELECT b c d", 29),
    ],
)
def test_what_cannot_follow_is_pointed_at(reject, place, text, column):
    assert place(reject(text))[:2] == (1, column)


def test_a_reserved_word_as_a_table_is_told_of_back_quotes(reject):
    assert reject("SELECT a FROM order").cure == "write it in back quotes: `order`"
