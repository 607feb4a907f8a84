"""Short ways from Flink SQL text to a bound expression, its type and its Spark text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Expr
from headrace.plan.nodes import Field
from headrace.spark.expressions import spark_sql
from headrace.sql.dialect import parse_expression
from headrace.types import DataType

Bound = Callable[..., Expr]


@pytest.fixture
def bound() -> Bound:
    def make(sql: str, **columns: DataType) -> Expr:
        fields = [(None, name, Field(name, kind)) for name, kind in columns.items()]
        return bind(parse_expression(sql), Scope(fields))

    return make


@pytest.fixture
def type_of(bound: Bound) -> Callable[..., str]:
    return lambda sql, **columns: bound(sql, **columns).type.sql()


@pytest.fixture
def text_of(bound: Bound) -> Callable[..., str]:
    return lambda sql, **columns: spark_sql(bound(sql, **columns))
