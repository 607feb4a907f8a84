"""Headrace: Flink SQL changelog pipelines on Spark Structured Streaming, from Python.

from headrace import TableEnvironment

env = TableEnvironment.create()
env.execute_sql("CREATE TABLE … WITH ('connector' = 'upsert-kafka', …)")
env.execute_sql("INSERT INTO … SELECT …").wait()
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headrace.changelog import ChangelogMode, RowKind
    from headrace.errors import HeadraceError
    from headrace.runtime.environment import QueryTable, StatementSetBuilder, TableEnvironment
    from headrace.runtime.jobs import Job, JobState
    from headrace.runtime.results import Row, TableResult

__version__ = "0.1.0"

# Loaded on first use: `headrace --help` and the toolchain need none of them.
_HOMES = {
    "ChangelogMode": "headrace.changelog",
    "HeadraceError": "headrace.errors",
    "Job": "headrace.runtime.jobs",
    "JobState": "headrace.runtime.jobs",
    "QueryTable": "headrace.runtime.environment",
    "Row": "headrace.runtime.results",
    "RowKind": "headrace.changelog",
    "StatementSetBuilder": "headrace.runtime.environment",
    "TableEnvironment": "headrace.runtime.environment",
    "TableResult": "headrace.runtime.results",
}

__all__ = [
    "ChangelogMode",
    "HeadraceError",
    "Job",
    "JobState",
    "QueryTable",
    "Row",
    "RowKind",
    "StatementSetBuilder",
    "TableEnvironment",
    "TableResult",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'headrace' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
