"""The dialect of a connection, by the option or by the address."""

from __future__ import annotations

from headrace.connect.jdbc.dialects.base import Dialect
from headrace.connect.jdbc.dialects.generic import GenericDialect
from headrace.connect.jdbc.dialects.mysql import MySqlDialect
from headrace.connect.jdbc.dialects.postgres import PostgresDialect

DIALECTS: tuple[type[Dialect], ...] = (PostgresDialect, MySqlDialect, GenericDialect)
NAMES = tuple(dialect.name for dialect in DIALECTS)


def dialect_of(url: str, name: str = "", *, quoting: bool = True) -> Dialect:
    """By `dialect.name` where it is one of NAMES, or else by the second part of the URL; the generic one for all others."""
    parts = url.split(":", 2)
    scheme = parts[1].lower() if len(parts) > 1 else ""
    for dialect in DIALECTS:
        if dialect.name == name if name else scheme in dialect.schemes:
            return dialect(quoting=quoting)
    return GenericDialect(quoting=quoting)
