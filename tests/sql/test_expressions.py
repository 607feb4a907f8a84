from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.sql.dialect import cast_type, parse_expression, position_of
from headrace.types import (
    BYTES,
    DATE,
    INT,
    STRING,
    array,
    decimal,
    row,
    time,
    timestamp,
    timestamp_ltz,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", "1"),
        ("1.50", "1.50"),
        ("1e3", "1e3"),
        ("-1", "Neg(1)"),
        ("+1", "1"),
        ("'it''s'", "'it's'"),
        ("U&'\\00e4'", "'ä'"),
        ("TRUE", "Boolean(True)"),
        ("false", "Boolean(False)"),
        ("NULL", "NULL"),
        ("x'0aff'", "HexString(0aff)"),
        ("INTERVAL '2' SECOND", "Interval('2', unit=SECOND)"),
        ("INTERVAL '10' MINUTES", "Interval('10', unit=MINUTE)"),
        ("INTERVAL 10 MINUTE", "Interval('10', unit=MINUTE)"),
        ("interval '1' day(3)", "Interval('1', unit=DAY)"),
        ("INTERVAL '1-2' YEAR TO MONTH", "Interval('1-2', unit=IntervalSpan(YEAR, MONTH))"),
        ("INTERVAL '1 10:00' DAY TO MINUTE", "Interval('1 10:00', unit=IntervalSpan(DAY, MINUTE))"),
        ("INTERVAL -'3' HOUR", "Neg(Interval('3', unit=HOUR))"),
        ("DATE '2024-02-29'", "Cast('2024-02-29', to=DATE NOT NULL)"),
        ("TIME '10:00:00'", "Cast('10:00:00', to=TIME(0) NOT NULL)"),
        (
            "TIMESTAMP '2020-01-01 00:00:00'",
            "Cast('2020-01-01 00:00:00', to=TIMESTAMP(0) NOT NULL)",
        ),
        (
            "TIMESTAMP '2020-01-01 00:00:00.123'",
            "Cast('2020-01-01 00:00:00.123', to=TIMESTAMP(3) NOT NULL)",
        ),
        (
            "TIMESTAMP_LTZ '2020-01-01 00:00:00.1'",
            "Cast('2020-01-01 00:00:00.1', to=TIMESTAMP_LTZ(1) NOT NULL)",
        ),
        ("ARRAY[1, 2]", "ARRAY(1, 2)"),
        ("ARRAY[]", "ARRAY()"),
        ("MAP['k', 1, 'l', 2]", "MAP('k', 1, 'l', 2)"),
        ("ARRAY[ARRAY[1], ARRAY[2]]", "ARRAY(ARRAY(1), ARRAY(2))"),
    ],
)
def test_literals(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("t.a", "t.a"),
        ("c.d.t.a", "c.d.t.a"),
        ("a.b.c.d.e", "Dot(a.b.c.d, e)"),
        ("`t`.`a b`", "t.a b"),
        ("t.*", "t.*"),
        ("db.t.*", "db.t.*"),
        ("t.order.from", "t.order.from"),
        ("arr[1]", "Bracket(arr, [1])"),
        ("m['k']", "Bracket(m, ['k'])"),
        ("arr[1][i + 1]", "Bracket(Bracket(arr, [1]), [Add(i, 1)])"),
        ("arr[1].f", "Dot(Bracket(arr, [1]), f)"),
        ("f(x).y.z", "Dot(Dot(F(x), y), z)"),
        ("(r).y", "Dot(Paren(r), y)"),
        ("CAST(x AS ROW<a INT>).a", "Dot(Cast(x, to=ROW<`a` INT>), a)"),
    ],
)
def test_names_and_paths(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    "word",
    [
        "offset", "partition", "timestamp", "date", "time", "value", "key", "user", "interval", "array", "map", "row",
        "year", "day", "position", "filter", "first", "range", "rows", "current_ts", "set", "default", "escape_1",
    ],
)  # fmt: skip
def test_unreserved_words_are_columns(word):
    column = parse_expression(word)
    assert isinstance(column, exp.Column)
    assert column.name == word


