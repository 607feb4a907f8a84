"""A relation while a query is being planned: a node, and the names under which its columns may be addressed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headrace.plan.expressions import Expr
from headrace.plan.nodes import Field, Node, Project


@dataclass(frozen=True, slots=True)
class Relation:
    """`columns`: as the user may write them (qualifier, name), in order, and the node's field behind each."""

    node: Node
    columns: tuple[tuple[str | None, str, Field], ...]

    @classmethod
    def of(cls, node: Node, qualifier: str | None, names: Iterable[str] | None = None) -> Relation:
        shown = tuple(names) if names is not None else node.names
        columns = zip(shown, node.schema, strict=True)
        return cls(node, tuple((qualifier, name, field) for name, field in columns))


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
