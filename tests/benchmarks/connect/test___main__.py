from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_package_runs_as_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.connect", "--parts", "nothing"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert "unknown part 'nothing'" in done.stderr
