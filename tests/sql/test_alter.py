from __future__ import annotations

import pytest

from headrace.errors import UnsupportedSql
from headrace.sql.dialect import parse_statement
from headrace.sql.statements import (
    AlterTableDrop,
    AlterTableRename,
    AlterTableRenameColumn,
    AlterTableReset,
    AlterTableSchema,
    AlterTableSet,
    AlterViewAs,
    AlterViewRename,
    ComputedColumnDef,
    MetadataColumnDef,
)


def test_options():
    statement = parse_statement("ALTER TABLE IF EXISTS db.t SET ('a' = 'b')")
    assert isinstance(statement, AlterTableSet)
    assert (str(statement.name), statement.if_exists) == ("db.t", True)
    assert [(entry.key, entry.value) for entry in statement.options] == [("a", "b")]
    statement = parse_statement("ALTER TABLE t RESET ('a', 'b')")
    assert isinstance(statement, AlterTableReset)
    assert (statement.keys, statement.if_exists) == (("a", "b"), False)


def test_renaming_a_table_or_a_column():
    statement = parse_statement("ALTER TABLE t RENAME TO u")
    assert isinstance(statement, AlterTableRename)
    assert str(statement.new_name) == "u"
    statement = parse_statement("ALTER TABLE t RENAME a TO `b c`")
    assert isinstance(statement, AlterTableRenameColumn)
    assert (statement.old, statement.new) == ("a", "b c")


class TestColumns:
    def test_one_is_added(self):
        statement = parse_statement("ALTER TABLE t ADD a INT NOT NULL COMMENT 'c' FIRST")
        assert isinstance(statement, AlterTableSchema)
        assert not statement.modifies
        (placed,) = statement.columns
        assert (placed.column.name, placed.column.type.sql()) == ("a", "INT NOT NULL")
        assert (placed.column.comment, placed.first, placed.after) == ("c", True, None)

    def test_several_of_every_kind(self):
        statement = parse_statement(
            "ALTER TABLE t MODIFY (a AS b + 1 AFTER b, m INT METADATA FROM 'k' VIRTUAL, c INT FIRST)"
        )
        assert statement.modifies
        first, second, third = statement.columns
        assert isinstance(first.column, ComputedColumnDef)
        assert (first.column.text, first.after) == ("b + 1", "b")
        assert isinstance(second.column, MetadataColumnDef)
        assert (second.column.key, second.first, second.after) == ("k", False, None)
        assert third.first

    def test_keys_and_watermarks(self):
        statement = parse_statement(
            "ALTER TABLE t ADD (x INT PRIMARY KEY NOT ENFORCED, WATERMARK FOR ts AS ts)"
        )
        assert [key.columns for key in statement.primary_keys] == [("x",)]
        assert [mark.column for mark in statement.watermarks] == ["ts"]
        statement = parse_statement(
            "ALTER TABLE t MODIFY CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED"
        )
        assert (statement.primary_keys[0].name, statement.columns) == ("k", ())

    @pytest.mark.parametrize(
        ("text", "columns", "what", "constraint"),
        [
            ("a", ("a",), None, None),
            ("(a, `b c`)", ("a", "b c"), None, None),
            ("PRIMARY KEY", (), "PRIMARY KEY", None),
            ("CONSTRAINT k", (), "PRIMARY KEY", "k"),
            ("WATERMARK", (), "WATERMARK", None),
            ("WATERMARK;", (), "WATERMARK", None),
        ],
    )
    def test_dropping(self, text, columns, what, constraint):
        statement = parse_statement(f"ALTER TABLE t DROP {text}")
        assert isinstance(statement, AlterTableDrop)
        found = (statement.columns, statement.what, statement.constraint)
        assert found == (columns, what, constraint)


def test_views():
    statement = parse_statement("ALTER VIEW db.v RENAME TO w")
    assert isinstance(statement, AlterViewRename)
    assert (str(statement.name), str(statement.new_name)) == ("db.v", "w")
    statement = parse_statement("ALTER VIEW v AS SELECT 1 AS a;")
    assert isinstance(statement, AlterViewAs)
    assert statement.query_text == "SELECT 1 AS a"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("ALTER FUNCTION f AS 'x.Y'", "ALTER FUNCTION"),
        ("ALTER MODEL m RENAME TO n", "ALTER MODEL"),
        ("ALTER TABLE t ADD PARTITION (a = 1)", "ALTER TABLE … ADD PARTITION"),
        ("ALTER TABLE t DROP PARTITION (a = 1)", "ALTER TABLE … DROP PARTITION"),
        ("ALTER TABLE t ADD DISTRIBUTION BY HASH(a)", "ALTER TABLE … ADD DISTRIBUTION"),
    ],
)
def test_what_is_not_run(reject, text, what):
    error = reject(text)
    assert isinstance(error, UnsupportedSql)
    assert error.summary == f"{what} is not supported"


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("ALTER TABLE t ADD", 18, "a column name"),
        ("ALTER TABLE t ADD a INT AFTER", 30, "a column"),
        ("ALTER VIEW v DROP", 14, "RENAME or AS"),
        ("ALTER TABLE t RENAME a b", 24, "TO"),
        ("ALTER VIEW IF EXISTS v RENAME TO w", 15, "RENAME or AS"),
    ],
)
def test_broken_ones_are_pointed_at(reject, text, column, expected):
    error = reject(text)
    assert (error.where.column, error.expected) == (column, expected)
