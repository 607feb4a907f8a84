"""The Python packages of a service, which a plain installation does not bring."""

from __future__ import annotations

import importlib.util

from headrace.errors import EnvironmentFault


def require_packages(service: str, *modules: str) -> None:
    """Raise, with the line that installs them, when a package of the service is missing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise EnvironmentFault(
            f"{service} needs packages that are not installed",
            condition="SERVICE_NOT_INSTALLED",
            found=f"missing: {', '.join(missing)}",
            cure="pip install 'headrace[spark,services]'",
        )
