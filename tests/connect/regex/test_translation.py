from __future__ import annotations

import pytest

from headrace.connect.regex.faults import MalformedRegex, UntranslatableRegex
from headrace.connect.regex.translation import compiled, fault, in_java, matches

MATCHING = [
    ("pagila.public.(.*)", "pagila.public.actor"),
    ("pagila.public.(.*)", "pagilaXpublic."),
    (r"(?<db>\w++)\.\k<db>", "a.a"),
    (r"(a)(b)\2\1", "abba"),
    (r"(a)\10", "aa0"),
    (r"(?i)shop\.ORDERS", "Shop.orders"),
    ("(?i)a|b", "B"),
    ("x(?i)a|b", "B"),
    ("x(?i)a|b", "xA"),
    ("(?:(?i)a)b", "Ab"),
    ("(?i:a)b", "Ab"),
    ("(?i)a(?-i)b", "Ab"),
    (r"\Qa.b\E.c", "a.bxc"),
    (r"\Qa.b", "a.b"),
    ("[a-z&&[^aeiou]]+", "xyz"),
    ("[a-c[x-z]]+", "axz"),
    ("[^a-c[x-z]]", "m"),
    (r"[\w&&[^\d]]+", "ab_"),
    ("[]a]+", "]a"),
    ("[a-]+", "a-"),
    ("[&]", "&"),
    (r"\p{Lower}\p{Upper}\P{Digit}", "aBx"),
    (r"\p{L}+\pN", "äß9"),
    (r"[\p{Lu}_]+", "Ä_"),
    (r"[\P{L}]", "1"),
    (r"\p{IsUppercase}\p{javaLowerCase}", "Öö"),
    (r"\p{gc=Nd}", "٣"),
    (r"\x41\x{42}\u0043\0104\cA\e\t", "ABCD\x01\x1b\t"),
    (r"\N{DIGIT ONE}", "1"),
    (r"a\R\hb\v", "a\r\n\u3000b\x0b"),
    ("(?>a+)b", "aab"),
    ("a{2,3}+b", "aaab"),
    ("(?=ab).*(?<=b)", "ab"),
    ("(?s).", "\n"),
    ("(?s:.)(?-s:.)", "\nx"),
    (r"\Aab\z", "ab"),
    (r"a\Z", "a"),
    (r"[\Qa-z\E]+", "-z"),
    (r"a\-b\&", "a-b&"),
    ("", ""),
]


@pytest.mark.parametrize(("expression", "text"), MATCHING)
def test_matches_what_java_matches(expression, text):
    assert compiled(expression).fullmatch(text)


OTHERS = [
    ("a++a", "aaa"),
    ("(?i)a(?-i)b", "aB"),
    ("x(?i)a|b", "XA"),
    ("(?:(?i)a)b", "aB"),
    ("[a-z&&[^aeiou]]", "e"),
    ("[^a-c[x-z]]", "y"),
    (r"\d", "٣"),
    (r"\w", "ä"),
    ("(?i)ä", "Ä"),
    (".", "\r"),
    (".", "\u2028"),
    (r"\p{Alpha}", "ä"),
    (r"[^\p{L}]", "ä"),
    (r"\Qa.b\E", "axb"),
    ("a|ab", "abc"),
]


@pytest.mark.parametrize(("expression", "text"), OTHERS)
def test_and_nothing_else(expression, text):
    assert not compiled(expression).fullmatch(text)


def test_groups_keep_their_numbers_and_names():
    found = compiled(r"(?<db>\w+)\.(?:x\.)?(\w+)").fullmatch("shop.x.orders")
    assert found.group("db") == found.group(1) == "shop"
    assert found.group(2) == "orders"


MALFORMED = ["(", ")", "[a", "a{x}", "a{,3}", "*a", r"\y", "[b-a]", r"\p{L", "(?y)a", "(?<1a>b)", "\\", "(?#c)",
     r"\x{110000}", r"\N{NO SUCH LETTER}", "[&&]", r"[a-\d]", "a**"]  # fmt: skip


@pytest.mark.parametrize("expression", MALFORMED)
def test_what_java_refuses(expression):
    with pytest.raises(MalformedRegex):
        compiled(expression)


UNTRANSLATABLE = [r"\p{IsGreek}", r"\p{InGreek}", r"\p{IsAlphabetic}", "(?x)a b", "(?U)\\w", "(?d).", r"\Ga", r"\X", "(?<=a{1,3})b"]  # fmt: skip


@pytest.mark.parametrize("expression", UNTRANSLATABLE)
def test_what_cannot_be_translated_is_refused_and_not_guessed(expression):
    with pytest.raises(UntranslatableRegex):
        compiled(expression)


def test_faults_tell_the_two_apart():
    assert fault("a+") is None
    assert fault("(") == "Unclosed group near index 1"


def test_java_shows_the_expression_and_marks_the_place():
    assert in_java(MalformedRegex("Unclosed group near index 1"), "(") == (
        "Unclosed group near index 1\n("
    )
    assert in_java(MalformedRegex("Dangling near index 2"), "a\t*b") == (
        "Dangling near index 2\na\t*b\n \t^"
    )
    assert in_java(MalformedRegex("bad"), "x") == "bad\nx"
    assert fault("(?x)a") == "the flag x has no counterpart; write the expression without it"


def test_one_of_several():
    assert matches(["a", "b.*"], "bc")
    assert not matches(["a", "b"], "bc")
    assert not matches([], "a")


@pytest.mark.spark
def test_java_sees_them_as_we_do(spark):
    from pyspark.errors import IllegalArgumentException

    java = spark._jvm.java.util.regex.Pattern
    assert [pair for pair in MATCHING if not java.matches(*pair)] == []
    assert [pair for pair in OTHERS if java.matches(*pair)] == []
    for expression in UNTRANSLATABLE:
        java.compile(expression)
    for expression in MALFORMED:
        with pytest.raises(IllegalArgumentException):
            java.compile(expression)
