from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.errors import HeadraceError, SqlSyntaxError, UnknownName, UserError
from headrace.sql.dialect import parse_piece, parse_script
from headrace.sql.lexer import TokenKind, tokenize
from headrace.sql.split import split_script
from headrace.sql.variables import expand

VALUES = {"KAFKA": "127.0.0.1:9092", "QUOTE": "it's", "TICK": "a`b", "N": "7", "EMPTY": ""}


def text(script: str, variables: dict[str, str] | None = None) -> str:
    return expand(script, "s.sql", VALUES if variables is None else variables).text


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("SELECT 1", "SELECT 1"),
        ("'${KAFKA}'", "'127.0.0.1:9092'"),
        ("'a${N}b${N}'", "'a7b7'"),
        ("LIMIT ${N}", "LIMIT 7"),
        ("t_${N}_x", "t_7_x"),
        ("'${EMPTY}' ${EMPTY}", "'' "),
        ("'${QUOTE}'", "'it''s'"),
        ("'it''s ${QUOTE}'", "'it''s it''s'"),
        ("`${TICK}`", "`a``b`"),
        ('"${QUOTE}"', '"it\'s"'),
        ("/*+ OPTIONS('k' = '${QUOTE}') */", "/*+ OPTIONS('k' = 'it''s') */"),
        ("-- ${NOPE}\n${N}", "-- ${NOPE}\n7"),
        ("/* ${NOPE} */ ${N}", "/* ${NOPE} */ 7"),
        ("'-- ${N}'", "'-- 7'"),
        ("'$${N}' $${N}", "'${N}' ${N}"),
        ("'$N {N} $'", "'$N {N} $'"),
    ],
)
def test_what_a_script_becomes(script, expected):
    assert text(script) == expected


def test_without_variables_the_text_stays_as_it_is():
    script = "SELECT '${KAFKA} $${x} ${not a name' FROM t"
    assert expand(script, "s.sql", None).text == script


def test_a_value_is_not_searched_for_variables():
    assert text("'${A}'", {"A": "${B}", "B": "b"}) == "'${B}'"


def test_a_value_in_a_unicode_literal_holds_no_escapes():
    assert tokenize(text("U&'${A}'", {"A": r"\00e4"}))[0].text == r"\00e4"
    assert tokenize(text("U&'${A}' UESCAPE '!'", {"A": "!00e4'"}))[0].text == "!00e4'"


@given(st.text())
def test_no_value_leaves_its_quotes(value):
    for quote, kind in (("'", TokenKind.STRING), ("`", TokenKind.QUOTED_NAME)):
        token, end = tokenize(text(f"{quote}${{A}}{quote}", {"A": value}))
        assert (token.kind, token.text, end.kind) == (kind, value, TokenKind.END)


def error(script: str, variables: dict[str, str] | None = None) -> HeadraceError:
    with pytest.raises(UserError) as caught:
        text(script, variables)
    return caught.value


def test_an_unknown_name_is_told_with_its_place_the_nearest_and_the_cure():
    found = error("SELECT 1;\n  SELECT '${KAFKAA}'")
    assert isinstance(found, UnknownName)
    assert found.condition == "UNKNOWN_VARIABLE"
    assert str(found.where) == "s.sql:2:11"
    assert "did you mean 'KAFKA'?" in found.cure
    assert "--var KAFKAA=…" in found.cure
    assert "127.0.0.1" not in found.render()
    assert len(found.render().splitlines()) <= 5


def test_without_anything_like_it_the_cure_is_to_give_it():
    assert error("${X}", {}).cure == "give it with --var X=…, or write $${X} for these characters"


