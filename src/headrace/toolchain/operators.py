"""The jar of the Java operators: carried by a wheel, or compiled once from the clone's `jvm/` folder.

HEADRACE_CACHE/operators/<digest>/headrace-operators.jar, where the digest covers sources, resources and pyspark.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
import zlib
from pathlib import Path

import headrace
from headrace.errors import EnvironmentFault
from headrace.toolchain import compiler
from headrace.toolchain.jars import fetch, installed
from headrace.toolchain.java import Java, find_java
from headrace.toolchain.locking import appearing_folder, exclusive
from headrace.toolchain.paths import operators_folder
from headrace.toolchain.progress import ProgressEvent, Reporter, silent
from headrace.toolchain.spark_home import spark_jars, spark_version

JAR_NAME = "headrace-operators.jar"
_PACKAGE = Path(headrace.__file__).parent
_CLONE = _PACKAGE.parent.parent


def operator_jar(progress: Reporter = silent, *, verify: bool = False) -> Path:
    """The jar to put on Spark's class path; compiles it when the clone's sources changed or the jar is damaged."""
    found = existing_jar(verify=verify)
    return found or build_from_sources(_sources_of_clone(), progress, verify=verify)


def sets_to_compile() -> list[str]:
    """Returns the jar sets that `operator_jar` needs, so that a command can download them with its own."""
    return [] if existing_jar() else _sets_for(find_java())


def existing_jar(*, verify: bool = False) -> Path | None:
    """The jar if nothing has to be compiled for it: the packaged one, or that of the present sources."""
    compiled = operators_folder() / digest_of(_sources_of_clone()) / JAR_NAME
    jars = (_PACKAGE / "_jvm" / JAR_NAME, compiled)
    return next((jar for jar in jars if is_whole(jar, verify=verify)), None)


def is_whole(jar: Path, *, verify: bool = False) -> bool:
    """Returns whether the jar exists and has its directory, which is its end; with `verify` every entry is read too."""
    if not zipfile.is_zipfile(jar):
        return False
    if verify:
        try:
            with zipfile.ZipFile(jar) as entries:
                return entries.testzip() is None
        except (zipfile.BadZipFile, zlib.error):
            return False
    return True


def build_from_sources(root: Path, progress: Reporter = silent, *, verify: bool = False) -> Path:
    """Compile `root`/java and add `root`/resources; the same content is compiled once per cache."""
    sources = sorted((root / "java").rglob("*.java"))
    if not sources:
        raise EnvironmentFault(
            "this installation has neither the compiled operators nor their sources",
            condition="OPERATORS_NOT_FOUND",
            expected=f"{JAR_NAME} inside the package, or Java sources in {root / 'java'}",
            cure="run `make wheel` in a clone and install dist/headrace-*.whl, or work from a complete clone",
        )
    jar = operators_folder() / digest_of(root) / JAR_NAME
    # A cache that has the jar may be read-only.
    if not is_whole(jar, verify=verify):
        with exclusive(operators_folder() / "lock"):
            if not is_whole(jar, verify=verify):
                _build(root, sources, jar.parent, progress)
    return jar


def digest_of(root: Path) -> str:
    """A name for the content of all sources and resources together with the Spark they compile against."""
    content = hashlib.sha256(f"pyspark {spark_version()}\n".encode())
    for file in sorted(file for file in root.rglob("*") if file.is_file()):
        data = file.read_bytes()
        content.update(f"{file.relative_to(root).as_posix()} {len(data)}\n".encode())
        content.update(data)
    return content.hexdigest()[:16]


def _sets_for(java: Java) -> list[str]:
    return ["spark"] if java.has_compiler else ["spark", "compiler"]


def _sources_of_clone() -> Path:
    return _CLONE / "jvm" / "src" / "main"


def _build(root: Path, sources: list[Path], folder: Path, progress: Reporter) -> None:
    java = find_java()
    fetch(_sets_for(java), progress)
    classpath = [*spark_jars(), *installed("spark")]
    compiler_jar = None if java.has_compiler else installed("compiler")[0]
    progress(ProgressEvent("operators", f"compiling {len(sources)} Java sources", 0, 1))
    with appearing_folder(folder) as draft, tempfile.TemporaryDirectory() as classes:
        compiler.compile_sources(java, sources, classpath, Path(classes), compiler_jar=compiler_jar)
        compiler.write_jar(draft / JAR_NAME, [Path(classes), root / "resources"])
        # A power cut must not leave a jar without its content.
        with (draft / JAR_NAME).open("rb") as written:
            os.fsync(written.fileno())
    progress(ProgressEvent("operators", str(folder / JAR_NAME), 1, 1))
