"""State stays as large as the tables it stands for, however many changes made them, and goes with them.

300,000 changes in every run; `--growth-changes` (make soak) makes it more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

import pytest

from headrace.catalog.connector import MetadataKey
from headrace.catalog.table import Column, Identifier, Table
from headrace.changelog import WEIGHT, ChangelogMode
from headrace.runtime.environment import TableEnvironment
from headrace.spark.compile import Compiler
from headrace.sql.dialect import parse_statement
from headrace.testing.spark import ScriptedQuery, ScriptedStream
from headrace.types import BIGINT

pytestmark = [pytest.mark.spark, pytest.mark.slow]

CHANGES = 300_000
BATCH = 75_000
KEYS = 2_000
QUERIES = (
    """SELECT g.name, COUNT(*) AS n, MIN(i.v) AS least, COUNT(DISTINCT i.v) AS several
       FROM items AS i LEFT JOIN kinds AS g ON i.kind = g.id GROUP BY g.name""",
    """SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY v DESC) AS place FROM items)
       WHERE place <= 3""",
)
# What the number of a change makes of it: a key out of the fixed set, and in one of seven cases its removal.
CHURN = {
    "id": f"pmod(hash(n), {KEYS})",
    "kind": "pmod(hash(n, 1), 50)",
    "v": "pmod(hash(n, 2), 1000)",
    "name": "pmod(hash(n, 3), 9)",
    WEIGHT: "if(n % 7 = 0, -1, 1)",
}
SETTLED = {"id": "n", "kind": "n % 50", "v": "n % 1000", "name": "n % 9", WEIGHT: "1"}
GONE = SETTLED | {WEIGHT: "-1"}
PHASES = {"churn": CHURN, "settled": SETTLED, "gone": GONE}
TABLES = {"items": ("id", "kind", "v"), "kinds": ("id", "name")}


class Changes:
    """A connector whose tables see the same numbered changes; a batch is a phase and a range of numbers."""

    name = "changes"
    is_source = True
    is_sink = False

    def __init__(self, spark: Any) -> None:
        self._stream = ScriptedStream(spark, "phase STRING, first BIGINT, past BIGINT")

    def add(self, phase: str, first: int, past: int) -> None:
        self._stream.add([(phase, first, past)])

    def validate_source(self, table: Table) -> None: ...

    def metadata(self, table_options: Mapping[str, str]) -> Mapping[str, MetadataKey]:
        return {}

    def is_bounded(self, table: Table) -> bool:
        return False

    def scan_mode(self, table: Table) -> ChangelogMode:
        return ChangelogMode.upsert()

    def read(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        numbered = self._stream.frame.selectExpr(
            "phase", "explode(sequence(first, past - 1)) AS n", "0 AS __partition"
        )
        made = (f"CAST({_by_phase(name)} AS BIGINT) AS {name}" for name in (*columns, WEIGHT))
        *cells, weight = made
        return numbered.selectExpr(*cells, "__partition", "n AS __offset", weight)


def _by_phase(column: str) -> str:
    cases = (f"WHEN '{phase}' THEN {made[column]}" for phase, made in PHASES.items())
    return f"CASE phase {' '.join(cases)} END"


class Size(NamedTuple):
    rows: int
    characters: int


def sizes(spark: Any, checkpoint: str) -> dict[str, Size]:
    """What every state variable of every operator holds in the last batch that was done."""
    operators = spark.read.format("state-metadata").load(checkpoint).collect()
    counts = (
        count(spark, checkpoint, operator.operatorId, variable["stateName"])
        for operator in operators
        for variable in json.loads(operator.operatorProperties)["stateVariables"]
    )
    rows = reduce(lambda a, b: a.union(b), counts).collect()
    return {row.name: Size(row.rows, row.characters) for row in rows}


def count(spark: Any, checkpoint: str, operator: int, variable: str) -> Any:
    reader = spark.read.format("statestore").option("operatorId", operator)
    state = reader.option("stateVarName", variable).load(checkpoint)
    cells = ", ".join(column for column in state.columns if column != "partition_id")
    return state.selectExpr(
        f"'{operator}.{variable}' AS name",
        "count(*) AS rows",
        f"coalesce(sum(length(to_json(struct({cells})))), 0) AS characters",
    )


@pytest.fixture
def changes(spark):
    return Changes(spark)


@pytest.fixture
def query(spark, changes, tmp_path):
    env = TableEnvironment()
    for name, columns in TABLES.items():
        env.catalog.add(
            Table(
                identifier=Identifier(*env.catalog.current, name),
                columns=tuple(Column(name=column, type=BIGINT) for column in columns),
                options={"connector": changes.name},
                connector=changes,
                primary_key=("id",),
            )
        )
    plans = [plan for sql in QUERIES for plan in env.plans(parse_statement(sql))]
    frames = Compiler(spark).compile_all(plans)
    united = reduce(
        lambda a, b: a.union(b),
        (frame.selectExpr(f"{i} AS query", WEIGHT) for i, frame in enumerate(frames)),
    )
    with ScriptedQuery(united, tmp_path / "checkpoint") as running:
        yield running


def test_state_follows_its_tables_and_not_their_changes(spark, changes, query, tmp_path, request):
    wanted = request.config.getoption("--growth-changes") or CHANGES
    checkpoint = str(tmp_path / "checkpoint")
    number = 0
    seen: list[dict[str, Size]] = []
    for share in (1, 2):
        while number < wanted * share // 2:
            changes.add("churn", number, number + BATCH)
            query.step()
            number += BATCH
        changes.add("settled", 0, KEYS)
        query.step()
        seen.append(sizes(spark, checkpoint))
    first, last = seen
    assert last == first
    assert {size.rows > 0 for size in first.values()} == {True}
    changes.add("gone", 0, KEYS)
    rows = query.step()
    assert rows != []
    assert {name: size.rows for name, size in sizes(spark, checkpoint).items()} == dict.fromkeys(
        first, 0
    )