def test_names_keep_their_case_and_their_quotes():
    column = parse_expression("MyTable.`MyCol`")
    assert [(part.name, part.quoted) for part in column.parts] == [
        ("MyTable", False),
        ("MyCol", True),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c", "Add(a, Mul(b, c))"),
        ("a - b - c", "Sub(Sub(a, b), c)"),
        ("a / b % c", "Mod(Div(a, b), c)"),
        ("(a + b) * c", "Mul(Paren(Add(a, b)), c)"),
        ("-a * b", "Mul(Neg(a), b)"),
        ("- -a", "Neg(Neg(a))"),
        ("a || b || 'c'", "DPipe(DPipe(a, b), 'c')"),
        ("a || b + c", "Add(DPipe(a, b), c)"),
        ("a = b", "EQ(a, b)"),
        ("a <> b", "NEQ(a, b)"),
        ("a != b", "NEQ(a, b)"),
        ("a < b", "LT(a, b)"),
        ("a <= b", "LTE(a, b)"),
        ("a > b", "GT(a, b)"),
        ("a >= b", "GTE(a, b)"),
        ("a + 1 > b - 1", "GT(Add(a, 1), Sub(b, 1))"),
        ("a AND b OR c AND d", "Or(And(a, b), And(c, d))"),
        ("NOT a AND b", "And(Not(a), b)"),
        ("NOT a = b", "Not(EQ(a, b))"),
        ("NOT NOT a", "Not(Not(a))"),
        ("a IS NULL", "Is(a, NULL)"),
        ("a IS NOT NULL", "Not(Is(a, NULL))"),
        ("a IS TRUE", "Is(a, Boolean(True))"),
        ("a IS NOT FALSE", "Not(Is(a, Boolean(False)))"),
        ("a IS UNKNOWN", "Is(a, NULL)"),
        ("a = b IS NULL", "Is(EQ(a, b), NULL)"),
        ("a IS NULL AND b", "And(Is(a, NULL), b)"),
        ("a IS DISTINCT FROM b", "NullSafeNEQ(a, b)"),
        ("a IS NOT DISTINCT FROM b + 1", "NullSafeEQ(a, Add(b, 1))"),
        ("a IS JSON", "IS_JSON(a, VALUE)"),
        ("a IS NOT JSON OBJECT", "Not(IS_JSON(a, OBJECT))"),
        ("a LIKE 'x%'", "Like(a, 'x%')"),
        ("a NOT LIKE 'x%'", "Not(Like(a, 'x%'))"),
        ("a LIKE 'x!%' ESCAPE '!'", "Escape(Like(a, 'x!%'), '!')"),
        ("a NOT LIKE b ESCAPE '!'", "Not(Escape(Like(a, b), '!'))"),
        ("a SIMILAR TO 'x+'", "SimilarTo(a, 'x+')"),
        ("a BETWEEN 1 AND 2", "Between(a, low=1, high=2)"),
        ("a BETWEEN 1 AND 2 AND b", "And(Between(a, low=1, high=2), b)"),
        ("a NOT BETWEEN b - 1 AND b + 1", "Not(Between(a, low=Sub(b, 1), high=Add(b, 1)))"),
        ("a BETWEEN SYMMETRIC 2 AND 1", "Between(a, low=2, high=1, symmetric=True)"),
        ("a BETWEEN ASYMMETRIC 1 AND 2", "Between(a, low=1, high=2)"),
        ("a IN (1, 2, 3)", "In(a, [1, 2, 3])"),
        ("a NOT IN ('x')", "Not(In(a, ['x']))"),
        ("(a, b) IN ((1, 2), (3, 4))", "In(Tuple([a, b]), [Tuple([1, 2]), Tuple([3, 4])])"),
        ("(a - b) DAY", "MINUS INTERVAL(DAY, a, b)"),
        ("(a - b) YEAR TO MONTH", "MINUS INTERVAL(YEAR, a, b)"),
        ("(a, b) OVERLAPS (c, d)", "OVERLAPS(Tuple([a, b]), Tuple([c, d]))"),
    ],
)
def test_operators_and_their_precedence(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a IN (SELECT 1)", "In(a, query=Subquery(Select([1])))"),
        ("a NOT IN (SELECT 1)", "Not(In(a, query=Subquery(Select([1]))))"),
        ("EXISTS (SELECT 1)", "Exists(Select([1]))"),
        ("NOT EXISTS (SELECT 1)", "Not(Exists(Select([1])))"),
        ("a = ANY (SELECT 1)", "EQ(a, Any(Subquery(Select([1]))))"),
        ("a > ALL (SELECT 1)", "GT(a, All(Subquery(Select([1]))))"),
        ("a = SOME (SELECT 1)", "EQ(a, Any(Subquery(Select([1]))))"),
        ("(SELECT 1)", "Subquery(Select([1]))"),
        ("((SELECT 1) + 2)", "Paren(Add(Subquery(Select([1])), 2))"),
        ("((SELECT 1), 2)", "Tuple([Subquery(Select([1])), 2])"),
        (
            "((SELECT 1) UNION (SELECT 2))",
            "Subquery(Union(Subquery(Select([1])), Subquery(Select([2])), distinct=True))",
        ),
        ("(((a)))", "Paren(Paren(Paren(a)))"),
    ],
)
def test_queries_inside_expressions(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CASE WHEN a THEN 1 END", "Case(ifs=[If(a, true=1)])"),
        ("CASE WHEN a THEN 1 ELSE 2 END", "Case(ifs=[If(a, true=1)], default=2)"),
        (
            "CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' END",
            "Case(a, ifs=[If(1, true='x'), If(2, true='y')])",
        ),
        (
            "CASE WHEN a THEN CASE WHEN b THEN 1 END ELSE NULL END",
            "Case(ifs=[If(a, true=Case(ifs=[If(b, true=1)]))], default=NULL)",
        ),
    ],
)
def test_case(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CAST(x AS TIMESTAMP(3))", timestamp(3)),
        ("CAST(x AS TIMESTAMP)", timestamp(6)),
        ("CAST(x AS TIMESTAMP_LTZ(3))", timestamp_ltz(3)),
        ("CAST(x AS TIMESTAMP(3) WITH LOCAL TIME ZONE)", timestamp_ltz(3)),
        ("CAST(x AS ROW<a INT, b ARRAY<STRING>>)", row(a=INT, b=array(STRING))),
        ("CAST(x AS BYTES)", BYTES),
        ("CAST(x AS DECIMAL(10,2))", decimal(10, 2)),
        ("CAST(x AS DECIMAL)", decimal(10, 0)),
        ("CAST(x AS VARCHAR)", STRING),
        ("CAST(x AS INT NOT NULL)", INT.not_null()),
        ("CAST(NULL AS STRING)", STRING),
        ("TRY_CAST('12' AS INTEGER)", INT),
        ("DATE '2020-01-01'", DATE.not_null()),
        ("TIME '10:00:00.12'", time(2).not_null()),
    ],
)
def test_casts_are_to_flinks_types(text, expected):
    node = parse_expression(text)
    assert cast_type(node) == expected
    assert isinstance(node, exp.TryCast) == text.startswith("TRY_")


