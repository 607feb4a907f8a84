"""Questions about types, and bytes as text. CAST and TRY_CAST are expressions of their own, not functions."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.plan.functions.signatures import always, scalar
from headrace.types import BOOLEAN, STRING, DataType


def _typeof(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """The second argument asks for the serializable form, which says no more here."""
    return "'" + types[0].sql().replace("'", "\\'") + "'"


FUNCTIONS = (
    scalar(
        "TYPEOF",
        "any bool?",
        always(STRING),
        _typeof,
        "TYPEOF(1) -> INT NOT NULL\nTYPEOF(CAST('a' AS STRING)) -> STRING NOT NULL\nTYPEOF(1.5 * 2) -> DECIMAL(13, 1) NOT NULL",
    ),
    # Bytes become text of Spark as they are.
    scalar(
        "IS_VALID_UTF8",
        "bytes",
        BOOLEAN,
        "is_valid_utf8({0:string})",
        "IS_VALID_UTF8(x'48656C6C6F') -> TRUE\nIS_VALID_UTF8(x'80') -> FALSE\nIS_VALID_UTF8(x'C080') -> FALSE\n"
        "IS_VALID_UTF8(x'EDA080') -> FALSE\nIS_VALID_UTF8(x'F4908080') -> FALSE\n"
        "IS_VALID_UTF8(CAST(NULL AS BYTES)) -> NULL",
    ),
    scalar(
        "MAKE_VALID_UTF8",
        "bytes",
        STRING,
        "flink_make_valid_utf8({0})",
        "MAKE_VALID_UTF8(x'48656C6C6F') -> Hello\nMAKE_VALID_UTF8(x'80') -> �\n"
        "MAKE_VALID_UTF8(x'61EDA08062') -> a�b",
    ),
)
