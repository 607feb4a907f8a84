from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from headrace.errors import EnvironmentFault
from headrace.toolchain.java import find_java, install_command, major_of, utf8_locale

# As `make install` does, before there is a virtual environment.
PROGRAM = f"""import runpy, sys
sys.path.insert(0, {str(Path(__file__).parents[2] / "src")!r})
runpy.run_module("headrace.toolchain.java", run_name="__main__")
"""


def make_java(
    home: Path, version: str, *, compiler: bool = False, release_file: bool = True
) -> Path:
    """A Java home whose `java` answers as a JVM would."""
    (home / "bin").mkdir(parents=True)
    program = home / "bin" / "java"
    program.write_text(
        f"#!/bin/sh\necho '    java.home = {home}' >&2\necho '    java.version = {version}' >&2\n"
    )
    program.chmod(0o755)
    if compiler:
        (home / "bin" / "javac").touch()
    if release_file:
        (home / "release").write_text(f'IMPLEMENTOR="Test"\nJAVA_VERSION="{version}"\n')
    return home


@pytest.mark.parametrize(
    ("version", "major"),
    [
        ("17.0.15", 17),
        ("21", 21),
        ("25.0.3+9-LTS", 25),
        ("1.8.0_402", 8),
        ("11.0.2-ea", 11),
        ("unknown", 0),
    ],
)
def test_major_of_a_version(version, major):
    assert major_of(version) == major


def test_java_home_wins_over_the_path(tmp_path):
    home = make_java(tmp_path / "a", "21.0.1")
    other = make_java(tmp_path / "b", "17.0.1")
    found = find_java({"JAVA_HOME": str(home), "PATH": str(other / "bin")}, ())
    assert (found.home, found.version, found.major) == (home, "21.0.1", 21)
    assert found.executable == home / "bin" / "java"


def test_the_path_is_searched_without_java_home(tmp_path):
    home = make_java(tmp_path / "a", "17.0.15", compiler=True)
    found = find_java({"PATH": f"{tmp_path}/empty:{home}/bin"}, ())
    assert found.home == home
    assert found.has_compiler
    assert found.compiler == home / "bin" / "javac"


def test_an_unusable_java_home_yields_to_the_path(tmp_path):
    bad = make_java(tmp_path / "bad", "25.0.3")
    good = make_java(tmp_path / "good", "17.0.1")
    assert find_java({"JAVA_HOME": str(bad), "PATH": str(good / "bin")}, ()).home == good


def test_a_runtime_has_no_compiler(tmp_path):
    home = make_java(tmp_path / "jre", "17.0.1")
    assert not find_java({"JAVA_HOME": str(home)}, ()).has_compiler


def test_links_are_followed_to_the_real_home(tmp_path):
    home = make_java(tmp_path / "jdk", "17.0.2")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(home / "bin" / "java")
    assert find_java({"PATH": str(tmp_path / "bin")}, ()).home == home


def test_a_shim_is_asked_for_the_home_it_stands_for(tmp_path):
    home = make_java(tmp_path / "jdk", "17.0.2", release_file=False)
    shims = tmp_path / "shims"
    shims.mkdir()
    (shims / "java").write_text(f'#!/bin/sh\nexec {home}/bin/java "$@"\n')
    (shims / "java").chmod(0o755)
    found = find_java({"PATH": str(shims)}, ())
    assert (found.home, found.version) == (home, "17.0.2")


