from __future__ import annotations

from dataclasses import dataclass

import pytest

from headrace.errors import InternalError
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Expr
from headrace.plan.nodes import Field
from headrace.spark.expressions import spark_sql
from headrace.sql.dialect import parse_expression, parse_type

COLUMNS = {
    "i": "INT",
    "odd`name": "STRING",
    "r": "ROW<a INT, `b c` ROW<d STRING>>",
    "flag": "BOOLEAN",
    "ts": "TIMESTAMP(6)",
}
SCOPE = Scope([(None, name, Field(name, parse_type(kind))) for name, kind in COLUMNS.items()])


def text(sql: str) -> str:
    return spark_sql(bind(parse_expression(sql), SCOPE))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("i", "`i`"),
        ("`odd``name`", "`odd``name`"),
        ("r.a", "`r`.`a`"),
        ("r.`b c`.d", "`r`.`b c`.`d`"),
        ("1 + i", "flink_add(1, `i`)"),
        ("CAST(i AS STRING)", "CAST(`i` AS string)"),
        ("TRY_CAST(`odd``name` AS INT)", "flink_try_read(`odd``name`, 'int', 0, 'INT')"),
        ("CASE WHEN flag THEN 1 ELSE 2 END", "CASE WHEN `flag` THEN 1 ELSE 2 END"),
        (
            "CASE i WHEN 1 THEN 'x' END",
            "CASE WHEN (`i` = 1) THEN 'x' ELSE CAST(NULL AS string) END",
        ),
        ("NULL", "NULL"),
        ("UPPER('it''s')", "upper('it\\'s')"),
    ],
)
def test_text(sql, expected):
    assert text(sql) == expected


def test_an_expression_of_another_kind_is_a_defect():
    @dataclass(frozen=True, slots=True)
    class Strange(Expr):
        pass

    with pytest.raises(InternalError):
        spark_sql(Strange(parse_type("INT")))


@pytest.mark.spark
def test_columns_are_read_from_a_frame(spark):
    frame = spark.sql(
        "SELECT 7 AS i, 'text' AS `odd``name`, named_struct('a', 1, 'b c', named_struct('d', 'deep')) AS r, "
        "true AS flag, TIMESTAMP_NTZ'2020-01-01 00:00:00.123456' AS ts"
    )
    shown = [
        "i / 2",
        "UPPER(`odd``name`)",
        "r.`b c`.d",
        "CAST(flag AS STRING)",
        "CAST(CAST(ts AS TIMESTAMP(3)) AS STRING)",
    ]
    assert list(frame.selectExpr(*map(text, shown)).collect()[0]) == [
        3,
        "TEXT",
        "deep",
        "TRUE",
        "2020-01-01 00:00:00.123",
    ]
