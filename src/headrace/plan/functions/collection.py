"""Arrays, maps and rows. Positions in arrays are 1-based; a position or key that is not there gives NULL.

Lambda variables begin with two underscores: a column of the same name inside the lambda would be hidden by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.functions.equality import as_comparable, by_equality, holds_maps
from headrace.plan.functions.registry import CoercionRule, TypeRule, as_spark
from headrace.plan.functions.signatures import any_nullable, common, same_as, scalar, to_common
from headrace.plan.types import can_store, common_type
from headrace.types import (
    BOOLEAN,
    CHARACTER,
    INT,
    NUMERIC,
    STRING,
    DataType,
    Kind,
    array,
    map_of,
    row_of,
)


def _element(types: Sequence[DataType]) -> DataType:
    return types[0].children[0].as_nullable()


def _with_element(name: str) -> CoercionRule:
    """Cast the second argument to what the array holds."""

    def rule(types: Sequence[DataType]) -> Sequence[DataType]:
        held = types[0].children[0] if types[0].children else types[1]
        if common_type(held, types[1]) is None or _loses_digits(types[1], held):
            raise TypeMismatch(
                f"{name}: the array holds another type", found=types[1].sql(), expected=held.sql()
            )
        return [types[0], held.as_nullable(types[1].nullable or held.nullable), *types[2:]]

    return rule


def _loses_digits(given: DataType, held: DataType) -> bool:
    return given.kind in NUMERIC and not can_store(given.not_null(), held)


def _added_type(types: Sequence[DataType]) -> DataType:
    held = types[0].children[0]
    return array(held.as_nullable(held.nullable or types[1].nullable)).as_nullable(
        types[0].nullable
    )


def _told_apart(name: str) -> TypeRule:
    """The common type of arrays, of elements that Spark tells apart."""

    def rule(types: Sequence[DataType]) -> DataType:
        shared = common(types, name)
        if holds_maps(shared):
            raise UnsupportedSql(f"{name} of maps is not supported", found=shared.sql())
        return shared

    return rule


def _remove(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    held, given = (as_comparable(text, types[1]) for text in ("__e", args[1]))
    return f"filter({args[0]}, __e -> NOT ({held} <=> {given}))"


def _slice(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Offsets from either end, both inclusive, clipped to the array."""
    whole, start = args[0], as_spark(args[1], types[1], "int")
    size = f"size({whole})"
    end = as_spark(args[2], types[2], "int") if len(args) > 2 else size
    first = f"greatest(if({start} < 0, {size} + {start} + 1, {start}), 1)"
    last = f"least(greatest(if({end} < 0, {size} + {end} + 1, {end}), 1), {size})"
    cut = f"slice({whole}, {first}, greatest({last} - {first} + 1, 0))"
    # Spark's least and greatest pass over a NULL.
    unknown = [f"{arg} IS NULL" for arg, kind in zip(args, types, strict=True) if kind.nullable]
    return f"if({' OR '.join(unknown)}, NULL, {cut})" if unknown else cut


