"""The services by name, in the order they are started and listed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headrace.errors import UnknownName
from headrace.services.kafka import KafkaService
from headrace.services.kdc import KdcService
from headrace.services.mariadb import MariaDbService
from headrace.services.postgres import PostgresService
from headrace.services.s3 import S3Service
from headrace.services.schema_registry import SchemaRegistryService
from headrace.services.secure_kafka import SecureKafkaService
from headrace.services.supervisor import Service
from headrace.services.tokens import TokenService

SERVICES: dict[str, type[Service]] = {
    kind.name: kind for kind in (KafkaService, PostgresService, S3Service, SchemaRegistryService)
}

# A secure broker with whom it asks about its users; started only when it is asked for.
SECURE_SERVICES: dict[str, type[Service]] = {
    kind.name: kind for kind in (KdcService, TokenService, SecureKafkaService)
}

# Fetched from the distribution, which not every machine can.
NAMED_SERVICES: dict[str, type[Service]] = {MariaDbService.name: MariaDbService}
ALL_SERVICES = SERVICES | NAMED_SERVICES | SECURE_SERVICES


def services(names: Iterable[str] = ()) -> list[Service]:
    """The named services in start order; when none is named, all but the secure and those to be named."""
    wanted = list(names) or list(SERVICES)
    for name in wanted:
        if name not in ALL_SERVICES:
            raise UnknownName("service", name, ALL_SERVICES)
    return [_for_development(kind) for name, kind in ALL_SERVICES.items() if name in wanted]


def _for_development(kind: type[Service]) -> Service:
    """A service of the user's own, where clients look for it. Others, such as those of tests, take any free port."""
    service = kind()
    service.preferred_port = kind.well_known_port
    return service


def present_services(names: Iterable[str] = ()) -> list[Service]:
    """The same, and when none is named also the others that were ever started."""
    wanted = list(names)
    others = services([*NAMED_SERVICES, *SECURE_SERVICES])
    used = [service for service in others if service.folder.exists()]
    return services(wanted) + ([] if wanted else used)


def with_secure_kafka(names: Sequence[str]) -> list[str]:
    """The names with those of the secure broker in place of the plain one's."""
    others = [name for name in names or SERVICES if name != KafkaService.name]
    return [*others, *SECURE_SERVICES]
