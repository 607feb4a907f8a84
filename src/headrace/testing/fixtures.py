"""pytest fixtures with real services: `pytest_plugins = ["headrace.testing.fixtures"]` in a conftest.

Each service starts once per test session, on free ports, with data in a temporary folder, and stops at its end, also
when pytest is killed.
Tests share it, so they use topics, tables and prefixes of their own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace.services.kafka import KafkaService
from headrace.services.kdc import KdcService
from headrace.services.mariadb import MariaDbService
from headrace.services.postgres import PostgresService
from headrace.services.s3 import S3Service
from headrace.services.schema_registry import SchemaRegistryService
from headrace.services.secure_kafka import SecureKafkaService
from headrace.services.tokens import TokenService
from headrace.testing.leftovers import ended_with_us


@pytest.fixture(scope="session", autouse=True)
def _no_leftovers() -> Iterator[None]:
    """Comes before all other fixtures, and so ends after them."""
    with ended_with_us():
        yield


@pytest.fixture(scope="session")
def kafka_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaService]:
    """A running broker; `kafka_broker.bootstrap_servers` is its address."""
    with KafkaService(tmp_path_factory.mktemp("kafka")) as service:
        yield service


@pytest.fixture(scope="session")
def secure_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureKafkaService]:
    """A running broker with TLS, SASL and access rules; `secure_broker.ways` lead to it, `credentials` has the secrets."""
    folder = tmp_path_factory.mktemp("secure")
    kdc, tokens = KdcService(folder / "kdc"), TokenService(folder / "tokens")
    with SecureKafkaService(folder / "kafka", kdc=kdc, tokens=tokens) as service:
        yield service


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresService]:
    """A running PostgreSQL (or the one HEADRACE_POSTGRES_URL names); `postgres_server.url` connects to it."""
    # Not below pytest's own folder: each start of pytest closes that to other accounts, and root's server runs as one.
    with (
        tempfile.TemporaryDirectory(prefix="headrace-postgres-") as folder,
        PostgresService(Path(folder)) as service,
    ):
        yield service


@pytest.fixture(scope="session")
def mariadb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDbService]:
    """A running MariaDB (or the one HEADRACE_MARIADB_URL names); `mariadb_server.url` is its JDBC address."""
    with MariaDbService(tmp_path_factory.mktemp("mariadb")) as service:
        yield service


@pytest.fixture(scope="session")
def s3_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Service]:
    """A running S3 endpoint with the bucket `headrace`; `s3_endpoint.endpoint` is its URL."""
    with S3Service(tmp_path_factory.mktemp("s3")) as service:
        yield service


@pytest.fixture(scope="session")
def schema_registry(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SchemaRegistryService]:
    """A running schema registry; `schema_registry.url` is what a format's option takes."""
    with SchemaRegistryService(tmp_path_factory.mktemp("registry")) as service:
        yield service
