"""Java operators driven from Python: weighted rows in, weighted rows out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame

from headrace.testing.spark import ScriptedQuery, ScriptedStream

Step = Callable[[list[tuple[Any, ...]]], list[tuple[Any, ...]]]


@pytest.fixture
def operator(spark: Any, tmp_path: Path) -> Iterator[Callable[..., Step]]:
    """`operator(name, schema, spec)` starts it; calling the result with rows gives the batch it makes of them."""
    running: list[ScriptedQuery] = []

    def start(name: str, schema: str, spec: dict[str, Any]) -> Step:
        stream = ScriptedStream(spark, schema)
        operators = spark._jvm.headrace.operators.Operators
        result = getattr(operators, name)(stream.frame._jdf, json.dumps(spec))
        query = ScriptedQuery(DataFrame(result, spark), tmp_path / f"checkpoint{len(running)}")
        running.append(query)

        def step(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
            stream.add(rows)
            return query.step()

        return step

    yield start
    for query in running:
        query.stop()
