"""Every plugin that a worker offers: Headrace's own, and those of installed packages."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import entry_points
from typing import Any

import headrace
from headrace.connect.configdef import REQUIRED, ConfigDef, ConfigKey, Importance, Type, Validator
from headrace.connect.converters.registry import CONVERTERS
from headrace.connect.data import config as declared
from headrace.connect.file_stream import FileStreamSink, FileStreamSource
from headrace.connect.jdbc.connector import AivenJdbcSource, JdbcSource
from headrace.connect.lake.connector import FolderSink, S3Sink
from headrace.connect.plugins import Connector, Kind, Plugin, Plugins
from headrace.connect.predicates.registry import PREDICATES
from headrace.connect.transforms.registry import TRANSFORMS

CONNECTORS: tuple[type[Connector], ...] = (
    FileStreamSink,
    FileStreamSource,
    JdbcSource,
    AivenJdbcSource,
    FolderSink,
    S3Sink,
)

# Packages name their plugins under this group, any name = module:Class.
ENTRY_POINTS = "headrace.connect"

# Stands for the option's name in a fault, which the worker words itself.
_OPTION = "\0"


def installed() -> Plugins:
    return Plugins([*CONNECTORS, *of_records(), *of_packages()])


def of_records() -> Iterator[type[Plugin]]:
    """Transformations, predicates and converters, as the worker lists and checks them."""
    for name, (transform, _) in TRANSFORMS.items():
        yield _plugin(name, Kind.TRANSFORMATION, transform.keys)
    for name, predicate in PREDICATES.items():
        yield _plugin(name, Kind.PREDICATE, predicate.keys)
    for name, converter in CONVERTERS.items():
        yield _plugin(name, Kind.CONVERTER, converter.keys)
    # The form in which batches keep headers.
    yield _plugin(
        "org.apache.kafka.connect.storage.SimpleHeaderConverter", Kind.HEADER_CONVERTER, ()
    )


def of_packages() -> Iterator[type[Plugin]]:
    for point in entry_points(group=ENTRY_POINTS):
        module, _, name = point.value.partition(":")
        yield getattr(importlib.import_module(module), name)


def _plugin(name: str, of: Kind, keys: Sequence[declared.ConfigKey]) -> type[Plugin]:
    class Declared(Plugin):
        class_name = name
        kind = of
        version = headrace.__version__

        @classmethod
        def config(cls) -> ConfigDef:
            return ConfigDef(_key(key) for key in keys)

    return Declared


def _key(key: declared.ConfigKey) -> ConfigKey:
    return ConfigKey(
        key.name,
        Type(key.type.value),
        REQUIRED if key.default is declared.REQUIRED else key.default,
        Importance(key.importance.value),
        key.documentation,
        validator=None if key.check is None else _judge(key.check),
    )


def _judge(check: Callable[[str, Any], None]) -> Validator:
    def judge(value: Any) -> str | None:
        if value is None:
            return None
        try:
            check(_OPTION, value)
        except declared.InvalidConfig as fault:
            return fault.summary.rpartition(f" for configuration {_OPTION}: ")[2]
        return None

    return judge
