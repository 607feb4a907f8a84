"""What a connector is to the worker, and how it is found by its class name.

A plugin declares its options and makes tasks; the worker does the rest:

    class Counter(Connector):
        class_name, kind, version = "example.CounterConnector", Kind.SOURCE, "1.0"

        @classmethod
        def config(cls) -> ConfigDef: ...

        def start(self, config: Mapping[str, str], context: ConnectorContext) -> Sequence[Mapping[str, str]]:
            return [{"first": "1"}]                       # the configs of its tasks

        def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
            while not context.stopping.wait(1.0): ...     # until told to stop; an exception fails the task
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from headrace.connect.configdef import ConfigDef

Offset = Mapping[str, Any]


class Kind(StrEnum):
    """Kinds of plugins, in the words of GET /connector-plugins."""

    SINK = "sink"
    SOURCE = "source"
    TRANSFORMATION = "transformation"
    PREDICATE = "predicate"
    CONVERTER = "converter"
    HEADER_CONVERTER = "header_converter"


CONNECTORS = (Kind.SINK, Kind.SOURCE)


class Plugin:
    """Anything that a configuration names by a class: connectors, transformations, predicates, converters."""

    class_name: ClassVar[str]
    kind: ClassVar[Kind]
    version: ClassVar[str | None] = None

    @classmethod
    def config(cls) -> ConfigDef:
        return ConfigDef()


@dataclass(frozen=True, slots=True)
class ConnectorContext:
    """What a connector may ask of the worker.

    `worker` holds the worker's settings; `clients.kafka_options` and `clients.converters` say what of them counts."""

    name: str
    worker: Mapping[str, str]
    reconfigure: Callable[[], None]
    read_offsets: Callable[[], Sequence[tuple[Offset, Offset]]]


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What a task may ask of the worker; `stopping` is set when it must return."""

    name: str
    number: int
    worker: Mapping[str, str]
    read_offset: Callable[[Offset], Offset | None]
    write_offsets: Callable[[Sequence[tuple[Offset, Offset]]], None]
    used_topics: Callable[[Iterable[str]], None]
    stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def group(self) -> str:
        """The consumer group of a sink."""
        return sink_group(self.name)


class Connector(Plugin):
    """A source or a sink. One object per start of a connector; its tasks run in threads of their own.

    `task_class` is what GET …/tasks shows of Java's task class, None to show none. `jar_sets` are jars that it needs
    beside Spark's: without them a request to create it is rejected."""

    task_class: ClassVar[str | None] = None
    jar_sets: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def validate(cls, config: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
        """Faults by option that need more than one option, or the outside, to be seen."""
        return {}

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        """The configs of the tasks, at most `tasks.max`. Asked again after `context.reconfigure()`."""
        raise NotImplementedError

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        """Move data until `context.stopping` is set. Called from one thread per task."""
        raise NotImplementedError

    def stop(self) -> None:
        """End what `start` began. Tasks are told by their contexts; those of an equal config may outlast the object."""

    def alter_offsets(
        self, config: Mapping[str, str], changes: Sequence[tuple[Offset, Offset | None]]
    ) -> bool:
        """Offsets that the connector keeps elsewhere, None to reset; True if it took care of them.

        ValueError says why they cannot be."""
        return False


def sink_group(name: str) -> str:
    return f"connect-{name}"


class UnknownPlugin(Exception):
    """No plugin answers to a name."""


class Plugins:
    """Plugins by class name, simple class name, or alias: the simple name without its kind's ending."""

    def __init__(self, plugins: Iterable[type[Plugin]] = ()) -> None:
        order = list(Kind)
        self.all = sorted(plugins, key=lambda plugin: order.index(plugin.kind))
        self.names = {name: plugin for plugin in self.all for name in names(plugin)}

    def find(self, name: str) -> type[Plugin]:
        plugin = self.names.get(name)
        if plugin is None:
            raise UnknownPlugin(name)
        return plugin

    def connector(self, name: str) -> type[Connector]:
        plugin = self.names.get(name)
        if plugin is None or not issubclass(plugin, Connector):
            known = ", ".join(_described(item) for item in self.all if item.kind in CONNECTORS)
            raise UnknownPlugin(
                f"Failed to find any class that implements Connector and which name matches {name}, "
                f"available connectors are: {known or 'none'}"
            )
        return plugin

    def of_kind(self, *kinds: Kind) -> list[type[Plugin]]:
        return [plugin for plugin in self.all if plugin.kind in kinds]


def _described(plugin: type[Plugin]) -> str:
    """As Connect prints one."""
    name, kind, version = plugin.class_name, plugin.kind.value, plugin.version
    return (
        f"PluginDesc{{klass=class {name}, name='{name}', version='{version}', encodedVersion={version}, "
        f"type={kind}, typeName='{kind}', location='classpath'}}"
    )


def names(plugin: type[Plugin]) -> set[str]:
    return spellings(plugin.class_name, plugin.kind)


def spellings(class_name: str, kind: Kind) -> set[str]:
    """Every name of a plugin; nested Java classes keep their part behind the $."""
    simple = class_name.rpartition(".")[2]
    ending = "Connector" if kind in CONNECTORS else ""
    alias = simple.removesuffix(ending) if ending else simple
    return {class_name, simple, alias or simple}
