"""Job folders: where a job's checkpoint lives, and whether a start resumes it or begins afresh.

A job is known by its name and by what it does: its plan, the options of its tables and the topics behind them. The
same INSERT started again after a crash or a stop resumes. After it finished (a bounded job) it goes on with what has
come since if its sink is a table of keys, which already holds the rest; into any other sink it begins anew. HEADRACE_HOME/jobs/<id>/
    job.json       name, state, started
    checkpoint/    Spark's: offsets, commits, operator state
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import re
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from headrace.catalog.options import is_secret
from headrace.errors import EnvironmentFault
from headrace.plan.explain import explain_dict
from headrace.plan.plan import Plan


def job_id(name: str, plan: Plan, identities: Mapping[str, str]) -> str:
    """Readable, and different for every plan, set of table options and identity of the topics behind them."""
    tables = [scan.table for scan in plan.scans]
    sink = getattr(plan.sink, "table", None)
    options = [_stable(table.options) for table in (*tables, *([sink] if sink else []))]
    content = json.dumps([explain_dict(plan)["plan"], options, dict(identities)], sort_keys=True)
    digest = hashlib.sha256(content.encode()).hexdigest()[:12]
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', name)[:60]}-{digest}"


def _stable(options: Mapping[str, str]) -> dict[str, str]:
    """Secrets may be rotated between two starts of the same job, and a job that stopped at an unreadable record
    goes on with other orders for it."""
    return {
        key: value
        for key, value in options.items()
        if not is_secret(key) and not key.startswith("headrace.errors.")
    }


@dataclass(slots=True)
class JobFolder:
    """Held by one process at a time."""

    path: Path
    _lock: IO[str] | None = field(default=None, repr=False)

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint"

    @property
    def name(self) -> str:
        return self.path.name

    def open(self, *, fresh: bool, continues: bool = False, description: Mapping[str, Any]) -> bool:
        """Takes the folder; whether the job resumes from what is there. `continues`: also after it had finished,
        with the input that has come since."""
        self.path.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        finished = self.state() == "FINISHED"
        resumes = not fresh and self.checkpoint.is_dir() and (continues or not finished)
        if not resumes:
            shutil.rmtree(self.checkpoint, ignore_errors=True)
        elif finished:
            for end in self.checkpoint.glob("sources/*/end"):  # bounded sources end at a new place
                end.unlink()
        self.record("RUNNING", **description)
        return resumes

    def _take_lock(self) -> None:
        self._lock = (self.path / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            self._lock = None
            raise EnvironmentFault(
                f"job '{self.name}' is running in another process",
                condition="JOB_RUNNING",
                cure="stop the other one, or SET 'pipeline.name' to another name",
            ) from None

    def state(self) -> str | None:
        try:
            stored = json.loads((self.path / "job.json").read_text())
        except (OSError, ValueError):
            return None
        return str(stored.get("state"))

    def record(self, state: str, **facts: object) -> None:
        file = self.path / "job.json"
        known: dict[str, object] = {}
        with contextlib.suppress(OSError, ValueError):
            known = json.loads(file.read_text())
        known |= {"state": state, "updated": time.time(), **facts}
        draft = file.with_suffix(".tmp")
        draft.write_text(json.dumps(known, indent=1))
        draft.replace(file)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
