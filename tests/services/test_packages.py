from __future__ import annotations

import pytest

from headrace.errors import EnvironmentFault
from headrace.services.packages import unpacked


def silent(event):
    pass


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """Tools of the distribution that are scripts of the test's: what they are asked for stands in `calls`."""
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    def make(name, body):
        script = folder / name
        script.write_text(f'#!/bin/sh\necho "{name} $1" >> {tmp_path}/calls\n{body}\n')
        script.chmod(0o755)

    make("apt-get", 'shift; for name in "$@"; do touch $name.deb; done')
    make("dpkg-deb", "mkdir -p $3; touch $3/$(basename $2 .deb)")
    make.calls = lambda: (tmp_path / "calls").read_text().split("\n")[:-1]
    make.folder = folder
    return make


def test_packages_are_unpacked_into_one_folder_once(tools):
    root = unpacked("db", ["server", "library"], silent)
    assert sorted(file.name for file in root.iterdir()) == ["library", "server"]
    assert not list(root.parent.glob("*.deb"))
    assert tools.calls() == ["apt-get download", "dpkg-deb -x", "dpkg-deb -x"]
    assert unpacked("db", ["server", "library"], silent) == root
    assert len(tools.calls()) == 3


def test_a_failure_is_told_and_leaves_nothing(tools, tmp_path):
    tools("apt-get", 'echo "E: Unable to locate package server" >&2; exit 100')
    with pytest.raises(EnvironmentFault) as failed:
        unpacked("db", ["server"], silent)
    assert failed.value.condition == "SERVICE_NOT_INSTALLED"
    assert failed.value.found == "E: Unable to locate package server"
    assert not (tmp_path / "cache/packages/db").exists()


def test_other_distributions_are_told_so(tools, monkeypatch):
    monkeypatch.setenv("PATH", str(tools.folder.parent / "nowhere"))
    with pytest.raises(EnvironmentFault) as failed:
        unpacked("db", ["server"], silent)
    assert failed.value.found == "no apt-get on the PATH"
