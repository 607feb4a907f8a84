from __future__ import annotations

import pytest

from headrace.sql.dialect import parse_statement
from headrace.sql.statements import AlterNamespace, CreateNamespace, DropNamespace


def pairs(options):
    return {entry.key: entry.value for entry in options}


@pytest.mark.parametrize("kind", ["CATALOG", "DATABASE"])
def test_create(kind):
    statement = parse_statement(
        f"CREATE {kind} IF NOT EXISTS c.d COMMENT 'it' WITH ('a' = 'b', 'c' = 'd')"
    )
    assert isinstance(statement, CreateNamespace)
    assert (statement.kind, str(statement.name), statement.comment) == (kind, "c.d", "it")
    assert pairs(statement.options) == {"a": "b", "c": "d"}
    assert statement.if_not_exists
    plain = parse_statement(f"create {kind.lower()} d;")
    assert (plain.comment, plain.options, plain.if_not_exists) == (None, (), False)


@pytest.mark.parametrize(
    ("text", "if_exists", "cascade"),
    [
        ("DROP DATABASE d", False, False),
        ("DROP DATABASE IF EXISTS d RESTRICT", True, False),
        ("DROP DATABASE d CASCADE", False, True),
        ("DROP CATALOG IF EXISTS d", True, False),
    ],
)
def test_drop(text, if_exists, cascade):
    statement = parse_statement(text)
    assert isinstance(statement, DropNamespace)
    assert (str(statement.name), statement.if_exists, statement.cascade) == (
        "d",
        if_exists,
        cascade,
    )


def test_alter():
    statement = parse_statement("ALTER DATABASE d SET ('a' = 'b')")
    assert isinstance(statement, AlterNamespace)
    assert (statement.kind, pairs(statement.options)) == ("DATABASE", {"a": "b"})
    assert parse_statement("ALTER CATALOG c RESET ('a', 'b')").keys == ("a", "b")
    assert parse_statement("ALTER CATALOG c COMMENT 'new'").comment == "new"


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("ALTER DATABASE d RESET ('a')", 18, "SET"),
        ("ALTER CATALOG c RENAME TO d", 17, "SET, RESET or COMMENT"),
        ("DROP CATALOG c CASCADE", 16, "';' or the end of the statement"),
        ("CREATE DATABASE", 16, "the name of the database"),
        ("CREATE TEMPORARY DATABASE d", 18, "TABLE or VIEW"),
    ],
)
def test_broken_ones_are_pointed_at(reject, text, column, expected):
    error = reject(text)
    assert (error.where.column, error.expected) == (column, expected)
