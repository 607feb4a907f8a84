"""Schemas and values of every type of Connect, in the form of the JSON converter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tools.conformance.records.case import Message

LOGICAL = "org.apache.kafka.connect.data."
Node = dict[str, Any]


def of(type: str, **facts: Any) -> Node:
    return {"type": type, "optional": False, **facts}


def struct(fields: Mapping[str, Node], **facts: Any) -> Node:
    named = [{**schema, "field": name} for name, schema in fields.items()]
    return of("struct", fields=named, **facts)


def decimal(scale: int, **facts: Any) -> Node:
    name = f"{LOGICAL}Decimal"
    return of("bytes", name=name, version=1, parameters={"scale": str(scale)}, **facts)


def logical(type: str, name: str, **facts: Any) -> Node:
    return of(type, name=LOGICAL + name, version=1, **facts)


def optional(schema: Node, **facts: Any) -> Node:
    return {**schema, "optional": True, **facts}


def envelope(schema: Node | None, payload: Any) -> bytes:
    return _text({"schema": schema, "payload": payload})


def plain(payload: Any) -> bytes:
    return _text(payload)


def _text(content: Any) -> bytes:
    """As the converter writes it, so that what stays the same looks the same."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


INNER = struct({"x": of("int32"), "y": optional(of("string"))})

# A schema of every type, with values at its ends.
TYPES: dict[str, tuple[Node, list[Any]]] = {
    "i8": (of("int8"), [0, 1, -128]),
    "i16": (of("int16"), [-1, 32767]),
    "i32": (of("int32"), [0, 256]),
    "i64": (of("int64"), [1700000000123, 9223372036854775807, -9223372036854775808]),
    "f": (of("float"), [0.0, 1.5, 3.4028235e38, 1e-5]),
    "d": (of("double"), [0.1, 1e300, 123456789.125, -0.0]),
    "b": (of("boolean"), [True, False]),
    "s": (
        of("string"),
        ["", "-7", " 1", "1.5", "TRUE", "1e3", "300", '"é€\\', "NaN"],
    ),
    "y": (of("bytes"), ["", "/w=="]),
    "a": (of("array", items=of("int32")), [[], [1, 2]]),
    "m": (of("map", keys=of("string"), values=of("int32")), [{}, {"k": 1, "l": 2}]),
    "n": (of("map", keys=of("int32"), values=of("string")), [[], [[1, "a"], [2, "b"]]]),
    "t": (INNER, [{"x": 1, "y": "in"}, {"x": 2, "y": None}]),
    "e": (decimal(2), ["AA==", "BNI=", 12.34]),
    "e0": (decimal(0), ["ew=="]),
    "da": (logical("int32", "Date"), [0, 19675, -1]),
    "ti": (logical("int32", "Time"), [0, 3600001]),
    "ts": (logical("int64", "Timestamp"), [0, 1700000000123, -1]),
}
DEFAULTS: dict[str, Any] = {
    "i8": 7, "i16": 7, "i32": 7, "i64": 7, "f": 1.5, "d": 2.5, "b": True, "s": "12", "y": "AQID", "a": [7],
    "m": {"k": 7}, "e": "BNI=", "da": 1, "ti": 1, "ts": 1,
}  # fmt: skip

FULL = struct(
    {name: schema for name, (schema, _) in TYPES.items()}, name="full", version=3, doc="d"
)
SPARSE = struct({name: optional(schema) for name, (schema, _) in TYPES.items()}, optional=True)
DEFAULTED = struct(
    {
        name: {**TYPES[name][0], "optional": name in "sdm", "default": DEFAULTS[name]}
        for name in DEFAULTS
    }
)
FIRST = {name: values[0] for name, (_, values) in TYPES.items()}
LAST = {name: values[-1] for name, (_, values) in TYPES.items()}


def of_few(content: Mapping[str, Any]) -> Node:
    return {name: content[name] for name in ("s", "i32", "d", "t", "e")}


_FEW = of_few({name: schema for name, (schema, _) in TYPES.items()})
FEW = struct(_FEW, name="few", version=3, doc="d")
FEW_OPTIONAL = struct({name: optional(schema) for name, schema in _FEW.items()}, optional=True)
FEW_DEFAULTED = struct(
    {
        name: {**schema, "default": DEFAULTS[name]}
        for name, schema in _FEW.items()
        if name in DEFAULTS
    }
)

# What JSON alone tells apart.
LOOSE: list[Any] = [
    0, 1, -129, 70000, 9223372036854775807, 1.5, -0.0, 1e300, True, False, "", "x", "12", " 12", "1.5", "true", "999",
    None, [], [1, None, "a"], {}, {"x": 1},
]  # fmt: skip


def sparse() -> list[bytes]:
    """A record for each value of each type, which has nothing else."""
    return [
        envelope(SPARSE, {name: value}) for name, (_, values) in TYPES.items() for value in values
    ]


def shapes() -> list[bytes | None]:
    """Whole values of several shapes, with a tombstone in the middle."""
    return [
        envelope(FEW, of_few(FIRST)),
        None,
        envelope(FEW_OPTIONAL, {}),
        envelope(FEW_OPTIONAL, None),
        envelope(FEW_DEFAULTED, {}),
        envelope(FEW, of_few(LAST)),
        envelope(of("string"), "text"),
        envelope(optional(of("int32")), None),
        envelope(None, {"s": "loose", "i32": 5, "t": {"x": 1}}),
        envelope(None, None),
        envelope(None, "text"),
        envelope(None, [1]),
    ]


def loose() -> list[bytes | None]:
    """Maps of one field, and what is no map."""
    wholes = [None, {}, {"w": 1}, "text", 5, 1.5, True, ["v"]]
    maps = [plain({"v": value, "w": "kept"}) for value in LOOSE]
    return [*maps, None, *(plain(whole) for whole in wholes)]


def wholes() -> list[bytes | None]:
    """Values that are no structs, each of a schema of its own, and nulls of them."""
    found = [envelope(schema, values[-1]) for schema, values in TYPES.values()]
    nulls = [envelope(optional(TYPES[name][0]), None) for name in ("i32", "s", "t", "ts")]
    defaulted = [envelope({**TYPES[n][0], "default": DEFAULTS[n]}, None) for n in ("i32", "s", "d")]
    return [*found, None, *nulls, *defaulted]


def loose_wholes() -> list[bytes | None]:
    return [*map(plain, LOOSE), None]


def values(data: Iterable[bytes | None]) -> list[Message]:
    return [
        Message(value, key=b'{"schema":{"type":"string","optional":false},"payload":"k"}')
        for value in data
    ]


def keys(data: Iterable[bytes | None]) -> list[Message]:
    return [
        Message(b'{"schema":{"type":"int32","optional":false},"payload":1}', key=key)
        for key in data
    ]


def plain_values(data: Iterable[bytes | None]) -> list[Message]:
    return [Message(value, key=b'"k"') for value in data]


def plain_keys(data: Iterable[bytes | None]) -> list[Message]:
    return [Message(b"1", key=key) for key in data]