@pytest.mark.parametrize("script", ["'${}'", "'${a b}'", "'${env:HOME}'", "${1}", "'${KAFKA'"])
def test_what_is_no_name_is_an_error(script):
    found = error(script)
    assert found.condition == "INVALID_VARIABLE"
    assert "$${" in found.cure


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("it's", "opens a quote that does not end in it"),
        ("a`", "opens a back-quote that does not end in it"),
        ("1 /* all", "opens a comment that does not end in it"),
        ("1 /* note */", "contains a comment"),
        ("1 -- rest", "contains a comment"),
        ("/*+ x", "opens a hint that does not end in it"),
        (r"U&'\zz'", "is not valid SQL"),
    ],
)
def test_a_value_outside_of_quotes_cannot_reach_into_the_script(value, fault):
    found = error("SELECT ${A} FROM t", {"A": value})
    assert found.condition == "INVALID_VARIABLE"
    assert found.summary == f"the value of variable 'A' {fault}"
    assert str(found.where) == "s.sql:1:8"
    assert value not in found.render()


@pytest.mark.parametrize(
    ("script", "value", "other"),
    [
        ("SELECT ${A}-1", "2 -", ""),
        ("SELECT 2-${A}", "-1", ""),
        ("SELECT 2 ${A}* 3", "/", ""),
        ("SELECT 2 ${A}${B}", "-", "-1"),
        ("SELECT 2 ${A}${B}", "/", "* 1"),
        ("SELECT 2 -${A}-1", "", ""),
        ("SELECT 2 -${A}${B}-1", "", ""),
    ],
)
def test_a_comment_cannot_come_about_at_an_end_of_a_value(script, value, other):
    given = {"A": value, "B": other}
    assert "opens a comment" in error(script, given).summary
    assert text(script.replace("${", " ${").replace("}", "} "), given) is not None


def test_a_value_in_quotes_may_have_the_characters_of_a_comment():
    assert text("SELECT '-${A}-'", {"A": "-"}) == "SELECT '---'"


def test_a_whole_expression_may_stand_outside_of_quotes():
    assert text("SELECT ${A}", {"A": "'x' || `y`"}) == "SELECT 'x' || `y`"


SCRIPT = """\
SELECT '${LONG}', nope FROM ${T};
SELECT 1; SELECT '${LONG}' ${BAD} FROM
  t2 ${T} )
"""
LONG = {"LONG": "x\ny" * 40, "T": "t", "BAD": "AS AS"}


def test_places_are_those_of_the_script_as_it_was_written():
    script = expand(SCRIPT, "s.sql", LONG)
    places = {(token.text, token.line, token.column) for token in script.tokens()}
    assert ("nope", 1, 19) in places
    assert ("FROM", 2, 35) in places
    assert ("AS", 2, 28) in places
    assert ("t2", 3, 3) in places
    assert ("t", 3, 6) in places
    assert (")", 3, 11) in places


def test_an_error_points_at_the_variable_whose_value_is_wrong():
    with pytest.raises(SqlSyntaxError) as caught:
        parse_script(SCRIPT, "s.sql", LONG)
    assert str(caught.value.where) == "s.sql:2:28"


def test_pieces_of_a_script_have_the_same_places():
    first, second, third = split_script(SCRIPT, "s.sql", LONG)
    assert str(parse_piece(first).position) == "s.sql:1:1"
    assert str(parse_piece(second).position) == "s.sql:2:1"
    with pytest.raises(SqlSyntaxError) as caught:
        parse_piece(third)
    assert str(caught.value.where) == "s.sql:2:28"


def test_the_end_of_a_script_has_its_place():
    end = expand("SELECT\n'${LONG}'", "s.sql", LONG).tokens()[-1]
    assert (end.line, end.column) == (2, 10)


@given(
    st.lists(st.sampled_from(["a", "'b'", "\n", " ", "'${LONG}'", "${T}", "'$${'"]), max_size=20)
)
def test_tokens_that_are_no_values_are_where_the_script_has_them(parts):
    original = " ".join(parts)
    lines = original.split("\n")
    for token in expand(original, "s.sql", LONG).tokens()[:-1]:
        at = lines[token.line - 1][token.column - 1 :]
        assert at.startswith(("a", "'b'", "'$", "${T}"))
        assert token.text != "a" or at.startswith("a")
