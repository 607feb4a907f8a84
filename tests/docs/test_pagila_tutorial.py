"""The tutorial of examples/pagila: its commands are run as they stand, and print what it says they print."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headrace.runtime.environment import TableEnvironment
from headrace.services.ports import free_port
from headrace.services.postgres import _binaries
from headrace.sql.dialect import parse_script
from headrace.sql.statements import CreateTable

EXAMPLE = Path(__file__).parents[2] / "examples" / "pagila"
MARK = "@@ block "
# Ends what the commands started, also where one of them failed.
BEGIN = """set -euo pipefail
trap 'kill ${WORKER:-} 2> /dev/null || true; wait; headrace dev down > /dev/null' EXIT
"""


def steps() -> list[tuple[str, list[str]]]:
    """Commands, each with the lines that it prints."""
    text = (EXAMPLE / "README.md").read_text()
    found: list[tuple[str, list[str]]] = []
    for language, block in re.findall(r"```(sh|text)\n(.*?)```", text, re.DOTALL):
        if language == "sh":
            found.append((block, []))
        else:
            found[-1][1].extend(block.splitlines())
    return found


def absent(expected: list[str], printed: list[str]) -> list[str]:
    """The expected lines that do not come, in this order; others may stand between them."""
    rest = iter(printed)
    return [line for line in expected if not any(line == other.rstrip() for other in rest)]


def test_every_step_but_definitions_says_what_it_prints():
    commands = steps()
    assert len(commands) > 10
    assert sum(bool(printed) for _, printed in commands) >= 9
    assert absent(["a", "c"], ["a", "b", "c "]) == []
    assert absent(["a", "c"], ["c", "a"]) == ["c"]


def test_every_file_of_the_example_is_used():
    text = (EXAMPLE / "README.md").read_text()
    for file in EXAMPLE.rglob("*.*"):
        used = file.stem if file.suffix == ".json" else file.name
        assert file.name == "README.md" or used in text, used


def test_the_tables_and_queries_are_planned():
    environment = TableEnvironment()
    for name in ("topics", "captures"):
        for statement in parse_script((EXAMPLE / "sql" / f"{name}.sql").read_text()):
            if isinstance(statement, CreateTable):
                environment.define(statement)
            else:
                assert environment.plans(statement)


def hurried(folder: Path) -> None:
    """Sinks write every few seconds, for minutes would be most of the time."""
    for file in (folder / "config").glob("s3_*.json"):
        config = {**json.loads(file.read_text()), "rotate.schedule.interval.ms": 5000}
        file.write_text(json.dumps(config))


@pytest.mark.soak
@pytest.mark.spark
@pytest.mark.services
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("jq"), reason="no curl or jq")
def test_the_commands_print_what_the_tutorial_says(tmp_path):
    folder = tmp_path / "pagila"
    shutil.copytree(EXAMPLE, folder)
    hurried(folder)
    blocks = [f"echo '{MARK}{number}'\n{block}" for number, (block, _) in enumerate(steps())]
    script = (BEGIN + "\n".join(blocks)).replace("8083", str(free_port()))
    path = [str(Path(sys.executable).parent), os.environ["PATH"], str(_binaries())]
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={
            **os.environ,
            "PATH": os.pathsep.join(path),
            "HEADRACE_HOME": str(tmp_path / "home"),
        },
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    log = folder / "connect.log"
    assert done.returncode == 0, (
        done.stdout + done.stderr + (log.read_text() if log.exists() else "")
    )
    outputs = re.split(rf"^{MARK}\d+\n", done.stdout, flags=re.MULTILINE)[1:]
    wrong = [
        block + printed
        for (block, expected), printed in zip(steps(), outputs, strict=True)
        if absent(expected, printed.splitlines())
    ]
    assert not wrong, "\n".join(wrong)
