"""Questions about types. CAST and TRY_CAST are expressions of their own, not functions."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.plan.functions.signatures import always, scalar
from headrace.types import STRING, DataType


def _typeof(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    return "'" + types[0].sql().replace("'", "\\'") + "'"


FUNCTIONS = (
    scalar(
        "TYPEOF",
        "any",
        always(STRING.not_null()),
        _typeof,
        "TYPEOF(1) -> INT NOT NULL\nTYPEOF(CAST('a' AS STRING)) -> STRING NOT NULL\nTYPEOF(1.5 * 2) -> DECIMAL(13, 1) NOT NULL",
    ),
)
