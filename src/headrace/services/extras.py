"""Python packages that an extra of the distribution installs."""

from __future__ import annotations

import importlib.util

from headrace.errors import EnvironmentFault


def require_packages(service: str, *modules: str, extra: str = "services") -> None:
    """Raises an error with the command that installs them if packages of the service are missing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise EnvironmentFault(
            f"{service} needs packages that are not installed",
            condition="SERVICE_NOT_INSTALLED",
            found=f"missing: {', '.join(missing)}",
            cure=f"pip install 'headrace[{extra}]'",
        )
