"""EXPLAIN: the plan object as text or as data. It prints what the run will use, because it prints the same object."""

from __future__ import annotations

from typing import Any

from headrace.plan.plan import Plan, Planned


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
        kept = f" for {traits.state_ttl}" if traits.state_ttl else " for ever"
        parts.append(f"state: {traits.state},{kept}")
    parts.append("Java operator" if traits.engine == "java" else "native Spark")
    return "; ".join(parts) + (f" ({traits.reason})" if traits.reason else "")


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
    return [line for planned in plan.root.walk() for line in _advice_for(planned)]


def _advice_for(planned: Planned) -> list[str]:
    traits = planned.traits
    if traits.state and not traits.state_ttl and not traits.bounded:
        name = type(planned.node).__name__
        return [
            f"{name} keeps its state for ever ({traits.state}): if old keys stop changing, "
            "SET 'table.exec.state.ttl' = '1 d' lets them go"
        ]
    return []
