"""A page that is run as a reader would: its blocks in order, in one folder and one shell.

```sql moves.sql      is written to that file
```console            lines after `$ ` are commands, the others are what they print, in this order; lines of `...`
                      or `…` and lines that are not on the page may stand between them. `^C` at the end: the command
                      runs until it has printed the line before, and is then interrupted
```sh                 commands, whose output is in the ```text block behind it
```python             is run; `# prints x` behind a line is what it prints, as a ```text block behind it is
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headrace.services.guard import own
from headrace.services.processes import identity_of, terminate

_BLOCK = re.compile(r"^```([\w+-]+)(?: +(\S+))? *\n(.*?)^``` *$", re.DOTALL | re.MULTILINE)
_PRINTS = re.compile(r"# prints (.+?) *$", re.MULTILINE)
# Services are stopped one after another.
_EXIT_SECONDS = 60.0
_SKIPPED = ("...", "…")
_MARK = "@@ step "


@dataclass
class Step:
    """Something to do, and the lines that it prints."""

    command: str
    prints: list[str] = field(default_factory=list)
    # Content of a file that the step writes.
    file: tuple[str, str] | None = None
    # Whether the command runs until it has printed its last line, and is then interrupted.
    is_interrupted: bool = False

    def script(self) -> str:
        return _interrupted(self.command, self.prints[-1]) if self.is_interrupted else self.command


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
        elif line == "^C":
            steps[-1].is_interrupted = True
        elif line.strip() not in ("", *_SKIPPED):
            steps[-1].prints.append(line)
    return steps


def _interrupted(command: str, last_line: str) -> str:
    """Runs a command as a job of its own, as a terminal does: other background commands ignore interrupts."""
    return f"""set -m
{command} > until-interrupted.txt &
set +m
until grep -qF -- {shlex.quote(last_line.rstrip())} until-interrupted.txt || ! kill -0 $!; do sleep 0.2; done
kill -INT $!
wait $!
cat until-interrupted.txt
"""


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
    parts = [f"echo '{_MARK}{number}'\n{step.script()}" for number, step in enumerate(steps)]
    begin = f"set -eu\ntrap '{at_exit}' EXIT\n"
    code, printed, errors = _run(begin + "\n".join(parts), folder, variables, seconds)
    outputs = re.split(rf"^{_MARK}\d+\n", printed, flags=re.MULTILINE)[1:]
    wrong = [
        f"$ {step.command}\n{output}\nlacks {missing}"
        for step, output in zip(steps, outputs, strict=False)
        if (missing := absent(step.prints, output.splitlines()))
    ]
    if code != 0:
        wrong.append(f"exit code {code}\n{printed}\n{errors}")
    return wrong


def _run(
    script: str, folder: Path, variables: Mapping[str, str], seconds: float
) -> tuple[int, str, str]:
    """Returns exit code and output. After a timeout the shell runs its exit trap, and its running command is killed."""
    with subprocess.Popen(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        own(process, _EXIT_SECONDS)
        try:
            printed, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            terminate(identity_of(process.pid), signal.SIGTERM, _EXIT_SECONDS)
            printed, errors = process.communicate()
    return process.returncode, printed, errors
