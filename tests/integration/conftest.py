"""Whole pipelines: SQL in, records out, on the shared Spark session and the shared broker."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from headrace.runtime.environment import TableEnvironment
from headrace.services.kafka import KafkaService

_numbers = itertools.count()


@pytest.fixture
def servers(kafka_broker: KafkaService) -> str:
    return kafka_broker.bootstrap_servers


@pytest.fixture
def topic() -> Callable[[str], str]:
    """A topic name of the test's own."""
    number = next(_numbers)
    return lambda name: f"{name}-{number}"


@pytest.fixture
def env(spark: Any) -> Iterator[TableEnvironment]:
    environment = TableEnvironment({"table.local-time-zone": "UTC"})
    yield environment
    environment.stop()
