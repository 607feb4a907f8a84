"""What a job's checkpoint means: its sources, and every stateful operator with all that its state depends on.

A query may be changed and keep its state as long as this stays the same: what stands above the last stateful operator
(columns, conditions, the sink's options) is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import singledispatch
from typing import Any

from headrace.catalog.options import is_secret
from headrace.plan.infer_state import is_stateful
from headrace.plan.nodes import Aggregate, Join, Materialize, Node, Normalize, Rank, Scan, Values
from headrace.plan.plan import Plan, Planned

# {"title": …, "parts": {name of a part: its items}}, as it is kept in JSON.
Entry = dict[str, Any]
Signature = list[Entry]


def state_signature(plans: Sequence[Plan], identities: Mapping[str, str]) -> Signature:
    """`identities`: what the sources read by nature, e.g. the ids of their topics, by name."""
    return [
        _source(item.node, identities) if isinstance(item.node, Scan) else _operator(item)
        for plan in plans
        for item in plan.root.walk()
        if isinstance(item.node, Scan) or is_stateful(item.node)
    ]


def _source(scan: Scan, identities: Mapping[str, str]) -> Entry:
    table = scan.table
    known = [f"{name} ({identities[name]})" for name in _topics(scan) if name in identities]
    options = {key: text for key, text in table.options.items() if not is_secret(key)}
    given = [f"'{key}' = '{text}'" for key, text in sorted(options.items())]
    parts = {"topic": known} if known else {"option": given}
    return {"title": f"source {table.identifier.name}", "parts": parts}


def _topics(scan: Scan) -> list[str]:
    return scan.table.options.get("topic", "").split(";")


def _operator(planned: Planned) -> Entry:
    node = planned.node
    parts = {name: list(items) for name, items in _parts(node).items()}
    parts["input"] = [label for child in planned.inputs for label in _between(child)]
    # Values under MIN, MAX and DISTINCT are kept only where rows can go, whatever the query says of it.
    parts["state"] = [planned.traits.state]
    # Expiring state has another form than lasting state, however long it is kept.
    times = {"state": planned.traits.state_ttl, "right state": planned.traits.right_state_ttl}
    parts["expiry of"] = [name for name, time in times.items() if time]
    return {"title": f"{type(node).__name__} on ({', '.join(_keys(node))})", "parts": parts}


def _between(planned: Planned) -> Iterator[str]:
    """What is done to the rows below an operator, down to the next one that has an entry of its own."""
    node = planned.node
    if isinstance(node, Scan) or is_stateful(node):
        return
    if isinstance(node, Values):
        rows = (f"({', '.join(map(str, row))})" for row in node.rows)
        yield f"Values({', '.join(rows)})"
    else:
        yield node.label()
    for child in planned.inputs:
        yield from _between(child)


@singledispatch
def _parts(node: Node) -> dict[str, Sequence[str]]:
    columns = [f"{f.name} {f.type.sql()}" for child in node.inputs for f in child.schema]
    return {"definition": [node.label()], "column": columns}


@_parts.register
def _(node: Aggregate) -> dict[str, Sequence[str]]:
    columns = {f.name: f.type.sql() for f in node.input.schema}
    return {
        "key": [f"{key} {columns[key]}" for key in node.keys],
        "call": [f"{call} {call.type.sql()}" for _, call in node.calls],
        "column": [f"{name} {type}" for name, type in columns.items()],
    }


def _keys(node: Node) -> Sequence[str]:
    match node:
        case Aggregate(keys=keys) | Join(left_keys=keys):
            return keys
        case Rank(partition=keys) | Normalize(key=keys) | Materialize(key=keys):
            return keys
        case _:
            return ()


def difference(old: Signature, new: Signature) -> str | None:
    """The first thing that differs, in words; None when state of the one is state of the other."""
    for before, after in zip(old, new, strict=False):
        if before["title"] != after["title"]:
            return f"{after['title']}, where there was {before['title']}"
        changed = _changed_part(before["parts"], after["parts"])
        if changed:
            return f"{after['title']}: {changed}"
    if len(new) > len(old):
        return f"new: {new[len(old)]['title']}"
    if len(old) > len(new):
        return f"gone: {old[len(new)]['title']}"
    return None


def _changed_part(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> str | None:
    for name, items in after.items():
        held = before.get(name, [])
        added = [item for item in items if item not in held]
        gone = [item for item in held if item not in items]
        if added:
            return f"new {name} {added[0]}" + (f", was {gone[0]}" if gone else "")
        if gone:
            return f"no {name} {gone[0]} any more"
        if held != items:
            return f"the order of its {name}s"
    return None
