"""ORDER BY … LIMIT … OFFSET: a Rank without partitions, whose number nobody asks for."""

from __future__ import annotations

from sqlglot import exp

from headrace.errors import UnsupportedSql, UserError
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Expr
from headrace.plan.literals import boolean_literal
from headrace.plan.nodes import Filter, Node, Project, Rank, SortKey
from headrace.plan.queries import QueryContext
from headrace.plan.relation import Relation, unique_names
from headrace.plan.windows import sort_key


def plan_ordering(
    query: exp.Query,
    result: Node,
    source: Scope | None,
    context: QueryContext,
    partition: tuple[str, ...] = (),
) -> Node:
    """The rows of `result` that LIMIT keeps, of each `partition`. `source`: the names that `result`, a projection, was
    made from, by which one may sort too; None where only the result's own columns are known."""
    order, limit, offset = (query.args.get(name) for name in ("order", "limit", "offset"))
    if limit is None:
        _refuse_endless(None if context.is_part else order, offset, context)
        return result
    rows = _count(limit, context)
    if rows == 0:
        return Filter(result, boolean_literal(False))
    skipped = _count(offset, context) if offset is not None else 0
    sorting = _Sorting(result, source, context)
    keys = tuple(map(sorting.key, order.expressions)) if order is not None else ()
    position = context.position(limit)
    rank = Rank(sorting.node(), partition, keys, skipped + 1, skipped + rows, position=position)
    if rank.names == result.names:
        return rank
    return Project(rank, tuple((column.name, column.ref()) for column in result.schema))


def _refuse_endless(
    order: exp.Expression | None, offset: exp.Expression | None, context: QueryContext
) -> None:
    clause = order or offset
    if clause is None:
        return
    name = "ORDER BY" if clause is order else "OFFSET"
    raise UnsupportedSql(
        f"{name} without LIMIT is not supported: a stream has no end to wait for",
        where=context.position(clause),
        cure="add LIMIT n, or sort where the result is read",
    )


def _count(clause: exp.Limit | exp.Offset, context: QueryContext) -> int:
    value = clause.expression
    if isinstance(value, exp.Literal) and not value.is_string and value.this.isdigit():
        return int(value.this)
    raise UserError(
        f"{clause.key.upper()} takes a whole number",
        condition="TYPE_MISMATCH",
        where=context.position(clause),
        found=value.sql(),
    )


class _Sorting:
    """Finds the columns to sort by: by number, by output name, or computed beside the outputs."""

    def __init__(self, result: Node, source: Scope | None, context: QueryContext) -> None:
        self.result = result
        self.context = context
        self.source = source
        self.own = context.scope(Relation.of(result, None).columns)
        self.more: list[tuple[str, Expr]] = []

    def key(self, item: exp.Ordered) -> SortKey:
        return sort_key(item, self._column(item.this))

    def _column(self, expression: exp.Expression) -> str:
        if isinstance(expression, exp.Literal) and not expression.is_string:
            return self._by_number(expression)
        plain = isinstance(expression, exp.Column) and len(expression.parts) == 1
        if plain and expression.name in self.result.names:
            return expression.name
        return self._computed(bind(expression, self.source or self.own))

    def _by_number(self, literal: exp.Literal) -> str:
        number = int(literal.this) if literal.this.isdigit() else 0
        if 1 <= number <= len(self.result.names):
            return self.result.names[number - 1]
        raise UserError(
            f"ORDER BY {literal.this} names no column",
            condition="COLUMN_COUNT",
            where=self.context.position(literal),
            expected=f"1 to {len(self.result.names)}",
        )

    def _computed(self, expr: Expr) -> str:
        for name, known in (*self._outputs(), *self.more):
            if known == expr:
                return name
        name = unique_names([*self.result.names, *(n for n, _ in self.more), "sort"])[-1]
        self.more.append((name, expr))
        return name

    def _outputs(self) -> tuple[tuple[str, Expr], ...]:
        if self.source is not None and isinstance(self.result, Project):
            return self.result.outputs
        return tuple((column.name, column.ref()) for column in self.result.schema)

    def node(self) -> Node:
        if not self.more:
            return self.result
        below = self.result
        if self.source is not None and isinstance(below, Project):
            below = below.input
        return Project(below, (*self._outputs(), *self.more))
