"""The jar sets in the cache: what is present, and what a command downloads before it starts its work.

HEADRACE_CACHE/jars/<path in a Maven repository>   every file of jars.lock that was downloaded; sets share files
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from headrace.errors import EnvironmentFault
from headrace.toolchain.coordinates import JarSet, jar_set
from headrace.toolchain.lock_file import LockedFile, locked_files
from headrace.toolchain.locking import exclusive
from headrace.toolchain.paths import jars_folder
from headrace.toolchain.progress import ProgressEvent, Reporter, silent

TASK = "jars"


def fetch(
    set_names: Iterable[str], progress: Reporter = silent, *, verify: bool = False
) -> list[LockedFile]:
    """Downloads what is missing of the sets, all at once. Without a missing file it needs no network.

    With `verify` it reads the files that are present, and replaces those that are damaged. Returns the files that
    were missing or damaged.
    """
    names = list(dict.fromkeys(set_names))
    absent = missing(*map(jar_set, names), verify=verify)
    if not absent:
        return []
    # HTTP and TLS take 40 ms to import, for which a start without a download need not wait.
    from headrace.toolchain.download import DRAFTS, Download, not_writable

    try:
        with exclusive(jars_folder() / "lock", waiting=lambda: _report_waiting(progress)):
            # What another process downloaded while this one waited is not missing any more.
            absent = [file for file in absent if not is_present(file, verify=verify)]
            if absent:
                # Nobody else downloads now, so these are of processes that were killed.
                for draft in jars_folder().rglob(DRAFTS):
                    draft.unlink()
                Download(jars_folder()).run(absent, TASK, fetch_command(names), progress)
    except OSError as error:
        raise not_writable(jars_folder(), error) from None
    return absent


def ensure(set_name: str, progress: Reporter = silent) -> list[Path]:
    """Returns the files of a set, after downloading those that are missing."""
    fetch([set_name], progress)
    return _paths(jar_set(set_name))


def installed(*set_names: str) -> list[Path]:
    """Returns the files of the sets, or raises: for code that must not wait for a download."""
    wanted = [jar_set(name) for name in set_names]
    absent = [one.name for one in wanted if missing(one)]
    if absent:
        raise EnvironmentFault(
            f"jars are not installed: {', '.join(absent)}",
            condition="JARS_NOT_INSTALLED",
            where=str(jars_folder()),
            cure=f"run: {fetch_command(absent)}",
        )
    return [path for one in wanted for path in _paths(one)]


def missing(*wanted: JarSet, verify: bool = False) -> list[LockedFile]:
    """Returns the files of the sets that are not in the cache, each once; with `verify` also the damaged ones."""
    files = {file.path: file for one in wanted for file in locked_files(one)}
    return [file for file in files.values() if not is_present(file, verify=verify)]


def is_present(file: LockedFile, *, verify: bool = False) -> bool:
    """Returns whether the file was downloaded. Files appear complete, so a start compares only their sizes."""
    path = jars_folder() / file.path
    try:
        if path.stat().st_size != file.size:
            return False
        if verify:
            with path.open("rb") as content:
                return hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
    except OSError:
        return False
    return True


def fetch_command(set_names: Iterable[str]) -> str:
    return f"headrace dev fetch {' '.join(set_names)}"


def _report_waiting(progress: Reporter) -> None:
    progress(ProgressEvent(TASK, "another process downloads jars; waiting for it"))


def _paths(wanted: JarSet) -> list[Path]:
    return [jars_folder() / file.path for file in locked_files(wanted)]
