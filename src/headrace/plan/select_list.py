"""The columns a SELECT gives: names, expressions and what * stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlglot import exp

from headrace.errors import UnknownName, UserError
from headrace.plan.binder import Scope, bind, is_aggregate
from headrace.plan.expressions import Expr, FieldAccess
from headrace.plan.relation import Relation
from headrace.types import Kind

if TYPE_CHECKING:
    from headrace.plan.queries import QueryContext


def needs_grouping(select: exp.Select) -> bool:
    clauses = ("group", "having")
    return any(select.args.get(clause) for clause in clauses) or bool(aggregate_calls(select))


def grouped_clauses(select: exp.Select) -> list[exp.Expression]:
    """What is worked out after the groups, and so may aggregate."""
    clauses = (select.args.get(name) for name in ("having", "qualify", "order"))
    windows = select.args.get("windows") or []
    return [*select.expressions, *windows, *(clause for clause in clauses if clause is not None)]


def without_aliases(select: exp.Select) -> exp.Select:
    """The same SELECT, with what the aliases in its QUALIFY stand for in their place; they come before columns."""
    qualify = select.args.get("qualify")
    items = {item.alias: item.this for item in select.expressions if isinstance(item, exp.Alias)}
    if qualify is None or not items:
        return select

    def meaning(node: exp.Expr) -> exp.Expr:
        alone = isinstance(node, exp.Column) and len(node.parts) == 1
        return exp.Paren(this=items[node.name].copy()) if alone and node.name in items else node

    copy = select.copy()
    copy.set("qualify", qualify.transform(meaning))
    return copy


def aggregate_calls(select: exp.Select) -> list[exp.Expr]:
    clauses = grouped_clauses(select)
    return [node for clause in clauses for node in own_nodes(clause) if is_aggregate(node)]


def grouped_inputs(select: exp.Select) -> list[exp.Expr]:
    """What is worked out below the groups: the keys, and what the calls take."""
    group = select.args.get("group")
    return [*([group] if group is not None else []), *aggregate_calls(select)]


def own_nodes(root: exp.Expr) -> Iterator[exp.Expr]:
    """Nodes of the expression itself, not of queries nested in it."""
    for node in root.walk(prune=lambda n: isinstance(n, exp.Query)):
        if not isinstance(node, exp.Query):
            yield node


def select_list(
    select: exp.Select, relation: Relation, scope: Scope, context: QueryContext
) -> Iterator[tuple[str, Expr]]:
    for index, item in enumerate(select.expressions):
        if _is_star(item):
            yield from _expand_star(item, relation, scope, context)
        else:
            yield output_name(item, index), bind(item.unalias(), scope)


def _is_star(item: exp.Expression) -> bool:
    return isinstance(item, exp.Star) or (
        isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
    )


def _expand_star(
    item: exp.Expression, relation: Relation, scope: Scope, context: QueryContext
) -> Iterator[tuple[str, Expr]]:
    path = item if isinstance(item, exp.Column) else None
    qualifier = path.table if path else None
    shown = [*relation.hidden, *relation.columns] if qualifier else relation.columns
    found = False
    for column_qualifier, name, column in shown:
        if not qualifier or qualifier == column_qualifier:
            found = True
            written = exp.column(name, table=column_qualifier, quoted=True)
            yield name, bind(written, scope) if scope.grouped else column.ref()
    if not found:
        if path:
            yield from _fields_of_row(path, relation, scope, context)
            return
        raise UserError(
            "there is nothing that * could stand for",
            condition="NO_COLUMNS",
            where=context.position(item),
            cure="add a FROM clause, or list expressions",
        )


def _fields_of_row(
    item: exp.Column, relation: Relation, scope: Scope, context: QueryContext
) -> Iterator[tuple[str, Expr]]:
    """`column.*`, where the column is a row."""
    *outer, name = (part.name for part in item.parts[:-1])
    starts = {*relation.qualifiers, *(column for _, column, _ in relation.columns)}
    if [*outer, name][0] not in starts:
        raise UnknownName("table", name, relation.qualifiers, where=context.position(item))
    row = bind(exp.column(name, *reversed(outer), quoted=True), scope)
    if row.type.kind is not Kind.ROW:
        raise UserError(
            f"'{row}' has no fields that * could stand for",
            condition="NOT_A_ROW",
            where=context.position(item),
            found=row.type.sql(),
        )
    for name, kind in row.type.fields():
        yield name, FieldAccess(kind.as_nullable(kind.nullable or row.type.nullable), row, name)


def output_name(item: exp.Expr, index: int) -> str:
    """The name of an output: its alias, the column's or field's own, or one made of its place."""
    if isinstance(item, exp.Alias):
        return item.alias
    path = item
    while isinstance(path, exp.Dot):
        path = path.this
    if isinstance(path, exp.Column):
        return item.name or item.expression.name
    return f"EXPR${index}"
