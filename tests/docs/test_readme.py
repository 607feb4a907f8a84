"""The README: its commands and snippets are run as they are written, in order, in a fresh folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.docs.walk import Step, run, steps_of

PAGE = Path(__file__).parents[2] / "README.md"


def steps() -> list[Step]:
    """Without `make install`, which came before these tests, and `make demo`, which CI runs itself."""
    return [step for step in steps_of(PAGE.read_text()) if not step.command.startswith("make ")]


def test_the_page_has_a_script_commands_with_what_they_print_and_a_snippet():
    found = steps()
    files = [step.file[0] for step in found if step.file is not None]
    assert any(name.endswith(".sql") for name in files)
    assert any(name.endswith(".py") for name in files)
    assert any(step.prints for step in found if step.command.startswith("headrace run"))


@pytest.mark.spark
@pytest.mark.services
@pytest.mark.slow
def test_the_page_does_what_it_says(tmp_path, open_folder):
    variables = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HEADRACE_HOME": str(open_folder),
    }
    down = "headrace dev down > /dev/null"
    assert run(steps(), tmp_path, variables, at_exit=down, seconds=500) == []