def _sort(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    ascending = args[1] if len(args) > 1 else "TRUE"
    if len(args) < 3:
        return f"sort_array({args[0]}, {ascending})"
    nulls = f"filter({args[0]}, __e -> __e IS NULL)"
    values = f"sort_array(filter({args[0]}, __e -> __e IS NOT NULL), {ascending})"
    return f"if({args[2]}, concat({nulls}, {values}), concat({values}, {nulls}))"


def _union_of_maps(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Later maps win; Spark's map_concat refuses keys that repeat."""

    def joined(left: str, right: str) -> str:
        kept = f"map_filter({left}, (__k, __v) -> NOT array_contains(map_keys({right}), __k))"
        return f"map_concat({kept}, {right})"

    return reduce(joined, args)


def _row_type(types: Sequence[DataType]) -> DataType:
    return row_of((f"EXPR${index}", kind) for index, kind in enumerate(types)).not_null()


def _row(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    fields = (f"'{name}', {arg}" for name, arg in zip(result.names, args, strict=True))
    return f"named_struct({', '.join(fields)})"


def _array_type(types: Sequence[DataType]) -> DataType:
    return array(common(types, "ARRAY")).not_null()


def _map_types(types: Sequence[DataType]) -> tuple[DataType, DataType]:
    if len(types) % 2:
        raise TypeMismatch(
            "MAP takes keys and values in turn",
            found=f"{len(types)} values",
            expected="an even number",
        )
    return common(types[::2], "MAP keys"), common(types[1::2], "MAP values")


def _map_coercion(types: Sequence[DataType]) -> Sequence[DataType]:
    pair = _map_types(types)
    return [pair[index % 2].as_nullable(kind.nullable) for index, kind in enumerate(types)]


def _entries_type(types: Sequence[DataType]) -> DataType:
    key, value = types[0].children
    entry = row_of((("key", key), ("value", value))).not_null()
    return array(entry).as_nullable(types[0].nullable)


def _item_type(types: Sequence[DataType]) -> DataType:
    holder = types[0]
    if holder.kind in (Kind.ARRAY, Kind.MULTISET):
        return holder.children[0].as_nullable()
    if holder.kind is Kind.MAP:
        return holder.children[1].as_nullable()
    raise TypeMismatch("only an ARRAY or a MAP has elements by position or key", found=holder.sql())


def _item_type_at(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    place = constants[1]
    if types[0].kind is Kind.ARRAY and isinstance(place, int) and place < 1:
        raise TypeMismatch("elements of an ARRAY are counted from 1", found=f"[{place}]")
    return _item_type(types)


def _item_coercion(types: Sequence[DataType]) -> Sequence[DataType]:
    target = types[0].children[0] if types[0].kind is Kind.MAP else INT
    if common_type(types[1], target) is None:
        raise TypeMismatch(
            "the key has another type than the map's", found=types[1].sql(), expected=target.sql()
        )
    return [types[0], target.as_nullable(types[1].nullable)]


def _map(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Spark's own function refuses a key that is NULL, which formats write as they are told."""
    if not any_nullable(types[::2]):
        return f"map({', '.join(args)})"
    return f"flink_map(array({', '.join(args[::2])}), array({', '.join(args[1::2])}))"


def _item(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if types[0].kind is Kind.MAP:
        return f"try_element_at({args[0]}, {args[1]})"
    return f"get({args[0]}, {args[1]} - 1)"


def _join_check(types: Sequence[DataType]) -> DataType:
    if types[0].children[0].kind not in CHARACTER:
        raise TypeMismatch(
            "ARRAY_JOIN joins character strings", found=types[0].sql(), expected="ARRAY<STRING>"
        )
    return STRING.as_nullable(any_nullable(types))


FUNCTIONS = (
    scalar("ROW", "any+", _row_type, _row, "ROW(1, 'a') -> (1, a)"),
    scalar(
        "ARRAY",
        "any+",
        _array_type,
        "array({*})",
        "ARRAY[1, 2] -> [1, 2]\nARRAY[1, 2.5] -> [1.0, 2.5]",
        coerce=to_common("ARRAY"),
    ),
    scalar(
        "MAP",
        "any any any*",
        lambda types: map_of(*_map_types(types)).not_null(),
        _map,
        "MAP['a', 1] -> {a=1}",
        coerce=_map_coercion,
    ),
    scalar(
        "[]",
        "any any",
        _item_type,
        _item,
        "ARRAY[5, 6][1] -> 5\nARRAY[5, 6][3] -> NULL\nMAP['a', 1]['a'] -> 1\nMAP['a', 1]['b'] -> NULL",
        coerce=_item_coercion,
        returns_for=_item_type_at,
    ),
    scalar(
        "CARDINALITY",
        "many",
        INT,
        "size({0})",
        "CARDINALITY(ARRAY[1, 2]) -> 2\nCARDINALITY(MAP['a', 1]) -> 1\nCARDINALITY(MAP['a', 1, NULL, 2]) -> 2",
    ),
    scalar(
        "ELEMENT",
        "array",
        _element,
        "if(size({0}) > 1, raise_error('ELEMENT takes an array of one element'), get({0}, 0))",
        "ELEMENT(ARRAY[7]) -> 7",
    ),
    scalar(
        "ARRAY_APPEND",
        "array any",
        _added_type,
        "array_append({0}, {1})",
        "ARRAY_APPEND(ARRAY[1], 2) -> [1, 2]",
        coerce=_with_element("ARRAY_APPEND"),
    ),
    scalar(
        "ARRAY_PREPEND",
        "array any",
        _added_type,
        "array_prepend({0}, {1})",
        "ARRAY_PREPEND(ARRAY[1], 2) -> [2, 1]",
        coerce=_with_element("ARRAY_PREPEND"),
    ),
    scalar(
        "ARRAY_CONTAINS",
        "array any",
        lambda types: BOOLEAN.as_nullable(types[0].nullable),
        by_equality("exists({0}, __e -> __e <=> {1})"),
        "ARRAY_CONTAINS(ARRAY[1, NULL], 2) -> FALSE\nARRAY_CONTAINS(ARRAY[1, NULL], NULL) -> TRUE\n"
        "ARRAY_CONTAINS(ARRAY[MAP['a', 1, 'b', 2]], MAP['b', 2, 'a', 1]) -> TRUE",
        coerce=_with_element("ARRAY_CONTAINS"),
    ),
    scalar(
        "ARRAY_REMOVE",
        "array any",
        lambda types: types[0],
        _remove,
        "ARRAY_REMOVE(ARRAY[1, 2, 1], 1) -> [2]\nARRAY_REMOVE(ARRAY[MAP['a', 1], MAP['a', 2]], MAP['a', 1]) -> [{a=2}]",
        coerce=_with_element("ARRAY_REMOVE"),
    ),
    scalar(
        "ARRAY_POSITION",
        "array any",
        INT,
        by_equality("CAST(array_position({0}, {1}) AS INT)"),
        "ARRAY_POSITION(ARRAY['a', 'b'], 'b') -> 2\nARRAY_POSITION(ARRAY[1], 3) -> 0\n"
        "ARRAY_POSITION(ARRAY[MAP['a', 1], MAP['a', 2]], MAP['a', 2]) -> 2",
        coerce=_with_element("ARRAY_POSITION"),
    ),
    scalar(
        "ARRAY_DISTINCT",
        "array",
        _told_apart("ARRAY_DISTINCT"),
        "array_distinct({0})",
        "ARRAY_DISTINCT(ARRAY[2, 1, 2]) -> [2, 1]",
    ),
    scalar(
        "ARRAY_REVERSE", "array", same_as(0), "reverse({0})", "ARRAY_REVERSE(ARRAY[1, 2]) -> [2, 1]"
    ),
    scalar(
        "ARRAY_SLICE",
        "array int int?",
        same_as(0),
        _slice,
        "ARRAY_SLICE(ARRAY[1, 2, 3], 2) -> [2, 3]\nARRAY_SLICE(ARRAY[1, 2, 3], -2, -2) -> [2]\nARRAY_SLICE(ARRAY[1, 2, 3], 3, 1) -> []\n"
        "ARRAY_SLICE(ARRAY[1, 2, 3], 1, -5) -> [1]\nARRAY_SLICE(ARRAY[1, 2, 3], 0, 9) -> [1, 2, 3]\n"
        "ARRAY_SLICE(ARRAY[1, 2, 3], CAST(NULL AS INT)) -> NULL",
    ),
    scalar(
        "ARRAY_SORT",
        "array bool? bool?",
        same_as(0),
        _sort,
        "ARRAY_SORT(ARRAY[2, NULL, 1]) -> [NULL, 1, 2]\nARRAY_SORT(ARRAY[1, NULL, 2], FALSE) -> [2, 1, NULL]\nARRAY_SORT(ARRAY[2, NULL, 1], TRUE, FALSE) -> [1, 2, NULL]",
        constant=(1, 2),
    ),
    scalar(
        "ARRAY_UNION",
        "array array",
        _told_apart("ARRAY_UNION"),
        "array_union({0}, {1})",
        "ARRAY_UNION(ARRAY[1, 2], ARRAY[2, 3]) -> [1, 2, 3]",
        coerce=to_common("ARRAY_UNION"),
    ),
    scalar(
        "ARRAY_CONCAT",
        "array+",
        lambda types: common(types, "ARRAY_CONCAT"),
        "concat({*})",
        "ARRAY_CONCAT(ARRAY[1], ARRAY[2], ARRAY[1]) -> [1, 2, 1]",
        coerce=to_common("ARRAY_CONCAT"),
    ),
    scalar(
        "ARRAY_EXCEPT",
        "array array",
        _told_apart("ARRAY_EXCEPT"),
        "array_except({0}, {1})",
        "ARRAY_EXCEPT(ARRAY[1, 2], ARRAY[2]) -> [1]",
        coerce=to_common("ARRAY_EXCEPT"),
    ),
    scalar(
        "ARRAY_INTERSECT",
        "array array",
        _told_apart("ARRAY_INTERSECT"),
        "array_intersect({0}, {1})",
        "ARRAY_INTERSECT(ARRAY[1, 2], ARRAY[2, 3]) -> [2]",
        coerce=to_common("ARRAY_INTERSECT"),
    ),
    scalar("ARRAY_MAX", "array", _element, "array_max({0})", "ARRAY_MAX(ARRAY[1, 3, 2]) -> 3"),
    scalar("ARRAY_MIN", "array", _element, "array_min({0})", "ARRAY_MIN(ARRAY[2, 1]) -> 1"),
    scalar(
        "ARRAY_JOIN",
        "array char char?",
        _join_check,
        "array_join({*})",
        "ARRAY_JOIN(ARRAY['a', NULL, 'b'], '-') -> a-b\nARRAY_JOIN(ARRAY['a', NULL], '-', '?') -> a-?",
    ),
    scalar(
        "MAP_KEYS",
        "map",
        lambda types: array(types[0].children[0]).as_nullable(types[0].nullable),
        "map_keys({0})",
        "MAP_KEYS(MAP['a', 1]) -> [a]",
    ),
    scalar(
        "MAP_VALUES",
        "map",
        lambda types: array(types[0].children[1]).as_nullable(types[0].nullable),
        "map_values({0})",
        "MAP_VALUES(MAP['a', 1]) -> [1]",
    ),
    scalar(
        "MAP_ENTRIES",
        "map",
        _entries_type,
        "map_entries({0})",
        "MAP_ENTRIES(MAP['a', 1]) -> [(a, 1)]",
    ),
    scalar(
        "MAP_FROM_ARRAYS",
        "array array",
        lambda types: map_of(types[0].children[0], types[1].children[0]).as_nullable(
            any_nullable(types)
        ),
        "map_from_arrays({0}, {1})",
        "MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1]) -> {a=1}",
    ),
    scalar(
        "MAP_UNION",
        "map+",
        lambda types: common(types, "MAP_UNION"),
        _union_of_maps,
        "MAP_UNION(MAP['a', 1, 'b', 2], MAP['b', 3]) -> {a=1, b=3}",
        coerce=to_common("MAP_UNION"),
    ),
)
