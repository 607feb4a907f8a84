"""Packages of the distribution, unpacked into a folder of ours: nothing is installed, and no rights are needed.

HEADRACE_CACHE/packages/<name>/root   what the packages hold, under the paths they would have
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from headrace.errors import EnvironmentFault
from headrace.toolchain.locking import create_once
from headrace.toolchain.paths import cache_folder
from headrace.toolchain.progress import ProgressEvent, Reporter

# A few megabytes from a mirror; longer means that it does not answer.
_DOWNLOAD_SECONDS = 300


def unpacked(service: str, packages: Sequence[str], progress: Reporter) -> Path:
    """The folder that stands for / of the packages, fetched on first use."""

    def fetch(draft: Path) -> None:
        missing = [tool for tool in ("apt-get", "dpkg-deb") if shutil.which(tool) is None]
        if missing:
            raise _unavailable(service, f"no {missing[0]} on the PATH")
        progress(ProgressEvent(service, f"fetching {', '.join(packages)}", 0, 1))
        _fetch(service, packages, draft)

    return create_once(cache_folder() / "packages" / service, fetch) / "root"


def _fetch(service: str, packages: Sequence[str], folder: Path) -> None:
    _run(service, ["apt-get", "download", *packages], folder)
    for archive in sorted(folder.glob("*.deb")):
        _run(service, ["dpkg-deb", "-x", str(archive), str(folder / "root")], folder)
        archive.unlink()


def _run(service: str, command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=_DOWNLOAD_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _unavailable(service, f"{command[0]} did not end") from None
    if done.returncode != 0:
        raise _unavailable(service, (done.stderr.strip() or command[0]).splitlines()[-1])


def _unavailable(service: str, found: str) -> EnvironmentFault:
    return EnvironmentFault(
        f"{service} cannot be installed from this machine's package repositories",
        condition="SERVICE_NOT_INSTALLED",
        found=found,
        expected="Debian, Ubuntu or a relative, with lists of packages that are up to date",
        cure="run `apt-get update`, or use a server of your own",
    )
