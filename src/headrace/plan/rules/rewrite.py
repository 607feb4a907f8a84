"""How a rule walks the tree."""

from __future__ import annotations

from collections.abc import Callable

from headrace.plan.nodes import Node


def bottom_up(node: Node, change: Callable[[Node], Node]) -> Node:
    inputs = tuple(bottom_up(child, change) for child in node.inputs)
    same = all(new is old for new, old in zip(inputs, node.inputs, strict=True))
    return change(node if same else node.with_inputs(inputs))
