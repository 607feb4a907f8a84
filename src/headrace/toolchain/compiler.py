"""Compiles Java sources with the JDK's javac, or, where Java is only a runtime, with the same compiler from a jar."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from headrace.errors import EnvironmentFault
from headrace.toolchain.java import Java, utf8_locale

# Class files of this release run on every accepted Java.
RELEASE = "17"

# Not of the sources: jars whose manifest names absent jars (path), annotations without a processor (processing),
# and annotations that Spark's class files mention but do not ship (classfile).
# Serial versions (serial) guard stored objects; operators only travel between processes that share one jar.
_LINT = "-Xlint:all,-path,-processing,-classfile,-serial"

_MANIFEST = "META-INF/MANIFEST.MF"

# The format's own epoch: with it and a fixed order, the same classes give the same bytes.
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)

# "File.java:3: error: …", or "error: …" without a place.
_ERROR_LINE = re.compile(r": error: |^error: ")


def compile_sources(
    java: Java,
    sources: Sequence[Path],
    classpath: Iterable[Path],
    destination: Path,
    *,
    compiler_jar: Path | None = None,
) -> str:
    """Compiles with the compiler in the jar if one is given, otherwise with the JDK's javac. Returns the warnings."""
    destination.mkdir(parents=True, exist_ok=True)
    joined = os.pathsep.join(map(str, classpath))
    if compiler_jar is None:
        tool = [str(java.compiler)]
    else:
        tool = [str(java.executable), "-jar", str(compiler_jar)]
    options = ["--release", RELEASE, _LINT, "-proc:none", "-encoding", "UTF-8"]
    done = subprocess.run(
        [*tool, *options, "-cp", joined, "-d", str(destination), *map(str, sources)],
        capture_output=True,
        text=True,
        errors="replace",
        env=os.environ | utf8_locale(),
        check=False,
    )
    diagnostics = (done.stdout + done.stderr).strip()
    if done.returncode != 0:
        raise _rejected(" ".join(tool), diagnostics)
    return diagnostics


def write_jar(target: Path, roots: Iterable[Path]) -> None:
    """Zip the files below `roots`; equal content gives equal bytes."""
    entries = {
        file.relative_to(root).as_posix(): file
        for root in roots
        for file in root.rglob("*")
        if file.is_file()
    }
    with zipfile.ZipFile(target, "w") as jar:
        for name in dict.fromkeys([_MANIFEST, *sorted(entries)]):
            entry = zipfile.ZipInfo(name, _ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            jar.writestr(
                entry,
                entries[name].read_bytes() if name in entries else b"Manifest-Version: 1.0\r\n\r\n",
            )


def _rejected(tool: str, diagnostics: str) -> EnvironmentFault:
    lines = diagnostics.splitlines()
    first = next((number for number, line in enumerate(lines) if _ERROR_LINE.search(line)), 0)
    return EnvironmentFault(
        "the Java operators do not compile",
        condition="OPERATORS_NOT_COMPILED",
        found=" / ".join(line.strip() for line in lines[first : first + 3] if line.strip())
        or "no message",
        expected=f"{tool} to accept every source in jvm/",
        cure="correct the source named above, or install a wheel that `make wheel` built from unchanged sources",
    )
