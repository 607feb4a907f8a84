"""Flink with its Kafka connector and the compiled job runner, in the cache: fetched once, from PyPI and from Maven.

HEADRACE_CACHE/benchmarks/flink-2.2.1-<digest>/lib/*.jar   Flink and the connector
                                              /classes/   FlinkJob
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import EnvironmentFault
from headrace.toolchain.compiler import compile_sources
from headrace.toolchain.coordinates import Artifact, JarSet
from headrace.toolchain.download import REPOSITORY_VARIABLE
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import Java, find_java
from headrace.toolchain.locking import appearing_folder, exclusive
from headrace.toolchain.paths import cache_folder
from headrace.toolchain.progress import ProgressEvent, Reporter, silent
from headrace.toolchain.spark_home import spark_jars_folder
from tools.jars import ivy

VERSION = "2.2.1"
MAIN_CLASS = "FlinkJob"

_SOURCE = Path(__file__).parent / "flink" / f"{MAIN_CLASS}.java"
_PACKAGE = f"apache-flink-libraries=={VERSION}"

CONNECTOR = JarSet(
    "flink-kafka",
    "the Kafka connector of Flink",
    (
        Artifact(
            "org.apache.flink",
            "flink-sql-connector-kafka",
            "5.0.0-2.2",
            "reads and writes topics; carries its Kafka client inside",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Flink:
    folder: Path
    java: Java

    @property
    def class_path(self) -> str:
        return os.pathsep.join((str(self.folder / "classes"), str(self.folder / "lib" / "*")))


def ensure_flink(progress: Reporter = silent) -> Flink:
    """Needs a network the first time, and again when the job runner changes."""
    java, folder = find_java(), flink_folder()
    with exclusive(folder.parent / "lock"):
        if not folder.is_dir():
            with appearing_folder(folder) as draft:
                _fill(draft, java, progress)
            progress(ProgressEvent("flink", str(folder), 3, 3))
    return Flink(folder, java)


def flink_folder() -> Path:
    content = _SOURCE.read_bytes() + CONNECTOR.digest.encode()
    digest = hashlib.sha256(content).hexdigest()[:12]
    return cache_folder("benchmarks", f"flink-{VERSION}-{digest}")


def _fill(folder: Path, java: Java, progress: Reporter) -> None:
    library = folder / "lib"
    library.mkdir()
    progress(ProgressEvent("flink", f"downloading {_PACKAGE} (310 MB)", 0, 3))
    _download_libraries(library)
    progress(ProgressEvent("flink", "resolving the Kafka connector", 1, 3))
    _resolve_connector(library, java)
    progress(ProgressEvent("flink", f"compiling {_SOURCE.name}", 2, 3))
    jar = None if java.has_compiler else ensure("compiler", progress)[0]
    classpath = sorted(library.glob("*.jar"))
    compile_sources(java, [_SOURCE], classpath, folder / "classes", compiler_jar=jar)


def _download_libraries(library: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="headrace-flink-") as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        done = subprocess.run(
            [*command, "--only-binary", ":all:", "--dest", scratch, _PACKAGE],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise EnvironmentFault(
                "Flink could not be downloaded",
                condition="FLINK_NOT_FOUND",
                found=(done.stderr.strip().splitlines() or ["pip said nothing"])[-1][:300],
                expected=f"{_PACKAGE} from the package index",
                cure="check the network, or measure without it: --engines headrace",
            )
        extract_jars(next(Path(scratch).glob("*.whl")), library)


def extract_jars(wheel: Path, library: Path) -> None:
    """The jars of Flink's own `lib` folder; what it keeps in `opt` is not part of a running cluster."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = Path(name)
            if path.suffix == ".jar" and path.parent.name == "lib":
                (library / path.name).write_bytes(archive.read(name))


def _resolve_connector(library: Path, java: Java) -> None:
    with tempfile.TemporaryDirectory(prefix="headrace-flink-") as scratch:
        resolution = ivy.Resolution(
            CONNECTOR,
            cache=Path(scratch) / "cache",
            destination=Path(scratch) / "jars",
            repository=os.environ.get(REPOSITORY_VARIABLE) or None,
        )
        resolution.destination.mkdir()
        resolution.run([str(java.executable), "-cp", str(spark_jars_folder() / "*")])
        for jar in resolution.destination.rglob("*.jar"):
            shutil.copy(jar, library)
