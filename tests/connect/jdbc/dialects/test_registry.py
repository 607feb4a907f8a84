from __future__ import annotations

import pytest

from headrace.connect.jdbc.dialects.generic import GenericDialect
from headrace.connect.jdbc.dialects.mysql import MySqlDialect
from headrace.connect.jdbc.dialects.postgres import PostgresDialect
from headrace.connect.jdbc.dialects.registry import NAMES, dialect_of


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("jdbc:postgresql://host/db", PostgresDialect),
        ("jdbc:mysql://host/db", MySqlDialect),
        ("jdbc:MariaDB://host/db", MySqlDialect),
        ("jdbc:oracle:thin:@host:1521:db", GenericDialect),
        ("nonsense", GenericDialect),
    ],
)
def test_the_address_tells_the_dialect(url, kind):
    assert type(dialect_of(url)) is kind


def test_a_name_wins_over_the_address():
    url = "jdbc:postgresql://host/db"
    assert type(dialect_of(url, "GenericDatabaseDialect")) is GenericDialect
    assert type(dialect_of("jdbc:x:y", "PostgreSqlDatabaseDialect")) is PostgresDialect
    assert "MySqlDatabaseDialect" in NAMES


def test_names_are_quoted_unless_told_otherwise():
    url = "jdbc:mysql://host/db"
    assert dialect_of(url).quote("a`b") == "`a``b`"
    assert dialect_of(url, quoting=False).quote("a`b") == "a`b"
