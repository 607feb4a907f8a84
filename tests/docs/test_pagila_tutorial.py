"""The tutorial of examples/pagila: its commands are run as they stand, and print what it says they print."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from headrace.runtime.environment import TableEnvironment
from headrace.services.ports import free_port
from headrace.services.postgres import _binaries
from headrace.sql.dialect import parse_script
from headrace.sql.statements import CreateTable
from tests.docs.walk import Step, run, steps_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "pagila"
# Ends what the commands started, also where one of them failed.
AT_EXIT = "kill ${WORKER:-} 2> /dev/null || true; wait; headrace dev down > /dev/null"


def steps() -> list[Step]:
    return steps_of((EXAMPLE / "README.md").read_text())


def test_every_step_but_definitions_says_what_it_prints():
    assert len(steps()) > 10
    assert sum(bool(step.prints) for step in steps()) >= 9


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
def test_the_commands_print_what_the_tutorial_says(tmp_path, open_folder):
    folder = tmp_path / "pagila"
    shutil.copytree(EXAMPLE, folder)
    hurried(folder)
    port = str(free_port())
    commands = [Step(step.command.replace("8083", port), step.prints) for step in steps()]
    path = [str(Path(sys.executable).parent), os.environ["PATH"], str(_binaries())]
    variables = {"PATH": os.pathsep.join(path), "HEADRACE_HOME": str(open_folder)}
    wrong = run(commands, folder, variables, at_exit=AT_EXIT, seconds=500)
    log = folder / "connect.log"
    assert not wrong, "\n".join([*wrong, log.read_text() if log.exists() else ""])
