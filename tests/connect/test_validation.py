from __future__ import annotations

import pytest

import headrace
from headrace.connect.file_stream import JSON, TEXT, FileStreamSource
from headrace.connect.installed import installed
from headrace.connect.validation import NULL_VALUE, validate
from headrace.testing.connect_worker import MASK, PLUGINS, SOURCE, CollectingSink, CountingSource

FILE = {
    "name": "lines",
    "connector.class": FileStreamSource.class_name,
    "file": "in.txt",
    "topic": "lines",
}
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

    @pytest.mark.parametrize(
        ("name", "fault"),
        [
            ("org.Nothing", "Class org.Nothing could not be found."),
            (SOURCE, f"Class class {SOURCE} does not implement the Transformation interface"),
        ],
    )
    def test_a_class_that_is_no_transformation(self, name, fault):
        (error,) = faults(transforms="m", transforms__m__type=name)["transforms.m.type"]
        assert error.endswith(fault)

    def test_a_condition_that_is_turned_round_must_be_there(self):
        found = faults(
            transforms="m",
            transforms__m__type=MASK,
            transforms__m__fields="a",
            transforms__m__negate="true",
        )
        (error,) = found["transforms.m.type"]
        assert "there is no config 'transforms.m.predicate'" in error

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

    def test_they_are_numbered_by_name_behind_type_and_version(self):
        config = {"transforms": "m", "transforms__m__type": MASK, "transforms__m__fields": "a"}
        orders = {
            key.name.removeprefix("transforms.m."): key.order
            for key in verdict(**config).keys
            if key.name.startswith("transforms.m.")
        }
        assert orders == {"type": 0, "plugin.version": 1, "fields": 2, "negate": 3, "predicate": 4}

    def test_a_type_that_is_unknown_has_no_options(self):
        found = verdict(transforms="m", transforms__m__type="org.Nothing")
        names = [key.name for key in found.keys if key.name.startswith("transforms.m.")]
        assert names == ["transforms.m.type", "transforms.m.plugin.version"]
        assert found.values["transforms.m.type"].value is None

    def test_a_function_can_have_a_condition(self):
        keys = verdict(transforms="m", transforms__m__type="json:dumps").keys.keys
        assert {"transforms.m.predicate", "transforms.m.negate"} <= set(keys)


class TestOfTheWorker:
    """Options of the connector whose defaults are what the worker has."""

    def shown(self, worker: dict[str, str], **config: str):
        given = {name.replace("__", "."): text for name, text in config.items()}
        plugins = installed()
        found = validate(plugins, FileStreamSource, {**FILE, **given}, worker)
        return {one["value"]["name"]: one for one in found.to_json()["configs"]}

    def test_converters(self):
        shown = self.shown({"key.converter": TEXT})
        assert shown["key.converter"]["definition"]["default_value"] == TEXT
        assert shown["key.converter"]["value"]["value"] == TEXT
        assert shown["value.converter"]["value"]["value"] == JSON
        assert shown["header.converter"]["value"]["value"].endswith(".SimpleHeaderConverter")

    def test_the_connectors_own_come_first(self):
        shown = self.shown({"value.converter": TEXT}, value__converter=JSON)
        assert shown["value.converter"]["definition"]["default_value"] == TEXT
        assert shown["value.converter"]["value"]["value"] == JSON

    def test_the_workers_converter_is_not_judged_again(self):
        shown = self.shown({"key.converter": "org.elsewhere.Converter"})
        assert shown["key.converter"]["value"]["errors"] == []
        named = self.shown({}, key__converter="org.elsewhere.Converter")
        (error,) = named["key.converter"]["value"]["errors"]
        assert "Class org.elsewhere.Converter could not be found." in error

    def test_versions_are_those_that_are_installed(self):
        shown = self.shown({})
        for option in ("connector", "key.converter", "value.converter", "header.converter"):
            one = shown[f"{option}.plugin.version"]
            assert one["definition"]["default_value"] == headrace.__version__
            assert one["value"] == {
                "name": f"{option}.plugin.version",
                "value": headrace.__version__,
                "recommended_values": [],
                "errors": [],
                "visible": True,
            }

    def test_an_unknown_converter_has_no_version_to_show(self):
        one = self.shown({}, value__converter="org.elsewhere.Converter")
        version = one["value.converter.plugin.version"]["value"]
        assert (version["value"], version["visible"]) == (None, False)

    def test_another_version_is_refused(self):
        shown = self.shown({}, connector__plugin__version="99")
        (error,) = shown["connector.plugin.version"]["value"]["errors"]
        assert error.endswith(f"The version that is installed is {headrace.__version__}")

    def test_converters_that_the_connector_names_show_their_options(self):
        shown = self.shown({}, key__converter=TEXT, value__converter=JSON)
        assert shown["key.converter.converter.type"]["value"]["value"] == "key"
        assert shown["value.converter.converter.type"]["value"]["value"] == "value"
        assert shown["key.converter.converter.encoding"]["value"]["value"] == "UTF-8"
        assert shown["value.converter.schemas.enable"]["value"]["value"] == "true"
        assert list(shown)[-1].startswith("value.converter.")

    def test_those_of_the_worker_do_not(self):
        assert "key.converter.converter.type" not in self.shown({"key.converter": TEXT})

    def test_what_they_convert_is_not_for_the_connector_to_say(self):
        shown = self.shown({}, key__converter=TEXT, key__converter__converter__type="value")
        assert shown["key.converter.converter.type"]["value"]["value"] == "key"


def test_null_of_a_common_option_beside_others():
    found = verdict(**{"tasks.max": None, "unheard.of": None})
    assert found.values["unheard.of"].errors == [NULL_VALUE]
    assert NULL_VALUE in found.values["tasks.max"].errors


def test_a_sink_may_not_read_its_dead_letters():
    found = faults(CollectingSink, topics="a,b", **{"errors.deadletterqueue.topic.name": "b"})
    assert list(found) == ["topics"]
    assert "may not be included in the list of topics" in found["topics"][0]
