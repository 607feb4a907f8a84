from __future__ import annotations

import pytest

from headrace.connect import common
from headrace.connect.configdef import ConfigDef
from headrace.connect.plugins import Kind, Plugin, Plugins


class Converter(Plugin):
    class_name = "org.example.TextConverter"
    kind = Kind.CONVERTER


PLUGINS = Plugins([Converter])


def defaults(options: ConfigDef) -> dict[str, object]:
    return {key.name: key.default for key in options if key.name in options.keys}


def errors(options: ConfigDef, judge, **config: str) -> dict[str, list[str]]:
    named = {name.replace("__", "."): text for name, text in config.items()}
    values = options.validate({"name": "c", "connector.class": "x", **named})
    judge(named, values)
    return {name: value.errors for name, value in values.items() if value.errors}


def sink_errors(**config: str) -> dict[str, list[str]]:
    return errors(common.sink(PLUGINS), common.judge_sink, **config)


def source_errors(**config: str) -> dict[str, list[str]]:
    return errors(common.source(PLUGINS), common.judge_source, **config)


def test_names_and_defaults_of_connect():
    shown = defaults(common.source(PLUGINS))
    assert shown["tasks.max"] == 1
    assert shown["config.action.reload"] == "restart"
    assert shown["errors.retry.delay.max.ms"] == 60000
    assert shown["errors.tolerance"] == "none"
    assert shown["transaction.boundary"] == "poll"
    sink = defaults(common.sink(PLUGINS))
    assert sink["errors.deadletterqueue.topic.replication.factor"] == 3
    assert set(shown) - set(sink) == {
        "topic.creation.groups",
        "exactly.once.support",
        "transaction.boundary",
        "transaction.boundary.interval.ms",
        "offsets.storage.topic",
    }


def test_groups_in_connects_order():
    assert common.source(PLUGINS).groups == [
        "Common",
        "Transforms",
        "Predicates",
        "Error Handling",
        "Topic Creation",
        "Exactly Once Support",
        "offsets.topic",
    ]


@pytest.mark.parametrize("name", ["org.example.TextConverter", "TextConverter"])
def test_a_known_converter(name):
    assert source_errors(key__converter=name) == {}


def test_an_unknown_converter():
    (error,) = source_errors(value__converter="org.Nothing")["value.converter"]
    assert error.endswith("Class org.Nothing could not be found.")


class TestSink:
    def test_topics_or_a_pattern(self):
        assert sink_errors(topics="a,b") == {}
        assert sink_errors(topics__regex="pagila.public.(.*)") == {}

    @pytest.mark.parametrize("config", [{}, {"topics": " "}])
    def test_one_of_both_is_needed(self, config):
        message = ["Must configure one of topics or topics.regex"]
        assert sink_errors(**config) == {"topics": message, "topics.regex": message}

    def test_not_both(self):
        found = sink_errors(topics="a", topics__regex="b.*")
        message = "topics and topics.regex are mutually exclusive options, but both are set."
        assert found == {"topics": [message], "topics.regex": [message]}

    def test_dead_letters_are_not_read(self):
        dead = {"errors__deadletterqueue__topic__name": "dead"}
        (error,) = sink_errors(topics="a, dead", **dead)["topics"]
        assert "'topics=[a, dead]'" in error
        assert "may not be matched" in sink_errors(topics__regex="d.*", **dead)["topics.regex"][0]
        assert sink_errors(topics="a", **dead) == {}

    def test_a_broken_pattern(self):
        assert "Invalid regex" in sink_errors(topics__regex="(")["topics.regex"][0]


class TestSource:
    def test_exactly_once_cannot_be_required(self):
        assert source_errors(exactly__once__support="requested") == {}
        found = source_errors(exactly__once__support="REQUIRED")
        assert found == {
            "exactly.once.support": [
                "This worker does not have exactly-once source support enabled."
            ]
        }

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("transaction__boundary", "sometimes"),
            ("transaction__boundary__interval__ms", "-1"),
            ("topic__creation__groups", "a,a"),
            ("offsets__storage__topic", ""),
            ("errors__tolerance", "some"),
            ("config__action__reload", "maybe"),
            ("tasks__max", "0"),
        ],
    )
    def test_wrong_values(self, name, value):
        assert list(source_errors(**{name: value})) == [name.replace("__", ".")]
