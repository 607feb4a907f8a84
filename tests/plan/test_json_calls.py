from __future__ import annotations

import pytest

from headrace.errors import HeadraceError, TypeMismatch, UnsupportedSql
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Call, Case, Cast
from headrace.plan.json_calls import spark_path
from headrace.plan.nodes import Field
from headrace.sql.dialect import parse_expression
from headrace.types import STRING, timestamp

SCOPE = Scope([(None, "s", Field("s", STRING)), (None, "ts", Field("ts", timestamp(3)))])


def bound(sql: str):
    return bind(parse_expression(sql), SCOPE)


@pytest.mark.parametrize(
    ("written", "path", "fault"),
    [
        ("$", "$", "ON ERROR"),
        ("$.a.b", "$['a']['b']", "ON ERROR"),
        ("lax $.a[0]", "$['a'][0]", "ON EMPTY"),
        ("strict $.a", "$['a']", "ON ERROR"),
        ("$['a b'].c", "$['a b']['c']", "ON ERROR"),
        ('$.["a.b"][1]', "$['a.b'][1]", "ON ERROR"),
    ],
)
def test_paths_in_sparks_form(written, path, fault):
    found = spark_path(written)
    assert (found.text, found.fault) == (path, fault)


@pytest.mark.parametrize(
    "written", ["a.b", "$.*", "$..a", "$.a[*]", "$.a[?(@.b > 1)]", "loose $.a", '$["it\'s"]']
)
def test_paths_without_a_form_in_spark(written):
    with pytest.raises(UnsupportedSql) as caught:
        spark_path(written)
    assert caught.value.found == f"'{written}'"


def test_json_value_is_text_unless_told():
    found = bound("JSON_VALUE(s, '$.a')")
    assert isinstance(found, Call)
    assert (found.function.name, found.type) == ("JSON_VALUE", STRING)


def test_returning_tries_a_cast():
    found = bound("JSON_VALUE(s, '$.a' RETURNING DOUBLE)")
    assert isinstance(found, Cast)
    assert (found.try_cast, found.type.sql()) == (True, "DOUBLE")


@pytest.mark.parametrize(("mode", "default"), [("lax", 0), ("strict", -1), ("", -1)])
def test_only_a_lax_path_finds_nothing_where_others_err(mode, default):
    clauses = "RETURNING INT DEFAULT 0 ON EMPTY DEFAULT -1 ON ERROR"
    found = bound(f"JSON_VALUE(s, '{mode} $.a' {clauses})")
    assert isinstance(found, Case)
    assert found.otherwise.value == default
    assert found.type.sql() == "INT"


def test_no_document_gives_null_whatever_the_default():
    found = bound("JSON_QUERY(s, '$.a' EMPTY ARRAY ON ERROR)")
    (_, value), (missing, nothing) = found.branches
    assert value.function.name == "JSON_QUERY WITHOUT"
    assert (str(missing), nothing.value) == ("IS NULL(s)", None)
    assert found.otherwise.value == "[]"


@pytest.mark.parametrize(
    "sql",
    ["JSON_QUERY(s, '$.a' EMPTY ARRAY ON EMPTY)", "JSON_EXISTS(s, 'lax $.a' TRUE ON ERROR)"],
)
def test_a_default_for_what_cannot_happen_changes_nothing(sql):
    assert not isinstance(bound(sql), Case)


@pytest.mark.parametrize(("word", "value"), [("TRUE", True), ("UNKNOWN", None)])
def test_what_is_missing_from_a_strict_path_exists_as_told(word, value):
    found = bound(f"JSON_EXISTS(s, '$.a' {word} ON ERROR)")
    ((_, instead),) = found.branches
    assert instead.value is value


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("JSON_QUERY(s, '$.a')", "JSON_QUERY WITHOUT"),
        ("JSON_QUERY(s, '$.a' WITH CONDITIONAL ARRAY WRAPPER)", "JSON_QUERY WITH CONDITIONAL"),
        ("JSON_QUERY(s, '$.a' WITH UNCONDITIONAL WRAPPER)", "JSON_QUERY WITH UNCONDITIONAL"),
        ("JSON_EXISTS(s, '$.a')", "JSON_EXISTS"),
        ("JSON_EXISTS(s, '$.a' FALSE ON ERROR)", "JSON_EXISTS"),
        ("JSON_OBJECT('a' VALUE s)", "JSON_OBJECT"),
        ("JSON_OBJECT('a' VALUE s ABSENT ON NULL)", "JSON_OBJECT ABSENT"),
        ("JSON_ARRAY(s)", "JSON_ARRAY"),
        ("JSON_ARRAY(s NULL ON NULL)", "JSON_ARRAY NULL"),
        ("s IS JSON", "IS_JSON VALUE"),
        ("s IS JSON SCALAR", "IS_JSON SCALAR"),
    ],
)
def test_options_choose_the_row_of_the_table(sql, name):
    found = bound(sql)
    assert isinstance(found, Call)
    assert found.function.name == name


def test_values_of_an_object_are_printed_and_json_is_taken_as_it_is():
    found = bound("JSON_OBJECT('a' VALUE 1, 'b' VALUE JSON_ARRAY(1))")
    names = [part.function.name for part in found.children() if isinstance(part, Call)]
    assert names == ["JSON_STRING", "JSON_ARRAY"]


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("JSON_VALUE(s, s)", UnsupportedSql),
        ("JSON_VALUE(s, '$.a' ERROR ON EMPTY)", UnsupportedSql),
        ("JSON_QUERY(s, '$.a' ERROR ON EMPTY)", UnsupportedSql),
        ("JSON_QUERY(s, '$.a' RETURNING ARRAY<STRING>)", UnsupportedSql),
        ("JSON_EXISTS(s, '$.a' ERROR ON ERROR)", UnsupportedSql),
        ("JSON_OBJECT(s VALUE 1)", TypeMismatch),
        ("JSON_STRING(CAST(ts AS DATE))", TypeMismatch),
    ],
)
def test_what_is_refused_says_where(sql, error):
    with pytest.raises(error) as caught:
        bound(sql)
    assert isinstance(caught.value, HeadraceError)
    assert str(caught.value.where) == "<sql>:1:1"


@pytest.mark.parametrize(
    ("sql", "path"),
    [("JSON_LENGTH(s)", "$"), ("JSON_TYPE(s)", "$"), ("JSON_LENGTH(s, '$.2.a')", "$['2']['a']")],
)
def test_a_whole_document_is_the_path_to_its_root(sql, path):
    found = bound(sql)
    assert isinstance(found, Call)
    assert (found.args[1].value, found.type.nullable) == (path, True)


@pytest.mark.parametrize("name", ["JSON_LENGTH", "JSON_TYPE"])
@pytest.mark.parametrize("mode", ["lax", "strict"])
def test_plain_paths_have_no_mode(name, mode):
    with pytest.raises(UnsupportedSql) as caught:
        bound(f"{name}(s, '{mode} $.a')")
    assert caught.value.summary == f"{name} takes a path without lax or strict"
    assert caught.value.found == mode


@pytest.mark.parametrize("sql", ["JSON_LENGTH()", "JSON_TYPE(s, '$', '$')"])
def test_a_document_and_at_most_one_path(sql):
    with pytest.raises(HeadraceError) as caught:
        bound(sql)
    assert caught.value.condition == "WRONG_ARGUMENT_COUNT"
