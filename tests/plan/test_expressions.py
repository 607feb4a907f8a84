from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest

from headrace.plan.expressions import (
    AggregateCall,
    Case,
    Cast,
    FieldAccess,
    InputRef,
    Literal,
    is_condition,
    literal_text,
)
from headrace.plan.functions.lookup import lookup_aggregate
from headrace.plan.nodes import Field, Values
from headrace.types import BIGINT, BOOLEAN, INT, STRING, DataType, Kind, row

COLUMNS = Values(
    (),
    (
        Field("a", INT),
        Field("b", INT),
        Field("s", STRING),
        Field("ok", BOOLEAN),
        Field("r", row(x=INT)),
    ),
)
A, B = InputRef(INT, "a"), InputRef(INT, "b")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (True, "TRUE"),
        (3, "3"),
        (1.5, "1.5"),
        (Decimal("1E+2"), "100"),
        (Decimal("0.10"), "0.10"),
        ("it's", "'it''s'"),
        (b"\x01\xff", "x'01ff'"),
        (date(2026, 1, 2), "DATE '2026-01-02'"),
        (time(3, 4, 5), "TIME '03:04:05'"),
        (datetime(2026, 1, 2, 3, 4, 5), "TIMESTAMP '2026-01-02 03:04:05'"),
        (timedelta(minutes=1, milliseconds=500), "INTERVAL '60.5' SECOND"),
    ],
)
def test_constants_read_as_sql(value, text):
    assert literal_text(value) == text
    assert str(Literal(STRING, value)) == text


def test_an_interval_of_months():
    assert str(Literal(DataType(Kind.INTERVAL_YEAR_MONTH), 14)) == "INTERVAL '14' MONTH"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "a"),
        ("a + b", "(a + b)"),
        ("UPPER(s)", "UPPER(s)"),
        ("CAST(a AS STRING)", "CAST(a AS STRING)"),
        ("TRY_CAST(s AS INT)", "TRY_CAST(s AS INT)"),
        ("CASE WHEN ok THEN a ELSE b END", "CASE WHEN ok THEN a ELSE b END"),
        ("r.x", "r.x"),
    ],
)
def test_expressions_read_back(expr, text, shown):
    assert str(expr(text, COLUMNS)) == shown


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1", set()),
        ("a + b * a", {"a", "b"}),
        ("CASE WHEN ok THEN a ELSE 0 END", {"ok", "a"}),
        ("CAST(UPPER(s) AS BYTES)", {"s"}),
        ("r.x + a", {"r", "a"}),
    ],
)
def test_input_names(expr, text, names):
    assert expr(text, COLUMNS).input_names() == names


def test_walk_visits_parents_first():
    cast = Cast(BIGINT, A)
    assert list(cast.walk()) == [cast, A]


@pytest.mark.parametrize(
    "text", ["a + b", "CASE WHEN ok THEN a WHEN a > b THEN b ELSE 0 END", "CAST(r.x + a AS STRING)"]
)
def test_children_can_be_put_back(expr, text):
    whole = expr(text, COLUMNS)
    assert whole.with_children(whole.children()) == whole


def test_transform_rewrites_from_below(expr):
    def swap(node):
        return B if node == A else A if node == B else node

    changed = expr("CASE WHEN a > b THEN a ELSE r.x END", COLUMNS).transform(swap)
    assert str(changed) == "CASE WHEN (b > a) THEN b ELSE r.x END"


def test_transform_that_changes_nothing_keeps_the_object(expr):
    whole = expr("a + b", COLUMNS)
    assert whole.transform(lambda node: node) is whole


def test_a_case_keeps_its_pairs():
    case = Case(INT, ((InputRef(BOOLEAN, "ok"), A),), B)
    assert case.children() == (InputRef(BOOLEAN, "ok"), A, B)
    changed = case.with_children((InputRef(BOOLEAN, "no"), B, A))
    assert changed == Case(INT, ((InputRef(BOOLEAN, "no"), B),), A)


def test_field_access_keeps_its_name():
    access = FieldAccess(INT, InputRef(row(x=INT), "r"), "x")
    other = InputRef(row(x=INT), "q")
    assert str(access.with_children((other,))) == "q.x"


@pytest.mark.parametrize(
    ("name", "args", "facts", "shown"),
    [
        ("COUNT", (), {}, "COUNT(*)"),
        ("COUNT", (A,), {"distinct": True}, "COUNT(DISTINCT a)"),
        ("SUM", (A,), {"filter": InputRef(BOOLEAN, "ok")}, "SUM(a) FILTER (WHERE ok)"),
    ],
)
def test_aggregate_calls_read_back(name, args, facts, shown):
    assert str(AggregateCall(lookup_aggregate(name), args, BIGINT, **facts)) == shown


def test_conditions_are_boolean_nullable_or_not():
    assert is_condition(InputRef(BOOLEAN, "ok"))
    assert is_condition(InputRef(BOOLEAN.not_null(), "ok"))
    assert not is_condition(A)
