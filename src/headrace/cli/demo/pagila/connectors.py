"""The connectors: applied over the REST API, polled until they run, and the offsets that sinks have committed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http.client import CONFLICT, NOT_FOUND
from typing import Any

from headrace.connect.client import Client, ConnectRefused, path
from headrace.errors import EnvironmentFault


def accepted(client: Client, name: str, config: Mapping[str, Any]) -> bool:
    """Whether the worker has the configuration. It answers 409 until it leads its group, and may need longer than a
    request lasts to start its Java worker."""
    try:
        client.call("PUT", path(name, "config"), config)
    except ConnectRefused as refused:
        if refused.status != CONFLICT:
            raise
        return False
    except EnvironmentFault as fault:
        if fault.found == "timed out":
            return False
        raise
    return True


def not_running(client: Client, names: Iterable[str]) -> list[str]:
    """Connectors without a running task; raises CONNECTOR_FAILED if one failed."""
    # One request for each: the list of all would wait until the Java worker is up.
    return [name for name in names if not _runs(name, _existing(client, name, "status"))]


def _runs(name: str, status: Mapping[str, Any] | None) -> bool:
    if status is None:
        return False
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
    offsets = _existing(client, sink, "offsets")
    if offsets is None:
        return 0
    return sum(int(entry["offset"]["kafka_offset"]) for entry in offsets["offsets"])


def _existing(client: Client, name: str, what: str) -> Mapping[str, Any] | None:
    """Returns None if the worker has not stored it yet: a Java connector has no status before its first start."""
    try:
        found: Mapping[str, Any] = client.get(path(name, what))
    except ConnectRefused as refused:
        if refused.status != NOT_FOUND:
            raise
        return None
    return found
