"""Configuration as Connect reads and refuses it."""

import pytest

from headrace.connect.configdef import ConfigKey, InvalidConfig, non_empty, non_empty_list, one_of
from headrace.connect.data.config import (
    ConfigType,
    date_pattern_fault,
    pairs,
    parse,
    regex,
    value_of,
)
from headrace.errors import InvalidOption


def key(type, **facts):
    return ConfigKey("k", type, documentation="", **facts)


@pytest.mark.parametrize(
    ("type", "text", "value"),
    [
        (ConfigType.BOOLEAN, " TRUE ", True),
        (ConfigType.BOOLEAN, "false", False),
        (ConfigType.INT, " -12 ", -12),
        (ConfigType.LIST, "a , b,c", ["a", "b", "c"]),
        (ConfigType.LIST, " ", []),
        (ConfigType.LIST, "a,,b", ["a", "", "b"]),
        (ConfigType.STRING, "  x y ", "x y"),
    ],
)
def test_values_by_type(type, text, value):
    assert value_of(key(type), {"k": text}) == value


@pytest.mark.parametrize(
    ("declared", "text", "message"),
    [
        (
            key(ConfigType.BOOLEAN),
            "1",
            "Invalid value 1 for configuration k: Expected value to be either true or false",
        ),
        (
            key(ConfigType.INT),
            "1.5",
            "Invalid value 1.5 for configuration k: Not a number of type INT",
        ),
        (
            key(ConfigType.LIST, validator=non_empty_list),
            "",
            "Invalid value [] for configuration k: Empty list",
        ),
        (
            key(ConfigType.STRING, validator=non_empty),
            " ",
            "Invalid value  for configuration k: String must be non-empty",
        ),
        (
            key(ConfigType.STRING, validator=one_of("a", "b")),
            "A",
            "Invalid value A for configuration k: String must be one of: a, b",
        ),
        (
            key(ConfigType.STRING, validator=one_of("V1", "V2", ignore_case=True)),
            "v3",
            "Invalid value v3 for configuration k: String must be one of (case insensitive): V1, V2",
        ),
    ],
)
def test_what_is_refused_is_worded_as_connect_does(declared, text, message):
    with pytest.raises(InvalidConfig) as refused:
        value_of(declared, {"k": text})
    assert refused.value.summary == message
    assert isinstance(refused.value, InvalidOption)


def test_defaults_and_what_is_required():
    declared = (
        key(ConfigType.STRING, default=None),
        ConfigKey("l", ConfigType.LIST, documentation="", default=[]),
    )
    assert parse(declared, {"other": "x"}) == {"k": None, "l": []}
    assert parse(declared, {"p.k": "v", "k": "w"}, "p.") == {"k": "v", "l": []}
    with pytest.raises(InvalidConfig) as refused:
        parse((key(ConfigType.STRING),), {}, "transforms.x.")
    assert refused.value.condition == "MISSING_OPTION"
    assert (
        refused.value.summary
        == 'Missing required configuration "transforms.x.k" which has no default value.'
    )


def test_names_of_choices_may_ignore_their_case():
    assert (
        value_of(
            key(ConfigType.STRING, validator=one_of("BASE64", ignore_case=True)), {"k": "base64"}
        )
        == "base64"
    )


@pytest.mark.parametrize(
    "text", ["(a|b)+", r"\p{Alpha}+", r"(?<name>x)\k<name>", r"\Qa.b\E", r"\p{IsGreek}"]
)
def test_javas_expressions_pass(text):
    assert regex(text) is None


@pytest.mark.parametrize("text", ["(", "a{2,1}", "*", "a{,2}", "[b-a]"])
def test_what_is_no_expression_in_either_language(text):
    with pytest.raises(InvalidConfig, match="for configuration k: Invalid regex"):
        value_of(key(ConfigType.STRING, validator=regex), {"k": text})


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", True),
        ("", True),
        ("h 'o''clock'", True),
        ("'at", False),
        ("yyyy-jj", False),
    ],
)
def test_patterns_of_simple_date_format(pattern, fits):
    assert (date_pattern_fault(pattern) is None) == fits


def test_pairs():
    assert pairs("renames", ["a:b", "c:d"]) == {"a": "b", "c": "d"}
    for wrong in ("a", "a:b:c", "a:"):
        with pytest.raises(InvalidConfig, match=f"Invalid rename mapping: {wrong}"):
            pairs("renames", [wrong])
