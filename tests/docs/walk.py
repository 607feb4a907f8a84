"""A page that is run as a reader would: its blocks in order, in one folder and one shell.

```sql moves.sql      is written to that file
```console            lines after `$ ` are commands, the others are what they print, in this order; lines of `...`
                      or `…` and lines that are not on the page may stand between them
```sh                 commands, whose output is in the ```text block behind it
```python             is run; `# prints x` behind a line is what it prints, as a ```text block behind it is
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = re.compile(r"^```([\w+-]+)(?: +(\S+))? *\n(.*?)^``` *$", re.DOTALL | re.MULTILINE)
_PRINTS = re.compile(r"# prints (.+?) *$", re.MULTILINE)
_SKIPPED = ("...", "…")
_MARK = "@@ step "


@dataclass
class Step:
    """Something to do, and the lines that it prints."""

    command: str
    prints: list[str] = field(default_factory=list)
    # Content of a file that the step writes.
    file: tuple[str, str] | None = None


def steps_of(page: str) -> list[Step]:
    steps: list[Step] = []
    for number, (language, name, block) in enumerate(_BLOCK.findall(page)):
        if language == "text":
            steps[-1].prints.extend(block.splitlines())
        elif language == "console":
            steps.extend(_console(block))
        elif language == "sh":
            steps.append(Step(block))
        elif language == "python":
            name = name or f"snippet_{number}.py"
            steps.append(Step(f"python {name}", _PRINTS.findall(block), (name, block)))
        elif name:
            steps.append(Step(":", file=(name, block)))
    return steps


def _console(block: str) -> list[Step]:
    steps: list[Step] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append(Step(line.removeprefix("$ ")))
        elif line.strip() not in ("", *_SKIPPED):
            steps[-1].prints.append(line)
    return steps


def absent(expected: Sequence[str], printed: Sequence[str]) -> list[str]:
    """The expected lines that do not come, in this order; others may stand between them."""
    rest = iter(printed)
    return [line for line in expected if not any(line.rstrip() == other.rstrip() for other in rest)]


def run(
    steps: Sequence[Step],
    folder: Path,
    variables: Mapping[str, str],
    *,
    at_exit: str,
    seconds: float,
) -> list[str]:
    """Runs the steps in one shell, until one fails; returns what is wrong. `at_exit` is run in any case."""
    for step in steps:
        if step.file is not None:
            (folder / step.file[0]).write_text(step.file[1])
    parts = [f"echo '{_MARK}{number}'\n{step.command}" for number, step in enumerate(steps)]
    begin = f"set -euo pipefail\ntrap '{at_exit}' EXIT\n"
    done = subprocess.run(
        ["bash", "-c", begin + "\n".join(parts)],
        cwd=folder,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    outputs = re.split(rf"^{_MARK}\d+\n", done.stdout, flags=re.MULTILINE)[1:]
    wrong = [
        f"$ {step.command}\n{printed}\nlacks {missing}"
        for step, printed in zip(steps, outputs, strict=False)
        if (missing := absent(step.prints, printed.splitlines()))
    ]
    if done.returncode != 0:
        wrong.append(f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return wrong
