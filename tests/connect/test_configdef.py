from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.connect.configdef import (
    ConfigDef,
    ConfigKey,
    Importance,
    InvalidConfig,
    Type,
    Width,
    as_text,
    at_least,
    between,
    check,
    non_empty,
    non_empty_list,
    one_of,
    optional,
    parse,
    unique,
    without_control_characters,
)


class TestParse:
    @pytest.mark.parametrize(
        ("type", "text", "value"),
        [
            (Type.BOOLEAN, " True ", True),
            (Type.BOOLEAN, "false", False),
            (Type.INT, " 42", 42),
            (Type.INT, "-2147483648", -(2**31)),
            (Type.SHORT, "32767", 32767),
            (Type.LONG, "+9", 9),
            (Type.DOUBLE, "1e3", 1000.0),
            (Type.STRING, " a b ", "a b"),
            (Type.PASSWORD, " a ", " a "),
            (Type.LIST, "a , b,c", ["a", "b", "c"]),
            (Type.LIST, " ", []),
            (Type.CLASS, "a.B", "a.B"),
            (Type.INT, None, None),
        ],
    )
    def test_values(self, type, text, value):
        assert parse(type, text) == value

    @pytest.mark.parametrize(
        ("type", "text", "fault"),
        [
            (Type.BOOLEAN, "yes", "Expected value to be either true or false"),
            (Type.INT, "2147483648", "Not a number of type INT"),
            (Type.SHORT, "32768", "Not a number of type SHORT"),
            (Type.INT, "1.0", "Not a number of type INT"),
            (Type.INT, "1_000", "Not a number of type INT"),
            (Type.LONG, "", "Not a number of type LONG"),
            (Type.DOUBLE, "x", "Not a number of type DOUBLE"),
        ],
    )
    def test_faults(self, type, text, fault):
        with pytest.raises(ValueError, match=fault):
            parse(type, text)

    @given(st.lists(st.text("abc", min_size=1), min_size=1))
    def test_a_list_survives_its_text(self, items):
        assert parse(Type.LIST, as_text(items, Type.LIST)) == items

    @given(st.integers(-(2**63), 2**63 - 1))
    def test_a_number_survives_its_text(self, number):
        assert parse(Type.LONG, as_text(number, Type.LONG)) == number


class TestCheck:
    def test_a_default(self):
        assert check(ConfigKey("a", Type.INT, 3), {}).value == 3

    def test_a_required_option_without_a_value(self):
        (error,) = check(ConfigKey("a", Type.INT), {}).errors
        assert error == 'Missing required configuration "a" which has no default value.'

    def test_a_validator_also_sees_what_could_not_be_parsed(self):
        errors = check(ConfigKey("a", Type.INT, 1, validator=at_least(1)), {"a": "x"}).errors
        assert errors == [
            "Invalid value x for configuration a: Not a number of type INT",
            "Invalid value null for configuration a: Value must be non-null",
        ]

    def test_a_password_is_not_repeated(self):
        key = ConfigKey("a", Type.PASSWORD, None, validator=lambda value: "too short")
        assert check(key, {"a": "pw"}).errors == [
            "Invalid value [hidden] for configuration a: too short"
        ]

    def test_a_list_is_shown_as_java_shows_it(self):
        key = ConfigKey("a", Type.LIST, [], validator=unique)
        assert check(key, {"a": "x,x"}).errors == [
            "Invalid value [x, x] for configuration a: Duplicate alias provided."
        ]

    def test_recommendations_look_at_the_whole_config(self):
        key = ConfigKey(
            "a",
            Type.STRING,
            "",
            recommend=lambda config: [config["b"]],
            visible=lambda config: "b" not in config,
        )
        value = check(key, {"b": "x"})
        assert (value.recommended, value.visible) == (["x"], False)


