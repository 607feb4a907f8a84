"""`jars.lock`: every file of every jar set, dependencies included, with its size and SHA-256 digest.

    # comment
    spark 0fe2a1b3c4d5                                    a set and the digest of its coordinates
    org/apache/…/kafka-clients-3.9.1.jar 9876543 ab12…    path in a Maven repository, bytes, SHA-256

`make lock` writes the file. Downloads and the class path come from it, so all machines use the same bytes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from headrace.errors import InternalError
from headrace.toolchain.coordinates import PLATFORM, JarSet

LOCK_FILE = Path(__file__).with_name("jars.lock")


@dataclass(frozen=True, slots=True)
class LockedFile:
    """A file of a Maven repository; `path` is relative to the repository's root."""

    path: str
    size: int
    sha256: str

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def coordinate(self) -> str:
        """`group:module:version`, as error messages name it."""
        folder = PurePosixPath(self.path).parent
        return f"{'.'.join(folder.parts[:-2])}:{folder.parts[-2]}:{folder.parts[-1]}"


@dataclass(frozen=True, slots=True)
class LockedSet:
    digest: str
    files: tuple[LockedFile, ...]


def locked_files(wanted: JarSet) -> list[LockedFile]:
    """Returns the set's files for this platform, in the order of the class path."""
    locked = _read(LOCK_FILE).get(wanted.name)
    if locked is None or locked.digest != wanted.digest:
        raise InternalError(
            f"jars.lock does not match the coordinates of jar set '{wanted.name}'",
            condition="JARS_LOCK_STALE",
            where=str(LOCK_FILE),
            cure="run: make lock",
        )
    others = {a.path for a in wanted.artifacts if a.platform not in (None, PLATFORM)}
    return [file for file in locked.files if file.path not in others]


@functools.cache
def _read(file: Path) -> Mapping[str, LockedSet]:
    return parse(file.read_text(encoding="utf-8"))


def parse(text: str) -> dict[str, LockedSet]:
    sets: dict[str, LockedSet] = {}
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        fields = line.split()
        if len(fields) == 2:
            name, digest = fields
            sets[name] = LockedSet(digest, ())
        else:
            path, size, sha256 = fields
            file = LockedFile(path, int(size), sha256)
            sets[name] = LockedSet(sets[name].digest, (*sets[name].files, file))
    return sets


def render(sets: Mapping[JarSet, Iterable[LockedFile]]) -> str:
    lines = ["# Written by `make lock` from coordinates.py: path, bytes, SHA-256."]
    for wanted, files in sets.items():
        lines += ["", f"{wanted.name} {wanted.digest}"]
        lines += [f"{file.path} {file.size} {file.sha256}" for file in files]
    return "\n".join(lines) + "\n"
