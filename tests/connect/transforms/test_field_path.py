"""Paths to fields."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.transforms.field_path import parse_path


def test_the_first_syntax_takes_names_as_they_are():
    assert parse_path("a.`b", "V1") == ("a.`b",)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("foo", ("foo",)),
        ("foo.bar.baz", ("foo", "bar", "baz")),
        ("foo..bar", ("foo", "", "bar")),
        ("foo.", ("foo", "")),
        ("`foo.bar`.baz", ("foo.bar", "baz")),
        ("foo.`bar.baz`", ("foo", "bar.baz")),
        ("foo`.bar", ("foo`", "bar")),
        ("`foo`bar`.baz", ("foo`bar", "baz")),
        ("`foo\\`.bar`.baz", ("foo`.bar", "baz")),
        ("", ()),
    ],
)
def test_dots_are_steps_and_backticks_keep_them(text, steps):
    assert parse_path(text, "V2") == steps


@pytest.mark.parametrize("text", ["`foo", "a.`b.c", "`foo\\`"])
def test_a_backtick_needs_its_other(text):
    with pytest.raises(InvalidConfig, match="Incomplete backtick pair in path") as refused:
        parse_path(text, "v2")
    assert f"position {text.index('`')}" in refused.value.summary
