"""Job folders: where a job's checkpoint lives, and whether a start resumes it or begins afresh.

A job is known by its name and by what it does: its plans, the options of its tables and the topics behind them. The
same INSERT started again after a crash or a stop resumes. A job that the user has named ('pipeline.name') is known by
the name and its sinks instead: a changed query goes on with the old state where that still means the same, and is
refused where it does not. After a bounded job finished it goes on with what has come since if its sink is a table of
keys, which already holds the rest; into any other sink it begins anew. HEADRACE_HOME/jobs/<id>/
    job.json       name, state, started, and what the state in the checkpoint means
    checkpoint/    Spark's: offsets, commits, operator state
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from headrace.catalog.options import is_secret
from headrace.errors import EnvironmentFault, UserError
from headrace.plan.explain import explain_dict
from headrace.plan.nodes import Sink, Values
from headrace.plan.plan import Plan
from headrace.plan.state_signature import Signature, difference
from headrace.toolchain.locking import lock


def job_id(name: str, plans: Sequence[Plan], identities: Mapping[str, str]) -> str:
    """Readable, and different for every plan, set of table options and identity of the topics behind them."""
    tables = [
        table
        for plan in plans
        for table in (*(scan.table for scan in plan.scans), _sink_table(plan))
        if table is not None
    ]
    options = [_stable(table.options) for table in tables]
    return _readable(name, [plan_digest(plans), options, dict(identities)])


def named_job_id(name: str, plans: Sequence[Plan], identities: Mapping[str, str]) -> str:
    """The same for every query into the same sinks; `identities` are those of the sinks."""
    sinks = [str(table.identifier) for plan in plans if (table := _sink_table(plan)) is not None]
    return _readable(name, [sinks, dict(identities)])


def plan_digest(plans: Sequence[Plan]) -> str:
    return _digest([[explain_dict(plan)["plan"], _constants(plan)] for plan in plans])


def _constants(plan: Plan) -> list[str]:
    """EXPLAIN only counts the rows of VALUES."""
    found = (item.node for item in plan.root.walk())
    return [
        str(cell) for node in found if isinstance(node, Values) for row in node.rows for cell in row
    ]


def _readable(name: str, content: object) -> str:
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', name)[:60]}-{_digest(content)}"


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def _sink_table(plan: Plan) -> Any:
    return plan.sink.table if isinstance(plan.sink, Sink) else None


def _stable(options: Mapping[str, str]) -> dict[str, str]:
    """Secrets may be rotated between two starts of the same job, and what it does about bad records or old rows may be
    changed."""
    return {
        key: value
        for key, value in options.items()
        if not is_secret(key) and not key.startswith("headrace.")
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
        with the input that has come since. Refuses to resume state that `description` says to mean something else."""
        self.path.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        finished = self.state() == "FINISHED"
        resumes = not fresh and self.checkpoint.is_dir() and (continues or not finished)
        if resumes:
            self._check_state(description)
        else:
            shutil.rmtree(self.checkpoint, ignore_errors=True)
            (self.path / "job.json").unlink(missing_ok=True)
        if resumes and finished:
            for end in self.checkpoint.glob("sources/*/end"):  # bounded sources end at a new place
                end.unlink()
        self.record("RUNNING", **description)
        return resumes

    def _take_lock(self) -> None:
        self._lock = (self.path / "lock").open("w")
        if not lock(self._lock, wait=False):
            self.close()
            raise EnvironmentFault(
                f"job '{self.name}' is running in another process",
                condition="JOB_RUNNING",
                cure="stop the other one, or SET 'pipeline.name' to another name",
            )

    def _check_state(self, description: Mapping[str, Any]) -> None:
        held: Signature | None = self.facts().get("signature")
        wanted: Signature | None = description.get("signature")
        changed = None if held is None or wanted is None else difference(held, wanted)
        if changed is not None:
            self.close()
            raise UserError(
                f"the changed query cannot go on with the state of job '{description.get('name')}'",
                condition="STATE_MISMATCH",
                found=changed,
                expected="the same sources and stateful operators as when the job first started",
                cure="run with --fresh to compute it anew, or SET 'pipeline.name' to another name",
            )

    def is_held(self) -> bool:
        """Whether a process runs the job now."""
        with contextlib.suppress(OSError), (self.path / "lock").open() as file:
            return not lock(file, wait=False)
        return False

    def has_written(self) -> bool:
        """Whether a batch of the job was ever done."""
        commits = self.checkpoint / "commits"
        return commits.is_dir() and any(item.name.isdigit() for item in commits.iterdir())

    def facts(self) -> dict[str, Any]:
        try:
            stored = json.loads((self.path / "job.json").read_text())
        except (OSError, ValueError):
            return {}
        return stored if isinstance(stored, dict) else {}

    def state(self) -> str | None:
        return self.facts().get("state")

    def record(self, state: str, **facts: object) -> None:
        file = self.path / "job.json"
        known = self.facts() | {"state": state, "updated": time.time(), **facts}
        draft = file.with_suffix(".tmp")
        draft.write_text(json.dumps(known, indent=1))
        draft.replace(file)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
