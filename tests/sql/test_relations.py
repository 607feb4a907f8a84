from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.errors import UnsupportedSql
from headrace.sql.dialect import parse_query, position_of


@pytest.fixture
def relation(picture):
    """The picture of what follows FROM."""

    def of(text):
        return picture(parse_query(f"SELECT * FROM {text}").args["from_"].this)

    return of


@pytest.fixture
def join(picture):
    def of(text):
        return [picture(item) for item in parse_query(f"SELECT * FROM l {text}").args["joins"]]

    return of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t", "Table(t)"),
        ("db.t", "Table(t, db=db)"),
        ("cat.db.t", "Table(t, db=db, catalog=cat)"),
        ("`my table`", "Table(my table)"),
        ("t AS x", "Table(t, alias=TableAlias(x))"),
        ("t x", "Table(t, alias=TableAlias(x))"),
        ("t AS x (a, b)", "Table(t, alias=TableAlias(x, columns=[a, b]))"),
        ("user AS u", "Table(user, alias=TableAlias(u))"),
        ("(SELECT 1) AS q", "Subquery(Select([1]), alias=TableAlias(q))"),
        ("(SELECT 1) q (a)", "Subquery(Select([1]), alias=TableAlias(q, columns=[a]))"),
        ("((SELECT 1))", "Subquery(Subquery(Select([1])))"),
        (
            "(SELECT 1 UNION ALL SELECT 2) q",
            "Subquery(Union(Select([1]), Select([2]), distinct=False), alias=TableAlias(q))",
        ),
        (
            "(VALUES (1, 'a'), (2, 'b')) AS v (id, name)",
            "Values([Tuple([1, 'a']), Tuple([2, 'b'])], alias=TableAlias(v, columns=[id, name]))",
        ),
        ("(VALUES 1, 2) v", "Values([Tuple([1]), Tuple([2])], alias=TableAlias(v))"),
        ("(VALUES ROW(1, 2))", "Values([Tuple([1, 2])])"),
    ],
)
def test_tables_and_subqueries(relation, text, expected):
    assert relation(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))",
            "Table(TUMBLE(Table(t), DESCRIPTOR(ts), Interval('10', unit=MINUTE)))",
        ),
        (
            "TABLE(HOP(TABLE db.t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '1' MINUTE)) AS h",
            "Table(HOP(Table(t, db=db), DESCRIPTOR(ts), Interval('5', unit=SECOND),"
            " Interval('1', unit=MINUTE)), alias=TableAlias(h))",
        ),
        (
            "TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' HOUR, INTERVAL '1' DAY))",
            "Table(CUMULATE(Table(t), DESCRIPTOR(ts), Interval('2', unit=HOUR), Interval('1', unit=DAY)))",
        ),
        (
            "TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
            "Table(SESSION(Table(t, partition=Partition([k])), DESCRIPTOR(ts), Interval('1', unit=HOUR)))",
        ),
        (
            "TABLE(SESSION(TABLE t PARTITION BY (a, b), DESCRIPTOR(ts), INTERVAL '1' HOUR))",
            "Table(SESSION(Table(t, partition=Partition([a, b])), DESCRIPTOR(ts), Interval('1', unit=HOUR)))",
        ),
        (
            "TABLE(SESSION(DATA => TABLE t PARTITION BY a, b, TIMECOL => DESCRIPTOR(ts), GAP => x))",
            "Table(SESSION(Kwarg(DATA, Table(t, partition=Partition([a, b]))),"
            " Kwarg(TIMECOL, DESCRIPTOR(ts)), Kwarg(GAP, x)))",
        ),
        ("TABLE(f(1))", "Table(F(1))"),
        ("TABLE(f(TABLE (SELECT 1)))", "Table(F(Subquery(Select([1]))))"),
        ("LATERAL TABLE(split(a)) AS s (w)", "Lateral(SPLIT(a), alias=TableAlias(s, columns=[w]))"),
        ("LATERAL (SELECT 1) x", "Lateral(Subquery(Select([1])), alias=TableAlias(x))"),
        ("UNNEST(a)", "Unnest([a])"),
        ("UNNEST(a) AS u (x)", "Unnest([a], alias=TableAlias(u, columns=[x]))"),
        (
            "UNNEST(t.a) WITH ORDINALITY AS u (x, n)",
            "Unnest([t.a], offset=True, alias=TableAlias(u, columns=[x, n]))",
        ),
    ],
)
def test_functions_as_tables(relation, text, expected):
    assert relation(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "r FOR SYSTEM_TIME AS OF l.ts AS x",
        "r FOR SYSTEM_TIME AS OF l.ts x",
        "r AS x FOR SYSTEM_TIME AS OF l.ts",
        "r x for system_time as of l.ts",
    ],
)
def test_the_version_of_a_table(text):
    table = parse_query(f"SELECT * FROM {text}").find(exp.Table)
    version = table.args["version"]
    assert table.alias == "x"
    assert (version.name, version.args["kind"]) == ("TIMESTAMP", "AS OF")
    assert [part.name for part in version.expression.parts] == ["l", "ts"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (", r", ["Join(Table(r))"]),
        ("JOIN r ON l.a = r.a", ["Join(Table(r), on=EQ(l.a, r.a))"]),
        ("INNER JOIN r ON TRUE", ["Join(Table(r), kind=INNER, on=Boolean(True))"]),
        ("LEFT JOIN r ON a = b", ["Join(Table(r), side=LEFT, on=EQ(a, b))"]),
        ("LEFT OUTER JOIN r ON a = b", ["Join(Table(r), side=LEFT, on=EQ(a, b))"]),
        ("RIGHT JOIN r ON a = b", ["Join(Table(r), side=RIGHT, on=EQ(a, b))"]),
        ("FULL OUTER JOIN r ON a = b", ["Join(Table(r), side=FULL, on=EQ(a, b))"]),
        ("CROSS JOIN r", ["Join(Table(r), kind=CROSS)"]),
        ("NATURAL JOIN r", ["Join(Table(r), method=NATURAL)"]),
        ("NATURAL LEFT JOIN r", ["Join(Table(r), side=LEFT, method=NATURAL)"]),
        ("JOIN r USING (a, b)", ["Join(Table(r), using=[a, b])"]),
        (
            "x LEFT JOIN r y ON x.a = y.a AND y.b > 1 CROSS JOIN s",
            [
                "Join(Table(r, alias=TableAlias(y)), side=LEFT, on=And(EQ(x.a, y.a), GT(y.b, 1)))",
                "Join(Table(s), kind=CROSS)",
            ],
        ),
        (
            "LEFT JOIN LATERAL TABLE(f(l.a)) AS x (b) ON TRUE",
            [
                "Join(Lateral(F(l.a), alias=TableAlias(x, columns=[b])), side=LEFT, on=Boolean(True))"
            ],
        ),
        ("CROSS JOIN UNNEST(l.a)", ["Join(Unnest([l.a]), kind=CROSS)"]),
        (
            "JOIN r FOR SYSTEM_TIME AS OF l.ts ON l.a = r.a",
            [
                "Join(Table(r, version=Version(TIMESTAMP, kind=AS OF, l.ts)), on=EQ(l.a, r.a))",
            ],
        ),
    ],
)
def test_joins(join, text, expected):
    assert join(text) == expected


