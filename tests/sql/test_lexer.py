from __future__ import annotations

import pytest

from headrace.errors import SqlSyntaxError
from headrace.sql.lexer import TokenKind, UnclosedText, tokenize


def kinds_and_texts(text):
    return [(token.kind, token.text) for token in tokenize(text)[:-1]]


def texts(text):
    return [token.text for token in tokenize(text)[:-1]]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("orders", TokenKind.WORD, "orders"),
        ("user_1$x", TokenKind.WORD, "user_1$x"),
        ("größe", TokenKind.WORD, "größe"),
        ("_hidden", TokenKind.WORD, "_hidden"),
        ("`order`", TokenKind.QUOTED_NAME, "order"),
        ("`a``b`", TokenKind.QUOTED_NAME, "a`b"),
        ("`with space; and -- dashes`", TokenKind.QUOTED_NAME, "with space; and -- dashes"),
        ("'text'", TokenKind.STRING, "text"),
        ("''", TokenKind.STRING, ""),
        ("'it''s'", TokenKind.STRING, "it's"),
        ("''''", TokenKind.STRING, "'"),
        (r"'back\slash'", TokenKind.STRING, r"back\slash"),
        (r"'ends in a backslash\'", TokenKind.STRING, "ends in a backslash\\"),
        ("'two\nlines'", TokenKind.STRING, "two\nlines"),
        ("'-- no comment /* here */ ;'", TokenKind.STRING, "-- no comment /* here */ ;"),
        ('"format"', TokenKind.DOUBLE_QUOTED, "format"),
        ('"a""b"', TokenKind.DOUBLE_QUOTED, 'a"b'),
        (r"U&'\00e4'", TokenKind.STRING, "ä"),
        (r"u&'gr\00F6\00dfe'", TokenKind.STRING, "größe"),
        (r"U&'a\\b'", TokenKind.STRING, r"a\b"),
        (r"U&'it''s'", TokenKind.STRING, "it's"),
        ("U&'!00e4' UESCAPE '!'", TokenKind.STRING, "ä"),
        ("x'0aFF'", TokenKind.HEX, "0aFF"),
        ("X''", TokenKind.HEX, ""),
        ("42", TokenKind.NUMBER, "42"),
        ("3.14", TokenKind.NUMBER, "3.14"),
        (".5", TokenKind.NUMBER, ".5"),
        ("1.", TokenKind.NUMBER, "1."),
        ("1e10", TokenKind.NUMBER, "1e10"),
        ("2.5E-3", TokenKind.NUMBER, "2.5E-3"),
        ("<>", TokenKind.SYMBOL, "<>"),
        ("||", TokenKind.SYMBOL, "||"),
        ("=>", TokenKind.SYMBOL, "=>"),
        ("#", TokenKind.SYMBOL, "#"),
    ],
)
def test_one_lexeme_is_one_token(text, kind, value):
    assert kinds_and_texts(text) == [(kind, value)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b", ["a", ".", "b"]),
        ("a<=b", ["a", "<=", "b"]),
        ("a<-1", ["a", "<", "-", "1"]),
        ("x!=y", ["x", "!=", "y"]),
        ("MAP<STRING,ARRAY<INT>>", ["MAP", "<", "STRING", ",", "ARRAY", "<", "INT", ">", ">"]),
        ("t1.5", ["t1", ".5"]),
        ("f(a,b)", ["f", "(", "a", ",", "b", ")"]),
        ("a--b\nc", ["a", "c"]),
        ("a - -b", ["a", "-", "-", "b"]),
        ("a/* b */c", ["a", "c"]),
        ("a/**/b", ["a", "b"]),
        ("a /* one ' quote */ b", ["a", "b"]),
        ("a -- one ' quote\n b", ["a", "b"]),
        ("a -- the end", ["a"]),
        ("/* a; b */ c;", ["c", ";"]),
        ("/* no /* nesting */ c", ["c"]),
        ("U & 'x'", ["U", "&", "x"]),
    ],
)
def test_neighbouring_lexemes(text, expected):
    assert texts(text) == expected


def test_hints_become_tokens_where_comments_vanish():
    assert texts("t /*+ OPTIONS('a'='b') */ x /* + no hint */") == [
        "t",
        "/*+",
        "OPTIONS",
        "(",
        "a",
        "=",
        "b",
        ")",
        "*/",
        "x",
    ]


def test_a_star_before_a_slash_outside_hints_is_no_hint_close():
    assert texts("a */ b") == ["a", "*", "/", "b"]


def test_keys_are_upper_case_for_words_and_empty_for_everything_quoted():
    keys = [token.key for token in tokenize("select `select` 'select' \"select\" 1 <>")]
    assert keys == ["SELECT", "", "", "", "", "<>", ""]


def test_places_are_absolute_and_one_based():
    tokens = tokenize("SELECT a,\n  'two\nlines' b\r\n\tc")
    assert [(token.text, token.line, token.column) for token in tokens] == [
        ("SELECT", 1, 1),
        ("a", 1, 8),
        (",", 1, 9),
        ("two\nlines", 2, 3),
        ("b", 3, 8),
        ("c", 4, 2),
        ("", 4, 3),
    ]


def test_offsets_cut_the_lexeme_out_of_the_text():
    text = "a  `b c` /* x */ 'it''s' U&'\\00e4'"
    lexemes = [text[token.start : token.end] for token in tokenize(text)[:-1]]
    assert lexemes == ["a", "`b c`", "'it''s'", "U&'\\00e4'"]


def test_a_position_spans_the_lexeme_and_names_the_source():
    token = tokenize("SELECT `order`", "job.sql")[1]
    position = token.position("job.sql")
    assert (position.line, position.column, position.length) == (1, 8, 7)
    assert str(position) == "job.sql:1:8"


@pytest.mark.parametrize("text", ["", "   \n ", "-- only a comment", "/* only a comment */"])
def test_nothing_but_the_end(text):
    tokens = tokenize(text)
    assert [token.kind for token in tokens] == [TokenKind.END]
    assert (tokens[0].line, tokens[0].column) == (1, 1)


def test_the_end_stands_just_behind_the_last_token():
    end = tokenize("SELECT a   -- comment\n\n")[-1]
    assert (end.line, end.column, end.kind) == (1, 9, TokenKind.END)


@pytest.mark.parametrize(
    ("text", "what", "line", "column"),
    [
        ("SELECT 'abc", "quote", 1, 8),
        ("SELECT\n  'it''s", "quote", 2, 3),
        ("SELECT `abc", "back-quote", 1, 8),
        ('SET "a', "double quote", 1, 5),
        ("SELECT 1 /* never", "comment", 1, 10),
        ("SELECT 1;\n/* never\n;", "comment", 2, 1),
        ("FROM t /*+ OPTIONS('a'='b')", "hint", 1, 8),
    ],
)
def test_unclosed_text_names_itself_and_its_opening(text, what, line, column):
    with pytest.raises(UnclosedText) as caught:
        tokenize(text)
    assert caught.value.what == what
    assert caught.value.summary.startswith(what)
    assert (caught.value.where.line, caught.value.where.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "column", "length"),
    [(r"U&'\00g4'", 4, 2), (r"U&'ab\12'", 6, 2), (r"U&'ab\'", 6, 1)],
)
def test_a_broken_unicode_escape_is_pointed_at(text, column, length):
    with pytest.raises(SqlSyntaxError, match="four hexadecimal digits") as caught:
        tokenize(text)
    where = caught.value.where
    assert (where.line, where.column, where.length) == (1, column, length)
