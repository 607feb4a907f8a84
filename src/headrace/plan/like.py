"""`LIKE source (…)`: the new table's definition with the source's merged in, feature by feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headrace.catalog.table import Column, ComputedColumn, MetadataColumn, Table
from headrace.errors import InvalidSchema, Position
from headrace.plan.redefine import column_def, key_defs, watermark_defs
from headrace.sql.statements import (
    ColumnDef,
    CreateTable,
    LikeFeature,
    LikeMode,
    OptionEntry,
    Options,
    PrimaryKeyDef,
    WatermarkDef,
)

# What LIKE does to a feature that the clause does not mention.
DEFAULT_MODES = dict.fromkeys(LikeFeature, LikeMode.INCLUDING) | {
    LikeFeature.OPTIONS: LikeMode.OVERWRITING
}
OVERWRITABLE = (
    LikeFeature.GENERATED,
    LikeFeature.METADATA,
    LikeFeature.OPTIONS,
    LikeFeature.WATERMARKS,
)


def merge_like(statement: CreateTable, source: Table) -> CreateTable:
    assert statement.like is not None
    modes = _modes(statement)
    where = statement.like.source.position
    columns = _merge_columns(statement.columns, source.columns, modes, where)
    return replace(
        statement,
        like=None,
        columns=columns,
        watermarks=_merge_watermarks(statement, source, modes, where),
        primary_keys=_merge_key(statement, source, modes, where),
        partitioned_by=_merge_partitions(statement, source, modes, where),
        options=_merge_options(statement.options, source, modes, where),
    )


def _modes(statement: CreateTable) -> dict[LikeFeature, LikeMode]:
    assert statement.like is not None
    rules = statement.like.rules
    modes = dict(DEFAULT_MODES)
    for mode, feature in rules:
        if feature is LikeFeature.ALL:
            modes = dict.fromkeys(LikeFeature, mode)
    for mode, feature in rules:
        if feature is LikeFeature.ALL:
            continue
        if mode is LikeMode.OVERWRITING and feature not in OVERWRITABLE:
            raise InvalidSchema(
                f"LIKE cannot use OVERWRITING with {feature}",
                where=statement.like.source.position,
                expected="OVERWRITING " + " | ".join(OVERWRITABLE),
            )
        modes[feature] = mode
    return modes


def _merge_columns(
    own: Sequence[ColumnDef],
    inherited: Sequence[Column],
    modes: dict[LikeFeature, LikeMode],
    where: Position,
) -> tuple[ColumnDef, ...]:
    own_names = {column.name: column for column in own}
    kept: list[ColumnDef] = []
    for column in inherited:
        mode = _column_mode(column, modes)
        if mode is LikeMode.EXCLUDING:
            continue
        if column.name in own_names and mode is LikeMode.OVERWRITING:
            continue
        if column.name in own_names:
            raise InvalidSchema(
                f"column '{column.name}' exists in the table named by LIKE",
                where=own_names[column.name].position,
                cure=_column_cure(column),
            )
        kept.append(column_def(column, where))
    return (*kept, *own)


def _column_cure(column: Column) -> str:
    if column.is_physical:
        return "give it another name"
    feature = LikeFeature.METADATA if isinstance(column, MetadataColumn) else LikeFeature.GENERATED
    return f"give it another name, or write EXCLUDING or OVERWRITING {feature} in the LIKE clause"


def _column_mode(column: Column, modes: dict[LikeFeature, LikeMode]) -> LikeMode:
    if isinstance(column, ComputedColumn):
        return modes[LikeFeature.GENERATED]
    if isinstance(column, MetadataColumn):
        return modes[LikeFeature.METADATA]
    return LikeMode.INCLUDING


def _merge_watermarks(
    statement: CreateTable, source: Table, modes: dict[LikeFeature, LikeMode], where: Position
) -> tuple[WatermarkDef, ...]:
    mode = modes[LikeFeature.WATERMARKS]
    if source.watermark is None or mode is LikeMode.EXCLUDING:
        return statement.watermarks
    if statement.watermarks and mode is LikeMode.INCLUDING:
        raise _duplicate("WATERMARK", LikeFeature.WATERMARKS, statement.watermarks[0].position)
    if statement.watermarks:
        return statement.watermarks
    return watermark_defs(source, where)


def _merge_key(
    statement: CreateTable, source: Table, modes: dict[LikeFeature, LikeMode], where: Position
) -> tuple[PrimaryKeyDef, ...]:
    if not source.primary_key or modes[LikeFeature.CONSTRAINTS] is LikeMode.EXCLUDING:
        return statement.primary_keys
    if statement.primary_keys:
        raise _duplicate("PRIMARY KEY", LikeFeature.CONSTRAINTS, statement.primary_keys[0].position)
    return key_defs(source, where)


def _merge_partitions(
    statement: CreateTable, source: Table, modes: dict[LikeFeature, LikeMode], where: Position
) -> tuple[str, ...]:
    if not source.partition_keys or modes[LikeFeature.PARTITIONS] is LikeMode.EXCLUDING:
        return statement.partitioned_by
    if statement.partitioned_by:
        raise _duplicate("PARTITIONED BY", LikeFeature.PARTITIONS, where)
    return source.partition_keys


def _merge_options(
    own: Options, source: Table, modes: dict[LikeFeature, LikeMode], where: Position
) -> Options:
    mode = modes[LikeFeature.OPTIONS]
    if mode is LikeMode.EXCLUDING:
        return own
    own_keys = {entry.key: entry for entry in own}
    inherited = []
    for key, value in source.options.items():
        if key not in own_keys:
            inherited.append(OptionEntry(key, value, where, where))
        elif mode is LikeMode.INCLUDING:
            raise _duplicate(f"option '{key}'", LikeFeature.OPTIONS, own_keys[key].key_position)
    return (*inherited, *own)


def _duplicate(what: str, feature: LikeFeature, where: Position) -> InvalidSchema:
    modes = "EXCLUDING or OVERWRITING" if feature in OVERWRITABLE else "EXCLUDING"
    return InvalidSchema(
        f"{what} exists in the table named by LIKE",
        where=where,
        cure=f"leave it out, or write {modes} {feature} in the LIKE clause",
    )
