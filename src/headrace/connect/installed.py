"""Every plugin that a worker offers: Headrace's own, and those of installed packages."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points

import headrace
from headrace.connect.configdef import ConfigDef, ConfigKey, Importance, Type
from headrace.connect.converters.headers import HEADER_CONVERTERS, SIMPLE
from headrace.connect.converters.registry import CONVERTERS
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


def installed() -> Plugins:
    return Plugins([*CONNECTORS, *of_records(), *of_packages()])


def of_records() -> Iterator[type[Plugin]]:
    """Transformations, predicates and converters, as the worker lists and checks them."""
    for name, (transform, _) in TRANSFORMS.items():
        yield _plugin(name, Kind.TRANSFORMATION, transform.keys)
    for name, predicate in PREDICATES.items():
        yield _plugin(name, Kind.PREDICATE, predicate.keys)
    for name, converter in CONVERTERS.items():
        yield _plugin(name, Kind.CONVERTER, _of_converter(name, converter.keys))
    yield _plugin(SIMPLE, Kind.HEADER_CONVERTER, ())
    for name, converter in HEADER_CONVERTERS.items():
        yield _plugin(name, Kind.HEADER_CONVERTER, _of_converter(name, converter.keys))


def _of_converter(name: str, keys: Sequence[ConfigKey]) -> Sequence[ConfigKey]:
    """Kafka's own declare what the worker tells them: which part of a record they convert."""
    if not name.startswith("org.apache.kafka."):
        return keys
    return [ConfigKey("converter.type", Type.STRING, importance=Importance.LOW), *keys]


def of_packages() -> Iterator[type[Plugin]]:
    for point in entry_points(group=ENTRY_POINTS):
        module, _, name = point.value.partition(":")
        yield getattr(importlib.import_module(module), name)


def _plugin(name: str, of: Kind, keys: Sequence[ConfigKey]) -> type[Plugin]:
    class Declared(Plugin):
        class_name = name
        kind = of
        version = headrace.__version__

        @classmethod
        def config(cls) -> ConfigDef:
            return ConfigDef(key for key in keys if key.listed)

    return Declared
