"""A condition on the number that ROW_NUMBER gives says which rows are wanted: the rank keeps to them."""

from __future__ import annotations

from dataclasses import replace

from headrace.plan.conditions import filtered, parts_of
from headrace.plan.expressions import Call, Expr, InputRef, Literal
from headrace.plan.literals import boolean_literal
from headrace.plan.nodes import Filter, Node, Project, Rank
from headrace.plan.rules.rewrite import bottom_up
from headrace.types import BIGINT

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}

Range = tuple[int, int | None]


def bound_ranks(root: Node) -> Node:
    return bottom_up(root, _bound)


def _bound(node: Node) -> Node:
    if not isinstance(node, Filter) or not isinstance(node.input, Rank):
        return node
    rank = node.input
    rest: list[Expr] = []
    for part in parts_of(node.condition):
        wanted = _range(part, rank)
        if wanted is None:
            rest.append(part)
        elif wanted[1] is not None and wanted[1] < wanted[0]:
            return _no_rows(rank)
        else:
            rank = replace(rank, start=wanted[0], end=wanted[1])
    return filtered(rank, rest)


def _no_rows(rank: Rank) -> Node:
    """Conditions that no number meets, as in row_number < 1: nothing to sort, nothing to keep."""
    below = Filter(rank.input, boolean_literal(False))
    if rank.rank is None:
        return below
    kept = tuple((column.name, column.ref()) for column in rank.input.schema)
    return Project(below, (*kept, (rank.rank, Literal(BIGINT.not_null(), 0))))


def _range(part: Expr, rank: Rank) -> Range | None:
    """The numbers that the rank shows and the part allows, none if the last is before the first; None when the part is
    about something else."""
    if rank.rank is None or not isinstance(part, Call):
        return None
    allowed = _between(part, rank.rank) or _compared(part, rank.rank)
    if allowed is None:
        return None
    start = max(rank.start, allowed[0])
    ends = [end for end in (rank.end, allowed[1]) if end is not None]
    return start, min(ends, default=None)


def _between(part: Call, name: str) -> Range | None:
    if part.function.name != "BETWEEN":
        return None
    operand, low, high = part.args
    bounds = _number(low), _number(high)
    if not _is_rank(operand, name) or bounds[0] is None:
        return None
    return bounds[0], bounds[1]


def _compared(part: Call, name: str) -> Range | None:
    operator = part.function.name
    if operator not in MIRRORED:
        return None
    operand, other = part.args
    if _is_rank(other, name):
        operator, operand, other = MIRRORED[operator], other, operand
    bound = _number(other)
    if not _is_rank(operand, name) or bound is None:
        return None
    ranges: dict[str, Range] = {
        "=": (bound, bound),
        "<": (1, bound - 1),
        "<=": (1, bound),
        ">": (bound + 1, None),
        ">=": (bound, None),
    }
    return ranges[operator]


def _is_rank(expr: Expr, name: str) -> bool:
    return isinstance(expr, InputRef) and expr.name == name


def _number(expr: Expr) -> int | None:
    if isinstance(expr, Literal) and isinstance(expr.value, int):
        return expr.value
    return None
