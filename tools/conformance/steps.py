"""A request of the scenario, and the configurations that many send. {folder} stands for a folder of the run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector"
SINK = "org.apache.kafka.connect.file.FileStreamSinkConnector"
TEXT = "org.apache.kafka.connect.storage.StringConverter"
VALUE_TO_KEY = "org.apache.kafka.connect.transforms.ValueToKey"

LINES = {
    "connector.class": SOURCE,
    "tasks.max": "1",
    "file": "{folder}/in.txt",
    "topic": "lines",
    "value.converter": TEXT,
    "key.converter": TEXT,
}
COPY = {
    "connector.class": SINK,
    "file": "{folder}/out.txt",
    "topics": "lines",
    "value.converter": TEXT,
    "key.converter": TEXT,
}
STEPS = {
    **LINES,
    "transforms": "hoist,key",
    "transforms.hoist.type": "org.apache.kafka.connect.transforms.HoistField$Value",
    "transforms.hoist.field": "line",
    "transforms.key.type": VALUE_TO_KEY,
    "transforms.key.fields": "line",
    "transforms.key.predicate": "lines",
    "predicates": "lines",
    "predicates.lines.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.lines.pattern": "lines",
}
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Step:
    """A request. It is repeated until `until` holds: the states of a status, or how many offsets there are.

    `words`: whether the text of messages counts; a list of all plugins is each worker's own."""

    method: str
    target: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=lambda: JSON)
    until: Any = None
    words: bool = True

    @property
    def payload(self) -> str | None:
        """Text is sent as it is."""
        if self.body is None or isinstance(self.body, str):
            return self.body
        return json.dumps(self.body)


def states(name: str, connector: str, *tasks: str) -> Step:
    return Step("GET", f"/connectors/{name}/status", until=[connector, list(tasks)])


def wrapped(name: str, config: Mapping[str, str], **more: str) -> dict[str, Any]:
    return {"name": name, "config": dict(config), **more}


def validate(plugin: str, config: Mapping[str, Any]) -> Step:
    return Step("PUT", f"/connector-plugins/{plugin}/config/validate", dict(config))
