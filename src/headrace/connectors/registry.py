"""Connectors by the name that `'connector' = '…'` gives."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.catalog.connector import Connector
from headrace.connectors.blackhole import BlackholeConnector
from headrace.connectors.datagen.connector import DatagenConnector
from headrace.connectors.kafka.connector import KafkaConnector, UpsertKafkaConnector
from headrace.connectors.print import PrintConnector
from headrace.errors import UnknownName

_ALL: tuple[Connector, ...] = (
    KafkaConnector(),
    UpsertKafkaConnector(),
    DatagenConnector(),
    PrintConnector(),
    BlackholeConnector(),
)
CONNECTORS: Mapping[str, Connector] = {connector.name: connector for connector in _ALL}


def connector_named(name: str) -> Connector:
    if name not in CONNECTORS:
        raise UnknownName("connector", name, CONNECTORS)
    return CONNECTORS[name]