def test_a_release_file_spares_starting_the_program(tmp_path):
    home = make_java(tmp_path / "jdk", "17.0.2")
    (home / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
    assert find_java({"JAVA_HOME": str(home)}, ()).version == "17.0.2"


def test_every_rejected_java_is_named_with_path_and_version(tmp_path):
    new = make_java(tmp_path / "new", "25.0.3")
    old = make_java(tmp_path / "old", "1.8.0_402")
    with pytest.raises(EnvironmentFault) as caught:
        find_java({"JAVA_HOME": str(new), "PATH": str(old / "bin")}, ())
    found = caught.value.found
    assert f"25.0.3 at {new}/bin/java (JAVA_HOME)" in found
    assert f"1.8.0_402 at {old}/bin/java (PATH)" in found


def test_a_java_home_that_holds_nothing_is_named(tmp_path):
    with pytest.raises(EnvironmentFault, match=r"no working Java at .*gone/bin/java"):
        find_java({"JAVA_HOME": str(tmp_path / "gone"), "PATH": ""}, ())


def test_a_program_that_fails_is_no_java(tmp_path):
    home = make_java(tmp_path / "jdk", "17.0.2", release_file=False)
    (home / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(EnvironmentFault, match="no working Java"):
        find_java({"JAVA_HOME": str(home)}, ())


def test_without_any_java_the_error_has_the_command_of_the_platform():
    with pytest.raises(EnvironmentFault) as caught:
        find_java({"PATH": ""}, ())
    text = caught.value.render()
    assert len(text.splitlines()) <= 5
    assert "JAVA_HOME is not set" in text
    assert caught.value.cure == install_command()
    assert caught.value.exit_code == 3


def test_a_java_that_an_installer_left_off_the_path_is_found(tmp_path):
    make_java(tmp_path / "jvm" / "a", "25.0.3")
    home = make_java(tmp_path / "jvm" / "b", "17.0.15")
    assert find_java({"PATH": ""}, (f"{tmp_path}/jvm/*/bin/java",)).home == home


def test_one_java_that_is_found_in_several_ways_is_named_once(tmp_path):
    home = make_java(tmp_path / "jvm" / "a", "25.0.3")
    with pytest.raises(EnvironmentFault) as caught:
        find_java({"JAVA_HOME": str(home)}, (f"{tmp_path}/jvm/*/bin/java",))
    assert caught.value.found.count("25.0.3") == 1


@pytest.mark.parametrize(
    ("release", "command"),
    [
        ("ID=ubuntu\nID_LIKE=debian\n", "apt install"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "dnf install java-17"),
        ("ID=alpine\n", "apk add"),
        ("ID=other\n", "export JAVA_HOME"),
    ],
)
def test_the_command_is_that_of_the_distribution(tmp_path, monkeypatch, release, command):
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    file = tmp_path / "os-release"
    file.write_text(release)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    for_user = install_command("linux", file)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert command in install_command("linux", file) == for_user.replace("sudo ", "")
    assert for_user.startswith("sudo ") == (command != "export JAVA_HOME")
    assert install_command("darwin", file) == "brew install openjdk@17"
    assert "export JAVA_HOME" in install_command("linux", tmp_path / "absent")
    monkeypatch.setenv("CONDA_PREFIX", "/conda")
    assert install_command("linux", file).startswith("conda install")


@pytest.mark.parametrize(
    ("variables", "added"),
    [
        ({"LC_ALL": "C.UTF-8"}, {}),
        # Python then sets LC_CTYPE to C.UTF-8, which a JVM inherits.
        ({"LANG": "xx_XX.UTF-8"}, {}),
        ({"LC_ALL": "C", "LANG": "C.UTF-8"}, {"LC_ALL": "C.UTF-8"}),
        # No such locale is installed.
        ({"LC_ALL": "xx_XX.UTF-8"}, {"LC_ALL": "C.UTF-8"}),
    ],
)
def test_a_jvm_can_open_files_with_any_name(variables, added):
    asked = "from headrace.toolchain.java import utf8_locale; print(utf8_locale('linux'))"
    others = {k: text for k, text in os.environ.items() if k != "LANG" and not k.startswith("LC_")}
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env=others | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(added)
    assert utf8_locale("darwin") == {}


def test_the_module_runs_without_any_package():
    command = [sys.executable, "-I", "-S", "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Java ")


def test_the_process_environment_is_the_default(monkeypatch, tmp_path):
    home = make_java(tmp_path / "jdk", "21.0.4")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert find_java().version == "21.0.4"
