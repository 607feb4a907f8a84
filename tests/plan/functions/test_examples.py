"""Every function of the table gives the result that Flink documents, when Spark runs it."""

from __future__ import annotations

import pytest

from headrace.plan.binder import Scope, bind
from headrace.plan.calls import cast
from headrace.plan.functions.lookup import SCALARS
from headrace.spark.expressions import spark_sql
from headrace.sql.dialect import parse_expression
from headrace.types import STRING

EXAMPLES = [pair for function in SCALARS.values() for pair in function.examples()]
# More columns than this in one generated class make the JVM compile it slowly.
PER_QUERY = 40
# With folding on, most examples would be computed by the optimiser and never by generated code.
FOLDING = ",".join(
    f"org.apache.spark.sql.catalyst.optimizer.{rule}"
    for rule in ("ConstantFolding", "ConvertToLocalRelation", "NullPropagation")
)
# The clock has no fixed answer, and the helper of JSON_VALUE is reached through its options.
WITHOUT_EXAMPLE = {
    "CURRENT_DATE",
    "CURRENT_ROW_TIMESTAMP",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "JSON_VALUE FAILS",
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


@pytest.fixture
def plain_spark(spark):
    settings = {"spark.sql.timeType.enabled": "true", "spark.sql.optimizer.excludedRules": FOLDING}
    for key, value in settings.items():
        spark.conf.set(key, value)
    yield spark
    for key in settings:
        spark.conf.unset(key)


@pytest.mark.spark
@pytest.mark.slow
def test_spark_gives_flinks_results(plain_spark):
    wrong = []
    for start in range(0, len(EXAMPLES), PER_QUERY):
        part = EXAMPLES[start : start + PER_QUERY]
        texts = [spark_sql(cast(bind(parse_expression(sql), Scope([])), STRING)) for sql, _ in part]
        columns = ", ".join(f"{text} AS c{index}" for index, text in enumerate(texts))
        row = plain_spark.sql(f"SELECT {columns} FROM range(1)").collect()[0]
        wrong += [
            (sql, expected, shown(value))
            for (sql, expected), value in zip(part, row, strict=True)
            if shown(value) != expected
        ]
    assert wrong == []


@pytest.mark.spark
def test_the_clock_answers(plain_spark):
    names = sorted(WITHOUT_EXAMPLE - {"JSON_VALUE FAILS"})
    calls = [
        f"{name}()" if name in ("NOW", "PROCTIME", "CURRENT_ROW_TIMESTAMP") else name
        for name in names
    ]
    texts = [spark_sql(bind(parse_expression(call), Scope([]))) for call in calls]
    frame = plain_spark.sql(f"SELECT {', '.join(texts)} FROM range(1)")
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
