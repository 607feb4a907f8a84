"""Rows that a query spells out: a plain table, or beside a stream a stream that gives them once and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.changelog import WEIGHT
from headrace.plan.expressions import Expr
from headrace.plan.nodes import Values
from headrace.spark.expressions import spark_sql
from headrace.types import quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SEQUENCE = "headrace.sources.SequenceSource"
# One a nanosecond: the only row is due as soon as it is asked for.
AT_ONCE = 1_000_000_000


def values_frame(spark: SparkSession, node: Values, *, streaming: bool) -> DataFrame:
    """Spark unites no table with a stream; and of a stream the checkpoint knows that its rows were read."""
    row = _one_row_once(spark) if streaming else spark.sql("SELECT 1")
    weighted = row.selectExpr(f"1L AS {WEIGHT}")
    # SELECT without FROM reads a row of no columns.
    return spread(weighted, node.names, node.rows) if node.columns else weighted


def _one_row_once(spark: SparkSession) -> DataFrame:
    source = spark.readStream.format(SEQUENCE).option("rowsPerSecond", AT_ONCE)
    return source.option("numberOfRows", 1).load()


def spread(
    frame: DataFrame, names: tuple[str, ...], rows: tuple[tuple[Expr, ...], ...]
) -> DataFrame:
    """Every row of the frame once for each of `rows`, which compute the columns `names`."""
    structs = ", ".join(_struct(names, cells) for cells in rows)
    exploded = frame.selectExpr(f"inline(array({structs}))", WEIGHT)
    return exploded.selectExpr(*map(quote, names), WEIGHT)


def _struct(names: tuple[str, ...], cells: tuple[Expr, ...]) -> str:
    typed = (
        f"CAST({spark_sql(cell)} AS {cell.type.spark()}) AS {quote(name)}"
        for name, cell in zip(names, cells, strict=True)
    )
    return f"struct({', '.join(typed)})"
