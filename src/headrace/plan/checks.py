"""What a plan must satisfy before it may run; each refusal names its reason and the cure."""

from __future__ import annotations

from headrace.catalog.table import Table
from headrace.changelog import ChangelogMode, RowKind
from headrace.errors import PlanError, UnsupportedSql
from headrace.plan.conditions import parts_of
from headrace.plan.event_times import event_times
from headrace.plan.expressions import Cast, Expr, InputRef
from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import Join, Materialize, Node, Rank, Sink, UpsertMaterialize
from headrace.plan.plan import Plan, Planned
from headrace.plan.rules.materialize_sink_key import may_conflict

KIND_WORDS = {
    RowKind.UPDATE_AFTER: "update",
    RowKind.UPDATE_BEFORE: "update",
    RowKind.DELETE: "delete",
}


def check_plan(plan: Plan) -> None:
    if plan.settings.batch:
        for scan in plan.scans:
            _check_batch_source(scan.table)
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


STREAMING = "SET 'execution.runtime-mode' = 'streaming';"


def _check_batch_source(table: Table) -> None:
    connector = table.connector
    if not connector.is_bounded(table):
        raise PlanError(
            f"table '{table.identifier.name}' has no end, so it cannot be read in batch mode",
            condition="UNFIT_FOR_BATCH",
            found=f"'connector' = '{connector.name}', without an end",
            expected="tables with an end",
            cure=f"an end, such as 'scan.bounded.mode' = 'latest-offset'; or {STREAMING}",
        )
    mode = connector.scan_mode(table)
    if not mode.is_append:
        raise PlanError(
            f"table '{table.identifier.name}' holds updates and deletes, so it cannot be read in batch mode",
            condition="UNFIT_FOR_BATCH",
            found=f"changelog={mode}",
            expected=f"changelog={ChangelogMode.append()}",
            cure=STREAMING,
        )


def _check_join(join: Join) -> None:
    if _compares_event_times(join):
        raise UnsupportedSql(
            "an interval join, which bounds the event times of its two sides, is not supported yet",
            where=join.position,
            found=f"condition {join.residual}",
            cure="CAST the times AS TIMESTAMP(6) for a join without event time, which keeps all rows",
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
    return any(
        all(_uncast_names(part) & side for side in times) for part in parts_of(join.residual)
    )


def _uncast_names(expr: Expr) -> set[str]:
    """A CAST makes an event time a plain value, as in Flink."""
    if isinstance(expr, Cast):
        return set()
    own = {expr.name} if isinstance(expr, InputRef) else set()
    return own.union(*map(_uncast_names, expr.children()))


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


def check_conflict(plan: Plan) -> None:
    """ON CONFLICT: rows of one key of the sink that the query does not hold apart."""
    sink = plan.root.node
    assert isinstance(sink, Sink)
    if not sink.is_upsert:
        if sink.conflict is not None:
            raise PlanError(
                "ON CONFLICT is for sinks that are written by their primary key",
                found=f"connector '{sink.table.connector.name}'",
                cure="leave ON CONFLICT out",
            )
        return
    if sink.materialize is UpsertMaterialize.NONE:
        if sink.conflict is not None:
            raise PlanError(
                "ON CONFLICT needs the rows of each key, and 'table.exec.sink.upsert-materialize' = 'NONE' keeps none",
                cure="RESET 'table.exec.sink.upsert-materialize', or leave ON CONFLICT out",
            )
    elif plan.settings.require_on_conflict and sink.conflict is None:
        query = sink.input.input if isinstance(sink.input, Materialize) else sink.input
        if may_conflict(sink.with_inputs((query,))):
            raise _conflict_unsaid(sink, query)


def _conflict_unsaid(sink: Sink, query: Node) -> PlanError:
    keys = [", ".join(sorted(key)) for key in unique_keys(query)]
    return PlanError(
        "the query may give several rows for one key of the sink, and does not say which one counts",
        condition="CONFLICT_UNSAID",
        found=f"a query with the key ({keys[0]})" if keys else "a query without a key",
        expected=f"a query with the key ({', '.join(sink.table.primary_key)})",
        cure="ON CONFLICT DO DEDUPLICATE (the newest counts), DO NOTHING (the first) or DO ERROR",
    )
