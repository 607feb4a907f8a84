"""The services by name, in the order they are started and listed."""

from __future__ import annotations

from collections.abc import Iterable

from headrace.errors import UnknownName
from headrace.services.kafka import KafkaService
from headrace.services.postgres import PostgresService
from headrace.services.s3 import S3Service
from headrace.services.schema_registry import SchemaRegistryService
from headrace.services.supervisor import Service

SERVICES: dict[str, type[Service]] = {
    kind.name: kind for kind in (KafkaService, PostgresService, S3Service, SchemaRegistryService)
}


def services(names: Iterable[str] = ()) -> list[Service]:
    """The named services in start order; all of them when none is named."""
    wanted = list(names)
    for name in wanted:
        if name not in SERVICES:
            raise UnknownName("service", name, SERVICES)
    return [kind() for name, kind in SERVICES.items() if not wanted or name in wanted]
