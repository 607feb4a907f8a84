"""EXPLAIN: the plan object as text or as data. It prints what the run will use, because it prints the same object."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from headrace.plan.nodes import Conflict, Join, Materialize, Scan, Sink
from headrace.plan.plan import Plan, Planned, Traits
from headrace.plan.rules.materialize_sink_key import may_conflict

DURATION_UNITS = (
    ("d", timedelta(days=1)),
    ("h", timedelta(hours=1)),
    ("min", timedelta(minutes=1)),
    ("s", timedelta(seconds=1)),
    ("ms", timedelta(milliseconds=1)),
)

WATERMARK_OPTIONS = "scan.watermark."


def explain_text(plan: Plan) -> str:
    lines = ["== Plan =="]
    lines.extend(_lines(plan.root, "", ""))
    advice = advise(plan)
    if advice:
        lines += ["", "== Advice ==", *(f"- {item}" for item in advice)]
    return "\n".join(lines)


def _lines(planned: Planned, first: str, rest: str) -> list[str]:
    lines = [
        f"{first}{planned.node.label()}",
        f"{rest}{'|' if planned.inputs else ' '}    {_facts(planned)}",
    ]
    for index, child in enumerate(planned.inputs):
        last = index == len(planned.inputs) - 1
        lines.extend(_lines(child, rest + "+- ", rest + ("   " if last else "|  ")))
    return lines


def _facts(planned: Planned) -> str:
    traits = planned.traits
    parts = [f"changelog={traits.mode}"]
    if traits.key is not None:
        parts.append(f"key=({', '.join(traits.key)})")
    if traits.state:
        parts.append(f"state: {state_facts(traits)}")
    parts.append("Java operator" if traits.engine == "java" else "native Spark")
    return "; ".join(parts) + (f" ({traits.reason})" if traits.reason else "")


def state_facts(traits: Traits) -> str:
    """What a node keeps and for how long; empty for one that keeps nothing."""
    return f"{traits.state}, {_kept(traits)}" if traits.state else ""


def _kept(traits: Traits) -> str:
    left, right = (_length(time, traits) for time in (traits.state_ttl, traits.right_state_ttl))
    return left if left == right else f"left {left}, right {right}"


def _length(time_to_live: timedelta, traits: Traits) -> str:
    if time_to_live:
        return f"for {_duration(time_to_live)}"
    return "until the job ends" if traits.bounded else "for ever"


def _duration(length: timedelta) -> str:
    """As it would be written in an option: the largest unit that needs no fraction."""
    for name, unit in DURATION_UNITS:
        if length % unit == timedelta(0):
            return f"{length // unit} {name}"
    return f"{length / timedelta(milliseconds=1)} ms"


def explain_dict(plan: Plan) -> dict[str, Any]:
    return {"plan": _node_dict(plan.root), "advice": advise(plan), "bounded": plan.is_bounded}


def _node_dict(planned: Planned) -> dict[str, Any]:
    traits = planned.traits
    facts: dict[str, Any] = {
        "operator": type(planned.node).__name__,
        "label": planned.node.label(),
        "columns": [{"name": f.name, "type": f.type.sql()} for f in planned.node.schema],
        "changelog": sorted(kind.short for kind in traits.mode.kinds),
        "key": list(traits.key) if traits.key is not None else None,
        "state": traits.state or None,
        "state_ttl_ms": _millis(traits.state_ttl),
        "engine": traits.engine,
        "reason": traits.reason or None,
        "inputs": [_node_dict(child) for child in planned.inputs],
    }
    if traits.right_state_ttl != traits.state_ttl:
        facts["right_state_ttl_ms"] = _millis(traits.right_state_ttl)
    return facts


def _millis(length: timedelta) -> int | None:
    return length // timedelta(milliseconds=1) or None


def advise(plan: Plan) -> list[str]:
    lines = (line for planned in plan.root.walk() for line in _advice_for(planned))
    return list(dict.fromkeys(lines))


def _advice_for(planned: Planned) -> Iterator[str]:
    traits = planned.traits
    endless = not (traits.state_ttl and traits.right_state_ttl)
    if traits.state and endless and not traits.bounded:
        yield (
            f"{type(planned.node).__name__} keeps its state for ever ({traits.state}): if old keys stop changing, "
            "SET 'table.exec.state.ttl' = '1 d' lets them go"
        )
    match planned.node:
        case Scan(table=table) if any(key.startswith(WATERMARK_OPTIONS) for key in table.options):
            yield (
                f"the options '{WATERMARK_OPTIONS}*' of {table.identifier} change nothing: no operator of this plan "
                "reads event time"
            )
        case Join(left_keys=()) if frozenset() not in planned.inputs[1].traits.keys:
            yield (
                "Join has no equality between its sides: one task holds all rows of both and compares each with each; "
                "an equality, even of a coarse column, spreads them"
            )
        case Materialize(conflict=Conflict.DEDUPLICATE) if planned.node.table:
            yield _key_advice(planned.node)
        case Sink(conflict=None) as sink if sink.is_upsert and may_conflict(sink):
            yield (
                f"several rows of the query may have one key of the sink ({', '.join(sink.table.primary_key)}), and the "
                "one that comes last counts: GROUP BY the key, or say so with ON CONFLICT DO DEDUPLICATE"
            )


def _key_advice(node: Materialize) -> str:
    own = f"the key ({', '.join(node.own_key)})" if node.own_key else "no key"
    return (
        f"Materialize keeps all rows of a key, because the query has {own} and the sink ({', '.join(node.key)}): "
        "GROUP BY the sink's key, or give the sink the query's, and it goes"
    )
