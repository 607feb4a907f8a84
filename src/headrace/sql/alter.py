"""ALTER of tables and views."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from headrace.sql.ddl import DdlParser, Schema
from headrace.sql.lexer import Token, TokenKind
from headrace.sql.namespaces import NAMESPACES
from headrace.sql.statements import (
    AlterTable,
    AlterTableDrop,
    AlterTableRename,
    AlterTableRenameColumn,
    AlterTableReset,
    AlterTableSchema,
    AlterTableSet,
    AlterViewAs,
    AlterViewRename,
    ObjectName,
    PlacedColumn,
    Statement,
)

# Valid in Flink, and not run here.
OTHER_ALTERED = ("FUNCTION", "MODEL", "MATERIALIZED", "CONNECTION", "SYSTEM")
NOT_CHANGED = ("PARTITION", "DISTRIBUTION")
ACTIONS = ("SET", "RESET", "RENAME", "ADD", "MODIFY", "DROP")


@dataclass(frozen=True, slots=True)
class _Target:
    """What every ALTER TABLE begins with."""

    first: Token
    name: ObjectName
    if_exists: bool


@dataclass(slots=True)
class _Changes(Schema):
    placed: list[PlacedColumn] = field(default_factory=list)


class AlterParser(DdlParser):
    def alter(self) -> Statement:
        first = self.expect("ALTER")
        if self.current.key in OTHER_ALTERED:
            raise self.unsupported(f"ALTER {self.current.key}", first)
        if self.at_any(*NAMESPACES):
            return self.alter_namespace(first)
        if self.expect_any("TABLE", "VIEW") == "VIEW":
            return self._alter_view(first)
        if_exists = self.take("IF", "EXISTS")
        target = _Target(first, self.object_name("the name of the table"), if_exists)
        return self._alter_table(target)

    def _alter_view(self, first: Token) -> Statement:
        name = self.object_name("the name of the view")
        if self.expect_any("RENAME", "AS") == "RENAME":
            self.expect("TO")
            new_name = self.object_name("the new name")
            sql = self.source_text(first)
            return AlterViewRename(
                sql=sql, position=self.place(first), name=name, new_name=new_name
            )
        query, text = self.view_query()
        sql = self.source_text(first)
        return AlterViewAs(
            sql=sql, position=self.place(first), name=name, query=query, query_text=text
        )

    def _alter_table(self, of: _Target) -> AlterTable:
        action = self.expect_any(*ACTIONS)
        if action in ("ADD", "MODIFY", "DROP") and self.current.key in NOT_CHANGED:
            raise self.unsupported(f"ALTER TABLE … {action} {self.current.key}", of.first)
        match action:
            case "SET":
                options = self.options()
                return AlterTableSet(**self._facts(of), options=options)
            case "RESET":
                keys = self.keys()
                return AlterTableReset(**self._facts(of), keys=keys)
            case "RENAME":
                return self._rename(of)
            case "DROP":
                return self._drop_from(of)
            case _:
                return self._schema_change(of, modifies=action == "MODIFY")

    def _facts(self, of: _Target) -> dict[str, Any]:
        """What all have; to be asked for when the statement was read to its end."""
        return {
            "sql": self.source_text(of.first),
            "position": self.place(of.first),
            "name": of.name,
            "if_exists": of.if_exists,
        }

    def _rename(self, of: _Target) -> AlterTable:
        if self.take("TO"):
            new_name = self.object_name("the new name")
            return AlterTableRename(**self._facts(of), new_name=new_name)
        old = self.name("TO or a column").text
        self.expect("TO")
        new = self.name("the new name").text
        return AlterTableRenameColumn(**self._facts(of), old=old, new=new)

    def _drop_from(self, of: _Target) -> AlterTableDrop:
        if self.take("PRIMARY", "KEY"):
            return AlterTableDrop(**self._facts(of), what="PRIMARY KEY")
        if self.at("CONSTRAINT") and not self._ends_after_one():
            self.advance()
            name = self.name("the constraint's name").text
            return AlterTableDrop(**self._facts(of), what="PRIMARY KEY", constraint=name)
        if self.at("WATERMARK") and self._ends_after_one():
            self.advance()
            return AlterTableDrop(**self._facts(of), what="WATERMARK")
        columns = self.names("a column") if self.at("(") else (self.name("a column").text,)
        return AlterTableDrop(**self._facts(of), columns=columns)

    def _ends_after_one(self) -> bool:
        return self.ahead().key == ";" or self.ahead().kind is TokenKind.END

    def _schema_change(self, of: _Target, *, modifies: bool) -> AlterTableSchema:
        changes = _Changes()
        if self.at("("):
            self.wrapped(lambda: self._change(changes))
        else:
            self._change(changes)
        return AlterTableSchema(
            **self._facts(of),
            modifies=modifies,
            columns=tuple(changes.placed),
            watermarks=tuple(changes.watermarks),
            primary_keys=tuple(changes.primary_keys),
        )

    def _change(self, changes: _Changes) -> None:
        self.schema_item(changes)
        if not changes.columns:
            return
        column = changes.columns.pop()
        first = self.take("FIRST")
        after = self.name("a column").text if not first and self.take("AFTER") else None
        changes.placed.append(PlacedColumn(column, first, after))
