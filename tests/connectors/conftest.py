"""Tables without SQL: connectors see only their columns, keys and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from headrace.catalog.table import Column, Identifier, MetadataColumn, Table
from headrace.connectors.registry import connector_named
from headrace.errors import Position
from headrace.types import BIGINT, STRING, DataType

MakeTable = Callable[..., Table]


def _table(
    options: Mapping[str, str],
    columns: Mapping[str, DataType] | None = None,
    *,
    metadata: Sequence[MetadataColumn] = (),
    primary_key: Sequence[str] = (),
) -> Table:
    physical = columns or {"id": BIGINT, "name": STRING}
    return Table(
        identifier=Identifier("c", "d", "t"),
        columns=(*(Column(name=n, type=t) for n, t in physical.items()), *metadata),
        options=options,
        connector=connector_named(options["connector"]),
        primary_key=tuple(primary_key),
        positions={key: Position(line, 3) for line, key in enumerate(options, start=5)},
    )


@pytest.fixture
def table() -> MakeTable:
    return _table


@pytest.fixture
def kafka_table() -> MakeTable:
    """A readable and writable `kafka` table; keyword `options` adds to or overrides its options, None removes."""

    def make(options: Mapping[str, str | None] | None = None, *args, **kwargs) -> Table:
        merged = {
            "connector": "kafka",
            "topic": "orders",
            "properties.bootstrap.servers": "broker:9092",
            "scan.startup.mode": "earliest-offset",
            "format": "json",
        } | dict(options or {})
        return _table({k: v for k, v in merged.items() if v is not None}, *args, **kwargs)

    return make


@pytest.fixture
def upsert_table() -> MakeTable:
    def make(options: Mapping[str, str | None] | None = None, *args, **kwargs) -> Table:
        merged = {
            "connector": "upsert-kafka",
            "topic": "orders",
            "properties.bootstrap.servers": "broker:9092",
            "key.format": "json",
            "value.format": "json",
        } | dict(options or {})
        kwargs.setdefault("primary_key", ["id"])
        return _table({k: v for k, v in merged.items() if v is not None}, *args, **kwargs)

    return make
