"""The plan as a picture: a Mermaid flowchart from the sources to the sink."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from headrace.plan.explain import state_facts
from headrace.plan.nodes import Collect, Scan, Sink
from headrace.plan.plan import Plan, Planned

# Labels are cut here; EXPLAIN's text has the rest.
LABEL_WIDTH = 60
STATE_STYLE = "classDef state stroke-width:3px"


def explain_mermaid(plan: Plan) -> str:
    """Boxes are operators, those with thick lines keep state; arrows say which kinds of change they carry."""
    return "\n".join(["flowchart LR", *_drawn(plan.root, None, count()), f"  {STATE_STYLE}"])


def _drawn(planned: Planned, reader: str | None, numbers: Iterator[int]) -> Iterator[str]:
    name = f"n{next(numbers)}"
    yield f"  {name}{_box(planned)}{':::state' if planned.traits.state else ''}"
    if reader is not None:
        yield f'  {name} -->|"{str(planned.traits.mode).strip("[]")}"| {reader}'
    for child in planned.inputs:
        yield from _drawn(child, name, numbers)


def _box(planned: Planned) -> str:
    """Tables are cylinders, what a client sees is rounded."""
    lines = [_cut(planned.node.label())]
    if planned.traits.key is not None:
        lines.append(f"key ({', '.join(planned.traits.key)})")
    if planned.traits.state:
        lines.append(f"state: {state_facts(planned.traits)}")
    text = "<br/>".join(map(_escaped, lines))
    match planned.node:
        case Scan() | Sink():
            return f'[("{text}")]'
        case Collect():
            return f'(["{text}"])'
        case _:
            return f'["{text}"]'


def _cut(text: str) -> str:
    return text if len(text) <= LABEL_WIDTH else text[: LABEL_WIDTH - 1] + "…"


def _escaped(text: str) -> str:
    """Mermaid writes entities with # in place of &."""
    marks = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;"}
    return "".join(marks.get(letter, letter) for letter in text)
