from __future__ import annotations

import pytest

from headrace.errors import UnknownName, UnsupportedSql, UserError
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import FieldAccess, InputRef, Literal
from headrace.plan.nodes import Field
from headrace.sql.dialect import parse_expression
from headrace.types import BIGINT, INT, STRING, row

ADDRESS = row(city=STRING, geo=row(lat=INT.not_null()).not_null())
SCOPE = Scope(
    [
        ("o", "id", Field("id", BIGINT.not_null())),
        ("o", "buyer", Field("buyer", STRING)),
        ("c", "id", Field("id0", INT)),
        ("c", "address", Field("address", ADDRESS)),
        ("address", "zip", Field("zip", STRING)),
    ],
    "orders.sql",
)


def resolved(sql: str, scope: Scope = SCOPE):
    return bind(parse_expression(sql), scope)


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("buyer", "buyer"),
        ("o.id", "id"),
        ("c.id", "id0"),
        ("`o`.`buyer`", "buyer"),
        ("db.o.buyer", "buyer"),
    ],
)
def test_columns_by_name_and_qualifier(sql, name):
    found = resolved(sql)
    assert isinstance(found, InputRef)
    assert found.name == name


def test_a_column_keeps_its_type():
    assert resolved("o.id").type == BIGINT.not_null()


@pytest.mark.parametrize("sql", ["address.city", "c.address.city"])
def test_fields_of_rows(sql):
    found = resolved(sql)
    assert isinstance(found, FieldAccess)
    assert (str(found), found.type) == ("address.city", STRING)


def test_a_field_of_a_nullable_row_is_nullable():
    assert resolved("c.address.geo.lat").type == INT
    assert resolved("(c.address).geo.lat").type == INT


def test_a_table_is_tried_before_a_row():
    assert str(resolved("address.zip")) == "zip"


def test_names_are_case_sensitive():
    with pytest.raises(UnknownName) as caught:
        resolved("Buyer")
    assert caught.value.cure == "did you mean 'buyer'?"


def test_an_ambiguous_column_names_its_tables():
    with pytest.raises(UserError) as caught:
        resolved("1 + id")
    error = caught.value
    assert (error.condition, error.found, str(error.where)) == (
        "AMBIGUOUS_COLUMN",
        "o.id, c.id",
        "orders.sql:1:5",
    )


@pytest.mark.parametrize(
    ("sql", "condition", "place", "cure"),
    [
        ("byer", "UNKNOWN_COLUMN", "1:1", "did you mean 'buyer'?"),
        ("UPPER(o.buyerr)", "UNKNOWN_COLUMN", "1:9", "did you mean 'buyer'?"),
        ("x.buyer", "UNKNOWN_TABLE", "1:1", None),
        ("c.address.citty", "UNKNOWN_FIELD", "1:11", "did you mean 'city'?"),
        ("(c.address).citty", "UNKNOWN_FIELD", "1:13", "did you mean 'city'?"),
    ],
)
def test_unknown_names_point_at_the_word(sql, condition, place, cure):
    with pytest.raises(UnknownName) as caught:
        resolved(sql)
    error = caught.value
    assert (error.condition, str(error.where), error.cure) == (
        condition,
        f"orders.sql:{place}",
        cure,
    )


def test_the_unknown_column_of_a_table_lists_that_table_only():
    with pytest.raises(UnknownName) as caught:
        resolved("o.zzz")
    assert caught.value.candidates == ["buyer", "id"]
    assert caught.value.summary == "column 'zzz' does not exist in 'o'"


def test_only_rows_have_fields():
    with pytest.raises(UserError) as caught:
        resolved("buyer.length")
    assert (caught.value.condition, caught.value.found) == ("NOT_A_ROW", "STRING")


def test_special_meanings_come_first_and_for_every_node():
    seen = []

    def special(node):
        seen.append(node.sql())
        return Literal(INT.not_null(), 7) if node.sql() == "a" else None

    found = resolved("a + 1", Scope([], special=special))
    assert found.children() == (Literal(INT.not_null(), 7), Literal(INT.not_null(), 1))
    assert seen == ["a + 1", "a", "1"]


def test_a_subquery_is_no_value():
    with pytest.raises(UnsupportedSql) as caught:
        resolved("1 + (SELECT 2)")
    assert str(caught.value.where) == "orders.sql:1:5"


def test_a_hidden_column_needs_its_table():
    scope = Scope([(None, "id", Field("id", BIGINT))], hidden=[("o", "id", Field("other", BIGINT))])
    assert resolved("id", scope).name == "id"
    assert resolved("o.id", scope).name == "other"
    with pytest.raises(UnknownName):
        resolved("c.id", scope)


def test_names_of_the_query_around_come_second():
    outer = Scope([("u", "id", Field("id9", BIGINT)), ("u", "name", Field("name", STRING))])
    scope = Scope([("o", "id", Field("id", BIGINT))], outer=outer)
    assert resolved("id", scope).name == "id"
    assert resolved("u.id", scope).name == "id9"
    assert resolved("name", scope).name == "name"
    with pytest.raises(UnknownName) as caught:
        resolved("nobody", scope)
    assert caught.value.candidates == ["id"]


class TestFromInside:
    """Names of a query around a subquery."""

    def test_its_own_come_first(self):
        inner = Scope([("i", "buyer", Field("own", STRING))], outer=SCOPE)
        assert resolved("buyer", inner) == InputRef(STRING, "own")
        assert resolved("o.buyer", inner) == InputRef(STRING, "buyer")

    def test_a_group_is_what_is_seen(self):
        groups = Scope(
            SCOPE.columns,
            special=lambda node: InputRef(INT, "key0") if node.sql() == "o.buyer" else None,
            grouped=True,
        )
        inner = Scope([], outer=groups)
        assert resolved("o.buyer", inner) == InputRef(INT, "key0")
        with pytest.raises(UnknownName):
            resolved("o.id", inner)
