import pytest

from headrace.connectors.kafka.offsets import FORM, parse_offsets


def test_the_documented_form_reads():
    assert parse_offsets(FORM) == {0: 42, 1: 300}


def test_a_last_semicolon_and_signs_are_allowed():
    assert parse_offsets("partition:+3,offset:0;partition:4,offset:-1;") == {3: 0, 4: -1}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0:42",
        "partition:0",
        "partition:0 offset:42",
        "partition:x,offset:1",
        " partition:0,offset:1",
        "partition:0, offset:1",
        "partition:0,offset:1; partition:1,offset:2",
        "partition:0,offset:99999999999999999999",
        "partition:2147483648,offset:0",
        "offset:1,partition:0",
        "partition:0,offset:1;;partition:1,offset:2",
    ],
)
def test_anything_else_is_refused_with_the_form(text):
    with pytest.raises(ValueError, match="partition:0,offset:42"):
        parse_offsets(text)
