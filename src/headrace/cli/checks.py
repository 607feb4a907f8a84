"""The examinations of `headrace doctor`: each looks at one thing and changes nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from headrace.errors import HeadraceError
from headrace.services import ports
from headrace.services.registry import services
from headrace.toolchain import coordinates, jars, operators, paths
from headrace.toolchain.java import JAVA_HOME, find_java
from headrace.toolchain.spark_home import spark_jars_folder, spark_version

Verdict = Literal["ok", "warning", "failed"]

PREPARE = "headrace dev fetch"

# Jars, operators, checkpoints and a broker's data of a day's work; below this Spark begins to fail in odd ways.
_SPACE_WANTED = 2 * 1024**3

_GIGABYTE = 1024**3


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `cure` is a line to paste, where there is one."""

    name: str
    state: Verdict
    detail: str
    cure: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value is not None}


def run_checks() -> Iterator[Check]:
    """All findings in order; an error inside one of them is a finding too."""
    for name, examine in CHECKS.items():
        try:
            yield from examine()
        except HeadraceError as error:
            found = f"{error.summary}{'' if error.found is None else f': {error.found}'}"
            yield Check(name, "failed", found, error.cure)


def check_python() -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", "ok", f"{version} at {sys.executable}")


def check_java() -> Iterator[Check]:
    java = find_java()
    compiler = (
        "javac" if java.has_compiler else "runtime only; a compiler is downloaded when it is needed"
    )
    yield Check("java", "ok", f"{java.version} at {java.home} ({compiler})")
    named = os.environ.get(JAVA_HOME)
    if named and java.origin != JAVA_HOME:
        found = f"{named} has no Java 17 or 21 and is not used"
        cure = f"export {JAVA_HOME}={shlex.quote(str(java.home))}"
        yield Check(JAVA_HOME, "warning", found, cure)


def check_spark() -> Iterator[Check]:
    version = spark_version()
    if version == coordinates.SPARK:
        yield Check("pyspark", "ok", version)
    else:
        cure = f"pip install pyspark=={coordinates.SPARK}"
        yield Check("pyspark", "failed", f"{version}; the jars are for {coordinates.SPARK}", cure)
    home = os.environ.get("SPARK_HOME")
    if home and Path(home).resolve() != spark_jars_folder().parent.resolve():
        yield Check(
            "SPARK_HOME",
            "warning",
            f"{home} would be used in place of pyspark's own",
            "unset SPARK_HOME",
        )


def check_workers() -> Iterator[Check]:
    """Driver and workers must be one minor version, so sessions name this interpreter whatever the variable says."""
    named = os.environ.get("PYSPARK_PYTHON")
    if not named or Path(named).absolute() == Path(sys.executable):
        yield Check("python workers", "ok", sys.executable)
    else:
        found = f"{sys.executable}; PYSPARK_PYTHON={named} is not used"
        yield Check("python workers", "warning", found, "unset PYSPARK_PYTHON")


def check_jars() -> Iterator[Check]:
    for jar_set in coordinates.SETS.values():
        name = f"jars: {jar_set.name}"
        absent = jars.missing(jar_set, verify=True)
        size = f"{sum(file.size for file in absent) / 10**6:.1f} MB"
        command = jars.fetch_command([jar_set.name])
        if not absent:
            yield Check(name, "ok", f"downloaded to {paths.jars_folder()}")
        elif jar_set.on_demand and absent == jars.missing(jar_set):
            # Only some commands need them. A damaged file would stay: commands compare sizes.
            found = f"{size} ({jar_set.purpose}), downloaded by the first command that needs them, or by: {command}"
            yield Check(name, "ok", found)
        else:
            yield Check(name, "warning", f"{size} missing or damaged ({jar_set.purpose})", command)


def check_operators() -> Iterator[Check]:
    jar = operators.existing_jar()
    if jar is None:
        yield Check("operators", "warning", "not compiled yet; the first job will do it", PREPARE)
    elif not operators.is_whole(jar, verify=True):
        yield Check("operators", "failed", f"{jar} is damaged", PREPARE)
    else:
        yield Check("operators", "ok", str(jar))


def check_folders() -> Iterator[Check]:
    for variable, folder in (
        (paths.CACHE_VARIABLE, paths.cache_folder()),
        (paths.HOME_VARIABLE, paths.home_folder()),
    ):
        existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
        free = shutil.disk_usage(existing).free
        if not existing.is_dir() or not os.access(existing, os.W_OK):
            yield Check(
                variable,
                "failed",
                f"{folder} cannot be written to",
                f"export {variable}=/a/folder/of/yours",
            )
        elif free < _SPACE_WANTED:
            found = f"{folder} has {free / _GIGABYTE:.1f} GB left, {_SPACE_WANTED / _GIGABYTE:.0f} are wanted"
            yield Check(
                variable, "warning", found, f"make room, or export {variable}=/a/larger/disk"
            )
        else:
            yield Check(variable, "ok", f"{folder} ({free / _GIGABYTE:.0f} GB free)")


def check_ports() -> Iterator[Check]:
    port = ports.free_port()
    if ports.is_free(port):
        yield Check("ports", "ok", f"{ports.HOST} has free ones ({port} for example)")
    else:
        yield Check(
            "ports",
            "failed",
            f"{ports.HOST}:{port} cannot be bound",
            "allow listening on the loopback address",
        )


def check_services() -> Iterator[Check]:
    for service in services():
        status = service.status()
        name = f"service: {service.name}"
        if status.state == "stale":
            found = f"recorded as pid {status.pid}, which is gone; see {status.log}"
            yield Check(name, "warning", found, f"headrace dev up {service.name}")
        else:
            yield Check(
                name, "ok", f"{status.state}{f' at {status.address}' if status.address else ''}"
            )


CHECKS: dict[str, Callable[[], Iterator[Check]]] = {
    "python": check_python,
    "java": check_java,
    "pyspark": check_spark,
    "python workers": check_workers,
    "jars": check_jars,
    "operators": check_operators,
    "folders": check_folders,
    "ports": check_ports,
    "services": check_services,
}
