"""A query inside another one, made ready to be joined to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headrace.plan.calls import call
from headrace.plan.conditions import EQUALITIES
from headrace.plan.expressions import Call, Expr, InputRef
from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import Node, Project, Values
from headrace.plan.relation import Relation, unique_names


@dataclass(frozen=True, slots=True)
class Inner:
    """The subquery's `node` shares no column name with the query around it; `names` and `outputs` are what it selects,
    over the node. `conditions` say which of its rows belong to a row outside. `without_rows`: what it gives where there
    are none, if that is a row all the same, as with a COUNT."""

    node: Node
    names: tuple[str, ...]
    outputs: tuple[Expr, ...]
    conditions: tuple[Expr, ...] = ()
    without_rows: tuple[Expr, ...] | None = None

    @property
    def is_single(self) -> bool:
        """Whether at most one row belongs to a row outside."""
        if isinstance(self.node, Values):
            return len(self.node.rows) <= 1
        compared = {own.name for _, own in self.pairs() if isinstance(own, InputRef)}
        return any(key <= compared for key in unique_keys(self.node))

    def pairs(self) -> Iterator[tuple[Expr, Expr]]:
        """The equalities among the conditions: what is compared outside, and in the subquery."""
        own = set(self.node.names)
        for condition in self.conditions:
            pair = sides_of(condition, own)
            if pair is not None:
                yield pair

    @property
    def by_equality(self) -> bool:
        """Whether all conditions are equalities."""
        return len(list(self.pairs())) == len(self.conditions)

    def compared_again(self, own: Sequence[Expr]) -> list[Expr]:
        """The equalities, with other columns for those of the subquery."""
        inside = set(self.node.names)
        found = [part for part in self.conditions if sides_of(part, inside) is not None]
        outside = [pair[0] for pair in self.pairs()]
        return [as_written(*parts) for parts in zip(found, outside, own, strict=True)]

    def with_outputs(self, outer: Node) -> tuple[Node, tuple[InputRef, ...]]:
        """The node with a column for every output."""
        columns = {field.name: field.ref() for field in self.node.schema}
        taken = [*outer.names, *columns]
        names = unique_names([*taken, *self.names])[len(taken) :]
        made = tuple(
            out if isinstance(out, InputRef) else InputRef(out.type, name)
            for name, out in zip(names, self.outputs, strict=True)
        )
        more = zip(made, self.outputs, strict=True)
        computed = tuple((ref.name, out) for ref, out in more if ref is not out)
        if not computed:
            return self.node, made
        return Project(self.node, (*columns.items(), *computed)), made


def sides_of(condition: Expr, own: set[str]) -> tuple[Expr, Expr] | None:
    """What an equality compares outside and among `own` columns; None for any other condition."""
    if not isinstance(condition, Call) or condition.function.name not in EQUALITIES:
        return None
    first, second = condition.args
    for outside, inside in ((first, second), (second, first)):
        names = inside.input_names()
        if names and names <= own and outside.input_names().isdisjoint(own):
            return outside, inside
    return None


def as_written(condition: Expr, outside: Expr, inside: Expr) -> Expr:
    """An equality of the same kind as the condition."""
    assert isinstance(condition, Call)
    return call(condition.function, [outside, inside])


def closed(node: Node, outer: Node) -> Inner:
    """A query that looks at nothing around it."""
    relation = Relation.of(node, None).apart_from(outer.names)
    return Inner(relation.node, node.names, tuple(field.ref() for field in relation.node.schema))
