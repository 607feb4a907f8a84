"""`/*+ STATE_TTL('t' = '1 d') */` after SELECT: how long its joins and its GROUP BY keep rows of a table."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from sqlglot import exp

from headrace.catalog.options import parse_duration
from headrace.errors import InvalidOption, UnknownName, UnsupportedSql, UserError
from headrace.plan.queries import QueryContext
from headrace.plan.relation import Relation
from headrace.plan.select_list import needs_grouping
from headrace.sql.dialect import query_hints
from headrace.sql.statements import OptionEntry

STATE_TTL = "STATE_TTL"


def hinted(select: exp.Select, context: QueryContext) -> QueryContext:
    """The context of this SELECT alone: hints do not reach into subqueries and views, as in Flink."""
    hints = query_hints(select)
    for name in hints:
        if name != STATE_TTL:
            raise UnsupportedSql(
                f"the hint {name} is not supported yet",
                where=context.position(select),
                cure="remove the hint",
            )
    times = {entry.key: _time(entry) for entry in hints.get(STATE_TTL, ())}
    return replace(context, state_times=times)


def _time(entry: OptionEntry) -> timedelta:
    try:
        return parse_duration(entry.value)
    except ValueError:
        raise InvalidOption(
            f"STATE_TTL takes a length of time for '{entry.key}'",
            where=entry.value_position,
            found=f"'{entry.value}'",
            expected="a length such as '1 d', '36 h' or '90 s'",
        ) from None


def check_hints(select: exp.Select, relation: Relation, context: QueryContext) -> None:
    """Every table named is in FROM, and something here keeps its rows."""
    for entry in query_hints(select).get(STATE_TTL, ()):
        if entry.key not in relation.qualifiers:
            raise UnknownName(
                "table",
                entry.key,
                relation.qualifiers,
                where=entry.key_position,
                context=" (in STATE_TTL)",
            )
    keeps = select.args.get("joins") or needs_grouping(select) or select.args.get("distinct")
    if context.state_times and not keeps:
        raise UserError(
            "STATE_TTL is about joins and groups, and this SELECT has neither",
            condition="UNUSED_HINT",
            where=context.position(select),
            cure="put the hint after the SELECT that joins or groups, or SET 'table.exec.state.ttl'",
        )
