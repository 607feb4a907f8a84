from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.plan.functions.temporal_arithmetic import shifted_type
from headrace.sql.dialect import parse_type
from headrace.types import DATE, timestamp, timestamp_ltz

COLUMNS = {"d": DATE, "ts": timestamp(3), "ltz": timestamp_ltz(3)}


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("ts - INTERVAL '5' SECOND", "(`ts` - INTERVAL '0 00:00:05.000000' DAY TO SECOND)"),
        ("INTERVAL '1' MONTH + ts", "(`ts` + INTERVAL '0-1' YEAR TO MONTH)"),
        ("d + INTERVAL '1' MONTH", "(`d` + INTERVAL '0-1' YEAR TO MONTH)"),
        (
            "d - INTERVAL '2' DAY",
            "date_add(`d`, -extract(DAY FROM INTERVAL '2 00:00:00.000000' DAY TO SECOND))",
        ),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, **COLUMNS) == text


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("d + INTERVAL '1' DAY", "DATE"),
        ("ts + INTERVAL '1' YEAR", "TIMESTAMP(3)"),
        ("ltz - INTERVAL '1' HOUR", "TIMESTAMP_LTZ(3)"),
        ("INTERVAL '1' DAY + INTERVAL '1' HOUR", "INTERVAL DAY TO SECOND NOT NULL"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, **COLUMNS) == kind


@pytest.mark.parametrize(
    ("operator", "left", "right"),
    [
        ("-", "TIMESTAMP(3)", "TIMESTAMP(3)"),
        ("+", "DATE", "DATE"),
        ("-", "INTERVAL DAY TO SECOND", "DATE"),
        ("+", "INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH"),
        ("+", "TIMESTAMP(3)", "INT"),
    ],
)
def test_what_has_no_sum(operator, left, right):
    with pytest.raises(TypeMismatch) as caught:
        shifted_type(operator, [parse_type(left), parse_type(right)])
    assert caught.value.found is not None
    assert f" {operator} " in caught.value.found
    assert "TIMESTAMPDIFF" in (caught.value.cure or "")
