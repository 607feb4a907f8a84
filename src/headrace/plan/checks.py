"""What a plan must satisfy before it may run; each refusal names its reason and the cure."""

from __future__ import annotations

from headrace.changelog import ChangelogMode, RowKind
from headrace.errors import PlanError, UnsupportedSql
from headrace.plan.conditions import parts_of
from headrace.plan.event_times import event_times
from headrace.plan.nodes import Join, Rank, Sink
from headrace.plan.plan import Plan, Planned

KIND_WORDS = {
    RowKind.UPDATE_AFTER: "update",
    RowKind.UPDATE_BEFORE: "update",
    RowKind.DELETE: "delete",
}


def check_plan(plan: Plan) -> None:
    for planned in plan.root.walk():
        if isinstance(planned.node, Join):
            _check_join(planned.node)
        if isinstance(planned.node, Rank) and planned.node.end is None:
            raise _unbounded(planned.node)
    sink = plan.root.node
    if not isinstance(sink, Sink):
        return
    (child,) = plan.root.inputs
    accepted = sink.table.connector.sink_mode(sink.table)
    if not accepted.is_retract and not accepted.accepts(_by_key(child.traits.mode)):
        raise _refused(sink, child)
    if accepted.is_upsert and not child.traits.mode.is_append:
        _check_key(sink, child)


def _check_join(join: Join) -> None:
    if _compares_event_times(join):
        raise UnsupportedSql(
            "an interval join, which bounds the event times of its two sides, is not supported yet",
            where=join.position,
            found=f"condition {join.residual}",
            cure="CAST the times AS TIMESTAMP(6) for a join without event time, which keeps all rows",
        )
    if join.left_keys:
        return
    raise UnsupportedSql(
        "a join needs at least one equality between columns of its two sides",
        where=join.position,
        found=f"condition {join.residual}" if join.residual is not None else "no condition",
        cure="add ON left.a = right.b; without one every row would meet every other",
    )


def _unbounded(rank: Rank) -> UnsupportedSql:
    return UnsupportedSql(
        "ROW_NUMBER() is supported with a last number only",
        where=rank.position,
        found="no condition such as row_number <= 10 on the number itself",
        cure="SELECT … FROM (SELECT *, ROW_NUMBER() OVER (…) AS rn FROM …) WHERE rn <= 10",
    )


def _compares_event_times(join: Join) -> bool:
    times = [event_times(side) for side in join.inputs]
    return any(all(part.input_names() & side for side in times) for part in parts_of(join.residual))


def _by_key(mode: ChangelogMode) -> ChangelogMode:
    """An upsert sink folds the two halves of an update by key, so the first half is no obstacle."""
    return ChangelogMode(mode.kinds - {RowKind.UPDATE_BEFORE})


def _refused(sink: Sink, child: Planned) -> PlanError:
    source = _origin_of_updates(child)
    words = sorted(
        {KIND_WORDS[kind] for kind in child.traits.mode.kinds if kind in KIND_WORDS}, reverse=True
    )
    return PlanError(
        f"sink table '{sink.table.identifier.name}' takes inserts only, but the query also produces "
        f"{' and '.join(words)} changes",
        condition="CHANGELOG_MISMATCH",
        found=f"changelog={child.traits.mode} produced by {source.node.label()}",
        expected=f"changelog={sink.table.connector.sink_mode(sink.table)}",
        cure="write to an 'upsert-kafka' table with a PRIMARY KEY",
    )


def _origin_of_updates(planned: Planned) -> Planned:
    """The lowest node that turns inserts into updates."""
    for child in planned.inputs:
        if not child.traits.mode.is_append:
            return _origin_of_updates(child)
    return planned


def _check_key(sink: Sink, child: Planned) -> None:
    primary = frozenset(sink.table.primary_key)
    if any(key <= primary for key in child.traits.keys):
        return
    query_key = child.traits.key
    raise UnsupportedSql(
        f"the query's key is not the primary key of sink '{sink.table.identifier.name}'",
        condition="UNSUPPORTED_SINK_KEY",
        found=f"query key ({', '.join(query_key)})"
        if query_key is not None
        else "a query without a key",
        expected=f"primary key ({', '.join(sink.table.primary_key)})",
        cure="declare the sink's PRIMARY KEY on the query's key; folding onto another key is not supported yet",
    )
