from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from headrace.connect import common
from headrace.connect.configdef import ConfigDef, check
from headrace.connect.plugins import Kind, Plugin, Plugins
from headrace.testing.connect_worker import CountingSource


class Converter(Plugin):
    class_name = "org.example.TextConverter"
    kind = Kind.CONVERTER


PLUGINS = Plugins([Converter])
NOTHING: Mapping[str, str] = MappingProxyType({})


def defaults(options: ConfigDef) -> dict[str, object]:
    return {key.name: key.default for key in options if key.name in options.keys}


def errors(options: ConfigDef, judge, **config: str) -> dict[str, list[str]]:
    named = {name.replace("__", "."): text for name, text in config.items()}
    values = options.validate({"name": "c", "connector.class": "x", **named})
    judge(named, values)
    return {name: value.errors for name, value in values.items() if value.errors}


def sink_errors(**config: str) -> dict[str, list[str]]:
    return errors(common.sink(PLUGINS), common.judge_sink, **config)


def source_errors(worker: Mapping[str, str] = NOTHING, **config: str) -> dict[str, list[str]]:
    def judge(given, values):
        common.judge_source(given, values, worker)

    return errors(common.source(PLUGINS), judge, **config)


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

    @pytest.mark.parametrize("regex", [r"(?<db>\w++)\.\p{Lower}+", "(?i)SHOP.*|x", "[a-z&&[^b]]"])
    def test_a_pattern_in_javas_syntax(self, regex):
        assert sink_errors(topics__regex=regex) == {}

    def test_a_pattern_that_this_worker_cannot_use(self):
        (fault,) = sink_errors(topics__regex=r"\p{IsThai}+")["topics.regex"]
        assert fault == (
            r"Invalid value \p{IsThai}+ for configuration topics.regex: Invalid regex: "
            r"\p{IsThai} has no counterpart; write the expression without it"
        )

    def test_dead_letters_by_javas_syntax(self):
        dead = {"errors__deadletterqueue__topic__name": "DLQ"}
        assert (
            "may not be matched" in sink_errors(topics__regex="(?i)d.*+", **dead)["topics.regex"][0]
        )


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
        ("support", "reason"),
        [
            ("disabled", "This worker does not have"),
            ("preparing", "This worker does not have"),
            ("ENABLED", "The connector does not support exactly-once semantics"),
        ],
    )
    def test_why_depends_on_the_worker(self, support, reason):
        worker = {"exactly.once.source.support": support}
        assert source_errors(worker) == {}
        (found,) = source_errors(worker, exactly__once__support="required")["exactly.once.support"]
        assert found.startswith(reason)

    @pytest.mark.parametrize("boundary", ["poll", "INTERVAL", "connector"])
    def test_no_connector_draws_boundaries_of_transactions(self, boundary):
        found = source_errors(transaction__boundary=boundary)
        assert list(found) == (["transaction.boundary"] if boundary == "connector" else [])

    def test_offsets_may_lie_in_a_topic_of_one_s_own(self):
        assert source_errors(offsets__storage__topic="mine") == {}

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


# Name, type, default, importance, group, place in it, width and label, as Kafka Connect 4.1 declares them.
EVERY_CONNECTOR = [
    ("name", "STRING", None, "HIGH", "Common", 1, "MEDIUM", "Connector name"),
    ("connector.class", "STRING", None, "HIGH", "Common", 2, "LONG", "Connector class"),
    (
        "connector.plugin.version",
        "STRING",
        None,
        "MEDIUM",
        "Common",
        3,
        "MEDIUM",
        "Connector version",
    ),
    ("tasks.max", "INT", "1", "HIGH", "Common", 4, "SHORT", "Tasks max"),
    ("tasks.max.enforce", "BOOLEAN", "true", "LOW", "Common", 5, "SHORT", "Enforce tasks max"),
    ("key.converter", "CLASS", None, "LOW", "Common", 6, "SHORT", "Key converter class"),
    (
        "key.converter.plugin.version",
        "STRING",
        None,
        "LOW",
        "Common",
        7,
        "SHORT",
        "Key converter version",
    ),
    ("value.converter", "CLASS", None, "LOW", "Common", 8, "SHORT", "Value converter class"),
    (
        "value.converter.plugin.version",
        "STRING",
        None,
        "LOW",
        "Common",
        9,
        "SHORT",
        "Value converter version",
    ),
    ("header.converter", "CLASS", None, "LOW", "Common", 10, "SHORT", "Header converter class"),
    (
        "header.converter.plugin.version",
        "STRING",
        None,
        "LOW",
        "Common",
        11,
        "SHORT",
        "Header converter version",
    ),
    ("transforms", "LIST", "", "LOW", "Transforms", 12, "LONG", "Transforms"),
    ("predicates", "LIST", "", "LOW", "Predicates", 13, "LONG", "Predicates"),
    ("config.action.reload", "STRING", "restart", "LOW", "Common", 14, "MEDIUM", "Reload Action"),
    (
        "errors.retry.timeout",
        "LONG",
        "0",
        "MEDIUM",
        "Error Handling",
        1,
        "MEDIUM",
        "Retry Timeout for Errors",
    ),
    (
        "errors.retry.delay.max.ms",
        "LONG",
        "60000",
        "MEDIUM",
        "Error Handling",
        2,
        "MEDIUM",
        "Maximum Delay Between Retries for Errors",
    ),
    (
        "errors.tolerance",
        "STRING",
        "none",
        "MEDIUM",
        "Error Handling",
        3,
        "SHORT",
        "Error Tolerance",
    ),
    ("errors.log.enable", "BOOLEAN", "false", "MEDIUM", "Error Handling", 4, "SHORT", "Log Errors"),
    (
        "errors.log.include.messages",
        "BOOLEAN",
        "false",
        "MEDIUM",
        "Error Handling",
        5,
        "SHORT",
        "Log Error Details",
    ),
]

