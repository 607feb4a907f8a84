"""The process that `headrace_engine` measures: one query on Headrace, from a started Spark to the job's end.

    python -m benchmarks.headrace_job SCRIPT SETTINGS

Both are JSON files: a list of statements of which the last is the INSERT, and the session's settings.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from headrace.errors import UnsupportedSql
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.session import spark_session


def main() -> int:
    statements, settings = (json.loads(Path(file).read_text()) for file in sys.argv[1:3])
    try:
        _say(_run(statements, settings))
    except UnsupportedSql as error:
        _say({"unsupported": error.summary})
    # The measuring process closes the input when it has read this one's CPU time and memory.
    sys.stdin.read()
    return 0


def _run(statements: Sequence[str], settings: Mapping[str, str]) -> dict[str, Any]:
    environment = TableEnvironment(settings, fresh=True)
    *definitions, insert = statements
    for statement in definitions:
        environment.execute_sql(statement)
    environment.explain_sql(insert)
    spark_session(environment.config.spark_settings())
    _say({"ready": True})
    sys.stdin.readline()
    result = environment.execute_sql(insert)
    result.wait()
    (job,) = result.jobs
    return summary([json.loads(item.json()) for item in job.query.recentProgress()])


def summary(batches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Seconds from the start of the first batch to the end of the last, and where the time went by Spark's own account."""
    phases: Counter[str] = Counter()
    state: Counter[str] = Counter()
    for batch in batches:
        phases.update(batch["durationMs"])
        for operator in batch.get("stateOperators", ()):
            for metric in ("allUpdatesTimeMs", "commitTimeMs"):
                state[f"{operator['operatorName']}.{metric}"] += operator[metric]
    return {
        "seconds": (_end(batches[-1]) - _start(batches[0])),
        "batches": len(batches),
        "input_rows": _records(batches[-1]),
        "phases_ms": dict(phases),
        "state_ms": dict(state),
    }


def _records(last: Mapping[str, Any]) -> int:
    return sum(int(source["metrics"]["records"]) for source in last["sources"])


def _start(batch: Mapping[str, Any]) -> float:
    return datetime.fromisoformat(batch["timestamp"]).timestamp()


def _end(batch: Mapping[str, Any]) -> float:
    millis: int = batch["durationMs"]["triggerExecution"]
    return _start(batch) + millis / 1000


def _say(report: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(report) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
