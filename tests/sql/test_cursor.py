from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.errors import SqlSyntaxError, UnsupportedSql
from headrace.sql.cursor import CLAUSES, NEVER_AN_ALIAS, RESERVED, Cursor, shown
from headrace.sql.lexer import TokenKind, tokenize


@pytest.fixture
def cursor():
    def at_the_start_of(text):
        return Cursor(tokenize(text, "s.sql"), text, "s.sql")

    return at_the_start_of


def test_take_moves_over_a_whole_sequence_or_not_at_all(cursor):
    here = cursor("IF NOT EXISTS t")
    assert not here.take("IF", "EXISTS")
    assert here.index == 0
    assert here.take("IF", "NOT", "EXISTS")
    assert here.current.text == "t"


def test_keywords_are_matched_in_any_case(cursor):
    assert cursor("group By x").take("GROUP", "BY")


def test_quoted_text_is_never_a_keyword(cursor):
    assert not cursor("`FROM` t").at("FROM")
    assert not cursor("'FROM' t").at("FROM")


def test_take_any_returns_what_it_took(cursor):
    here = cursor("left JOIN")
    assert here.take_any("RIGHT", "LEFT") == "LEFT"
    assert here.take_any("RIGHT", "LEFT") is None


def test_looking_ahead_stops_at_the_end(cursor):
    here = cursor("a")
    assert here.ahead(5).kind is TokenKind.END


def test_advancing_stays_at_the_end(cursor):
    here = cursor("a")
    here.advance()
    assert here.advance().kind is TokenKind.END
    assert here.advance().kind is TokenKind.END


@pytest.mark.parametrize("text", ["", ";", "; SELECT 1"])
def test_a_statement_ends_at_a_semicolon_or_the_end(cursor, text):
    assert cursor(text).at_end()


def test_expect_names_the_whole_phrase_that_is_missing(cursor):
    with pytest.raises(SqlSyntaxError) as caught:
        cursor("PARTITIONED (a)").expect("PARTITIONED", "BY")
    assert caught.value.expected == "PARTITIONED BY"
    assert str(caught.value.where) == "s.sql:1:13"


def test_expect_any_lists_the_choice_and_the_nearest(cursor):
    with pytest.raises(SqlSyntaxError) as caught:
        cursor("TABEL t").expect_any("TABLE", "VIEW", "DATABASE")
    assert caught.value.expected == "TABLE, VIEW or DATABASE"
    assert caught.value.cure == "did you mean TABLE?"


@pytest.mark.parametrize(
    "word", ["offset", "partition", "timestamp", "value", "key", "user", "date"]
)
def test_words_flink_reserves_but_nobody_can_mistake_are_names(cursor, word):
    assert cursor(word).name("a column").text == word


@pytest.mark.parametrize("word", ["order", "Select", "FROM", "table", "end"])
def test_words_that_end_a_name_need_back_quotes(cursor, word):
    with pytest.raises(SqlSyntaxError) as caught:
        cursor(word).name("a column")
    assert caught.value.summary == f"{word} is a reserved word"
    assert caught.value.cure == f"write it in back quotes: `{word}`"


def test_a_reserved_word_in_back_quotes_is_a_name(cursor):
    assert cursor("`order`").name("a column").text == "order"


def test_offset_is_a_name_but_never_an_implicit_alias(cursor):
    here = cursor("offset")
    assert here.is_name()
    assert not here.is_name(NEVER_AN_ALIAS)


def test_names_come_in_brackets(cursor):
    assert cursor("(a, `b c`, d)").names("a column") == ("a", "b c", "d")


@pytest.mark.parametrize(
    ("text", "parts", "length"),
    [
        ("t", ("t",), 1),
        ("db.t", ("db", "t"), 4),
        ("`my cat`.db . t x", ("my cat", "db", "t"), 15),
    ],
)
def test_object_names_have_up_to_three_parts(cursor, text, parts, length):
    name = cursor(text).object_name("a table")
    assert name.parts == parts
    assert (name.position.column, name.position.length) == (1, length)


def test_a_fourth_part_is_too_many(cursor):
    with pytest.raises(SqlSyntaxError, match="at most three parts") as caught:
        cursor("a.b.c.d").object_name("a table")
    assert caught.value.found == "a.b.c.d"


def test_listed_needs_something_after_every_comma(cursor):
    here = cursor("a, b,")
    with pytest.raises(SqlSyntaxError) as caught:
        here.listed(lambda: here.name("a column"))
    assert caught.value.expected == "a column"


def test_wrapped_blames_the_bracket_that_is_never_closed(cursor):
    here = cursor("f\n(a, b")
    here.advance()
    with pytest.raises(SqlSyntaxError, match="opened but never closed") as caught:
        here.wrapped(lambda: here.name("a column"))
    assert str(caught.value.where) == "s.sql:2:1"
    assert caught.value.expected == "')'"


