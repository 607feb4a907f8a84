from __future__ import annotations

from pathlib import Path

import pytest

from headrace.errors import EnvironmentFault
from headrace.toolchain import __main__ as program
from headrace.toolchain.coordinates import SETS
from headrace.toolchain.progress import ProgressEvent, silent


@pytest.fixture
def steps(monkeypatch) -> list[str]:
    done: list[str] = []

    def ensure(name: str, progress: object) -> list[Path]:
        done.append(name)
        return []

    def operator_jar(progress: object) -> Path:
        done.append("operators")
        return Path("x.jar")

    monkeypatch.setattr(program, "ensure", ensure)
    monkeypatch.setattr(program, "operator_jar", operator_jar)
    return done


def test_all_sets_are_fetched_before_the_operators_are_compiled(steps):
    program.prepare(silent)
    assert steps == [*(name for name, wanted in SETS.items() if not wanted.on_demand), "operators"]
    assert "registry" not in steps


def test_success_is_exit_code_zero(steps):
    assert program.main() == 0


def test_an_error_is_printed_without_a_stack_trace(monkeypatch, capsys):
    def broken(progress: object) -> None:
        raise EnvironmentFault("no network", cure="plug it in")

    monkeypatch.setattr(program, "prepare", broken)
    assert program.main() == 3
    printed = capsys.readouterr().err
    assert printed == "[ENVIRONMENT] no network\n  cure: plug it in\n"


def test_progress_goes_to_stderr(monkeypatch, capsys):
    monkeypatch.setattr(
        program, "prepare", lambda progress: progress(ProgressEvent("spark", "a.jar", 1, 5))
    )
    program.main()
    captured = capsys.readouterr()
    assert captured.err == "[spark 1/5] a.jar\n"
    assert captured.out == ""
