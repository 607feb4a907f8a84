"""Equality of collections: Spark compares no maps, so that each is compared as its sorted entries."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.plan.functions.registry import SparkText
from headrace.types import DataType, Kind, quote

_MAPS = (Kind.MAP, Kind.MULTISET)


def by_equality(template: str) -> SparkText:
    """The text of a comparison whose sides `{0}` and `{1}` may hold maps."""

    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        return template.format(*(as_comparable(a, t) for a, t in zip(args, types, strict=True)))

    return text


def as_comparable(text: str, kind: DataType, depth: int = 0) -> str:
    """The value itself, or without maps where it holds some; `depth` numbers the lambda variables."""
    if not holds_maps(kind):
        return text
    item = f"__c{depth}"
    if kind.kind is Kind.ARRAY:
        return f"transform({text}, {item} -> {as_comparable(item, kind.children[0], depth + 1)})"
    if kind.kind is Kind.ROW:
        return _row(text, kind, depth)
    value = f"{item}.value"
    if kind.kind is Kind.MAP:
        value = as_comparable(value, kind.children[1], depth + 1)
    entry = f"struct({as_comparable(f'{item}.key', kind.children[0], depth + 1)}, {value})"
    return f"array_sort(transform(map_entries({text}), {item} -> {entry}))"


def _row(text: str, kind: DataType, depth: int) -> str:
    fields = (as_comparable(f"{text}.{quote(name)}", held, depth) for name, held in kind.fields())
    return f"if({text} IS NULL, NULL, struct({', '.join(fields)}))"


def holds_maps(kind: DataType) -> bool:
    return kind.kind in _MAPS or any(map(holds_maps, kind.children))