def test_wrapped_blames_the_word_where_a_comma_is_missing(cursor):
    here = cursor("(a b)")
    with pytest.raises(SqlSyntaxError) as caught:
        here.wrapped(lambda: here.name("a column"))
    assert str(caught.value.where) == "s.sql:1:4"
    assert caught.value.expected == "',' or ')'"


def test_string_wants_single_quotes(cursor):
    assert cursor("'x'").string("the comment").text == "x"
    with pytest.raises(SqlSyntaxError) as caught:
        cursor("x").string("the comment")
    assert caught.value.expected == "the comment in single quotes"


def test_span_reaches_to_the_last_token_on_the_same_line(cursor):
    here = cursor("a + b")
    first = here.current
    for _ in range(3):
        here.advance()
    assert here.span(first).length == 5
    assert here.source_text(first) == "a + b"


def test_span_over_several_lines_is_the_first_token(cursor):
    here = cursor("abc\n + b")
    first = here.current
    for _ in range(3):
        here.advance()
    assert here.span(first).length == 3
    assert here.source_text(first) == "abc\n + b"


def test_mark_notes_the_first_column(cursor):
    here = cursor("  abc")
    node = here.mark(exp.Null(), here.advance())
    assert (node.meta["line"], node.meta["col"]) == (1, 3)
    assert node.meta["end"] - node.meta["start"] == 3


def test_identifiers_keep_case_and_know_their_quotes(cursor):
    here = cursor("MyCol `MyCol`")
    plain, quoted = here.identifier(here.advance()), here.identifier(here.advance())
    assert (plain.this, plain.quoted) == ("MyCol", False)
    assert (quoted.this, quoted.quoted) == ("MyCol", True)


def test_unexpected_suggests_the_nearest_keyword_it_was_given(cursor):
    error = cursor("WTIH x").unexpected("WITH", "WITH", "LIKE")
    assert error.summary == "unexpected 'WTIH'"
    assert error.cure == "did you mean WITH?"


@pytest.mark.parametrize(
    ("word", "clause"), [("FORM", "FROM"), ("WHER", "WHERE"), ("GROPU", "GROUP"), ("JION", "JOIN")]
)
def test_unexpected_blames_a_misspelled_clause_before_it(cursor, word, clause):
    here = cursor(f"{word} x")
    here.advance()
    error = here.unexpected("something", before=CLAUSES)
    assert str(error.where) == "s.sql:1:1"
    assert error.cure == f"did you mean {clause}?"


@pytest.mark.parametrize("word", ["price", "FROM", "value", "offset", "id"])
def test_unexpected_leaves_good_words_alone(cursor, word):
    here = cursor(f"{word} x")
    here.advance()
    error = here.unexpected("something", before=CLAUSES)
    assert str(error.where) == f"s.sql:1:{len(word) + 2}"
    assert error.cure is None


def test_unexpected_blames_the_word_before_only_when_told_to(cursor):
    here = cursor("FORM x")
    here.advance()
    assert str(here.unexpected("something", "FROM").where) == "s.sql:1:6"


def test_unexpected_prefers_the_word_before_to_a_lookalike_after_it(cursor):
    here = cursor("FORM orders")
    here.advance()
    assert here.unexpected("something", before=CLAUSES).cure == "did you mean FROM?"


def test_unexpected_at_the_very_start_has_nothing_before_it(cursor):
    error = cursor("FORM x").unexpected("a query", before=CLAUSES)
    assert str(error.where) == "s.sql:1:1"
    assert error.cure == "did you mean FROM?"


def test_unexpected_at_the_end_says_so(cursor):
    assert cursor("").unexpected("a query").summary == "the statement ends too early"
    assert cursor(";").unexpected("a query").summary == "the statement ends too early"


def test_unsupported_is_its_own_error(cursor):
    error = cursor("CALL p()").unsupported("CALL", cure="no way")
    assert isinstance(error, UnsupportedSql)
    assert error.summary == "CALL is not supported"
    assert (str(error.where), error.cure) == ("s.sql:1:1", "no way")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("abc", "'abc'"),
        ("`a b`", "`a b`"),
        ("'secret'", "text in quotes"),
        ('"secret"', "text in quotes"),
        ("", "end of the script"),
        (">=", "'>='"),
        ("12", "'12'"),
    ],
)
def test_messages_never_repeat_quoted_text(text, seen):
    assert shown(tokenize(text)[0]) == seen


def test_every_clause_but_offset_is_reserved():
    assert set(CLAUSES) - RESERVED == {"OFFSET"}
