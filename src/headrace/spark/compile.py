"""From the plan to DataFrames. Stateless nodes are Spark's own operators; stateful ones are the Java operators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from functools import singledispatchmethod
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from headrace.changelog import WEIGHT
from headrace.errors import InternalError
from headrace.plan.expressions import AggregateCall, Expr, InputRef
from headrace.plan.nodes import (
    Aggregate,
    Expand,
    Filter,
    Join,
    Materialize,
    Node,
    Normalize,
    Project,
    Rank,
    Repeat,
    Scan,
    Sink,
    Union,
    Unnest,
    Values,
)
from headrace.plan.plan import Plan, Planned
from headrace.spark.constraints import enforce
from headrace.spark.expressions import spark_sql
from headrace.spark.scans import ScanFrames
from headrace.spark.unnest import ITEM, ITEM_NUMBER, item_columns, items_of
from headrace.spark.values import spread, values_frame
from headrace.types import quote


class Compiler:
    """`compile(plan)` gives the rows that reach the plan's root, each with its weight in the last column."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self._streaming = False
        self._scans: ScanFrames = ScanFrames(spark, ())

    def compile(self, plan: Plan) -> DataFrame:
        (df,) = self.compile_all([plan])
        return df

    def compile_all(self, plans: Sequence[Plan]) -> list[DataFrame]:
        """Plans that become one streaming query: a table that stands in it several times is read once."""
        self._scans = ScanFrames(self.spark, [scan for plan in plans for scan in plan.scans])
        return [self._compile_plan(plan) for plan in plans]

    def _compile_plan(self, plan: Plan) -> DataFrame:
        self._streaming = plan.has_stream
        (below,) = plan.root.inputs
        df = self._compile(below)
        sink = plan.root.node
        return enforce(df, sink.table, plan.settings) if isinstance(sink, Sink) else df

    def _compile(self, planned: Planned) -> DataFrame:
        inputs = [self._compile(child) for child in planned.inputs]
        return self._node(planned.node, planned, inputs)

    @singledispatchmethod
    def _node(self, node: Node, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        raise InternalError(f"no way to run {type(node).__name__}")

    @_node.register
    def _(self, node: Scan, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        return self._scans.frame(node)

    @_node.register
    def _(self, node: Values, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        return values_frame(self.spark, node, streaming=self._streaming)

    @_node.register
    def _(self, node: Project, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        outputs = [f"{spark_sql(expr)} AS {quote(name)}" for name, expr in node.outputs]
        return inputs[0].selectExpr(*outputs, WEIGHT)

    @_node.register
    def _(self, node: Filter, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        return inputs[0].where(spark_sql(node.condition))

    @_node.register
    def _(self, node: Union, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        first, *others = [df.select(*map(quote, df.columns)) for df in inputs]
        for other in others:
            first = first.union(other)
        return first

    @_node.register
    def _(self, node: Normalize, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        spec = {"keys": [*node.key, *node.origin]} | _stateful(planned)
        return self._operator("normalize", inputs[0], spec=spec)

    @_node.register
    def _(self, node: Aggregate, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        append_only = planned.inputs[0].traits.mode.is_append
        calls = [_call_spec(name, call) for name, call in node.calls]
        spec = {
            "keys": list(node.keys),
            "aggregates": calls,
            "appendOnly": append_only,
            "buckets": node.buckets,
        }
        return self._operator("aggregate", inputs[0], spec=spec | _stateful(planned))

    @_node.register
    def _(self, node: Join, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        spec = {
            "kind": node.kind.lower(),
            "leftKeys": list(node.left_keys),
            "rightKeys": list(node.right_keys),
            "nullSafe": list(node.null_safe),
            "condition": None if node.residual is None else spark_sql(node.residual),
            "mark": node.mark,
            "leftTtlMillis": _millis(planned.traits.state_ttl),
            "rightTtlMillis": _millis(planned.traits.right_state_ttl),
        }
        return self._operator("join", *inputs, spec=spec)

    @_node.register
    def _(self, node: Rank, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        order = [
            {"column": k.column, "descending": k.descending, "nullsFirst": k.nulls_first}
            for k in node.order
        ]
        rows = {"start": node.start, "end": node.end, "rank": node.rank}
        spec = {"partition": list(node.partition), "order": order} | rows
        return self._operator("rank", inputs[0], spec=spec | _ttl(planned))

    @_node.register
    def _(self, node: Materialize, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        spec = {
            "keys": list(node.key),
            "conflict": node.conflict,
            "ownKey": list(node.own_key),
            "inOrder": not any(child.traits.state for child in planned.inputs[0].walk()),
            "appendOnly": planned.inputs[0].traits.mode.is_append,
            "table": node.table,
        }
        return self._operator("materialize", inputs[0], spec=spec | _stateful(planned))

    @_node.register
    def _(self, node: Repeat, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        weight = f"{WEIGHT} * {spark_sql(node.count)} AS {WEIGHT}"
        return inputs[0].selectExpr(*map(quote, node.names), weight)

    @_node.register
    def _(self, node: Unnest, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        kept = [*map(quote, node.input.names), WEIGHT]
        explode = "posexplode_outer" if node.outer else "posexplode"
        items = f"{explode}({items_of(node.collection)}) AS ({ITEM_NUMBER}, {ITEM})"
        exploded = inputs[0].selectExpr(*kept, items)
        return exploded.selectExpr(*kept[:-1], *item_columns(node), WEIGHT)

    @_node.register
    def _(self, node: Expand, planned: Planned, inputs: list[DataFrame]) -> DataFrame:
        return spread(inputs[0], node.output_names, node.rows)

    def _operator(self, name: str, *inputs: DataFrame, spec: dict[str, Any]) -> DataFrame:
        operators: Any = self.spark._jvm.headrace.operators.Operators  # type: ignore[union-attr]
        result = getattr(operators, name)(*(df._jdf for df in inputs), json.dumps(spec))
        return DataFrame(result, self.spark)


def _stateful(planned: Planned) -> dict[str, Any]:
    return {"retract": planned.traits.mode.is_retract} | _ttl(planned)


def _ttl(planned: Planned) -> dict[str, Any]:
    return {"ttlMillis": _millis(planned.traits.state_ttl)}


def _millis(length: timedelta) -> int:
    return length // timedelta(milliseconds=1)


def _call_spec(name: str, call: AggregateCall) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "name": name,
        "function": call.function.accumulator,
        "arguments": [_column(arg) for arg in call.args],
        "distinct": call.distinct,
        "type": call.type.spark(),
        "separator": call.separator,
        "keepsNulls": call.keeps_nulls,
        "percentages": call.percentages,
    }
    if call.filter is not None:
        spec["filter"] = _column(call.filter)
    return spec


def _column(expr: Expr) -> str:
    """Arguments are plain columns: `plan.grouping` puts the rest into a projection below."""
    assert isinstance(expr, InputRef)
    return expr.name
