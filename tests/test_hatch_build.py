from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[1]


@pytest.fixture
def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", CLONE / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.OperatorJarHook(str(CLONE), {}, None, None, "", "wheel")


def test_an_editable_install_compiles_nothing(hook):
    build_data = {"force_include": {}}
    hook.initialize("editable", build_data)
    assert build_data == {"force_include": {}}


@pytest.mark.spark
def test_a_wheel_includes_the_compiled_operators(hook, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    build_data = {"force_include": {}}
    hook.initialize("standard", build_data)
    ((source, target),) = build_data["force_include"].items()
    assert target == "headrace/_jvm/headrace-operators.jar"
    assert any(name.endswith(".class") for name in zipfile.ZipFile(source).namelist())


@pytest.mark.slow
def test_the_built_wheel_holds_package_and_jar(tmp_path):
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        ".",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=CLONE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("headrace-*.whl")
    with zipfile.ZipFile(wheel) as content:
        names = set(content.namelist())
    wanted = ("_jvm/headrace-operators.jar", "errors.py", "py.typed", "toolchain/jars.lock")
    assert {f"headrace/{name}" for name in wanted} <= names
    assert not [name for name in names if name.endswith(".java")]
