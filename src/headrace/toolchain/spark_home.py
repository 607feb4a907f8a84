"""The jars inside the installed pyspark, found without importing it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path

from headrace.errors import EnvironmentFault


def spark_version() -> str:
    """The version of the installed pyspark."""
    try:
        return importlib.metadata.version("pyspark")
    except importlib.metadata.PackageNotFoundError:
        raise _not_installed() from None


def spark_jars() -> list[Path]:
    """Every jar that pyspark ships, in a stable order."""
    return sorted(spark_jars_folder().glob("*.jar"))


def spark_jars_folder() -> Path:
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise _not_installed()
    return Path(spec.origin).parent / "jars"


def _not_installed() -> EnvironmentFault:
    return EnvironmentFault(
        "the package pyspark is not installed; it contains Spark, which runs the jobs",
        condition="SPARK_NOT_INSTALLED",
        cure="pip install 'headrace[spark]'",
    )
