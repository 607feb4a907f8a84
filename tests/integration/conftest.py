"""Whole pipelines: SQL in, records out, on the shared Spark session and the shared broker."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from headrace.runtime.environment import TableEnvironment
from headrace.services.kafka import KafkaService

_numbers = itertools.count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, help="how often a running job is killed")
    parser.addoption("--kill-seed", type=int, help="what the moments of the kills follow from")
    parser.addoption("--growth-changes", type=int, help="how many changes state has to stand")


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
