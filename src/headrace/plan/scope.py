"""The names an expression may use, and the columns they mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from headrace.errors import Position, UnknownName, UnsupportedSql, UserError
from headrace.plan.expressions import Expr, FieldAccess, InputRef
from headrace.sql.dialect import position_of
from headrace.types import Kind

if TYPE_CHECKING:
    from headrace.plan.nodes import Field

Special = Callable[[exp.Expression], Expr | None]


@dataclass(frozen=True, slots=True)
class Scope:
    """`columns` are (qualifier, name, field of the input). `special` is asked first about every node: with it the
    planner gives grouped expressions and aggregate calls their meaning. `hidden` columns have no name without their
    qualifier: USING merges two columns into one. `outer` holds the names of the query around a subquery, and `moved` says
    what a column of it is here. `grouped`: whether a column means its group's. `database` is the current one; None where a definition outlives it."""

    columns: Sequence[tuple[str | None, str, Field]]
    source: str = "<sql>"
    special: Special | None = None
    hidden: Sequence[tuple[str | None, str, Field]] = ()
    outer: Scope | None = None
    moved: Callable[[Expr], Expr] | None = None
    grouped: bool = False
    database: str | None = None

    def resolve_special(self, node: exp.Expression) -> Expr | None:
        return None if self.special is None else self.special(node)

    def position(self, node: exp.Expr) -> Position:
        return position_of(node, self.source)

    def resolve(self, parts: Sequence[exp.Identifier]) -> Expr:
        """`a`, `t.a`, `row.field`, `t.row.field`; a table's name is tried before a row's."""
        found = self._found_anywhere(parts)
        if found is None:
            raise self._unknown(parts)
        return found

    def _found_anywhere(self, parts: Sequence[exp.Identifier]) -> Expr | None:
        found = self._found(parts)
        if found is not None or self.outer is None:
            return found
        outside = self.outer._from_inside(parts)
        return outside if outside is None or self.moved is None else self.moved(outside)

    def _from_inside(self, parts: Sequence[exp.Identifier]) -> Expr | None:
        """What a subquery means by a name of this query, which may be a group's."""
        if not self.grouped:
            return self._found_anywhere(parts)
        names = ("this", "table", "db", "catalog")
        written = exp.Column(**dict(zip(names, (p.copy() for p in reversed(parts)), strict=False)))
        return self.resolve_special(written)

    def _found(self, parts: Sequence[exp.Identifier]) -> Expr | None:
        names = [part.name for part in parts]
        for skipped in (1, 0, 2, 3):
            found = self._matching(names, skipped)
            if len(found) > 1:
                raise self._ambiguous(parts[skipped], [qualifier for qualifier, _, _ in found])
            if found:
                field = found[0][2]
                column: Expr = InputRef(field.type, field.name)
                return self._fields(column, parts[skipped + 1 :])
        return None

    def _matching(self, names: Sequence[str], skipped: int) -> list[tuple[str | None, str, Field]]:
        """Columns named by the part after `skipped` qualifying parts (catalog, database, table)."""
        if skipped >= len(names):
            return []
        qualifier = names[skipped - 1] if skipped else None
        return [
            column
            for column in (*self.columns, *(self.hidden if qualifier else ()))
            if column[1] == names[skipped] and qualifier in (None, column[0])
        ]

    def _fields(self, column: Expr, parts: Sequence[exp.Identifier]) -> Expr:
        for part in parts:
            column = field_of(column, part, self)
        return column

    def _ambiguous(self, part: exp.Identifier, qualifiers: Sequence[str | None]) -> UserError:
        shown = ", ".join(f"{qualifier}.{part.name}" for qualifier in qualifiers if qualifier)
        return UserError(
            f"column '{part.name}' is ambiguous",
            condition="AMBIGUOUS_COLUMN",
            where=self.position(part),
            found=shown or None,
            cure="name the table it comes from",
        )

    def _tables(self) -> set[str]:
        return {qualifier for qualifier, _, _ in (*self.columns, *self.hidden) if qualifier}

    def _unknown(self, parts: Sequence[exp.Identifier]) -> UserError:
        known = (*self.columns, *self.hidden)
        tables = self._tables()
        if self.outer is not None and parts[0].name in self.outer._tables() - tables:
            return self.outer._unknown(parts)
        if len(parts) > 1 and parts[0].name in tables:
            inside = [name for qualifier, name, _ in known if qualifier == parts[0].name]
            return UnknownName(
                "column",
                parts[1].name,
                inside,
                where=self.position(parts[1]),
                context=f" in '{parts[0].name}'",
            )
        if len(parts) > 1 and any(parts[1].name == name for _, name, _ in self.columns):
            return UnknownName("table", parts[0].name, tables, where=self.position(parts[0]))
        names = {name for _, name, _ in self.columns}
        return UnknownName("column", parts[0].name, names, where=self.position(parts[0]))


def field_of(operand: Expr, part: exp.Identifier | exp.Expression, scope: Scope) -> Expr:
    """`operand.part`, where operand is a ROW."""
    if isinstance(part, exp.Star):
        raise UnsupportedSql("a row cannot be spread with .*", where=scope.position(part))
    if operand.type.kind is not Kind.ROW:
        raise UserError(
            f"'{part.name}' is asked of a value that has no fields",
            condition="NOT_A_ROW",
            where=scope.position(part),
            found=operand.type.sql(),
            expected="ROW<…>",
        )
    for name, kind in operand.type.fields():
        if name == part.name:
            return FieldAccess(
                kind.as_nullable(kind.nullable or operand.type.nullable), operand, name
            )
    raise UnknownName("field", part.name, operand.type.names, where=scope.position(part))
