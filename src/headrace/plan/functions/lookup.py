"""The one table of functions, by name."""

from __future__ import annotations

from headrace.errors import UnknownName
from headrace.plan.functions import (
    aggregates,
    arithmetic,
    collection,
    comparison,
    conditional,
    conversion,
    hashing,
    json_text,
    temporal,
    text,
)
from headrace.plan.functions.registry import AggregateFunction, ScalarFunction

_FAMILIES = (
    comparison,
    arithmetic,
    text,
    temporal,
    conditional,
    conversion,
    collection,
    hashing,
    json_text,
)

SCALARS: dict[str, ScalarFunction] = {
    function.name: function for family in _FAMILIES for function in family.FUNCTIONS
}
AGGREGATES: dict[str, AggregateFunction] = {
    function.name: function for function in aggregates.AGGREGATES
}


def lookup_scalar(name: str) -> ScalarFunction:
    found = SCALARS.get(name.upper())
    if found is None:
        raise UnknownName("function", name, function_names())
    return found


def lookup_aggregate(name: str) -> AggregateFunction:
    found = AGGREGATES.get(name.upper())
    if found is None:
        raise UnknownName("function", name, function_names())
    return found


def is_aggregate_name(name: str) -> bool:
    return name.upper() in AGGREGATES


def function_names() -> list[str]:
    """Every function that is called by name; operators are left out."""
    # JSON_QUERY has rows for its forms only.
    names = (*SCALARS, *AGGREGATES, "JSON_QUERY")
    return sorted(name for name in names if name.replace("_", "").isalnum() and name not in _WORDS)


# Operators that are words.
_WORDS = ("AND", "BETWEEN", "IN", "LIKE", "NOT", "OR")
