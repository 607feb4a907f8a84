"""Resolving a jar set once, through the Ivy inside pyspark, into a folder that later starts just read.

HEADRACE_CACHE/jars/<set>-<digest>/*.jar    the resolved jars
                                  /complete their names, written last
HEADRACE_CACHE/jars/ivy/                    Ivy's own download cache
HEADRACE_MAVEN_REPOSITORY                   a repository to ask in place of Maven Central
"""

from __future__ import annotations

import os
from pathlib import Path

from headrace.toolchain import ivy
from headrace.toolchain.coordinates import JarSet, jar_set
from headrace.toolchain.java import find_java
from headrace.toolchain.locking import appearing_folder, exclusive
from headrace.toolchain.paths import jars_folder
from headrace.toolchain.progress import ProgressEvent, Reporter, silent
from headrace.toolchain.spark_home import spark_jars_folder

REPOSITORY_VARIABLE = "HEADRACE_MAVEN_REPOSITORY"
MARKER = "complete"


def ensure(set_name: str, progress: Reporter = silent) -> list[Path]:
    """The files of a set, resolved now if they are not in the cache (the only case that needs a network)."""
    wanted = jar_set(set_name)
    present = cached(wanted)
    if present is not None:
        return present
    with exclusive(jars_folder() / "lock"):
        # Another process may have resolved it while this one waited for the lock.
        return cached(wanted) or _resolve(wanted, progress)


def cached(wanted: JarSet) -> list[Path] | None:
    """The jars in the cache, or None when the set is not there whole."""
    folder = folder_of(wanted)
    try:
        names = (folder / MARKER).read_text(encoding="utf-8").split("\n")
    except OSError:
        return None
    jars = [folder / name for name in names if name]
    return jars if all(jar.is_file() for jar in jars) else None


def folder_of(wanted: JarSet) -> Path:
    return jars_folder() / f"{wanted.name}-{wanted.digest}"


def _resolve(wanted: JarSet, progress: Reporter) -> list[Path]:
    # Before anything else: a missing Java or pyspark has its own, clearer error.
    java, classpath = find_java(), spark_jars_folder() / "*"
    progress(ProgressEvent(wanted.name, f"resolving {wanted.purpose}"))
    target = folder_of(wanted)
    with appearing_folder(target) as draft:
        resolution = ivy.Resolution(
            wanted,
            cache=jars_folder() / "ivy",
            destination=draft,
            repository=os.environ.get(REPOSITORY_VARIABLE) or None,
        )
        resolution.run([str(java.executable), "-cp", str(classpath)], progress)
        names = sorted(file.name for file in draft.iterdir())
        (draft / MARKER).write_text("\n".join(names), encoding="utf-8")
    progress(ProgressEvent(wanted.name, f"{len(names)} jars in {target}", len(names), len(names)))
    return [target / name for name in names]
