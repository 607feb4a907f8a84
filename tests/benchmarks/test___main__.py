from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_package_runs_as_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--queries", "q0"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("[UNKNOWN_QUERY] query 'q0' does not exist")
