"""What a sink's declared types ask of the rows bound for it: no NULL in NOT NULL, text and bytes of the declared length.

Lengths matter only where data is longer than the types say, since the planner already casts what has another type.
Rows that go are not looked at: a tombstone has NULL in every column but its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from headrace.catalog.table import Table
from headrace.changelog import WEIGHT
from headrace.plan.plan import PlanSettings
from headrace.spark.casts import cast_sql
from headrace.spark.literals import string_sql
from headrace.types import BINARY_KINDS, BYTES, CHARACTER, STRING, DataType, Kind, quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# What the setting for nested constraints looks into.
NESTED: dict[str, tuple[Kind, ...]] = {
    "IGNORE": (),
    "ROWS": (Kind.ROW,),
    "ROWS_AND_COLLECTIONS": (Kind.ROW, Kind.ARRAY, Kind.MAP, Kind.MULTISET),
}

# A condition that must hold, and what is told when it does not.
Check = tuple[str, str]
Checks = Callable[[str, str, DataType, tuple[Kind, ...]], Iterator[Check]]


def enforce(df: DataFrame, table: Table, settings: PlanSettings) -> DataFrame:
    inside = NESTED[settings.nested_enforcer]
    columns = [(column.name, column.type) for column in table.persisted_columns]
    if settings.length_enforcer == "TRIM_PAD":
        df = _fitted(df, dict(columns), inside)
    for name, kind in columns:
        for holds, fact in _nulls(quote(name), name, kind, inside):
            drops = settings.not_null_enforcer == "DROP"
            df = _guarded(df, holds, None if drops else f"NULL_IN_NOT_NULL {fact}", table)
        if settings.length_enforcer == "ERROR":
            for holds, fact in _lengths(quote(name), name, kind, inside):
                df = _guarded(df, holds, f"WRONG_LENGTH {fact}", table)
    return df


def _guarded(df: DataFrame, holds: str, fact: str | None, table: Table) -> DataFrame:
    """Rows for which the condition does not hold fail with the fact, or are left out where there is none."""
    told = None if fact is None else string_sql(f"{fact} table={table.identifier}")
    failed = "false" if told is None else f"raise_error({told})"
    return df.where(f"CASE WHEN {WEIGHT} < 0 OR {holds} THEN true ELSE {failed} END")


def _nulls(text: str, path: str, kind: DataType, inside: tuple[Kind, ...]) -> Iterator[Check]:
    if not kind.nullable:
        yield f"{text} IS NOT NULL", f"column={path}"
    for holds, fact in _within(text, path, kind, inside, _nulls):
        yield f"({text} IS NULL OR {holds})", fact


def _lengths(text: str, path: str, kind: DataType, inside: tuple[Kind, ...]) -> Iterator[Check]:
    if kind.kind in (*CHARACTER, *BINARY_KINDS) and kind.length is not None:
        size = "char_length" if kind.kind in CHARACTER else "octet_length"
        sign = "=" if kind.kind in (Kind.CHAR, Kind.BINARY) else "<="
        fact = f"column={path} type={kind.as_nullable().sql()}"
        yield f"({text} IS NULL OR {size}({text}) {sign} {kind.length})", fact
    for holds, fact in _within(text, path, kind, inside, _lengths):
        yield f"({text} IS NULL OR {holds})", fact


def _within(
    text: str, path: str, kind: DataType, inside: tuple[Kind, ...], checks: Checks
) -> Iterator[Check]:
    """The checks of what a row or a collection holds, as conditions on the whole."""
    if kind.kind not in inside:
        return
    if kind.kind is Kind.ROW:
        for name, child in kind.fields():
            yield from checks(f"{text}.{quote(name)}", f"{path}.{name}", child, inside)
        return
    item = f"__c{path.count('.')}"
    for part, items, child in _parts(text, kind):
        for holds, fact in checks(item, f"{path}.{part}", child, inside):
            yield f"forall({items}, {item} -> {holds})", fact


def _parts(text: str, kind: DataType) -> list[tuple[str, str, DataType]]:
    """What a collection consists of: its name in messages, the items, and their type."""
    if kind.kind is Kind.ARRAY:
        return [("element", text, kind.children[0])]
    keys = ("key", f"map_keys({text})", kind.children[0])
    if kind.kind is Kind.MULTISET:
        return [keys]
    return [keys, ("value", f"map_values({text})", kind.children[1])]


def _fitted(df: DataFrame, columns: dict[str, DataType], inside: tuple[Kind, ...]) -> DataFrame:
    """Text and bytes cut and padded to their declared length."""
    fitted = {
        name: cast_sql(quote(name), _unbounded(kind, inside), kind)
        for name, kind in columns.items()
        if _unbounded(kind, inside) != kind
    }
    if not fitted:
        return df
    made = (f"{fitted[n]} AS {quote(n)}" if n in fitted else quote(n) for n in df.columns)
    return df.selectExpr(*made)


def _unbounded(kind: DataType, inside: tuple[Kind, ...]) -> DataType:
    """The type without the lengths that are to be enforced."""
    if kind.kind in CHARACTER and kind.length is not None:
        return STRING.as_nullable(kind.nullable)
    if kind.kind in BINARY_KINDS and kind.length is not None:
        return BYTES.as_nullable(kind.nullable)
    if kind.kind not in inside:
        return kind
    return replace(kind, children=tuple(_unbounded(child, inside) for child in kind.children))
