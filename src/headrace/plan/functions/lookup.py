"""The one table of functions, by name."""

from __future__ import annotations

from headrace.errors import UnknownName, UnsupportedSql, UserError
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


# Not computed from arguments: the planner knows the answer from where the call stands, or refuses it there.
PLANNED = {
    "CURRENT_DATABASE": "a query",
    "GROUPING": "a query with GROUP BY",
    "GROUPING_ID": "a query with GROUP BY",
    "GROUP_ID": "a query with GROUP BY",
}

# Built into Flink, without an exact counterpart here.
NOT_RUN = frozenset(
    [
        "CUMULATE",
        "CURRENT_WATERMARK",
        "HOP",
        "HOP_END",
        "HOP_ROWTIME",
        "HOP_START",
        "OBJECT_OF",
        "OBJECT_UPDATE",
        "PARSE_JSON",
        "SESSION",
        "SESSION_END",
        "SESSION_ROWTIME",
        "SESSION_START",
        "TRY_PARSE_JSON",
        "TUMBLE",
        "TUMBLE_END",
        "TUMBLE_ROWTIME",
        "TUMBLE_START",
    ]
)


def lookup_scalar(name: str) -> ScalarFunction:
    found = SCALARS.get(name.upper())
    if found is None:
        raise _missing(name)
    return found


def lookup_aggregate(name: str) -> AggregateFunction:
    found = AGGREGATES.get(name.upper())
    if found is None:
        raise _missing(name)
    return found


def _missing(name: str) -> UserError:
    if name.upper() in NOT_RUN:
        return UnsupportedSql(f"function {name.upper()} of Flink is not supported")
    return UnknownName("function", name, function_names())


def is_aggregate_name(name: str) -> bool:
    return name.upper() in AGGREGATES


def function_names() -> list[str]:
    """Every function that is called by name; operators are left out."""
    # JSON_QUERY has rows for its forms only.
    names = (*SCALARS, *AGGREGATES, *PLANNED, "JSON_QUERY")
    return sorted(name for name in names if name.replace("_", "").isalnum() and name not in _WORDS)


# Operators that are words.
_WORDS = ("AND", "BETWEEN", "IN", "LIKE", "NOT", "OR", "OVERLAPS")