def test_a_table_is_placed_at_its_whole_name():
    query = parse_query("SELECT *\nFROM cat.db.orders AS o (a, b)")
    position = position_of(query.find(exp.Table))
    assert (position.line, position.column, position.length) == (2, 6, 13)


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("SELECT * FROM", 14, "a table"),
        ("SELECT * FROM WHERE a", 15, "a table"),
        ("SELECT * FROM 'x'", 15, "a table"),
        ("SELECT * FROM t AS", 19, "an alias"),
        ("SELECT * FROM a, ", 17, "a table"),
        ("SELECT * FROM a JOIN b", 23, "ON and the condition of the join"),
        ("SELECT * FROM a LEFT JOIN b WHERE x", 29, "ON and the condition of the join"),
        ("SELECT * FROM a LEFT b", 22, "JOIN"),
        ("SELECT * FROM a JOIN b USING a", 30, "'('"),
        ("SELECT * FROM a JOIN UNNEST(x) AS u (y)", 40, "ON and the condition of the join"),
        ("SELECT * FROM r FOR SYSTEM_TIME OF x", 33, "FOR SYSTEM_TIME AS OF"),
        ("SELECT * FROM TABLE(TUMBLE)", 27, "'('"),
        ("SELECT * FROM (SELECT 1", 15, "')'"),
        ("SELECT * FROM LATERAL f(x)", 23, "'('"),
        ("SELECT * FROM t x (a b)", 22, "',' or ')'"),
    ],
)
def test_broken_relations_are_pointed_at(reject, place, text, column, expected):
    error = reject(text)
    assert place(error)[:2] == (1, column)
    assert error.expected == expected


def test_a_name_of_four_parts_is_no_table(reject, place):
    error = reject("SELECT * FROM a.b.c.d")
    assert "at most three parts" in error.summary
    assert place(error) == (1, 15, 1)


def test_a_bare_table_function_is_shown_its_brackets(reject):
    assert reject("SELECT * FROM tumble(x)").cure == "a table function is written TABLE(tumble(…))"


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a)", 17, "MATCH_RECOGNIZE"),
        ("SELECT * FROM t AS x MATCH_RECOGNIZE (ORDER BY ts)", 22, "MATCH_RECOGNIZE"),
        ("SELECT * FROM (SELECT 1) MATCH_RECOGNIZE (ORDER BY ts)", 26, "MATCH_RECOGNIZE"),
        ("SELECT * FROM t TABLESAMPLE BERNOULLI (10)", 17, "TABLESAMPLE"),
    ],
)
def test_what_flink_knows_and_headrace_does_not_run(reject, place, text, column, what):
    error = reject(text)
    assert isinstance(error, UnsupportedSql)
    assert error.summary == f"{what} is not supported"
    assert place(error)[:2] == (1, column)


def test_a_table_in_brackets_is_all_of_it():
    query = parse_query("SELECT * FROM (TABLE db.t) AS x")
    subquery = query.args["from_"].this
    assert isinstance(subquery, exp.Subquery)
    assert (subquery.alias, subquery.this.sql()) == ("x", "SELECT * FROM db.t")


def test_joins_in_brackets_are_one_relation():
    query = parse_query("SELECT * FROM a JOIN (b JOIN c ON b.x = c.x) ON a.x = b.x")
    (join,) = query.args["joins"]
    assert isinstance(join.this, exp.Paren)
    inner = join.this.this
    assert inner.args["from_"].this.name == "b"
    assert [item.this.name for item in inner.args["joins"]] == ["c"]
