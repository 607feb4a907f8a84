"""Headrace and DuckDB side by side: the same queries over the same tables, compared after every batch."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from headrace.catalog.table import Column, Identifier, Table
from headrace.changelog import WEIGHT, Change, ChangelogMode, consolidate
from headrace.plan.explain import explain_text
from headrace.plan.plan import Plan
from headrace.runtime.environment import TableEnvironment
from headrace.spark.compile import Compiler
from headrace.sql.dialect import parse_statement
from headrace.testing.spark import ScriptedQuery
from headrace.types import quote
from tests.oracle.worlds import TABLES, Batch, SourceTable, State

Row = tuple[str | None, ...]


class Keep(StrEnum):
    """What a query is written into."""

    ROWS = "rows"  # a client that counts rows
    BY_KEY = "by key"  # an upsert table with the query's own key
    BY_WORLD = "by world"  # one whose key is not the query's: some row of each key


class Target(NamedTuple):
    sql: str
    keep: Keep


class Difference(NamedTuple):
    """Rows that are there too often (or, below zero, too seldom), and keys without a row."""

    extra: Mapping[Row, int]
    missing: Mapping[Row, int]


# Two tasks read a batch, so that what they combine on their own has to be put together after.
TASKS = 2
RECORDS = "ARRAY<STRUCT<`table`: STRING, {columns}, __partition: INT, __offset: BIGINT, {weight}: BIGINT>>"


class Script:
    """One stream of records of all tables, so that a batch is the same for every table."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        streams = spark._jvm.org.apache.spark.sql.execution.streaming.runtime.MemoryStream
        encoder = spark._jvm.org.apache.spark.sql.Encoders.STRING()
        self._stream = streams.apply(TASKS, encoder, spark._jsparkSession)
        self._offset = 0
        self.batches = 0

    def frame(self, table: SourceTable, columns: Sequence[str]) -> Any:
        from pyspark.sql import DataFrame

        records = DataFrame(self._stream.toDF(), self._spark).selectExpr(
            f"inline(from_json(value, '{_record_type()}'))"
        )
        place = ["__partition", "__offset"] if table.mode.is_upsert else []
        return records.where(f"`table` = '{table.name}'").select(*columns, *place, WEIGHT)

    def add(self, batch: Batch) -> None:
        self.batches += 1
        tasks: list[list[dict[str, Any]]] = [[] for _ in range(TASKS)]
        for record in batch:
            self._offset += 1
            # As in Kafka, all records of a key are in one partition, and in order.
            partition = (
                sum(record.cells[name] for name in ("w", "k") if name in record.cells) % TASKS
            )
            place = {"__partition": partition, "__offset": self._offset, WEIGHT: record.weight}
            tasks[partition].append({"table": record.table} | record.cells | place)
        texts = self._spark._jvm.java.util.ArrayList()
        for task in tasks:
            texts.add(json.dumps(task))
        converters = self._spark._jvm.scala.jdk.javaapi.CollectionConverters
        self._stream.addData(converters.asScala(texts).toSeq())


def _record_type() -> str:
    columns = {name: type for table in TABLES.values() for name, type in table.columns.items()}
    shown = ", ".join(f"{name}: {type.spark()}" for name, type in columns.items())
    return RECORDS.format(columns=shown, weight=WEIGHT)


