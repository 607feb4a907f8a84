"""`python -m tools.jars` (part of `make lock`): resolve every jar set and write jars.lock.

HEADRACE_MAVEN_REPOSITORY names a repository to use instead of Maven Central.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.toolchain.coordinates import SETS, JarSet
from headrace.toolchain.download import REPOSITORY_VARIABLE
from headrace.toolchain.java import find_java
from headrace.toolchain.lock_file import LOCK_FILE, LockedFile, render
from headrace.toolchain.spark_home import spark_jars_folder
from tools.jars.ivy import Resolution


def main() -> int:
    try:
        with tempfile.TemporaryDirectory(prefix="headrace-lock-") as scratch:
            locked = {wanted: _locked(wanted, Path(scratch)) for wanted in SETS.values()}
    except HeadraceError as error:
        sys.stderr.write(f"{error.render()}\n")
        return error.exit_code
    LOCK_FILE.write_text(render(locked), encoding="utf-8")
    return 0


def _locked(wanted: JarSet, scratch: Path) -> list[LockedFile]:
    sys.stderr.write(f"resolving {wanted.name}: {wanted.purpose}\n")
    java = [str(find_java().executable), "-cp", str(spark_jars_folder() / "*")]
    found: dict[str, LockedFile] = {}
    for number, part in enumerate(_resolvable(wanted)):
        destination = scratch / wanted.name / str(number)
        destination.mkdir(parents=True)
        repository = os.environ.get(REPOSITORY_VARIABLE) or None
        Resolution(part, scratch / "ivy", destination, repository).run(java)
        found |= {file.path: file for file in _files(destination)}
    return [found[path] for path in sorted(found)]


def _resolvable(wanted: JarSet) -> Iterator[JarSet]:
    """Ivy keeps one file of a coordinate, so files for several platforms are resolved one by one."""
    for_all = tuple(a for a in wanted.artifacts if a.platform is None)
    if for_all:
        yield replace(wanted, artifacts=for_all)
    for artifact in wanted.artifacts:
        if artifact.platform is not None:
            yield replace(wanted, artifacts=(artifact,))


def _files(folder: Path) -> Iterator[LockedFile]:
    for file in folder.rglob("*.*"):
        if file.is_file():
            group, *rest = file.relative_to(folder).parts
            path = "/".join([*group.split("."), *rest])
            content = file.read_bytes()
            yield LockedFile(path, len(content), hashlib.sha256(content).hexdigest())


if __name__ == "__main__":
    sys.exit(main())
