from __future__ import annotations

import pytest

from headrace.connect.validation import NULL_VALUE, validate
from headrace.testing.connect_worker import MASK, PLUGINS, SOURCE, CollectingSink, CountingSource

CONFIG = {"name": "c", "connector.class": SOURCE, "topic": "numbers"}


def verdict(connector=CountingSource, **config: str | None):
    given = {name.replace("__", "."): text for name, text in config.items()}
    return validate(PLUGINS, connector, {**CONFIG, **given})


def faults(connector=CountingSource, **config: str | None) -> dict[str, list[str]]:
    found = verdict(connector, **config)
    return {name: value.errors for name, value in found.values.items() if value.errors}


def test_a_good_config_has_no_errors():
    assert verdict().errors == []
    shown = verdict().to_json()
    assert (shown["name"], shown["error_count"]) == (SOURCE, 0)


def test_unknown_options_are_allowed():
    assert faults(table__name__format="${topic}") == {}


def test_own_options_follow_the_common_ones():
    names = [one["value"]["name"] for one in verdict().to_json()["configs"]]
    assert names[0] == "name"
    assert names[-4:] == ["topic", "count", "password", "fail"]


def test_groups_of_both():
    groups = verdict().to_json()["groups"]
    assert groups[0] == "Common"
    assert groups[-1] == "Counting"


def test_the_connector_judges_what_belongs_together():
    assert faults(topic="forbidden") == {"topic": ["The topic 'forbidden' may not be written to"]}


def test_null_is_no_value():
    assert faults(**{"errors.log.enable": None}) == {"errors.log.enable": [NULL_VALUE]}
    # Of its own options a connector says itself whether null will do.
    assert faults(topic=None) == {}
    found = verdict(other=None).to_json()
    assert found["error_count"] == 1
    first = found["configs"][0]
    assert (first["definition"], first["value"]["name"]) == (None, "other")


def test_a_sink_needs_topics():
    assert set(faults(CollectingSink)) == {"topics", "topics.regex"}


class TestTransforms:
    def test_options_of_an_alias(self):
        config = {"transforms": "m", "transforms__m__type": MASK, "transforms__m__fields": "a,b"}
        found = verdict(**config)
        assert found.errors == []
        keys = {key.name: key for key in found.keys}
        assert keys["transforms.m.fields"].group == "Transforms: m"
        assert keys["transforms.m.predicate"].default is None
        assert keys["transforms.m.negate"].default is False
        assert found.values["transforms.m.type"].recommended == [MASK]
        assert found.values["transforms.m.fields"].value == ["a", "b"]

    def test_a_missing_option_of_the_type(self):
        found = faults(transforms="m", transforms__m__type=MASK)
        assert list(found) == ["transforms.m.fields"]

    @pytest.mark.parametrize("name", ["org.Nothing", SOURCE])
    def test_a_class_that_is_no_transformation(self, name):
        (error,) = faults(transforms="m", transforms__m__type=name)["transforms.m.type"]
        assert error.endswith(f"Class {name} could not be found.")

    def test_a_function_of_ones_own(self):
        assert faults(transforms="m", transforms__m__type="json:dumps") == {}
        (error,) = faults(transforms="m", transforms__m__type="json:nope")["transforms.m.type"]
        assert "Class json:nope could not be found." in error

    def test_a_missing_type(self):
        (error,) = faults(transforms="m")["transforms.m.type"]
        assert error.startswith("Missing required configuration")

    def test_aliases_are_unique(self):
        config = {"transforms": "m, m", "transforms__m__type": MASK, "transforms__m__fields": "a"}
        (error,) = faults(**config)["transforms"]
        assert "Duplicate alias provided." in error

    def test_blanks_around_aliases_do_not_matter(self):
        """As in the walk-through's third sink."""
        config = {
            "transforms": "one, two",
            "transforms__one__type": MASK,
            "transforms__one__fields": "a",
            "transforms__two__type": MASK,
            "transforms__two__fields": "b",
        }
        assert faults(**config) == {}

    def test_predicates_have_types_too(self):
        found = faults(predicates="p", predicates__p__type="org.Nothing")
        assert list(found) == ["predicates.p.type"]
        assert "predicates.p.negate" not in verdict(predicates="p").keys.keys