class ScriptedConnector:
    """The tables of TABLES, read from a script; tables that take upserts, written nowhere."""

    name = "scripted"
    is_source = True
    is_sink = True

    def __init__(self, script: Script | None) -> None:
        self._script = script

    def metadata(self, table_options: Mapping[str, str]) -> Mapping[str, Any]:
        return {}

    def validate_source(self, table: Table) -> None: ...

    def validate_sink(self, table: Table) -> None: ...

    def is_bounded(self, table: Table) -> bool:
        return False

    def scan_mode(self, table: Table) -> ChangelogMode:
        return TABLES[table.identifier.name].mode

    def sink_mode(self, table: Table) -> ChangelogMode:
        return ChangelogMode.upsert()

    def read(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        assert self._script is not None
        return self._script.frame(TABLES[table.identifier.name], columns)


def environment(script: Script | None = None, view: str | None = None) -> TableEnvironment:
    """The tables, and `view` as the view `v`. Without a script it can plan but not run."""
    env = TableEnvironment()
    for table in TABLES.values():
        columns = tuple(Column(name=name, type=type) for name, type in table.columns.items())
        _add_table(env, table.name, columns, table.key, ScriptedConnector(script))
    if view is not None:
        env.execute_sql(f"CREATE VIEW v AS {view}")
    return env


def _add_table(
    env: TableEnvironment,
    name: str,
    columns: tuple[Column, ...],
    key: tuple[str, ...],
    connector: Any,
) -> None:
    identifier = Identifier(*env.catalog.current, name)
    table = Table(
        identifier=identifier,
        columns=columns,
        options={"connector": connector.name},
        connector=connector,
        primary_key=key,
    )
    env.catalog.add(table)


class Oracle:
    """DuckDB over what the tables hold."""

    def __init__(self, view: str | None = None) -> None:
        self._db = duckdb.connect()
        # NULL is the smallest value in Flink.
        self._db.execute("SET default_null_order = 'nulls_first_on_asc_last_on_desc'")
        for table in TABLES.values():
            columns = ", ".join(
                f"{name} {_duckdb_type(type)}" for name, type in table.columns.items()
            )
            self._db.execute(f"CREATE TABLE {table.name} ({columns})")
        if view is not None:
            self._db.execute(f"CREATE VIEW v AS {to_duckdb(view)}")

    def fill(self, state: State) -> None:
        for name, rows in state.rows.items():
            self._db.execute(f"DELETE FROM {name}")
            values = ", ".join(map(_literal, rows.elements()))
            if values:
                self._db.execute(f"INSERT INTO {name} VALUES {values}")

    def answer(self, sql: str) -> Counter[Row]:
        rows = self._db.execute(to_duckdb(sql)).fetchall()
        return Counter(tuple(map(_shown, row)) for row in rows)

    def close(self) -> None:
        self._db.close()


def _duckdb_type(type: Any) -> str:
    return "VARCHAR[]" if type.children else type.as_nullable().sql()


def _literal(value: Any) -> str:
    match value:
        case None:
            return "NULL"
        case str():
            return f"'{value}'"
        case tuple():
            return f"({', '.join(map(_cell, value))})"
        case _:
            return str(value)


def _cell(value: Any) -> str:
    """A tuple inside a row is an array."""
    return f"[{', '.join(map(_literal, value))}]" if isinstance(value, tuple) else _literal(value)


def _shown(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


AVERAGE = re.compile(r"AVG\([^()]*(\([^()]*\))?\)( FILTER \([^()]*(\([^()]*\))?[^()]*\))?")


_ARGUMENT = r"([^(),]*(?:\([^()]*\))?)"
PAIR = re.compile(rf"COUNT\(DISTINCT {_ARGUMENT}, {_ARGUMENT}\)")
OTHER_WORDS = {
    "CARDINALITY(": "LEN(",
    "FIRST_VALUE(": "ANY_VALUE(",
    "LAST_VALUE(": "ANY_VALUE(",
    "PERCENTILE(": "QUANTILE_CONT(",
}


def to_duckdb(sql: str) -> str:
    """The average of integers is one in Flink, cut towards zero; pairs are counted where neither is NULL."""
    sql = AVERAGE.sub(lambda call: f"CAST(TRUNC({call[0]}) AS BIGINT)", sql)
    sql = PAIR.sub(r"COUNT(DISTINCT CAST(\1 AS VARCHAR) || '/' || CAST(\2 AS VARCHAR))", sql)
    for flink, duckdb_word in OTHER_WORDS.items():
        sql = sql.replace(flink, duckdb_word)
    return sql


class Pipeline:
    """Several queries as one streaming query, whose sinks are tables here: rows by key, or how often each is there."""

    def __init__(self, spark: Any, case: Case, checkpoint: Path) -> None:
        self._script = Script(spark)
        env = environment(self._script, case.view)
        self.sinks = [_sink(env, target, f"sink{i}") for i, target in enumerate(case.targets)]
        frames = [
            _numbered(Compiler(spark).compile(sink.plan), number)
            for number, sink in enumerate(self.sinks)
        ]
        # A query of constants alone runs once, and Spark unites no table with streams.
        self._apply(row for frame in frames if not frame.isStreaming for row in frame.collect())
        streams = [frame for frame in frames if frame.isStreaming]
        united = reduce(lambda a, b: a.union(b), streams) if streams else None
        self._query = ScriptedQuery(united, checkpoint) if streams else None

    def step(self, batch: Batch) -> None:
        self._script.add(batch)
        if self._query is not None:
            self._apply(self._query.step())
            consumed = self._query.consumed()
            assert consumed == {self._script.batches}, f"read up to {consumed}"

    def _apply(self, rows: Iterable[tuple[int, list[str | None], int]]) -> None:
        changes: dict[int, list[Change]] = defaultdict(list)
        for number, cells, weight in rows:
            changes[number].append(Change(tuple(cells), weight))
        for number, sink in enumerate(self.sinks):
            sink.apply(changes[number])

    def stop(self) -> None:
        if self._query is not None:
            self._query.stop()


def _numbered(frame: Any, number: int) -> Any:
    cells = ", ".join(f"CAST({quote(name)} AS STRING)" for name in frame.columns[:-1])
    return frame.selectExpr(f"{number} AS number", f"array({cells}) AS cells", WEIGHT)


def _sink(env: TableEnvironment, target: Target, name: str) -> Sink:
    statement = parse_statement(target.sql)
    (plan,) = env.plans(statement)
    key = {Keep.ROWS: None, Keep.BY_KEY: plan.root.traits.key, Keep.BY_WORLD: ("w",)}[target.keep]
    names = plan.sink.names
    if key is None or not set(key) <= set(names):
        return Sink(plan, None)
    # No NOT NULL, which a primary key of DDL has: a group of NULLs has a key too.
    columns = tuple(Column(name=f.name, type=f.type.as_nullable()) for f in plan.sink.schema)
    _add_table(env, name, columns, key, ScriptedConnector(None))
    (plan,) = env.plans(parse_statement(f"INSERT INTO {name} {target.sql}"))
    return Sink(plan, tuple(names.index(part) for part in key))


class Sink:
    """What the reader of a sink sees. `key`: places of the columns that hold its rows apart, None for plain rows."""

    def __init__(self, plan: Plan, key: tuple[int, ...] | None) -> None:
        self.plan = plan
        self._key = key
        self._counts: Counter[Row] = Counter()
        self._by_key: dict[Row, Row] = {}

    @property
    def rows(self) -> Counter[Row]:
        return self._counts if self._key is None else Counter(self._by_key.values())

    def apply(self, changes: Sequence[Change]) -> None:
        if self._key is None:
            for row, weight in changes:
                self._counts[row] += weight
            return
        (child,) = self.plan.root.inputs
        # Pairs of old and new row come in any order; upserts of a key are in the order of their source.
        ordered = _removals_first(changes) if child.traits.mode.is_retract else changes
        for row, weight in ordered:
            self._write(self._key_of(row), row if weight > 0 else None)

    def _write(self, key: Row, row: Row | None) -> None:
        if row is None:
            self._by_key.pop(key, None)
        else:
            self._by_key[key] = row

    def _key_of(self, row: Row) -> Row:
        return tuple(row[place] for place in self._key or ())

    def difference(self, expected: Counter[Row]) -> Difference | None:
        rows = self.rows
        if self._key is None:
            counts = {row: rows[row] - expected[row] for row in rows | expected}
            # A count below zero is an error even where nothing is expected; `|` leaves it out.
            counts |= {row: count for row, count in rows.items() if count < 0}
            extra = {row: count for row, count in counts.items() if count}
            missing: dict[Row, int] = {}
        else:
            # Of several rows for one key of the sink any one may be held.
            extra = {row: 1 for row in rows if row not in expected}
            missing = dict.fromkeys(
                {self._key_of(row) for row in expected} - self._by_key.keys(), 1
            )
        return Difference(extra, missing) if extra or missing else None


def _removals_first(changes: Sequence[Change]) -> list[Change]:
    return sorted(consolidate(changes), key=lambda change: change.weight)


@dataclass(frozen=True, repr=False)
class Case:
    """Queries over the tables and over one view `v`, and the batches of changes they see."""

    targets: Sequence[Target]
    view: str
    batches: Sequence[Batch]

    def __repr__(self) -> str:
        """What matters of it stands in the report."""
        return f"{len(self.targets)} queries, {sum(map(len, self.batches))} changes"


def check(spark: Any, case: Case, checkpoint: Path) -> None:
    """Runs the batches through both engines; fails after the first batch whose answers differ. A sink is looked at when its
    sources were read up to exactly that batch, all of them, and no further."""
    oracle, state = Oracle(case.view), State()
    pipeline = Pipeline(spark, case, checkpoint)
    try:
        for number, batch in enumerate(case.batches):
            pipeline.step(batch)
            for record in batch:
                state.apply(record)
            oracle.fill(state)
            for target, sink in zip(case.targets, pipeline.sinks, strict=True):
                expected = oracle.answer(target.sql)
                difference = sink.difference(expected)
                if difference is not None:
                    seen = case.batches[: number + 1]
                    raise AssertionError(
                        report(target, case.view, seen, sink, expected, difference)
                    )
    finally:
        pipeline.stop()
        oracle.close()


def report(
    target: Target,
    view: str,
    batches: Sequence[Batch],
    sink: Sink,
    expected: Counter[Row],
    difference: Difference,
) -> str:
    lines = [f"the sink differs after batch {len(batches) - 1}, kept {target.keep}:", target.sql]
    if re.search(r"\bv\b", target.sql):
        lines.append(f"v is: {view}")
    for number, batch in enumerate(batches):
        lines.append(f"batch {number}:")
        lines += [f"  {record.weight:+d} {record.table} {record.cells}" for record in batch]
    for name, rows in (("held", sink.rows), ("expected", expected), *difference._asdict().items()):
        lines.append(f"{name}:")
        lines += [f"  {count:+d} {row}" for row, count in sorted(rows.items(), key=repr)]
    return "\n".join([*lines, explain_text(sink.plan)])
