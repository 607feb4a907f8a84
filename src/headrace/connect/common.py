"""Options that every connector has, whatever its class, as Kafka Connect declares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from headrace.connect.configdef import (
    Config,
    ConfigDef,
    ConfigKey,
    ConfigValue,
    Importance,
    Type,
    UnfitClass,
    Width,
    at_least,
    non_empty,
    one_of,
    unique,
    without_control_characters,
)
from headrace.connect.plugins import Kind, Plugin, Plugins, names
from headrace.connect.regex.faults import MalformedRegex, UntranslatableRegex
from headrace.connect.regex.translation import compiled, in_java, matches

COMMON = "Common"
TRANSFORMS = "Transforms"
PREDICATES = "Predicates"
ERRORS = "Error Handling"
TOPIC_CREATION = "Topic Creation"
EXACTLY_ONCE = "Exactly Once Support"
OFFSETS_TOPIC = "offsets.topic"

# The worker's setting; Java connectors have what it promises.
EXACTLY_ONCE_SOURCES = "exactly.once.source.support"

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW


def every_connector(plugins: Plugins) -> list[ConfigKey]:
    """The options of sources and sinks alike."""

    def converter(name: str, order: int, display: str, kind: Kind) -> ConfigKey:
        return ConfigKey(
            name,
            Type.CLASS,
            None,
            LOW,
            "Class that turns records into bytes and back; the worker's when it is not set.",
            COMMON,
            order,
            Width.SHORT,
            display,
            validator=_class_of(plugins, kind),
        )

    return [
        ConfigKey(
            "name",
            Type.STRING,
            importance=HIGH,
            documentation="Name of the connector, unique among all of the cluster.",
            group=COMMON,
            order=1,
            width=Width.MEDIUM,
            display_name="Connector name",
            validator=without_control_characters,
        ),
        ConfigKey(
            "connector.class",
            Type.STRING,
            importance=HIGH,
            documentation="Class of the connector: its full name, its simple name, or that without 'Connector'.",
            group=COMMON,
            order=2,
            width=Width.LONG,
            display_name="Connector class",
        ),
        version_key("connector.", MEDIUM, COMMON, 3, Width.MEDIUM, "Connector version"),
        ConfigKey(
            "tasks.max",
            Type.INT,
            1,
            HIGH,
            "Most tasks that the connector may be split into.",
            COMMON,
            4,
            Width.SHORT,
            "Tasks max",
            validator=at_least(1),
        ),
        ConfigKey(
            "tasks.max.enforce",
            Type.BOOLEAN,
            True,
            LOW,
            "Whether a connector that makes more tasks than tasks.max fails.",
            COMMON,
            5,
            Width.SHORT,
            "Enforce tasks max",
        ),
        converter("key.converter", 6, "Key converter class", Kind.CONVERTER),
        version_key("key.converter.", LOW, COMMON, 7, Width.SHORT, "Key converter version"),
        converter("value.converter", 8, "Value converter class", Kind.CONVERTER),
        version_key("value.converter.", LOW, COMMON, 9, Width.SHORT, "Value converter version"),
        converter("header.converter", 10, "Header converter class", Kind.HEADER_CONVERTER),
        version_key("header.converter.", LOW, COMMON, 11, Width.SHORT, "Header converter version"),
        ConfigKey(
            "transforms",
            Type.LIST,
            [],
            LOW,
            "Aliases of the transformations of records, in order.",
            TRANSFORMS,
            12,
            Width.LONG,
            "Transforms",
            validator=unique,
        ),
        ConfigKey(
            "predicates",
            Type.LIST,
            [],
            LOW,
            "Aliases of the predicates that transformations name.",
            PREDICATES,
            13,
            Width.LONG,
            "Predicates",
            validator=unique,
        ),
        ConfigKey(
            "config.action.reload",
            Type.STRING,
            "restart",
            LOW,
            "What happens when a config provider announces another value: restart or none.",
            COMMON,
            14,
            Width.MEDIUM,
            "Reload Action",
            validator=one_of("none", "restart"),
        ),
        *_error_handling(),
    ]


def version_key(
    prefix: str, importance: Importance, group: str, order: int, width: Width, display: str
) -> ConfigKey:
    return ConfigKey(
        f"{prefix}plugin.version",
        Type.STRING,
        None,
        importance,
        "Version of the plugin; there is one of each, and another one is refused.",
        group,
        order,
        width,
        display,
    )


def of_version(key: ConfigKey, plugin: type[Plugin] | None) -> ConfigKey:
    """The option as it is for a plugin that is chosen: its version is the default, and no other one will do."""
    installed = None if plugin is None else plugin.version

    def judge(value: Any) -> str | None:
        if value is None or value in (installed, f"[{installed}]"):
            return None
        return f"The version that is installed is {installed}"

    return replace(key, default=installed, validator=judge)


def _error_handling() -> Iterator[ConfigKey]:
    rows: list[tuple[str, Type, Any, str, Width, str]] = [
        (
            "errors.retry.timeout",
            Type.LONG,
            0,
            "Milliseconds for which a failed operation is tried again; 0 never, -1 without end.",
            Width.MEDIUM,
            "Retry Timeout for Errors",
        ),
        (
            "errors.retry.delay.max.ms",
            Type.LONG,
            60000,
            "Longest pause between two tries, in milliseconds.",
            Width.MEDIUM,
            "Maximum Delay Between Retries for Errors",
        ),
        (
            "errors.tolerance",
            Type.STRING,
            "none",
            "none: a bad record fails the task; all: it is passed over.",
            Width.SHORT,
            "Error Tolerance",
        ),
        (
            "errors.log.enable",
            Type.BOOLEAN,
            False,
            "Whether tolerated errors are logged.",
            Width.SHORT,
            "Log Errors",
        ),
        (
            "errors.log.include.messages",
            Type.BOOLEAN,
            False,
            "Whether the log names the record that failed.",
            Width.SHORT,
            "Log Error Details",
        ),
    ]
    for order, (name, type, default, text, width, display) in enumerate(rows, start=1):
        validator = one_of("none", "all") if name == "errors.tolerance" else None
        yield ConfigKey(
            name, type, default, MEDIUM, text, ERRORS, order, width, display, validator=validator
        )


def sink(plugins: Plugins) -> ConfigDef:
    return ConfigDef(
        [
            *every_connector(plugins),
            ConfigKey(
                "topics",
                Type.LIST,
                "",
                HIGH,
                "Topics to read, separated by commas.",
                COMMON,
                4,
                Width.LONG,
                "Topics",
            ),
            ConfigKey(
                "topics.regex",
                Type.STRING,
                "",
                HIGH,
                "Pattern of the topics to read; instead of topics.",
                COMMON,
                4,
                Width.LONG,
                "Topics regex",
                validator=_pattern,
            ),
            ConfigKey(
                "errors.deadletterqueue.topic.name",
                Type.STRING,
                "",
                MEDIUM,
                "Topic for records that cannot be written; none when empty.",
                ERRORS,
                6,
                Width.MEDIUM,
                "Dead Letter Queue Topic Name",
            ),
            ConfigKey(
                "errors.deadletterqueue.topic.replication.factor",
                Type.SHORT,
                3,
                MEDIUM,
                "Replication of that topic where it must be created.",
                ERRORS,
                7,
                Width.MEDIUM,
                "Dead Letter Queue Topic Replication Factor",
            ),
            ConfigKey(
                "errors.deadletterqueue.context.headers.enable",
                Type.BOOLEAN,
                False,
                MEDIUM,
                "Whether dead letters carry headers that tell of the error.",
                ERRORS,
                8,
                Width.MEDIUM,
                "Enable Error Context Headers",
            ),
        ]
    )


def source(plugins: Plugins) -> ConfigDef:
    return ConfigDef(
        [
            *every_connector(plugins),
            ConfigKey(
                "topic.creation.groups",
                Type.LIST,
                [],
                LOW,
                "Groups of settings for topics that are created.",
                TOPIC_CREATION,
                1,
                Width.LONG,
                "Topic Creation Groups",
                validator=unique,
            ),
            ConfigKey(
                "exactly.once.support",
                Type.STRING,
                "requested",
                MEDIUM,
                "required: refuse the connector unless it writes exactly once.",
                EXACTLY_ONCE,
                2,
                Width.SHORT,
                "Exactly once support",
                validator=one_of("REQUIRED", "REQUESTED", ignore_case=True),
            ),
            ConfigKey(
                "transaction.boundary",
                Type.STRING,
                "poll",
                MEDIUM,
                "What a transaction of an exactly-once source holds.",
                EXACTLY_ONCE,
                3,
                Width.SHORT,
                "Transaction Boundary",
                validator=one_of("INTERVAL", "POLL", "CONNECTOR", ignore_case=True),
            ),
            ConfigKey(
                "transaction.boundary.interval.ms",
                Type.LONG,
                None,
                LOW,
                "Length of a transaction where transaction.boundary is interval.",
                EXACTLY_ONCE,
                4,
                Width.SHORT,
                "Transaction boundary interval",
                validator=lambda value: None if value is None else at_least(0)(value),
            ),
            ConfigKey(
                "offsets.storage.topic",
                Type.STRING,
                None,
                LOW,
                "Topic for this connector's offsets; the worker's when it is not set.",
                OFFSETS_TOPIC,
                1,
                Width.LONG,
                "Offsets topic",
                validator=non_empty,
            ),
        ]
    )


def judge_sink(config: Config, values: dict[str, ConfigValue]) -> None:
    """A sink reads either named topics or a pattern of topics, and never its own dead letters."""
    topics, regex = (config.get(name) or "" for name in ("topics", "topics.regex"))
    dead = (config.get("errors.deadletterqueue.topic.name") or "").strip()
    if bool(topics.strip()) == bool(regex.strip()):
        message = (
            "topics and topics.regex are mutually exclusive options, but both are set."
            if topics.strip()
            else "Must configure one of topics or topics.regex"
        )
        values["topics"].errors.append(message)
        values["topics.regex"].errors.append(message)
    group = "consumer.override.group.id"
    if config.get(group) is not None:
        # Connect looks at it itself as well, beside what its consumer says.
        values[group] = ConfigValue(group, config[group])
    named = [topic.strip() for topic in topics.split(",") if topic.strip()]
    if dead and dead in named:
        values["topics"].errors.append(
            f"The DLQ topic '{dead}' may not be included in the list of topics "
            f"('topics=[{', '.join(named)}]') consumed by the connector"
        )
    if dead and regex.strip() and _pattern(regex) is None and matches([regex], dead):
        values["topics.regex"].errors.append(
            f"The DLQ topic '{dead}' may not be matched by the regex for the topics "
            f"('topics.regex={regex}') consumed by the connector"
        )


def judge_source(config: Config, values: dict[str, ConfigValue], worker: Mapping[str, str]) -> None:
    """Sources write at least once: what asks for more is refused, with the reasons that Connect gives."""
    if (config.get("exactly.once.support") or "").strip().lower() == "required":
        enabled = worker.get(EXACTLY_ONCE_SOURCES, "").strip().lower() == "enabled"
        values["exactly.once.support"].errors.append(
            "The connector does not support exactly-once semantics with the provided configuration."
            if enabled
            else "This worker does not have exactly-once source support enabled."
        )
    if (config.get("transaction.boundary") or "").strip().lower() == "connector":
        values["transaction.boundary"].errors.append(
            "The connector does not support connector-defined transaction boundaries with the given configuration. "
            "Please reconfigure it to use a different transaction boundary definition."
        )


def _pattern(value: Any) -> str | None:
    try:
        compiled(value or "")
    except MalformedRegex as refused:
        return f"Invalid regex: {in_java(refused, value)}"
    except UntranslatableRegex as refused:
        return f"Invalid regex: {refused}; write the expression without it"
    return None


def _class_of(plugins: Plugins, kind: Kind) -> Any:
    def judge(value: Any) -> str | None:
        if value is None or any(value in names(plugin) for plugin in plugins.of_kind(kind)):
            return None
        return unfit(plugins, kind, value)

    return judge


_INTERFACES = {
    Kind.CONVERTER: "Converter",
    Kind.HEADER_CONVERTER: "HeaderConverter",
    Kind.TRANSFORMATION: "Transformation",
    Kind.PREDICATE: "Predicate",
}


def unfit(plugins: Plugins, kind: Kind, name: str) -> str:
    """What is wrong with a class that is no plugin of the kind; raises UnfitClass where there is such a class."""
    other = plugins.names.get(name)
    if other is not None:
        raise UnfitClass(
            f"Class class {other.class_name} does not implement the {_INTERFACES[kind]} interface"
        )
    nested = [f"{name}${part}" for part in ("Key", "Value")]
    if "." in name and all(one in plugins.names for one in nested):
        raise UnfitClass(
            f"This class is abstract and cannot be created. Did you mean {', '.join(nested)}?"
        )
    return f"Class {name} could not be found."
