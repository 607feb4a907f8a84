from __future__ import annotations

import pytest

from headrace.errors import HeadraceError, TypeMismatch, UnsupportedSql
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Call, Case, Cast, Literal
from headrace.plan.nodes import Field
from headrace.spark.expressions import spark_sql
from headrace.sql.dialect import parse_expression
from headrace.types import STRING, timestamp

SCOPE = Scope([(None, "s", Field("s", STRING)), (None, "ts", Field("ts", timestamp(3)))])


def bound(sql: str):
    return bind(parse_expression(sql), SCOPE)


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


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("JSON_QUERY(s, '$.a[*]')", "JSON_QUERY SEVERAL WITHOUT"),
        ("JSON_QUERY(s, '$.a[*]' WITH WRAPPER)", "JSON_QUERY SEVERAL WITH UNCONDITIONAL"),
        ("JSON_QUERY(s, '$.a' RETURNING ARRAY<STRING>)", "JSON_QUERY ARRAY"),
        ("JSON_QUERY(s, '$.a' RETURNING STRING)", "JSON_QUERY WITHOUT"),
        ("JSON_EXISTS(s, '$..a')", "JSON_EXISTS SEVERAL"),
    ],
)
def test_paths_to_several_values_have_rows_of_their_own(sql, name):
    found = bound(sql)
    assert isinstance(found, Call)
    assert found.function.name == name


def test_several_values_are_none_that_json_value_gives():
    found = bound("JSON_VALUE(s, '$.a[*]' RETURNING INT)")
    assert isinstance(found, Literal)
    assert (found.value, found.type.sql()) == (None, "INT")


@pytest.mark.parametrize(
    ("sql", "fails"),
    [
        ("JSON_VALUE(s, 'lax $.a' ERROR ON EMPTY)", True),
        ("JSON_VALUE(s, '$.a' RETURNING INT ERROR ON ERROR)", True),
        ("JSON_VALUE(s, '$.a' ERROR ON EMPTY)", False),
        ("JSON_QUERY(s, '$.a' ERROR ON ERROR)", True),
        ("JSON_QUERY(s, 'lax $.a' ERROR ON ERROR)", False),
        ("JSON_EXISTS(s, '$.a' ERROR ON ERROR)", True),
    ],
)
def test_an_error_is_asked_for_by_the_clause_that_counts(sql, fails):
    calls = [node.function.name for node in bound(sql).walk() if isinstance(node, Call)]
    assert ("JSON FAULT" in calls) is fails


@pytest.mark.spark
@pytest.mark.parametrize(
    "sql",
    [
        """JSON_VALUE('{"a":1}', 'strict $.b' ERROR ON ERROR)""",
        """JSON_QUERY('{"a":1}', 'lax $.b' ERROR ON EMPTY)""",
        """JSON_EXISTS('{"a":1}', '$.b' ERROR ON ERROR)""",
    ],
)
def test_what_is_missing_fails_where_asked_to(spark, sql):
    with pytest.raises(Exception, match="INVALID_ARGUMENT of JSON_"):
        spark.sql(f"SELECT {spark_sql(bound(sql))} FROM range(1)").collect()


def test_values_of_an_object_are_printed_and_json_is_taken_as_it_is():
    found = bound("JSON_OBJECT('a' VALUE 1, 'b' VALUE JSON_ARRAY(1))")
    names = [part.function.name for part in found.children() if isinstance(part, Call)]
    assert names == ["JSON_STRING", "JSON_ARRAY"]


def test_members_of_an_object_are_sorted_and_named_once():
    found = bound("JSON_OBJECT('z' VALUE 1, 'a' VALUE 2, 'B' VALUE 3, 'z' VALUE 4)")
    assert [key.value for key in found.args[::2]] == ["B", "a", "z"]
    assert [str(value) for value in found.args[1::2]] == [
        "JSON_STRING(3)",
        "JSON_STRING(2)",
        "JSON_STRING(4)",
    ]


def test_of_equal_names_the_last_that_is_there_without_nulls():
    found = bound("JSON_OBJECT('a' VALUE s, 'a' VALUE 2 ABSENT ON NULL)")
    assert str(found.args[1]) == "COALESCE(JSON_STRING(2), JSON_STRING(s))"


def test_json_goes_into_objects_and_arrays_as_it_is():
    found = bound("JSON_OBJECT('a' VALUE JSON(s), 'b' VALUE JSON_ARRAY(json(s)))")
    assert str(found.args[1]) == "JSON(s)"
    assert str(found.args[3]) == "JSON_ARRAY(JSON(s))"


@pytest.mark.spark
def test_text_that_is_no_json_fails_in_an_object(spark):
    sql = "JSON_OBJECT('a' VALUE JSON('[1, 2'))"
    with pytest.raises(Exception, match="INVALID_ARGUMENT of JSON"):
        spark.sql(f"SELECT {spark_sql(bound(sql))} FROM range(1)").collect()


@pytest.mark.spark
def test_each_document_is_asked_for_itself(spark):
    """A document is kept for the next question; rows that share a buffer must not be taken for one another."""
    rows = [(f'{{"a":{number % 5}.0,"b":[{number % 7}]}}',) for number in range(40)]
    table = spark.createDataFrame(rows, "s string").repartition(1).sort("s")
    texts = (bound(f"JSON_VALUE(s, '$.{path}')") for path in ("a", "b[0]"))
    found = table.selectExpr("s", *map(spark_sql, texts)).collect()
    assert all(f'{{"a":{a},"b":[{b}]}}' == document for document, a, b in found)


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("JSON(s)", UnsupportedSql),
        ("JSON_VALUE(s, s)", UnsupportedSql),
        ("JSON_VALUE(s, '$.a[?(@.b)]')", UnsupportedSql),
        ("JSON_QUERY(s, '$.a' RETURNING ARRAY<INT>)", UnsupportedSql),
        ("JSON_LENGTH(s, '$.a[*]')", UnsupportedSql),
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
    [("JSON_LENGTH(s)", ""), ("JSON_TYPE(s)", ""), ("JSON_LENGTH(s, '$.2.a')", ".2\n.a")],
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
    assert caught.value.summary == f"{name} takes a path to one place, without lax or strict"
    assert caught.value.found == mode


@pytest.mark.parametrize("sql", ["JSON_LENGTH()", "JSON_TYPE(s, '$', '$')"])
def test_a_document_and_at_most_one_path(sql):
    with pytest.raises(HeadraceError) as caught:
        bound(sql)
    assert caught.value.condition == "WRONG_ARGUMENT_COUNT"
