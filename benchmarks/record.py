"""The files in benchmarks/results: every figure with the command, the date and the commit that it was measured with."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"

# What runs while a benchmark measures. Changes of other files do not change a figure.
_MEASURED_CODE = ("src", "jvm", "benchmarks/*.py", "benchmarks/*/*.py", "requirements.lock")


def keep(entries: Iterable[Mapping[str, Any]], key: Sequence[str], file: Path) -> None:
    """Writes the entries in place of older ones with the same values of `key`. All other entries stay."""
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    figures = {tuple(entry[name] for name in key): entry for entry in found}
    measured = provenance()
    for entry in entries:
        figures[tuple(entry[name] for name in key)] = {**entry, **measured}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(list(figures.values()), indent=1) + "\n", encoding="utf-8")


def provenance() -> dict[str, str]:
    """Returns command, date and commit. A commit with a `+` had changes that were not committed."""
    commit = _git("rev-parse", "--short=7", "HEAD")
    changed = _git("status", "--porcelain", "--", *_MEASURED_CODE)
    return {
        "command": f"python {shlex.join(sys.orig_argv[1:])}",
        "date": datetime.now(UTC).date().isoformat(),
        "commit": f"{commit}+" if changed else commit,
    }


def _git(*arguments: str) -> str:
    """Returns git's output, which is empty in a folder that is not a clone."""
    root = Path(__file__).parents[1]
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
