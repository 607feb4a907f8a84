"""Bodies of requests as the objects that Connect makes of them, and what it says of others.

A body of another shape is a 500 in Connect, not a 400; clients that look at the status rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from headrace.connect.answers import Refusal
from headrace.connect.rest.json_text import JsonText, Node

Config = dict[str, str | None]

_ENTITIES = "org.apache.kafka.connect.runtime.rest.entities."
_MAP = "java.util.LinkedHashMap"
_TEXTS = f"{_MAP}<java.lang.String,java.lang.String>"
_OBJECTS = f"{_MAP}<java.lang.String,java.lang.Object>"

_TOKENS = {
    "object": ("Object value", "START_OBJECT"),
    "array": ("Array value", "START_ARRAY"),
    "string": ("String value", "VALUE_STRING"),
    "int": ("Integer value", "VALUE_NUMBER_INT"),
    "float": ("Floating-point value", "VALUE_NUMBER_FLOAT"),
    "true": ("Boolean value", "VALUE_TRUE"),
    "false": ("Boolean value", "VALUE_FALSE"),
}
_ARGUMENTS = {
    "string": ("String", "String value ('{}')"),
    "int": ("int/Int", "Number value ({})"),
    "float": ("double/Double", "Number value ({})"),
    "true": ("boolean/Boolean", "boolean value ({})"),
    "false": ("boolean/Boolean", "boolean value ({})"),
}


@dataclass(frozen=True, slots=True)
class Creation:
    """The body of POST /connectors."""

    name: str
    config: Config
    initial_state: str | None


class Body:
    """Reads one body; `chain` is where in the object something is, as Connect's parser tells it."""

    def __init__(self, payload: bytes) -> None:
        self.json = JsonText(payload.decode("utf-8", "replace"))
        root = self.json.whole()
        self.root = None if root is None or root.kind == "null" else root

    def creation(self) -> Creation:
        entity = f"{_ENTITIES}CreateConnectorRequest"
        if self.root is None:
            raise _null(f"{entity}.name()", "createRequest")
        found: dict[str, Any] = {}
        known = '3 known properties: "config", "name", "initial_state"'
        for name, node, chain in self._members(self.root, entity, known):
            match name:
                case "name":
                    found[name] = self._text(node, chain)
                case "config":
                    found[name] = None if node.kind == "null" else self._texts(node, chain)
                case "initial_state":
                    found[name] = self._state(node, chain)
        config = found.get("config")
        if config is None:
            raise _null("java.util.Map.get(Object)", "connectorConfig")
        return Creation((found.get("name") or "").strip(), config, found.get("initial_state"))

    def config(
        self, null: tuple[str, str] = ("java.util.Map.get(Object)", "connectorConfig")
    ) -> Config:
        """A map of strings; `null` is what Connect's code does with it, and what it calls it."""
        if self.root is None:
            raise _null(*null)
        return self._texts(self.root, "")

    def offsets(self) -> list[tuple[Any, Any]]:
        """Pairs of a partition and an offset."""
        entity = f"{_ENTITIES}ConnectorOffsets"
        if self.root is None:
            raise _null(f"{entity}.offsets()", "offsets")
        changes: list[tuple[Any, Any]] = []
        for _, node, chain in self._members(self.root, entity, 'one known property: "offsets"'):
            changes = [] if node.kind == "null" else self._changes(node, chain)
        return changes

    def _changes(self, node: Node, chain: str) -> list[tuple[Any, Any]]:
        if node.kind != "array":
            self._mismatch(f"java.util.ArrayList<{_ENTITIES}ConnectorOffset>", node, chain)
        places = [f"{chain}->java.util.ArrayList[{at}]" for at in range(len(node.value))]
        return [self._change(one, place) for one, place in zip(node.value, places, strict=True)]

    def _change(self, node: Node, chain: str) -> tuple[Any, Any]:
        entity = f"{_ENTITIES}ConnectorOffset"
        if node.kind == "null":
            raise _null(f"{entity}.partition()", "offset")
        known = '2 known properties: "partition", "offset"'
        found = {
            name: self._objects(part, place)
            for name, part, place in self._members(node, entity, known, chain)
        }
        return found.get("partition"), found.get("offset")

    def _members(
        self, node: Node, entity: str, known: str, chain: str = ""
    ) -> Iterator[tuple[str, Node, str]]:
        """Those that an object has; others are refused after them."""
        if node.kind == "array":
            self._mismatch(entity, node, chain)
        if node.kind != "object":
            self._no_argument(entity, node, chain)
        names = [part.strip('"') for part in known.partition(": ")[2].split(", ")]
        place = f"{chain}->{entity}" if chain else entity
        for name, member in node.value:
            if name in names:
                yield name, member, f'{place}["{name}"]'
        for name, _ in node.value:
            if name not in names:
                self.json.malformed(
                    f'Unrecognized field "{name}" (class {entity}), not marked as ignorable ({known}])',
                    node.end,
                    f'{place}["{name}"]',
                )

    def _texts(self, node: Node, chain: str) -> Config:
        if node.kind == "string":
            self._no_argument(_MAP, node, chain)
        if node.kind != "object":
            self._mismatch(_TEXTS, node, chain)
        place = f"{chain}->{_MAP}" if chain else _MAP
        return {name: self._text(one, f'{place}["{name}"]') for name, one in node.value}

    def _text(self, node: Node, chain: str) -> str | None:
        """Numbers and booleans become their text, as it was written; anything deeper is none."""
        if node.kind in ("object", "array"):
            self._mismatch("java.lang.String", node, chain)
        return node.written or node.value if node.kind != "null" else None

    def _objects(self, node: Node, chain: str) -> Any:
        if node.kind == "string":
            self._no_argument(_MAP, node, chain)
        if node.kind not in ("object", "null"):
            self._mismatch(_OBJECTS, node, chain)
        return node.plain()

    def _state(self, node: Node, chain: str) -> str | None:
        text = self._text(node, chain)
        known = None if text is None else text.upper()
        if known not in (None, "RUNNING", "PAUSED", "STOPPED"):
            entity = f"{_ENTITIES}CreateConnectorRequest"
            self.json.malformed(
                f"Cannot construct instance of `{entity}$InitialState`, problem: No enum constant "
                f"{entity}.InitialState.{known}",
                node.start,
                chain,
            )
        return known

    def _mismatch(self, type: str, node: Node, chain: str) -> NoReturn:
        what, token = _TOKENS[node.kind]
        self.json.malformed(
            f"Cannot deserialize value of type `{type}` from {what} (token `JsonToken.{token}`)",
            node.start,
            chain,
        )

    def _no_argument(self, type: str, node: Node, chain: str) -> NoReturn:
        argument, shown = _ARGUMENTS[node.kind]
        self.json.malformed(
            f"Cannot construct instance of `{type}` (although at least one Creator exists): no "
            f"{argument}-argument constructor/factory method to deserialize from "
            f"{shown.format(node.written or node.value)}",
            node.start,
            chain,
        )


def _null(call: str, name: str) -> Refusal:
    return Refusal(500, f'Cannot invoke "{call}" because "{name}" is null')
