from __future__ import annotations

import dataclasses

import pytest

from headrace.errors import Position
from headrace.sql import statements
from headrace.sql.dialect import parse_statement
from headrace.sql.statements import LikeFeature, LikeMode, ObjectName, Set, Statement

HERE = Position(1, 1)


def statement_classes():
    return [
        item
        for item in vars(statements).values()
        if isinstance(item, type) and issubclass(item, Statement) and item is not Statement
    ]


def test_a_name_reads_as_written_and_ends_in_its_own_part():
    name = ObjectName(("cat", "db", "t"), HERE)
    assert str(name) == "cat.db.t"
    assert name.name == "t"


@pytest.mark.parametrize("kind", statement_classes(), ids=lambda kind: kind.__name__)
def test_every_statement_carries_its_text_and_place(kind):
    names = [field.name for field in dataclasses.fields(kind)]
    assert names[:2] == ["sql", "position"]


def test_statements_do_not_change():
    statement = Set(sql="SET", position=HERE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        statement.sql = "RESET"


def test_the_words_of_like_are_their_own_spelling():
    assert [str(mode) for mode in LikeMode] == ["INCLUDING", "EXCLUDING", "OVERWRITING"]
    assert {str(feature) for feature in LikeFeature} >= {"ALL", "OPTIONS", "WATERMARKS"}


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE t (a INT)",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE t",
        "ALTER TABLE t SET ('a' = 'b')",
        "ALTER TABLE t RESET ('a')",
        "ALTER TABLE t RENAME TO u",
        "INSERT INTO t SELECT 1",
        "EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1; END",
        "SELECT 1",
        "SET",
        "RESET",
        "SHOW TABLES",
        "DESCRIBE t",
        "EXPLAIN SELECT 1",
        "USE db",
        "ALTER TABLE t ADD a INT",
        "ALTER TABLE t DROP a",
        "ALTER TABLE t RENAME a TO b",
        "ALTER VIEW v RENAME TO w",
        "ALTER VIEW v AS SELECT 1",
        "CREATE DATABASE d",
        "DROP DATABASE d",
        "ALTER DATABASE d SET ('a' = 'b')",
        "STOP JOB 'x'",
    ],
)
def test_the_text_of_a_statement_parses_to_the_same_kind_again(text):
    statement = parse_statement(f"  {text} ; ")
    assert statement.sql == text
    assert statement.position.column == 3
    assert type(parse_statement(statement.sql)) is type(statement)


def test_every_kind_of_statement_can_be_written():
    assert len(statement_classes()) == 25
