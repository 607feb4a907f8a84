"""Where Headrace keeps files: a cache that may be deleted at any time, and a home that holds state.

HEADRACE_CACHE   downloaded jars, compiled operators     default: the platform's user cache folder
HEADRACE_HOME    services, job registry, history       default: the platform's user state folder

HEADRACE_CREDENTIALS names the file of credentials; by default it lies in the platform's user configuration folder.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import platformdirs

from headrace.errors import EnvironmentFault

CACHE_VARIABLE = "HEADRACE_CACHE"
HOME_VARIABLE = "HEADRACE_HOME"
CREDENTIALS_VARIABLE = "HEADRACE_CREDENTIALS"


def cache_folder(*parts: str) -> Path:
    """A path below the cache; the caller creates it when it writes."""
    return _root(CACHE_VARIABLE, platformdirs.user_cache_path("headrace")).joinpath(*parts)


def home_folder(*parts: str) -> Path:
    """A path below the home; the caller creates it when it writes."""
    return _root(HOME_VARIABLE, platformdirs.user_state_path("headrace")).joinpath(*parts)


def jars_folder() -> Path:
    return cache_folder("jars")


def operators_folder() -> Path:
    return cache_folder("operators")


def services_folder() -> Path:
    return home_folder("services")


def credentials_file() -> Path:
    return _root(
        CREDENTIALS_VARIABLE, platformdirs.user_config_path("headrace") / "credentials.toml"
    )


# Errors of a folder or its disk. A folder that cannot even be created is reported as missing.
_FOLDER_ERRORS = (
    errno.EACCES,
    errno.EDQUOT,
    errno.ENOENT,
    errno.ENOSPC,
    errno.ENOTDIR,
    errno.EPERM,
    errno.EROFS,
)


def fault_of_folder(error: OSError) -> EnvironmentFault | None:
    """Returns the fault if the home or the cache cannot be written to, and None for every other error."""
    if error.errno not in _FOLDER_ERRORS or error.filename is None:
        return None
    path = Path(os.fsdecode(error.filename))
    for variable, folder in ((HOME_VARIABLE, home_folder()), (CACHE_VARIABLE, cache_folder())):
        # A file that is missing within the folder has another cause.
        within = error.errno != errno.ENOENT and folder in path.parents
        if within or path == folder or path in folder.parents:
            return EnvironmentFault(
                f"the folder of {variable} cannot be written to",
                condition="HOME_NOT_WRITABLE"
                if variable == HOME_VARIABLE
                else "CACHE_NOT_WRITABLE",
                where=str(path),
                found=error.strerror,
                cure=f"make the folder writable and check its disk, or export {variable}=/another/folder",
            )
    return None


def _root(variable: str, default: Path) -> Path:
    # An empty variable means unset, as POSIX tools treat it; a relative one is fixed to the current
    # folder now, since child processes may run elsewhere.
    named = os.environ.get(variable)
    return Path(named).expanduser().absolute() if named else default
