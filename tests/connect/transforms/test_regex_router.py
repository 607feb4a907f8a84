"""RegexRouter."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.transforms.chain import parse_chain

TYPE = {"transforms": "r", "transforms.r.type": "org.apache.kafka.connect.transforms.RegexRouter"}


def test_an_expression_that_is_none():
    config = TYPE | {"transforms.r.regex": "(", "transforms.r.replacement": "x"}
    with pytest.raises(
        InvalidConfig, match=r"Invalid value \( for configuration regex: Invalid regex"
    ):
        parse_chain(config)


@pytest.mark.spark
def test_topics_that_match_as_a_whole(connect):
    topics = ["db.public.orders", "other", "xdb.public.orders"]
    options = {"regex": r"db\.(\w+)\.(\w+)", "replacement": "$2-of-$1"}
    result = connect.apply("RegexRouter", options, ["1"] * 3, topic=topics)
    assert result.column("topic") == ["orders-of-public", "other", "xdb.public.orders"]
    # The whole must match, but the first place that matches by itself is replaced.
    shorter = connect.apply(
        "RegexRouter", {"regex": "a|ab", "replacement": "X"}, ["1"], topic=["ab"]
    )
    assert shorter.column("topic") == ["Xb"]


@pytest.mark.spark
def test_expressions_are_javas(connect):
    options = {
        "regex": r"(?i)(?<db>[\p{L}&&[^X]]++)\.(\w+)",
        "replacement": "${db}_$2\\$",
    }
    result = connect.apply("RegexRouter", options, ["1"] * 2, topic=["Öl.a", "x.a"])
    assert result.column("topic") == ["Öl_a$", "x.a"]


@pytest.mark.spark
def test_what_only_java_can_judge_is_refused_with_the_first_batch(connect):
    with pytest.raises(
        InvalidConfig, match=r"Invalid value \\p\{InNowhere\} for configuration regex"
    ):
        connect.apply(
            "RegexRouter", {"regex": r"\p{InNowhere}", "replacement": "x"}, ["1"], topic=["a"]
        )


@pytest.mark.spark
@pytest.mark.parametrize(
    ("replacement", "kind", "message"),
    [
        ("$2", "java.lang.IndexOutOfBoundsException", "No group 2"),
        (
            "$",
            "java.lang.IllegalArgumentException",
            "Illegal group reference: group index is missing",
        ),
    ],
)
def test_a_replacement_of_groups_that_are_none_fails_what_matches(
    connect, replacement, kind, message
):
    options = {"regex": "(a)", "replacement": replacement}
    result = connect.apply("RegexRouter", options, ["1"] * 2, topic=["a", "b"])
    assert result.column("topic") == ["a", "b"]
    errors = result.column("error")
    assert (errors[0]["class"], errors[0]["message"], errors[1]) == (kind, message, None)
