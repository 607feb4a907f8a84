from __future__ import annotations

import pytest
from pygments.token import Comment, Keyword, Name, Number, String, Token

from headrace.cli.highlight import FlinkSqlLexer


def kinds(text: str) -> list[tuple[str, object]]:
    tokens = FlinkSqlLexer(ensurenl=False).get_tokens(text)
    return [(value, kind) for kind, value in tokens if value.strip()]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT", Keyword),
        ("watermark", Keyword),
        ("BIGINT", Keyword.Type),
        ("timestamp_ltz", Keyword.Type),
        ("'it''s'", String.Single),
        ("'never closed", String.Single),
        ("`my table`", Name.Variable),
        ("-- why", Comment.Single),
        ("/* why */", Comment.Multiline),
        ("/* never closed", Comment.Multiline),
        ("x'0aff'", Number.Hex),
        ("1.5e3", Number),
        ("user_region", Name),
        ("HELP", Keyword.Pseudo),
    ],
)
def test_one_word_has_one_colour(text, kind):
    assert kinds(text) == [(text, kind)]


def test_a_function_is_one_only_when_called():
    found = dict(kinds("SELECT UPPER(upper) FROM t"))
    assert found["UPPER"] is Name.Function
    assert found["upper"] is Name


def test_a_hint_is_not_a_comment():
    found = kinds("t /*+ OPTIONS('a' = 'b') */")
    assert ("/*+", Comment.Special) in found
    assert ("OPTIONS", Keyword) in found
    assert ("'a'", String.Single) in found
    assert found[-1] == ("*/", Comment.Special)


def test_keywords_inside_names_stay_names():
    assert kinds("selected order_by") == [("selected", Name), ("order_by", Name)]


def test_nothing_is_lost_and_nothing_is_an_error():
    text = "CREATE TABLE `t` (a INT NOT NULL) WITH ('k' = 'v'); -- ä ?\n"
    tokens = list(FlinkSqlLexer().get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    assert all(kind is not Token.Error for kind, _ in tokens)
