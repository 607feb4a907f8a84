"""Finds the Java runtime, version 17 or 21: in JAVA_HOME, on the PATH, then where installers put it.

`python -m headrace.toolchain.java` reports it, with the standard library alone: `make install` calls it first.
"""

from __future__ import annotations

import contextlib
import locale
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import EnvironmentFault, HeadraceError

JAVA_HOME = "JAVA_HOME"

# The long-term releases that Spark 4.1 names as supported.
ACCEPTED_MAJORS = (17, 21)

# Installers put a Java here and leave the PATH alone, Homebrew always and distributions for all but their default.
PLACES = (
    "/usr/lib/jvm/*/bin/java",
    "/opt/homebrew/opt/openjdk@*/bin/java",
    "/usr/local/opt/openjdk@*/bin/java",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java",
)

# By identifiers of /etc/os-release. `sudo` is left out for root.
INSTALL_COMMANDS: Mapping[str, str] = {
    "amzn": "sudo dnf install java-17-amazon-corretto-headless",
    "alpine": "sudo apk add openjdk17-jre-headless",
    "arch": "sudo pacman -S jre17-openjdk-headless",
    "fedora": "sudo dnf install java-21-openjdk-headless",
    "rhel": "sudo dnf install java-17-openjdk-headless",
    "suse": "sudo zypper install java-17-openjdk-headless",
    # Debian 12 has only the older one, Debian 13 only the newer one. A fresh container has no package lists.
    "debian": "sudo apt update; sudo apt install openjdk-21-jre-headless || sudo apt install openjdk-17-jre-headless",
}

# A cold JVM answers -version in a second; a minute covers a starved machine without hanging for ever.
VERSION_TIMEOUT_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Java:
    """A Java installation that Headrace can use."""

    home: Path
    version: str
    has_compiler: bool
    # Where it was found, for example in JAVA_HOME.
    origin: str

    @property
    def major(self) -> int:
        return major_of(self.version)

    @property
    def executable(self) -> Path:
        return self.home / "bin" / "java"

    @property
    def compiler(self) -> Path:
        return self.home / "bin" / "javac"

    @property
    def base_archive(self) -> Path:
        """Java's archive of its own classes, on which archives of further classes build. Some runtimes have none."""
        return self.home / "lib" / "server" / "classes.jsa"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may hold a Java, and what was found there (version None: nothing that runs)."""

    origin: str
    path: Path
    version: str | None

    def __str__(self) -> str:
        return f"{self.version or 'no working Java'} at {self.path} ({self.origin})"


def find_java(environment: Mapping[str, str] | None = None, places: Sequence[str] = PLACES) -> Java:
    """Returns the first accepted Java. Raises an EnvironmentFault that names every rejected one."""
    rejected: dict[Path, Candidate] = {}
    for candidate in _candidates(os.environ if environment is None else environment, places):
        if candidate.version is not None and major_of(candidate.version) in ACCEPTED_MAJORS:
            home = candidate.path.parent.parent
            has_compiler = (home / "bin" / "javac").exists()
            return Java(home, candidate.version, has_compiler, candidate.origin)
        rejected.setdefault(candidate.path, candidate)
    raise EnvironmentFault(
        "Headrace needs Java, and no usable one is installed",
        condition="JAVA_NOT_USABLE",
        found="; ".join(map(str, rejected.values()))
        or "JAVA_HOME is not set and there is no java on the PATH",
        expected="Java 17 or 21 (a runtime is enough)",
        cure=install_command(),
    )


def install_command(system: str = sys.platform, release: Path = Path("/etc/os-release")) -> str:
    """Returns the command that installs Java on this platform."""
    if os.environ.get("CONDA_PREFIX"):
        return "conda install -c conda-forge openjdk=17"
    if system == "darwin":
        return "brew install openjdk@17"
    with contextlib.suppress(OSError):
        named = re.findall(
            r"^ID(?:_LIKE)?=(.*)$", release.read_text(encoding="utf-8"), re.MULTILINE
        )
        for name in " ".join(named).replace('"', "").split():
            if name in INSTALL_COMMANDS:
                command = INSTALL_COMMANDS[name]
                return command.replace("sudo ", "") if os.geteuid() == 0 else command
    return "install a Java 17 or 21 runtime, then: export JAVA_HOME=/its/folder"


def utf8_locale(system: str = sys.platform) -> dict[str, str]:
    """Returns what a JVM's environment needs so that it can open files with any name.

    Java 17 encodes the names of files by the locale, and replaces what the locale C cannot express by question marks.
    On macOS it always uses UTF-8.
    """
    # Not the variables: they may name a locale that is not installed, and then the C library uses C.
    if system == "darwin" or locale.nl_langinfo(locale.CODESET).upper() == "UTF-8":
        return {}
    return {"LC_ALL": "C.UTF-8"}


def major_of(version: str) -> int:
    """17 for "17.0.15", 8 for "1.8.0_402", 0 for what is no version."""
    numbers = re.findall(r"\d+", version)
    if not numbers:
        return 0
    return int(numbers[1] if numbers[0] == "1" and len(numbers) > 1 else numbers[0])


def _candidates(environment: Mapping[str, str], places: Sequence[str]) -> Iterator[Candidate]:
    home = environment.get(JAVA_HOME)
    if home:
        yield _inspect(JAVA_HOME, Path(home) / "bin" / "java")
    on_path = shutil.which("java", path=environment.get("PATH", ""))
    if on_path:
        yield _inspect("PATH", Path(on_path))
    for place in places:
        for executable in sorted(Path("/").glob(place.lstrip("/"))):
            yield _inspect("installed", executable)


def _inspect(origin: str, executable: Path) -> Candidate:
    real = executable.resolve()
    version = _version_from_release_file(real.parent.parent)
    if version is not None and os.access(real, os.X_OK):
        return Candidate(origin, real, version)
    return _ask(origin, real)


def _version_from_release_file(home: Path) -> str | None:
    """Every JDK since 9 carries one; reading it spares a JVM start on each command."""
    try:
        text = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return None
    match = re.search(r'^JAVA_VERSION="([^"]+)"', text, re.MULTILINE)
    return match.group(1) if match else None


def _ask(origin: str, executable: Path) -> Candidate:
    """Run it: shims of version managers and the macOS stub are not inside the home they stand for."""
    command = [str(executable), "-XshowSettings:properties", "-version"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=VERSION_TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return Candidate(origin, executable, None)
    settings = dict(re.findall(r"^\s*(java\.\w+) = (.+)$", done.stderr, re.MULTILINE))
    home, version = settings.get("java.home"), settings.get("java.version")
    if done.returncode != 0 or home is None or version is None:
        return Candidate(origin, executable, None)
    return Candidate(origin, Path(home) / "bin" / "java", version)


def main() -> int:
    try:
        java = find_java()
    except HeadraceError as error:
        sys.stderr.write(f"{error.render()}\n")
        return error.exit_code
    sys.stdout.write(f"Java {java.version} in {java.home}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
