"""What a subquery sees of the query around it, as a table of its own: every value once.

Joined to the subquery's tables it lets the subquery be planned as if it looked at nothing outside, however it compares
values with what is there, and however deep inside it they are named. The result is joined to the query around by these
values again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from headrace.plan.calls import call
from headrace.plan.expressions import Expr, InputRef
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.nodes import Aggregate, Field, Node, Project
from headrace.plan.relation import unique_names


class Outside:
    """Columns of the query around a subquery under names of their own. `used` are those that were asked for, by the names
    they have outside."""

    def __init__(self, outer: Node, columns: Iterable[str]) -> None:
        fresh = unique_names([*outer.names, *outer.names])[len(outer.names) :]
        names = dict(zip(outer.names, fresh, strict=True))
        wanted = set(columns)
        self._outer = outer
        self._columns = {
            f.name: Field(names[f.name], f.type) for f in outer.schema if f.name in wanted
        }
        self.used: set[str] = set()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self._columns.values())

    def node(self) -> Node:
        columns = tuple(
            (self._columns[f.name].name, f.ref())
            for f in self._outer.schema
            if f.name in self._columns
        )
        return Aggregate(Project(self._outer, columns), self.names, ())

    def moved(self, expr: Expr) -> Expr:
        """An expression over the query around, over the columns here."""

        def column(part: Expr) -> Expr:
            if not isinstance(part, InputRef):
                return part
            self.used.add(part.name)
            return replace(part, name=self._columns[part.name].name)

        return expr.transform(column)

    def pairs(self) -> list[tuple[Expr, Expr]]:
        """Each column as it is outside and here."""
        kept = {field.name: field.ref() for field in self._outer.schema}
        return [(kept[name], field.ref()) for name, field in self._columns.items()]


def same(left: Expr, right: Expr) -> Expr:
    """Equal, or both NULL."""
    return call(lookup_scalar("IS NOT DISTINCT FROM"), [left, right])
