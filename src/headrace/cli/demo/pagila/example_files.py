"""The files of examples/pagila, which the demo runs as a reader of the tutorial would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from headrace.connect.client import read_config

# The folders in it are links to examples/pagila in a clone, and hold the files themselves in an installed package.
FOLDER = Path(__file__).parent

PAIRS = tuple(
    name
    for number in ("00", "01", "02")
    for name in (f"jdbc_source_connector_postgresql_{number}", f"s3_sink_connector_{number}")
)
LOG_SOURCE = "debezium_source_connector_postgresql"


def config(name: str) -> dict[str, Any]:
    """A connector's configuration; secrets and addresses in it are references to the worker's environment."""
    return read_config(FOLDER / "config" / f"{name}.json")[1]


def sql(name: str) -> str:
    return (FOLDER / "sql" / f"{name}.sql").read_text(encoding="utf-8")


def statements(name: str) -> list[str]:
    """The statements of a file, to be run one by one; the file must have no semicolon inside a string."""
    bare = "\n".join(line for line in sql(name).splitlines() if not line.startswith("--"))
    return [statement.strip() for statement in bare.split(";") if statement.strip()]
