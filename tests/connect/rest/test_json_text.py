from __future__ import annotations

import json

import pytest

from headrace.connect.answers import Refusal
from headrace.connect.rest.json_text import JsonText

SOURCE = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); "


def refused(text: str) -> tuple[str, str]:
    """The message, and the place."""
    with pytest.raises(Refusal) as raised:
        JsonText(text).whole()
    assert raised.value.status == 500
    message, _, place = raised.value.message.rpartition(f"\n at {SOURCE}")
    return message.replace(SOURCE, "["), place.removesuffix("]")


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        " null ",
        '{"a": [1, -2.5e3, 0, "x\\n\\u00e4\\"", true, false, null, {"b": {}}], "c": ""}',
        '\t[\r\n[[]] , {"": 0.0}]',
        '"\ud83d\ude00"',
    ],
)
def test_json_is_read_as_python_reads_it(text):
    node = JsonText(text).whole()
    assert node is not None
    assert node.plain() == json.loads(text)


def test_values_know_where_they_are_and_how_they_were_written():
    node = JsonText('{"a": 1.50, "b": [true]}').whole()
    (_, number), (_, members) = node.value
    assert (number.kind, number.written, number.start, number.end) == ("float", "1.50", 6, 10)
    assert [(one.kind, one.start) for one in members.value] == [("true", 18)]
    assert (node.start, node.end) == (0, 24)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_nothing_is_nothing(text):
    assert JsonText(text).whole() is None


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("{", "Unexpected end-of-input: expected close marker for Object (start marker at [line: 1, column: 1])", "line: 1, column: 2"),
        ("[1", "Unexpected end-of-input: expected close marker for Array (start marker at [line: 1, column: 1])", "line: 1, column: 3"),
        (' {"a"', "Unexpected end-of-input within/between Object entries", "line: 1, column: 6"),
        ('{"a":', "Unexpected end-of-input within/between Object entries", "line: 1, column: 6"),
        ('{"a', "Unexpected end-of-input in field name", "line: 1, column: 4"),
        ('"abc', "Unexpected end-of-input in VALUE_STRING", "line: 1, column: 5"),
        ('{"a" 1}', "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value", "line: 1, column: 6"),
        ('{"a":1,}', "Unexpected character ('}' (code 125)): was expecting double-quote to start field name", "line: 1, column: 8"),
        ('{"a":1 "b"}', "Unexpected character ('\"' (code 34)): was expecting comma to separate Object entries", "line: 1, column: 8"),
        ("[1 2]", "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries", "line: 1, column: 4"),
        ('\n\n  {"a":}', "Unexpected character ('}' (code 125)): expected a value", "line: 3, column: 8"),
        ("x", "Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')", "line: 1, column: 2"),
        ('{"a":tru}', "Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')", "line: 1, column: 10"),
        ("{} x", "Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')", "line: 1, column: 5"),
        ("[01]", "Invalid numeric value: Leading zeroes not allowed", "line: 1, column: 3"),
        ("[-]", "Unexpected character (']' (code 93)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value", "line: 1, column: 3"),
        ('"a\nb"', "Illegal unquoted character ((CTRL-CHAR, code 10)): has to be escaped using backslash to be included in string value", "line: 1, column: 3"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_as_connects_parser_does(text, message, place):
    assert refused(text) == (message, place)


def test_an_escape_that_is_none():
    assert refused(r'"\x"')[0].startswith("Unrecognized character escape")