class TestJson:
    def test_a_key(self):
        key = ConfigKey(
            "batch.size",
            Type.INT,
            100,
            Importance.LOW,
            "Rows.",
            "Group",
            2,
            Width.SHORT,
            "Batch",
            ("other",),
        )
        assert key.to_json() == {
            "name": "batch.size",
            "type": "INT",
            "required": False,
            "default_value": "100",
            "importance": "LOW",
            "documentation": "Rows.",
            "group": "Group",
            "width": "SHORT",
            "display_name": "Batch",
            "dependents": ["other"],
            "order": 2,
        }

    def test_a_bare_key(self):
        shown = ConfigKey("a", Type.STRING).to_json()
        assert (shown["required"], shown["default_value"]) == (True, None)
        assert (shown["display_name"], shown["order"], shown["width"]) == ("a", -1, "NONE")

    def test_of_a_list_single_values_are_recommended(self):
        value = check(ConfigKey("a", Type.LIST, [], recommend=lambda _: ["x", "y"]), {"a": "x"})
        shown = value.to_json(Type.LIST)
        assert shown == {
            "name": "a",
            "value": "x",
            "recommended_values": ["x", "y"],
            "errors": [],
            "visible": True,
        }

    @pytest.mark.parametrize(
        ("value", "type", "text"),
        [
            (True, Type.BOOLEAN, "true"),
            (False, None, "false"),
            (["a", "b"], Type.LIST, "a,b"),
            ([], Type.LIST, ""),
            ("pw", Type.PASSWORD, "[hidden]"),
            (None, Type.PASSWORD, None),
            (1.5, Type.DOUBLE, "1.5"),
        ],
    )
    def test_values_as_text(self, value, type, text):
        assert as_text(value, type) == text


class TestConfigDef:
    FIRST = ConfigDef([ConfigKey("a", Type.INT, 1, group="G"), ConfigKey("b", Type.INT, 2)])

    def test_the_later_definition_counts_in_the_place_of_the_first(self):
        both = self.FIRST.plus([ConfigKey("a", Type.INT, 9), ConfigKey("c", Type.INT, 3)])
        assert [(key.name, key.default) for key in both] == [("a", 9), ("b", 2), ("c", 3)]

    def test_groups_once_and_in_order(self):
        more = self.FIRST.plus(
            [ConfigKey("c", Type.INT, group="H"), ConfigKey("d", Type.INT, group="G")]
        )
        assert more.groups == ["G", "H"]

    def test_with_a_prefix(self):
        inner = ConfigDef([ConfigKey("a", Type.INT, dependents=("b",), display_name="A")])
        (key,) = inner.prefixed("x.", "X")
        assert (key.name, key.group, key.dependents, key.display_name) == (
            "x.a",
            "X",
            ("x.b",),
            "A",
        )


class TestValidators:
    def test_ranges(self):
        assert at_least(1)(1) is None
        assert at_least(1)(0) == "Value must be at least 1"
        assert between(1, 5)(6) == "Value must be no more than 5"
        assert between(1, 5)(5) is None

    def test_choices(self):
        assert one_of("a", "b")("a") is None
        assert one_of("a", "b")("A") == "String must be one of: a, b"
        assert one_of("a", ignore_case=True)("A") is None
        message = "String must be one of (case insensitive): a"
        assert one_of("a", ignore_case=True)(None) == message

    def test_texts(self):
        assert non_empty("") == "String must be non-empty"
        assert non_empty(None) is None
        assert without_control_characters("a b é") is None
        assert without_control_characters("") == "String may not be empty"
        assert without_control_characters("a\nb").endswith("ASCII chars: 10")

    def test_aliases(self):
        assert unique(["a", "b"]) is None
        assert unique(None) == "entry must be non null"


class TestValidatorsOfPlugins:
    def test_one_that_raises_has_said_everything(self):
        def judge(value):
            raise InvalidConfig("Must specify at least one field to cast.")

        found = check(ConfigKey("spec", Type.LIST, [], validator=judge), {})
        assert found.errors == ["Must specify at least one field to cast."]

    def test_lists_that_must_have_something(self):
        key = ConfigKey("fields", Type.LIST, validator=non_empty_list)
        assert check(key, {"fields": "a"}).errors == []
        assert check(key, {"fields": " "}).errors == [
            "Invalid value [] for configuration fields: Empty list"
        ]
        # As Kafka: what is missing is judged as well.
        assert len(check(key, {}).errors) == 2

    @pytest.mark.parametrize(
        ("value", "fault"), [(None, False), ("", False), ("a", False), ("b", True)]
    )
    def test_where_there_is_a_value(self, value, fault):
        assert (optional(one_of("a"))(value) is not None) is fault