def test_the_type_survives_a_copy():
    node = parse_expression("f(CAST(x AS ROW<`a b` INT NOT NULL>))").copy()
    assert cast_type(node.find(exp.Cast)).names == ("a b",)
    assert not cast_type(node.find(exp.Cast)).children[0].nullable


@pytest.mark.parametrize(
    ("text", "kind", "line", "column", "length"),
    [
        ("a + bb", exp.Add, 1, 1, 6),
        ("a\n  + bb", exp.Add, 1, 1, 1),
        ("x = 1\n AND y = 'abc'", exp.Literal, 1, 5, 1),
        ("x = y.z", exp.Column, 1, 1, 1),
        ("  CAST(a AS INT)", exp.Cast, 1, 3, 14),
        ("CAST(a AS DECIMAL(3, 1))", exp.DataType, 1, 11, 13),
        ("f(\n  `a b`)", exp.Identifier, 2, 3, 5),
        ("1 + INTERVAL '1' DAY", exp.Interval, 1, 5, 16),
        ("a BETWEEN 1 AND 2", exp.Between, 1, 1, 17),
        ("CASE WHEN a THEN b END", exp.If, 1, 6, 13),
        ("x IS NOT NULL", exp.Is, 1, 1, 13),
    ],
)
def test_nodes_know_their_place(text, kind, line, column, length):
    position = position_of(parse_expression(text).find(kind), "job.sql")
    assert (position.line, position.column, position.length) == (line, column, length)
    assert position.source == "job.sql"


