from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.catalog.options import (
    Option,
    OptionType,
    ParsedOptions,
    is_secret,
    masked,
    parse_duration,
    parse_options,
)
from headrace.errors import InvalidOption, Position

MODE = Option("mode", OptionType.ENUM, "How.", default="fast", choices=("fast", "slow"))
TOPIC = Option("topic", OptionType.STRING, "Where.", required=True)
ROWS = Option("rows", OptionType.INT, "How many.")
PROPERTIES = Option("properties.*", OptionType.STRING, "Any.")
KIND = Option("fields.#.kind", OptionType.STRING, "Of a field.")
DECLARED = (TOPIC, MODE, ROWS, PROPERTIES, KIND)


def option(kind: OptionType, **facts) -> Option:
    return Option("o", kind, "An option.", **facts)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (OptionType.STRING, " as is ", " as is "),
        (OptionType.INT, "+12", 12),
        (OptionType.INT, "-2147483648", -(2**31)),
        (OptionType.LONG, "9223372036854775807", 2**63 - 1),
        (OptionType.DOUBLE, "0.5", 0.5),
        (OptionType.BOOLEAN, "TRUE", True),
        (OptionType.BOOLEAN, "false", False),
        (OptionType.DURATION, "5 min", timedelta(minutes=5)),
        (OptionType.LIST, " a; b ;;c", ["a", "b", "c"]),
        (OptionType.LIST, "", []),
    ],
)
def test_values_are_read_by_type(kind, text, value):
    assert option(kind).parse(text) == value


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (OptionType.INT, "2147483648", "a whole number from -2147483648 to 2147483647"),
        (OptionType.INT, "1_000", "a whole number"),
        (OptionType.INT, "1.5", "a whole number"),
        (OptionType.INT, " 1", "a whole number"),
        (
            OptionType.LONG,
            "9223372036854775808",
            "a whole number from -9223372036854775808 to 9223372036854775807",
        ),
        (OptionType.DOUBLE, "much", "a number"),
        (OptionType.BOOLEAN, "yes", "true or false"),
        (OptionType.BOOLEAN, " true", "true or false"),
        (
            OptionType.DURATION,
            "5 parsecs",
            "a duration such as '5 min', '1 s', '500 ms' or 'PT1M30S'",
        ),
        (
            OptionType.DURATION,
            "9223372036854775807 d",
            "a duration of at most 999999999 days",
        ),
    ],
)
def test_bad_values_say_what_is_wanted(kind, text, expected):
    with pytest.raises(InvalidOption) as caught:
        option(kind).parse(text)
    assert caught.value.render().splitlines() == [
        "[INVALID_OPTION] invalid value for option 'o'",
        f"  found: '{text}'",
        f"  expected: {expected}",
    ]


def test_choices_ignore_case_and_give_back_their_own_spelling():
    assert MODE.parse("FAST") == "fast"


def test_blanks_around_a_choice_are_refused():
    with pytest.raises(InvalidOption, match="invalid value for option 'mode'"):
        MODE.parse(" fast")


@pytest.mark.parametrize(("text", "cure"), [("slwo", "slow"), ("?", "fast")])
def test_a_bad_choice_is_cured_by_the_nearest_or_the_default(text, cure):
    with pytest.raises(InvalidOption) as caught:
        MODE.parse(text)
    assert caught.value.expected == "one of fast, slow"
    assert caught.value.cure == f"'mode' = '{cure}'"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("500", timedelta(milliseconds=500)),
        ("1s", timedelta(seconds=1)),
        ("2 secs", timedelta(seconds=2)),
        ("10 us", timedelta(microseconds=10)),
        ("3 H", timedelta(hours=3)),
        (" 7 days ", timedelta(days=7)),
        ("PT1S", timedelta(seconds=1)),
        (" pt0.5s ", timedelta(milliseconds=500)),
        ("P1DT2H3M4S", timedelta(days=1, hours=2, minutes=3, seconds=4)),
    ],
)
def test_durations(text, value):
    assert parse_duration(text) == value


@pytest.mark.parametrize(
    "text", ["", "s", "-1 s", "1.5 s", "1 s 2", "P", "PT", "P1DT", "PT1", "P1S"]
)
def test_what_is_no_duration(text):
    with pytest.raises(ValueError, match="a duration such as"):
        parse_duration(text)


