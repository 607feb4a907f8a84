"""From a statement to the finished plan: query planned, mapped onto the sink, rewritten by the rules, checked."""

from __future__ import annotations

from collections.abc import Iterable

from headrace.catalog import Catalog
from headrace.catalog.table import Column, Table, View
from headrace.errors import Position, TypeMismatch, UnknownName, UnsupportedSql, UserError
from headrace.plan.checks import check_conflict, check_plan
from headrace.plan.expressions import Cast, Expr, Literal
from headrace.plan.nodes import (
    Collect,
    Conflict,
    Field,
    Node,
    Project,
    Schema,
    Sink,
    UpsertMaterialize,
)
from headrace.plan.plan import Plan, PlanSettings, annotate
from headrace.plan.queries import QueryContext, plan_query, plan_view
from headrace.plan.rules import RULES
from headrace.plan.rules.count_events_once import count_events_once
from headrace.plan.rules.split_distinct import split_distinct
from headrace.plan.tables import with_options
from headrace.plan.types import can_store
from headrace.sql.statements import Insert, Select


class Planner:
    def __init__(self, catalog: Catalog, settings: PlanSettings) -> None:
        self.catalog = catalog
        self.settings = settings

    def plan_select(self, statement: Select) -> Plan:
        return self._finish(Collect(self.query(statement)))

    def query(self, statement: Select | Insert) -> Node:
        context = QueryContext(self.catalog, statement.position.source, with_options)
        return plan_query(statement.query, context)

    def view_schema(self, view: View) -> Schema:
        context = QueryContext(self.catalog, view.identifier.name, with_options)
        return plan_view(view, context).schema

    def plan_insert(self, statement: Insert) -> Plan:
        if statement.overwrite:
            raise UnsupportedSql(
                "INSERT OVERWRITE is not supported: the sink cannot replace what it holds",
                where=statement.position,
                cure="write INSERT INTO",
            )
        table = self.catalog.table(statement.target)
        if statement.target_hints:
            table = with_options(table, statement.target_hints)
        _check_partition(table, statement)
        _check_sink(table, statement.target.position)
        sink = Sink(
            onto_sink(self.query(statement), table, statement),
            table,
            Conflict(statement.on_conflict) if statement.on_conflict is not None else None,
            UpsertMaterialize(self.settings.upsert_materialize),
        )
        try:
            plan = self._finish(sink)
            check_conflict(plan)
            return plan
        except UserError as error:
            raise error.at(statement.target.position) from None

    def _finish(self, root: Node) -> Plan:
        root = count_events_once(root, self.settings.events_duplicate)
        for rule in RULES:
            root = rule(root)
        root = split_distinct(root, self.settings.distinct_buckets)
        plan = annotate(root, self.settings)
        check_plan(plan)
        return plan


def _check_partition(table: Table, statement: Insert) -> None:
    for name in statement.partition:
        if name not in table.partition_keys:
            raise UserError(
                f"'{name}' is not among the columns that '{statement.target}' is PARTITIONED BY",
                condition="NOT_PARTITIONED",
                where=statement.target.position,
                found=f"PARTITION ({', '.join(statement.partition)})",
                expected=", ".join(table.partition_keys) or "no PARTITION clause",
            )


def _check_sink(table: Table, where: Position) -> None:
    if not table.connector.is_sink:
        raise UserError(
            f"'{table.identifier.name}' cannot be written: connector '{table.connector.name}' is a source",
            condition="NOT_A_SINK",
            where=where,
        )
    if table.partition_keys:
        raise UnsupportedSql(
            f"connector '{table.connector.name}' cannot write a table that is PARTITIONED BY",
            condition="PARTITIONED_SINK",
            where=where,
            found=f"PARTITIONED BY ({', '.join(table.partition_keys)})",
            cure="leave PARTITIONED BY out; a topic's partitions follow from the key",
        )
    try:
        table.connector.validate_sink(table)
    except UserError as error:
        raise error.at(where) from error.__cause__


def onto_sink(query: Node, table: Table, statement: Insert) -> Node:
    """The query's columns as the table's persisted columns: by position or by the INSERT's column list."""
    columns = table.persisted_columns
    targets = _targets(columns, statement)
    if len(query.schema) != len(targets):
        raise _column_count(query, targets, statement)
    sources = {target.name: field for target, field in zip(targets, query.schema, strict=True)}
    outputs = tuple((c.name, _stored(sources.get(c.name), c, statement)) for c in columns)
    if all(str(expr) == name for name, expr in outputs) and query.names == tuple(
        name for name, _ in outputs
    ):
        return query
    return Project(query, outputs)


def _targets(columns: Iterable[Column], statement: Insert) -> list[Column]:
    by_name = {column.name: column for column in columns}
    if not statement.columns:
        return list(by_name.values())
    for name in statement.columns:
        if name not in by_name:
            raise UnknownName(
                "column",
                name,
                by_name,
                where=statement.target.position,
                context=f" in '{statement.target}'",
            )
    if len(set(statement.columns)) != len(statement.columns):
        raise UserError(
            "a column stands twice in the INSERT list",
            condition="DUPLICATE_COLUMN",
            where=statement.target.position,
        )
    return [by_name[name] for name in statement.columns]


def _stored(source: Field | None, target: Column, statement: Insert) -> Expr:
    if source is None and not target.type.nullable:
        raise UserError(
            f"column '{target.name}' of '{statement.target}' is NOT NULL, but the INSERT list leaves it out",
            condition="MISSING_COLUMN",
            where=statement.target.position,
            cure=f"add '{target.name}' to the list",
        )
    if source is None:
        return Literal(target.type.as_nullable(), None)
    # A NULL in a NOT NULL column is a matter of the data, not of the types.
    if not can_store(source.type.as_nullable(), target.type.as_nullable()):
        raise TypeMismatch(
            f"column '{target.name}' of '{statement.target}' cannot take the query's column '{source.name}'",
            where=statement.target.position,
            found=source.type.sql(),
            expected=target.type.sql(),
            cure=f"CAST({source.name} AS {target.type.as_nullable().sql()})",
        )
    reference = source.ref()
    return reference if source.type.same_as(target.type) else Cast(target.type, reference)


def _column_count(query: Node, targets: list[Column], statement: Insert) -> UserError:
    return UserError(
        f"the query's column count ({len(query.schema)}) is not that of sink '{statement.target}' ({len(targets)})",
        condition="COLUMN_COUNT",
        where=statement.target.position,
        found="[" + ", ".join(f"{f.name}: {f.type}" for f in query.schema) + "]",
        expected="[" + ", ".join(f"{c.name}: {c.type}" for c in targets) + "]",
    )
