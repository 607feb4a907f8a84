from __future__ import annotations

from pathlib import Path

import pytest

FAKE_IVY = """#!{python}
import pathlib, sys
arguments = dict(zip(sys.argv[3:], sys.argv[4:]))
destination = pathlib.Path(arguments["-retrieve"]).parent
log = pathlib.Path("{log}")
log.write_text(log.read_text() + "run\\n" if log.exists() else "run\\n")
print(pathlib.Path("{output}").read_text())
for name in {jars!r}:
    (destination / name).write_text(name)
sys.exit({code})
"""


class FakeJava:
    """A JAVA_HOME whose `java` plays Ivy: writes given jars, prints given text, counts its runs."""

    def __init__(self, folder: Path, python: str) -> None:
        self.home, self._python = folder / "jdk", python
        self._log, self._output = folder / "runs", folder / "output"
        (self.home / "bin").mkdir(parents=True)
        (self.home / "release").write_text('JAVA_VERSION="17.0.15"\n')
        self.answer(["a-1.jar", "b-2.jar"])

    def answer(self, jars: list[str], output: str = "", code: int = 0) -> None:
        self._output.write_text(output)
        program = self.home / "bin" / "java"
        program.write_text(
            FAKE_IVY.format(
                python=self._python, log=self._log, output=self._output, jars=jars, code=code
            )
        )
        program.chmod(0o755)

    @property
    def runs(self) -> int:
        return len(self._log.read_text().splitlines()) if self._log.exists() else 0


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    """An empty HEADRACE_CACHE."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("HEADRACE_CACHE", str(folder))
    return folder


@pytest.fixture
def fake_java(monkeypatch, tmp_path) -> FakeJava:
    import sys

    java = FakeJava(tmp_path / "fake", sys.executable)
    monkeypatch.setenv("JAVA_HOME", str(java.home))
    return java
