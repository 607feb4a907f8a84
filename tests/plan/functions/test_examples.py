"""Every function of the table gives the result that Flink documents, when Spark runs it."""

from __future__ import annotations

import pytest

from headrace.plan.binder import Scope, bind
from headrace.plan.calls import cast
from headrace.plan.expressions import Call, InputRef, Literal
from headrace.plan.functions.lookup import SCALARS
from headrace.plan.functions.temporal import PARTS, ROUNDING_UNITS
from headrace.spark.expressions import spark_sql
from headrace.sql.dialect import parse_expression
from headrace.types import STRING

EXAMPLES = [pair for function in SCALARS.values() for pair in function.examples()]
# More columns than this in one generated class make the JVM compile it slowly.
PER_QUERY = 40
# Functions whose second and later arguments Spark wants as literals.
LITERAL_ARGUMENTS = (
    "ARRAY_SORT",
    "JSON_",
    "LIKE ESCAPE",
    "RAND",
    "ROUND",
    "TO_TIMESTAMP_LTZ",
    "TRUNCATE",
)
KEYWORDS = {*PARTS, *ROUNDING_UNITS, "BOTH", "LEADING", "TRAILING"}
# The clock has no fixed answer.
WITHOUT_EXAMPLE = {
    "CURRENT_DATE",
    "CURRENT_ROW_TIMESTAMP",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "NOW",
    "PROCTIME",
}


def test_every_other_function_has_an_example():
    assert {name for name, function in SCALARS.items() if not function.example} == WITHOUT_EXAMPLE


@pytest.mark.parametrize(("sql", "expected"), EXAMPLES, ids=[sql for sql, _ in EXAMPLES])
def test_an_example_binds_and_has_text(sql, expected):
    expr = bind(parse_expression(sql), Scope([]))
    assert spark_sql(expr)
    assert expected != "NULL" or expr.type.nullable, "a result that is NULL must be typed nullable"


def shown(value):
    return {None: "NULL", "": "''"}.get(value, value)


class Columns:
    """Literals turned into columns of one row, so that generated code computes the examples, not the optimiser."""

    def __init__(self):
        self.texts = []

    def of(self, expr):
        kept = {
            arg
            for node in expr.walk()
            if isinstance(node, Call) and node.function.name.startswith(LITERAL_ARGUMENTS)
            for arg in node.args
        }
        return expr.transform(lambda node: node if node in kept else self._column(node))

    def _column(self, node):
        if not isinstance(node, Literal) or node.value is None or node.value in KEYWORDS:
            return node
        self.texts.append(spark_sql(node))
        return InputRef(node.type, f"c{len(self.texts) - 1}")

    def sql(self):
        return ", ".join(f"{text} AS c{index}" for index, text in enumerate(self.texts)) or "1"


@pytest.mark.spark
@pytest.mark.slow
def test_spark_gives_flinks_results(spark):
    wrong = []
    for start in range(0, len(EXAMPLES), PER_QUERY):
        part, columns = EXAMPLES[start : start + PER_QUERY], Columns()
        exprs = [columns.of(bind(parse_expression(sql), Scope([]))) for sql, _ in part]
        texts = [f"{spark_sql(cast(expr, STRING))} AS r{index}" for index, expr in enumerate(exprs)]
        rows = spark.sql(f"SELECT {columns.sql()} FROM range(1)").localCheckpoint()
        row = rows.selectExpr(*texts).collect()[0]
        wrong += [
            (sql, expected, shown(value))
            for (sql, expected), value in zip(part, row, strict=True)
            if shown(value) != expected
        ]
    assert wrong == []


@pytest.mark.spark
def test_the_clock_answers(spark):
    names = sorted(WITHOUT_EXAMPLE)
    calls = [
        f"{name}()" if name in ("NOW", "PROCTIME", "CURRENT_ROW_TIMESTAMP") else name
        for name in names
    ]
    texts = [spark_sql(bind(parse_expression(call), Scope([]))) for call in calls]
    frame = spark.sql(f"SELECT {', '.join(texts)} FROM range(1)")
    assert [field.dataType.simpleString() for field in frame.schema] == [
        "date",
        "timestamp",
        "time(0)",
        "timestamp",
        "time(0)",
        "timestamp_ntz",
        "timestamp",
        "timestamp",
    ]
    assert all(value is not None for value in frame.collect()[0])
