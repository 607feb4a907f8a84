"""A relation while a query is being planned: a node, and the names under which its columns may be addressed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headrace.plan.expressions import Expr
from headrace.plan.nodes import Field, Node, Project

Columns = tuple[tuple[str | None, str, Field], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """`columns`: as the user may write them (qualifier, name), in order, and the node's field behind each. `hidden`
    are those that USING merged into one: they are had by their qualifier only, and * does not show them."""

    node: Node
    columns: Columns
    hidden: Columns = ()

    @classmethod
    def of(cls, node: Node, qualifier: str | None, names: Iterable[str] | None = None) -> Relation:
        shown = tuple(names) if names is not None else node.names
        columns = zip(shown, node.schema, strict=True)
        return cls(node, tuple((qualifier, name, field) for name, field in columns))

    @property
    def qualifiers(self) -> set[str]:
        return {qualifier for qualifier, _, _ in (*self.columns, *self.hidden) if qualifier}

    def over(self, node: Node, renamed: dict[str, str] | None = None) -> Relation:
        """The same names for the columns of another node, in which fields may have new names."""
        fields = {field.name: field for field in node.schema}
        names = renamed or {}

        def moved(columns: Columns) -> Columns:
            return tuple((q, name, fields[names.get(f.name, f.name)]) for q, name, f in columns)

        return Relation(node, moved(self.columns), moved(self.hidden))

    def apart_from(self, taken: Iterable[str]) -> Relation:
        """The same relation over a node that shares no column name with `taken`."""
        others = list(taken)
        names = unique_names([*others, *self.node.names])[len(others) :]
        if tuple(names) == self.node.names:
            return self
        outputs = zip(names, (field.ref() for field in self.node.schema), strict=True)
        renamed = dict(zip(self.node.names, names, strict=True))
        return self.over(Project(self.node, tuple(outputs)), renamed)


def unique_names(names: Iterable[str]) -> list[str]:
    """`a, a` becomes `a, a0`, as in Flink."""
    taken: set[str] = set()
    result = []
    for name in names:
        candidate, number = name, 0
        while candidate in taken:
            candidate, number = f"{name}{number}", number + 1
        taken.add(candidate)
        result.append(candidate)
    return result


def project(node: Node, outputs: Iterable[tuple[str, Expr]]) -> Project:
    pairs = list(outputs)
    names = unique_names(name for name, _ in pairs)
    return Project(node, tuple(zip(names, (expr for _, expr in pairs), strict=True)))
