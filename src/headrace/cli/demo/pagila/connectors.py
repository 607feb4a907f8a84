"""The connectors: applied over the REST API, watched until they run, and asked how far they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from headrace.connect.client import Client, path
from headrace.errors import EnvironmentFault, UserError


def accepted(client: Client, name: str, config: Mapping[str, Any]) -> bool:
    """Whether the worker took it; one that has just come up asks for patience until it leads its group."""
    try:
        client.call("PUT", path(name, "config"), config)
    except UserError as refused:
        if (refused.found or "").startswith("status 409"):
            return False
        raise
    return True


def waiting_for(client: Client, names: Iterable[str]) -> list[str]:
    """Those of the connectors that have no running task yet; one that failed is an error."""
    statuses = client.get("/connectors", expand="status")
    return [name for name in names if not _runs(name, statuses.get(name, {}).get("status"))]


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


def written(client: Client, sink: str) -> dict[str, int]:
    """How far a sink is, by topic: the offset of the first record that is in no object yet."""
    offsets = client.get(path(sink, "offsets"))["offsets"]
    return {
        entry["partition"]["kafka_topic"]: int(entry["offset"]["kafka_offset"]) for entry in offsets
    }


def unwritten(client: Client, sink: str, ends: Mapping[str, int]) -> int:
    """How many records of the topics, which end at `ends`, the sink has still to write."""
    done = written(client, sink)
    return sum(end - done.get(topic, 0) for topic, end in ends.items())