@given(st.integers(0, 10**12))
def test_a_bare_number_is_milliseconds(number):
    assert parse_duration(str(number)) == parse_duration(f"{number} ms")


@pytest.mark.parametrize(
    ("declared", "key", "matches"),
    [
        (TOPIC, "topic", True),
        (TOPIC, "topics", False),
        (PROPERTIES, "properties.a.b", True),
        (PROPERTIES, "properties.", False),
        (PROPERTIES, "property.a", False),
        (KIND, "fields.a.kind", True),
        (KIND, "fields..kind", False),
        (KIND, "fields.a.min", False),
        (KIND, "fields.kind", False),
    ],
)
def test_names_may_stand_for_many_keys(declared, key, matches):
    assert declared.matches(key) is matches


def test_defaults_fill_what_is_not_given():
    options = parse_options(DECLARED, {"topic": "t", "properties.a": "1"}, owner="it")
    assert options["mode"] == "fast"
    assert options.get("rows") is None
    assert options.get("rows", 3) == 3
    assert options.is_set("topic")
    assert not options.is_set("mode")
    assert options.prefixed("properties.") == {"a": "1"}


def test_given_values_win_over_defaults():
    options = parse_options(DECLARED, {"topic": "t", "mode": "slow", "rows": "4"}, owner="it")
    assert (options["mode"], options["rows"]) == ("slow", 4)


def test_missing_options_are_named_together():
    declared = (TOPIC, Option("format", OptionType.STRING, "What.", required=True))
    with pytest.raises(InvalidOption) as caught:
        parse_options(declared, {"x": "1"}, owner="connector 'kafka'")
    assert caught.value.render().splitlines() == [
        "[MISSING_OPTION] connector 'kafka' needs options that are not set: topic, format",
        "  found: options x",
        "  cure: 'topic' = '…', 'format' = '…'",
    ]


def test_an_unknown_option_points_at_its_place_and_the_nearest_name():
    with pytest.raises(InvalidOption) as caught:
        parse_options(
            DECLARED,
            {"topic": "t", "moed": "slow"},
            owner="connector 'kafka'",
            positions={"moed": Position(4, 3)},
        )
    assert caught.value.render().splitlines() == [
        "[UNKNOWN_OPTION] connector 'kafka' does not support the option 'moed'",
        "  at: <sql>:4:3",
        "  found: 'moed'",
        "  expected: mode, topic, rows, properties.*, fields.#.kind",
        "  cure: did you mean 'mode'?",
    ]


def test_an_option_like_no_other_is_to_be_removed():
    with pytest.raises(InvalidOption) as caught:
        parse_options([MODE], {"zzz": "1"}, owner="it")
    assert caught.value.cure == "remove 'zzz'"


def test_a_bad_value_points_at_its_place():
    with pytest.raises(InvalidOption) as caught:
        parse_options(
            DECLARED, {"topic": "t", "rows": "x"}, owner="it", positions={"rows": Position(2, 1)}
        )
    assert str(caught.value.where) == "<sql>:2:1"


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("password", True),
        ("properties.sasl.jaas.config", True),
        ("spark.hadoop.fs.s3a.Secret.key", True),
        ("properties.ssl.keystore.key", True),
        ("topic", False),
        ("key.format", False),
    ],
)
def test_secrets_are_known_by_their_keys(key, secret):
    assert is_secret(key) is secret
    assert masked({key: "value"}) == {key: "******" if secret else "value"}


def test_an_absent_value_is_a_key_error():
    with pytest.raises(KeyError):
        ParsedOptions({}, {})["x"]


OLD = Option("url", OptionType.STRING, "An address.", required=True, aliases=("old.url",))


def test_an_older_name_stands_in_for_a_missing_option():
    parsed = parse_options([OLD], {"old.url": "x"}, owner="f")
    assert parsed["url"] == "x"
    assert parsed.is_set("url")
    assert parsed.raw == {"url": "x"}


def test_the_name_itself_wins_over_an_older_one():
    assert parse_options([OLD], {"old.url": "x", "url": "y"}, owner="f")["url"] == "y"


def test_addresses_are_shown_without_their_credentials():
    shown = masked({"url": "https://me:pw@host:1/x?a@b", "topic": "a@b"})
    assert shown == {"url": "https://******@host:1/x?a@b", "topic": "a@b"}