def test_every_written_node_of_an_expression_has_a_place():
    tree = parse_expression(
        "CASE WHEN f(a.b[1]) > 2 AND c LIKE 'x' THEN CAST(d AS INT) ELSE -e END"
    )
    missing = [node for node in tree.walk() if "line" not in node.meta]
    assert missing == []


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("a +", 4, "an expression"),
        ("a + * b", 5, "an expression"),
        ("a = ", 4, "an expression"),
        ("a b", 3, "an operator or the end of the expression"),
        ("'a' 'b'", 5, "an operator or the end of the expression"),
        ("a IS b", 6, "NULL, TRUE, FALSE, UNKNOWN, JSON or DISTINCT FROM"),
        ("a IN 1", 6, "'(' and a list or a query after IN"),
        ("a IN ()", 7, "an expression"),
        ("a BETWEEN 1, 2", 12, "AND"),
        ("a LIKE 'x' ESCAPE b", 19, "the escape character in single quotes"),
        ("CASE END", 6, "an expression"),
        ("CASE a END", 8, "WHEN"),
        ("CASE WHEN a 1 END", 13, "THEN"),
        ("CASE WHEN a THEN 1", 19, "WHEN, ELSE or END"),
        ("CAST(a INT)", 8, "AS"),
        ("CAST(a AS INT", 5, "')'"),
        ("arr[1", 4, "']'"),
        ("ARRAY[1 2]", 9, "',' or ']'"),
        ("EXISTS 1", 8, "'('"),
        ("INTERVAL 1.5 MINUTE", 10, "the amount of the INTERVAL in single quotes"),
        ("INTERVAL '1' FORTNIGHT", 14, "a unit of time such as DAY or SECOND"),
        ("INTERVAL '1'", 13, "a unit of time such as DAY or SECOND"),
        ("a.", 3, "a field name"),
        ("a.1", 2, "an operator or the end of the expression"),
        ("from", 1, "an expression"),
        (")", 1, "an expression"),
        ("", 1, "an expression"),
        ("a # b", 3, "an operator or the end of the expression"),
    ],
)
def test_broken_expressions_are_pointed_at(reject, place, text, column, expected):
    error = reject(text, parse_expression)
    assert place(error)[:2] == (1, column)
    assert error.expected == expected


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("DATE '2020/01/01'", "DATE '2020-01-31'"),
        ("TIME '10h'", "TIME '13:30:00'"),
        ("TIMESTAMP '2020-01-01 00'", "TIMESTAMP '2020-01-31 13:30:00.000'"),
        ("TIMESTAMP '2020-01-01T00:00:00'", "TIMESTAMP '2020-01-31 13:30:00.000'"),
    ],
)
def test_a_wrong_time_literal_shows_a_right_one(reject, text, example):
    assert reject(text, parse_expression).expected == example


def test_milliseconds_are_no_unit_of_an_interval(reject, place):
    error = reject("INTERVAL '1' MILLISECOND", parse_expression)
    assert "not measured in MILLISECOND" in error.summary
    assert place(error) == (1, 14, 11)


def test_double_quotes_are_explained(reject):
    error = reject('a = "x"', parse_expression)
    assert error.summary == "double quotes do not quote anything in a query"


def test_a_map_needs_pairs(reject):
    assert reject("MAP['a', 1, 'b']", parse_expression).found == "3 items"
