from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.errors import SqlSyntaxError
from headrace.sql.dialect import parse_script
from headrace.sql.split import is_complete, split_script


def texts(script):
    return [piece.text for piece in split_script(script)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", []),
        ("  \n-- nothing\n", []),
        (";;;", []),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT 1;", ["SELECT 1"]),
        ("SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]),
        ("SELECT ';'; SELECT `a;b`;", ["SELECT ';'", "SELECT `a;b`"]),
        ('SET "a;b" = "c";', ['SET "a;b" = "c"']),
        ("SELECT 'it''s; fine'; SELECT 2;", ["SELECT 'it''s; fine'", "SELECT 2"]),
        ("SELECT 1 -- a; b\n; SELECT 2", ["SELECT 1", "SELECT 2"]),
        ("/* a; b */ SELECT 1 /* c; */;", ["SELECT 1"]),
        ("SELECT 1 /* inside; */ + 2;", ["SELECT 1 /* inside; */ + 2"]),
        ("garbage ) here; ok", ["garbage ) here", "ok"]),
    ],
)
def test_statements_are_cut_at_their_semicolons(script, expected):
    assert texts(script) == expected


@pytest.mark.parametrize(
    "statement",
    [
        "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END",
        "execute statement set\nbegin\n insert into a select 1;\nend",
        "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END",
        "EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END",
        "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN x THEN 1 END; INSERT INTO b SELECT 2; END",
    ],
)
def test_a_statement_set_is_one_statement(statement):
    assert texts(f"SELECT 0; {statement}; SELECT 3;") == ["SELECT 0", statement, "SELECT 3"]
    assert is_complete(f"{statement};") == (True, "")


def test_pieces_know_where_they_begin():
    pieces = split_script("SELECT 1;\n\n  /* x */ SELECT 2;", "job.sql")
    assert [str(piece.position) for piece in pieces] == ["job.sql:1:1", "job.sql:3:11"]


def test_an_unclosed_quote_cannot_be_split():
    with pytest.raises(SqlSyntaxError, match="never closed"):
        split_script("SELECT 'abc; SELECT 2;")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "-- a comment",
        "/* a comment */",
        ";",
        "SELECT 1;",
        "SELECT 1; -- done",
        "a ) b;",
        "SELECT (1;",
    ],
)
def test_finished(text):
    assert is_complete(text) == (True, "")


@pytest.mark.parametrize(
    ("text", "open_thing"),
    [
        ("SELECT 1", "statement"),
        ("SELECT 1; SELECT 2", "statement"),
        ("SELECT 1 -- ;", "statement"),
        ("SELECT 'a;", "quote"),
        ("SELECT 'it''s;", "quote"),
        ("SELECT `a;", "back-quote"),
        ('SET "a;', "double quote"),
        ("SELECT 1; /* and;", "comment"),
        ("SELECT * FROM t /*+ OPTIONS('a'='b');", "hint"),
        ("CREATE TABLE t (a INT,", "bracket"),
        ("SELECT ARRAY[1,", "bracket"),
        ("EXECUTE STATEMENT SET BEGIN", "statement set"),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1;", "statement set"),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END", "statement set"),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT (1", "bracket"),
        ("BEGIN STATEMENT SET;", "statement set"),
        ("BEGIN STATEMENT SET; INSERT INTO a SELECT CASE WHEN x THEN 1 END;", "statement set"),
        ("EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1;", "statement set"),
        ("EXPLAIN SELECT 1", "statement"),
    ],
)
def test_unfinished_and_why(text, open_thing):
    assert is_complete(text) == (False, open_thing)


def quoted(mark):
    return st.text(max_size=8).map(lambda text: mark + text.replace(mark, mark * 2) + mark)


# A word cannot touch the fragment after it: `x` before a quote would begin a binary literal.
FRAGMENTS = st.one_of(
    st.sampled_from(["SELECT", "a", "1.5", "(", ")", ",", "+", "<>", "||"]),
    quoted("'"),
    quoted("`"),
    quoted('"'),
)
GAPS = st.one_of(
    st.sampled_from([" ", "\n", "\t "]),
    st.text(st.characters(exclude_characters="\n"), max_size=8).map(lambda text: f" --{text}\n"),
    st.text(max_size=8).map(lambda text: " /* " + text.replace("*", "x") + " */ "),
)


@st.composite
def statements(draw):
    """A statement's text: fragments with gaps between, none at the ends."""
    fragments = draw(st.lists(FRAGMENTS, min_size=1, max_size=6))
    text = fragments[0]
    for fragment in fragments[1:]:
        text += draw(GAPS) + fragment
    return text


@given(st.lists(statements(), max_size=4), st.data())
def test_any_script_splits_into_what_it_was_joined_from(pieces, data):
    script = ""
    for piece in pieces:
        script += data.draw(GAPS) + piece + data.draw(GAPS) + ";" + data.draw(GAPS)
    assert texts(script) == pieces
    assert is_complete(script) == (True, "")


@given(st.lists(statements(), min_size=1, max_size=4))
def test_the_places_of_the_pieces_find_them_in_the_script(pieces):
    script = ";\n ".join(pieces)
    lines = script.split("\n")
    for piece in split_script(script):
        before = "\n".join(lines[: piece.position.line - 1])
        start = len(before) + (1 if piece.position.line > 1 else 0) + piece.position.column - 1
        assert script.startswith(piece.text, start)


@given(st.text(max_size=60))
def test_no_text_breaks_is_complete(text):
    complete, open_thing = is_complete(text)
    assert complete == (open_thing == "")


def error_of(text):
    try:
        parse_script(text)
    except SqlSyntaxError as error:
        return error
    return None


@given(st.text(alphabet="abc'`\"-/*+;() \nSELECT1", max_size=40))
def test_no_text_gives_the_parser_anything_but_a_syntax_error_with_a_place(text):
    error = error_of(text)
    assert error is None or 1 <= error.where.line <= text.count("\n") + 1


def test_splitting_agrees_with_parsing():
    script = "SET 'a' = 'b;c'; SELECT 1; BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END; SELECT 2"
    assert texts(script) == [statement.sql for statement in parse_script(script)]
