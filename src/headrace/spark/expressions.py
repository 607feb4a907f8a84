"""Bound expressions as Spark SQL text. Spark runs with ANSI mode on: a CAST that fails is an error, as in Flink."""

from __future__ import annotations

from headrace.errors import InternalError
from headrace.plan.expressions import Call, Case, Cast, Expr, FieldAccess, InputRef, Literal
from headrace.spark.casts import cast_sql
from headrace.spark.literals import literal_sql
from headrace.types import quote


def spark_sql(expr: Expr) -> str:
    """The text of an expression; columns are back-quoted names of the input."""
    match expr:
        case InputRef():
            return quote(expr.name)
        case Literal():
            return literal_sql(expr)
        case Call():
            types = [arg.type for arg in expr.args]
            return expr.function.spark_sql([spark_sql(arg) for arg in expr.args], types, expr.type)
        case Cast():
            operand = spark_sql(expr.operand)
            return cast_sql(operand, expr.operand.type, expr.type, try_cast=expr.try_cast)
        case Case():
            whens = (f"WHEN {spark_sql(c)} THEN {spark_sql(v)}" for c, v in expr.branches)
            return f"CASE {' '.join(whens)} ELSE {spark_sql(expr.otherwise)} END"
        case FieldAccess():
            return f"{spark_sql(expr.operand)}.{quote(expr.name)}"
    raise InternalError(f"no Spark text for {type(expr).__name__}")
