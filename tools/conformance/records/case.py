"""A case: converters and a chain of transforms, and the records that go through them as one batch."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

JSON = "org.apache.kafka.connect.json.JsonConverter"
SIMPLE_HEADERS = "org.apache.kafka.connect.storage.SimpleHeaderConverter"

# A point of time with milliseconds, so that their loss would show.
TIME = 1_700_000_000_123

Config = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Message:
    """As a topic has it."""

    value: bytes | None
    key: bytes | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    topic: str = "t"
    timestamp: int | None = TIME
    partition: int = 3
    offset: int = 42

    def facts(self) -> dict[str, Any]:
        return {
            "topic": self.topic,
            "partition": self.partition,
            "offset": self.offset,
            "timestamp": self.timestamp,
            "key": _base64(self.key),
            "value": _base64(self.value),
            "headers": [[name, _base64(value)] for name, value in self.headers],
        }


@dataclass(frozen=True, slots=True)
class Case:
    """`chain` has the options of transforms and predicates, `read` and `write` those of the converters at the ends."""

    name: str
    chain: Config
    messages: tuple[Message, ...]
    read: Config
    write: Config
    sink: bool = True

    def facts(self) -> dict[str, Any]:
        return {
            "sink": self.sink,
            "read": dict(self.read),
            "write": dict(self.write),
            "chain": dict(self.chain),
            "messages": [message.facts() for message in self.messages],
        }

    def digest(self) -> str:
        """Tells whether an answer was given to this very case."""
        return hashlib.sha256(json.dumps(self.facts()).encode()).hexdigest()[:12]


def converters(
    key: Config | None = None, value: Config | None = None, header: str = SIMPLE_HEADERS
) -> Config:
    """Of JSON with schemas where nothing else is given; nulls stay nulls, so that it shows what a transform makes of them."""
    own = {"": JSON, "replace.null.with.default": "false"}
    found = {"header.converter": header}
    for part, options in (("key", key or own), ("value", value or own)):
        for name, text in options.items():
            found[f"{part}.converter.{name}".removesuffix(".")] = text
    return found


USUAL = converters()
PLAIN = {"": JSON, "schemas.enable": "false"}
WITHOUT_SCHEMAS = converters(PLAIN, PLAIN)


def chain_of(
    *steps: tuple[str, Config], predicates: Mapping[str, Config] | None = None
) -> dict[str, str]:
    """The options of steps, each of a class and its own options, under the names x0, x1 and so on."""
    names = [f"x{number}" for number in range(len(steps))]
    config = {"transforms": ",".join(names)}
    for name, (kind, options) in zip(names, steps, strict=True):
        config[f"transforms.{name}.type"] = f"org.apache.kafka.connect.transforms.{kind}"
        config.update({f"transforms.{name}.{option}": text for option, text in options.items()})
    if predicates:
        config["predicates"] = ",".join(predicates)
    for name, options in (predicates or {}).items():
        config.update({f"predicates.{name}.{option}": text for option, text in options.items()})
    return config


def case(
    kind: str,
    options: Config,
    messages: Iterable[Message],
    *,
    note: str = "",
    read: Config = USUAL,
    write: Config = USUAL,
    sink: bool = True,
) -> Case:
    """Of one transform."""
    told = " ".join(f"{option}={_short(text)}" for option, text in options.items())
    more = [note, "no schemas" if read is WITHOUT_SCHEMAS else "", "" if sink else "source"]
    name = " ".join(filter(None, [kind, told, *more]))
    return Case(name, chain_of((kind, options)), tuple(messages), read, write, sink)


def _short(text: str) -> str:
    """Long lists name every type, and differ in their ends."""
    return text if len(text) <= 60 else f"{text[:20]}…{text[-20:]}"


def _base64(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()
