"""Where Headrace keeps files: a cache that may be deleted at any time, and a home that holds state.

HEADRACE_CACHE   downloaded jars, compiled operators     default: the platform's user cache folder
HEADRACE_HOME    services, job registry, history       default: the platform's user state folder

HEADRACE_CREDENTIALS names the file of credentials; by default it lies in the platform's user configuration folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

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


def _root(variable: str, default: Path) -> Path:
    # An empty variable means unset, as POSIX tools treat it; a relative one is fixed to the current
    # folder now, since child processes may run elsewhere.
    named = os.environ.get(variable)
    return Path(named).expanduser().absolute() if named else default
