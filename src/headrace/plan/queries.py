"""Queries to plan nodes: WITH, set operations, VALUES, FROM. The SELECT itself is in `plan.select`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from sqlglot import exp

from headrace.catalog import Catalog
from headrace.catalog.table import Column, ComputedColumn, Table, View
from headrace.errors import Position, TypeMismatch, UnsupportedSql, UserError
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Cast, Expr
from headrace.plan.nodes import Field, Node, Project, Scan, Values
from headrace.plan.relation import Relation, project
from headrace.plan.select_list import output_name
from headrace.plan.types import common_type
from headrace.sql.dialect import parse_query, position_of, table_hints
from headrace.sql.statements import ObjectName, Options
from headrace.types import DataType

# Gives the table with its options overridden by a hint, checked anew.
HintApplier = Callable[[Table, Options], Table]


@dataclass(frozen=True, slots=True)
class QueryContext:
    """`source` names the script, for positions; `tables` are the WITH queries in sight; `state_times` say how long the
    SELECT being planned keeps rows of the tables in its FROM. `is_part`: the query is part of another one, where an
    order means nothing."""

    catalog: Catalog
    source: str
    apply_hints: HintApplier
    tables: Mapping[str, Relation] = field(default_factory=dict)
    state_times: Mapping[str, timedelta] = field(default_factory=dict)
    is_part: bool = False

    def for_part(self) -> QueryContext:
        return replace(self, is_part=True)

    def scope(
        self,
        columns: Sequence[tuple[str | None, str, Field]],
        hidden: Sequence[tuple[str | None, str, Field]] = (),
    ) -> Scope:
        return Scope(columns, self.source, hidden=hidden, database=self.catalog.current[1])

    def position(self, node: exp.Expr) -> Position:
        return position_of(node, self.source)

    def state_time(self, tables: Iterable[str]) -> timedelta | None:
        """For rows of one table of FROM; what several were joined into has no name to be hinted by."""
        names = set(tables)
        return self.state_times.get(names.pop()) if len(names) == 1 else None

    def refuse(self, what: str, node: exp.Expr) -> UnsupportedSql:
        return UnsupportedSql(f"{what} is not supported yet", where=self.position(node))


def plan_query(query: exp.Expr, context: QueryContext) -> Node:
    context = with_tables(query, context)
    match query:
        case exp.Select():
            from headrace.plan.select import plan_select

            return plan_select(query, context)
        case exp.Subquery():
            return _plan_ordered(query, plan_query(query.this, context), context)
        case exp.SetOperation():
            from headrace.plan.set_operations import plan_set_operation

            return _plan_ordered(query, plan_set_operation(query, context), context)
        case exp.Values():
            return plan_values(query, context)
        case _:
            raise context.refuse(f"{type(query).__name__.upper()}", query)


def scope_of(relation: Relation, context: QueryContext) -> Scope:
    return context.scope(relation.columns, relation.hidden)


def _plan_ordered(query: exp.Query, node: Node, context: QueryContext) -> Node:
    from headrace.plan.ordering import plan_ordering

    return plan_ordering(query, node, None, context)


def with_tables(query: exp.Expr, context: QueryContext) -> QueryContext:
    """The context with the tables of the query's WITH in sight."""
    with_clause = query.args.get("with_")
    if with_clause is None:
        return context
    if with_clause.args.get("recursive"):
        raise context.refuse("WITH RECURSIVE", with_clause)
    names: set[str] = set()
    for cte in with_clause.expressions:
        if cte.alias in names:
            raise UserError(
                f"WITH names '{cte.alias}' twice",
                condition="ALREADY_EXISTS",
                where=context.position(cte),
            )
        names.add(cte.alias)
        _refuse_repeated_names(cte, context)
        node = plan_query(cte.this, context.for_part())
        relation = Relation.of(node, None, alias_columns(cte, len(node.schema), context))
        context = replace(context, tables={**context.tables, cte.alias: relation})
    return context


def alias_columns(node: exp.Expression, width: int, context: QueryContext) -> list[str] | None:
    """The column names of `AS x (a, b)`, or None when it gives none."""
    alias = node.args.get("alias")
    names = [item.name for item in alias.args.get("columns") or []] if alias else []
    if names and len(names) != width:
        raise UserError(
            f"the alias has {len(names)} column names for {width} columns",
            where=context.position(alias or node),
            condition="COLUMN_COUNT",
        )
    return names or None


def written_names(query: exp.Expr) -> list[str] | None:
    """The names that a SELECT gives its columns where two are alike, which then mean neither; else None."""
    if not isinstance(query, exp.Select) or query.is_star:
        return None
    names = [output_name(item, place) for place, item in enumerate(query.expressions)]
    return names if len(set(names)) < len(names) else None


