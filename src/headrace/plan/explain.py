"""EXPLAIN: the plan object as text or as data. It prints what the run will use, because it prints the same object."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from headrace.plan.plan import Plan, Planned, Traits

DURATION_UNITS = (
    ("d", timedelta(days=1)),
    ("h", timedelta(hours=1)),
    ("min", timedelta(minutes=1)),
    ("s", timedelta(seconds=1)),
    ("ms", timedelta(milliseconds=1)),
)


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
        parts.append(f"state: {traits.state}, {_kept(traits)}")
    parts.append("Java operator" if traits.engine == "java" else "native Spark")
    return "; ".join(parts) + (f" ({traits.reason})" if traits.reason else "")


def _kept(traits: Traits) -> str:
    if traits.state_ttl:
        return f"for {_duration(traits.state_ttl)}"
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
    return {
        "operator": type(planned.node).__name__,
        "label": planned.node.label(),
        "columns": [{"name": f.name, "type": f.type.sql()} for f in planned.node.schema],
        "changelog": sorted(kind.short for kind in traits.mode.kinds),
        "key": list(traits.key) if traits.key is not None else None,
        "state": traits.state or None,
        "state_ttl_ms": int(traits.state_ttl.total_seconds() * 1000) or None,
        "engine": traits.engine,
        "reason": traits.reason or None,
        "inputs": [_node_dict(child) for child in planned.inputs],
    }


def advise(plan: Plan) -> list[str]:
    lines = (line for planned in plan.root.walk() for line in _advice_for(planned))
    return list(dict.fromkeys(lines))


def _advice_for(planned: Planned) -> list[str]:
    traits = planned.traits
    if traits.state and not traits.state_ttl and not traits.bounded:
        name = type(planned.node).__name__
        return [
            f"{name} keeps its state for ever ({traits.state}): if old keys stop changing, "
            "SET 'table.exec.state.ttl' = '1 d' lets them go"
        ]
    return []