OF_SINKS = [
    ("topics", "LIST", "", "HIGH", "Common", 4, "LONG", "Topics"),
    ("topics.regex", "STRING", "", "HIGH", "Common", 4, "LONG", "Topics regex"),
    (
        "errors.deadletterqueue.topic.name",
        "STRING",
        "",
        "MEDIUM",
        "Error Handling",
        6,
        "MEDIUM",
        "Dead Letter Queue Topic Name",
    ),
    (
        "errors.deadletterqueue.topic.replication.factor",
        "SHORT",
        "3",
        "MEDIUM",
        "Error Handling",
        7,
        "MEDIUM",
        "Dead Letter Queue Topic Replication Factor",
    ),
    (
        "errors.deadletterqueue.context.headers.enable",
        "BOOLEAN",
        "false",
        "MEDIUM",
        "Error Handling",
        8,
        "MEDIUM",
        "Enable Error Context Headers",
    ),
]

OF_SOURCES = [
    (
        "topic.creation.groups",
        "LIST",
        "",
        "LOW",
        "Topic Creation",
        1,
        "LONG",
        "Topic Creation Groups",
    ),
    (
        "exactly.once.support",
        "STRING",
        "requested",
        "MEDIUM",
        "Exactly Once Support",
        2,
        "SHORT",
        "Exactly once support",
    ),
    (
        "transaction.boundary",
        "STRING",
        "poll",
        "MEDIUM",
        "Exactly Once Support",
        3,
        "SHORT",
        "Transaction Boundary",
    ),
    (
        "transaction.boundary.interval.ms",
        "LONG",
        None,
        "LOW",
        "Exactly Once Support",
        4,
        "SHORT",
        "Transaction boundary interval",
    ),
    ("offsets.storage.topic", "STRING", None, "LOW", "offsets.topic", 1, "LONG", "Offsets topic"),
]

COLUMNS = (
    "name",
    "type",
    "default_value",
    "importance",
    "group",
    "order",
    "width",
    "display_name",
)


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        (common.sink(PLUGINS), EVERY_CONNECTOR + OF_SINKS),
        (common.source(PLUGINS), EVERY_CONNECTOR + OF_SOURCES),
    ],
    ids=["sink", "source"],
)
def test_definitions_are_connects(options, rows):
    shown = [tuple(key.to_json()[column] for column in COLUMNS) for key in options]
    assert shown == rows


def test_only_name_and_class_are_required():
    required = [key.name for key in common.sink(PLUGINS) if key.to_json()["required"]]
    assert required == ["name", "connector.class"]


class TestVersions:
    def key(self, plugin):
        (key,) = [key for key in common.source(PLUGINS) if key.name == "connector.plugin.version"]
        return common.of_version(key, plugin)

    def test_the_installed_one_is_the_default(self):
        assert self.key(CountingSource).default == "1.2.3"
        assert self.key(None).default is None

    @pytest.mark.parametrize("asked", ["1.2.3", "[1.2.3]"])
    def test_it_may_be_asked_for(self, asked):
        found = check(self.key(CountingSource), {"connector.plugin.version": asked})
        assert (found.value, found.errors) == (asked, [])

    @pytest.mark.parametrize("asked", ["2.0", "[1.0,2.0)", ""])
    def test_others_are_refused(self, asked):
        found = check(self.key(CountingSource), {"connector.plugin.version": asked})
        assert found.errors == [
            f"Invalid value {asked} for configuration connector.plugin.version: "
            "The version that is installed is 1.2.3"
        ]
