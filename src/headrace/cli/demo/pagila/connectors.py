"""The connectors: applied over the REST API, polled until they run, and the offsets that sinks have committed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from headrace.connect.client import Client, path
from headrace.errors import EnvironmentFault, UserError


def accepted(client: Client, name: str, config: Mapping[str, Any]) -> bool:
    """Whether the worker has the configuration. It answers 409 until it leads its group, and may need longer than a
    request lasts to start its Java worker."""
    try:
        client.call("PUT", path(name, "config"), config)
    except UserError as refused:
        if (refused.found or "").startswith("status 409"):
            return False
        raise
    except EnvironmentFault as fault:
        if fault.found == "timed out":
            return False
        raise
    return True


def not_running(client: Client, names: Iterable[str]) -> list[str]:
    """Connectors without a running task; raises CONNECTOR_FAILED if one failed."""
    return [name for name in names if not _runs(name, _status(client, name))]


def _status(client: Client, name: str) -> Mapping[str, Any]:
    """By name: the list of all would wait until the Java worker is up."""
    found: Mapping[str, Any] = client.get(path(name, "status"))
    return found


def _runs(name: str, status: Mapping[str, Any]) -> bool:
    parts = [status["connector"], *status["tasks"]]
    for part in parts:
        if part["state"] == "FAILED":
            raise EnvironmentFault(
                f"connector '{name}' failed",
                condition="CONNECTOR_FAILED",
                found=str(part.get("trace", "")).strip().partition("\n")[0] or "no trace",
                cure="run again with --verbose; the worker's log is then printed",
            )
    return len(parts) > 1 and all(part["state"] == "RUNNING" for part in parts)


def written(client: Client, sink: str) -> int:
    """How many records the sink has written: it commits the offset of the first one that is in no object yet."""
    try:
        offsets = client.get(path(sink, "offsets"))["offsets"]
    except UserError as refused:
        if (refused.found or "").startswith("status 404"):
            return 0
        raise
    return sum(int(entry["offset"]["kafka_offset"]) for entry in offsets)
