"""Flink's built-in functions: what they take, what they return, and what they are in Spark."""

from headrace.plan.functions.lookup import (
    function_names,
    is_aggregate_name,
    lookup_aggregate,
    lookup_scalar,
)

__all__ = ["function_names", "is_aggregate_name", "lookup_aggregate", "lookup_scalar"]
