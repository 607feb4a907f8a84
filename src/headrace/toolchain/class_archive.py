"""Java's archive of loaded classes (class data sharing): a JVM that maps it need not find, read and verify them again.

HEADRACE_CACHE/classes/<digest>.jsa, where the digest covers the Java runtime, its own archive, and every jar that Spark
is given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from headrace.toolchain.java import Java
from headrace.toolchain.paths import cache_folder

# Java tells on standard output which classes it cannot keep (those of signed jars) and when an archive does not fit.
_QUIET = "-Xlog:disable"


def archive_file(java: Java, jars: Sequence[Path]) -> Path:
    content = hashlib.sha256(f"{java.home} {java.version}\n".encode())
    # Java ignores an archive if the one it builds on was recreated.
    base = [java.base_archive] if java.base_archive.is_file() else []
    for file in (*base, *jars):
        facts = file.stat()
        content.update(f"{file} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return cache_folder("classes", f"{content.hexdigest()[:16]}.jsa")


def reading(archive: Path) -> list[str]:
    """Returns the options of a JVM that maps the archive; none if there is no archive."""
    return [f"-XX:SharedArchiveFile={archive}", _QUIET] if archive.is_file() else []


def recording(archive: Path) -> list[str]:
    """Returns the options of a JVM that writes the archive when it ends."""
    return [f"-XX:ArchiveClassesAtExit={archive}", _QUIET]