def _refuse_repeated_names(cte: exp.CTE, context: QueryContext) -> None:
    names = written_names(cte.this)
    if names is None or cte.args["alias"].args.get("columns"):
        return
    name = next(name for name in names if names.count(name) > 1)
    raise UserError(
        f"the query '{cte.alias}' of WITH has two columns '{name}'",
        condition="DUPLICATE_COLUMN",
        where=context.position(cte),
        cure=f"name them: WITH {cte.alias} (a, b, …) AS (…)",
    )


def cast_to(expr: Expr, target: Field) -> Expr:
    return expr if expr.type.same_as(target.type) else Cast(target.type, expr)


def plan_values(values: exp.Values, context: QueryContext) -> Node:
    scope = context.scope([])
    rows = [
        tuple(bind(item, scope) for item in getattr(row, "expressions", None) or [row])
        for row in values.expressions
    ]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise UserError(
            "all rows of VALUES must have as many columns",
            condition="COLUMN_COUNT",
            where=context.position(values),
        )
    columns = tuple(
        Field(f"EXPR${i}", _column_type([row[i] for row in rows], values, context))
        for i in range(width)
    )
    typed = tuple(tuple(cast_to(e, c) for e, c in zip(row, columns, strict=True)) for row in rows)
    return Values(typed, columns)


def _column_type(cells: list[Expr], values: exp.Values, context: QueryContext) -> DataType:
    merged = common_type(*(cell.type for cell in cells))
    if merged is None:
        raise TypeMismatch(
            "a column of VALUES mixes types without a common one",
            where=context.position(values),
            found=", ".join(sorted({str(cell.type) for cell in cells})),
        )
    return merged


def plan_relation(item: exp.Expression, context: QueryContext) -> Relation:
    match item:
        case exp.Table() if isinstance(item.this, exp.Identifier):
            return _plan_table(item, context)
        case exp.Subquery() | exp.Values():
            body = item.this if isinstance(item, exp.Subquery) else item
            node = plan_query(body, context.for_part())
            names = alias_columns(item, len(node.schema), context) or written_names(body)
            return Relation.of(node, item.alias or None, names)
        case exp.Paren():
            from headrace.plan.joins import plan_from

            return plan_from(item.this, context)
        case exp.Table():
            raise context.refuse(f"table function {item.this.name}", item)
        case _:
            raise context.refuse(f"{type(item).__name__.upper()} in FROM", item)


def _plan_table(item: exp.Table, context: QueryContext) -> Relation:
    if item.args.get("version"):
        raise context.refuse("FOR SYSTEM_TIME AS OF, an event-time join,", item.args["version"])
    parts = tuple(part.name for part in item.parts)
    qualifier = item.alias or parts[-1]
    if len(parts) == 1 and parts[0] in context.tables:
        known = context.tables[parts[0]]
        names = alias_columns(item, len(known.columns), context)
        return Relation.of(known.node, qualifier, names or [name for _, name, _ in known.columns])
    node = _plan_object(ObjectName(parts, context.position(item)), table_hints(item), context)
    return Relation.of(node, qualifier, alias_columns(item, len(node.schema), context))


def _plan_object(name: ObjectName, hints: Options, context: QueryContext) -> Node:
    found = context.catalog.get(name)
    if isinstance(found, View):
        return plan_view(found, context)
    return plan_scan(context.apply_hints(found, hints) if hints else found, name.position)


def plan_view(view: View, context: QueryContext) -> Node:
    inner = replace(
        context,
        catalog=context.catalog.seen_from(view.path),
        source=f"view {view.identifier.name}",
        tables={},
        is_part=False,
    )
    node = plan_query(parse_query(view.query_text), inner)
    if not view.columns:
        return node
    renamed = zip(view.columns, node.schema, strict=True)
    return Project(node, tuple((name, source.ref()) for name, source in renamed))


def plan_scan(table: Table, position: Position | None = None) -> Node:
    """The table's rows with all columns in declared order, computed ones worked out."""
    if not table.connector.is_source:
        raise UserError(
            f"'{table.identifier.name}' cannot be read: connector '{table.connector.name}' is a sink",
            condition="NOT_A_SOURCE",
            where=position,
        )
    table.connector.validate_source(table)
    read = [column for column in table.columns if not isinstance(column, ComputedColumn)]
    scan = Scan(table, tuple(Field(column.name, column.type) for column in read))
    if len(read) == len(table.columns):
        return scan
    return project(scan, ((c.name, _column_expr(c)) for c in table.columns))


def _column_expr(column: Column) -> Expr:
    if isinstance(column, ComputedColumn):
        return column.expression
    return Field(column.name, column.type).ref()
