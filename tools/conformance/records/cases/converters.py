"""Converters, each reading and writing what it can and cannot."""

from __future__ import annotations

from collections.abc import Iterable

from tools.conformance.records import material as m
from tools.conformance.records.case import (
    JSON,
    PLAIN,
    USUAL,
    WITHOUT_SCHEMAS,
    Case,
    Config,
    Message,
    converters,
)

TEXT = "org.apache.kafka.connect.storage.StringConverter"
BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
_NUMBERS = ("Short", "Integer", "Long", "Float", "Double", "Boolean")
_RAW = {"": BYTES}
_STRICT = {"": JSON, "replace.null.with.default": "false"}


def _number(kind: str) -> Config:
    return {"": f"org.apache.kafka.connect.converters.{kind}Converter"}


def _case(name: str, data: Iterable[bytes | None], read: Config, write: Config) -> Case:
    """Of values; keys are bytes as they are."""
    return Case(
        name, {}, tuple(map(Message, data)), converters(_RAW, read), converters(_RAW, write)
    )


_OF_TYPES = [m.envelope(schema, value) for schema, values in m.TYPES.values() for value in values]
_FEW_TYPES = [m.envelope(schema, values[-1]) for schema, values in m.TYPES.values()]
_MORE_TYPES = [
    m.envelope(m.decimal(scale), text) for scale, text in ((0, "AQ=="), (5, "BNI="), (-2, "BNI="), (2, "f/////////////////////w==" ), (2, 1e2), (2, 12345678901.25), (10, 1))
] + [
    m.envelope(m.of("map", keys=m.of("string"), values=m.optional(m.of("int32"))), {"a": None}),
    m.envelope(m.of("map", keys=m.INNER, values=m.of("int32")), [[{"x": 1}, 2]]),
    m.envelope(m.of("array", items=m.INNER), [{"x": 1}, {"x": 2, "y": "b"}]),
    m.envelope(m.of("array", items=m.optional(m.of("string"))), ["a", None]),
    m.envelope(m.of("int32", name="com.example.Odd", version=2, doc="what", parameters={"p": "q"}), 5),
    m.envelope(m.struct({}), {}),
    m.envelope(m.of("string"), "\u0001\u2028 </é\U0001f600"),
]  # fmt: skip

# Payloads that are not what their schema says.
_UNFITTING = [
    m.envelope(schema, value)
    for schema, values in (
        (m.of("int8"), [300, "x", 1.9, True, [], 99999999999]), (m.of("int32"), ["5", 1.9, 99999999999, {}]),
        (m.of("int64"), [1e3, "x", 99999999999999999999]), (m.of("float"), [1, "1.5", 1e300]), (m.of("double"), [1, "x", 99999999999999999999]),
        (m.of("boolean"), [1, "true"]), (m.of("string"), [5, True, {}]), (m.of("bytes"), [5, "%%%", True, "AQI"]),
        (m.of("array", items=m.of("int32")), [5, {"a": 1}, [None], ["x"]]),
        (m.of("map", keys=m.of("string"), values=m.of("int32")), [5, [["a", 1]], {"a": None}]),
        (m.of("map", keys=m.of("int32"), values=m.of("int32")), [{"1": 2}, [1], [[1]], [[1, 2, 3]]]),
        (m.INNER, [5, [], {}, {"x": None}, {"x": 1, "more": 2}, {"x": "text"}]),
        (m.decimal(2), ["%%%", True, [], 12.345, ""]), (m.logical("int32", "Date"), ["5", 1.5, 99999999999, True]),
        (m.logical("int32", "Time"), ["5", -1, 86400000, 1.5]), (m.logical("int64", "Timestamp"), ["5", 1.5, True, 99999999999999999999]),
    )
    for value in values
]  # fmt: skip
_NULLS = [
    *(m.envelope(m.optional(schema), None) for schema, _ in m.TYPES.values()),
    *(m.envelope(m.TYPES[name][0], None) for name in ("i64", "f", "y", "t", "e", "ts")),
]
_DEFAULTS = [
    m.envelope({**m.TYPES[name][0], "optional": is_optional, "default": default}, None)
    for name, default in m.DEFAULTS.items() for is_optional in (True, False)
]  # fmt: skip
_IN_STRUCTS = [
    m.envelope(m.DEFAULTED, {}),
    m.envelope(m.DEFAULTED, {**m.DEFAULTS, "i8": None}),
    m.envelope(m.SPARSE, {}),
    m.envelope(m.FULL, {**m.FIRST, "i8": None}),
]

MALFORMED: list[bytes | None] = [
    b"", b" ", b"null", b"{}", b"[]", b"5", b'"x"', b"true", b"{", b'{"schema":', b"nul", b"{'a':1}", b'{"a":1,}', b"01", b"1 2", b"[1 2]", b"\xff", b"\xef\xbb\xbf5",
    b'{"schema":null}', b'{"payload":5}', b'{"schema":null,"payload":5,"more":1}', b'{"payload":5,"schema":{"type":"int32"}}',
    b'{"schema":{},"payload":5}', b'{"schema":5,"payload":5}', b'{"schema":"int32","payload":5}', b'{"schema":[],"payload":5}', b'{"schema":{"type":5},"payload":5}',
    b'{"schema":{"type":"odd"},"payload":5}', b'{"schema":{"type":"INT32"},"payload":5}', b'{"schema":{"type":"int32"},"payload":5}',
    b'{"schema":{"type":"int32","optional":"true"},"payload":null}', b'{"schema":{"type":"int32","optional":1},"payload":null}',
    b'{"schema":{"type":"int32","name":5,"version":"x","doc":[]},"payload":5}', b'{"schema":{"type":"int32","version":1.5},"payload":5}',
    b'{"schema":{"type":"int32","parameters":{"a":1}},"payload":5}', b'{"schema":{"type":"int32","parameters":[]},"payload":5}',
    b'{"schema":{"type":"int32","extra":1},"payload":5}', b'{"schema":{"type":"int32","default":"x"},"payload":5}', b'{"schema":{"type":"int32","default":null},"payload":5}',
    b'{"schema":{"type":"array"},"payload":[]}', b'{"schema":{"type":"array","items":null},"payload":[]}', b'{"schema":{"type":"map"},"payload":{}}',
    b'{"schema":{"type":"map","keys":{"type":"string"}},"payload":{}}', b'{"schema":{"type":"struct"},"payload":{}}', b'{"schema":{"type":"struct","fields":{}},"payload":{}}',
    b'{"schema":{"type":"struct","fields":[5]},"payload":{}}', b'{"schema":{"type":"struct","fields":[{"type":"int32"}]},"payload":{}}',
    b'{"schema":{"type":"struct","fields":[{"field":"a"}]},"payload":{}}', b'{"schema":{"type":"struct","fields":[{"field":5,"type":"int32"}]},"payload":{}}',
    b'{"schema":{"type":"struct","fields":[{"field":"a","type":"int32"},{"field":"a","type":"string"}]},"payload":{"a":1}}',
    b'{"schema":{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal"},"payload":"AQ=="}',
    b'{"schema":{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"x"}},"payload":"AQ=="}',
    b'{"schema":{"type":"int64","name":"org.apache.kafka.connect.data.Date"},"payload":5}', b'{"schema":{"type":"string","name":"org.apache.kafka.connect.data.Timestamp"},"payload":"x"}',
    b'{"schema":{"type":"int32"},"payload":5} tail', b'{"schema":{"type":"int32"},"payload":}', b'{"schema":{"type":"int32"},"payload":5', b'{"a":1,"a":2}', b'{"schema":null,"payload":{"b":{"z":1,"a":[{"q":1.0}]}}}',
    None,
]  # fmt: skip

_LOOSE_TEXTS: list[bytes | None] = [
    *map(m.plain, m.LOOSE), b"1e2", b"1.10", b"12345678901234567890", b"-0", b"1E400", b"0.1e-400", b"123456789012345678901234567890.123456789", b'"\\u00e9\\ud83d\\ude00"', b'{"b":1,"a":{"d":1,"c":2}}',
    b'{"bytes":"AQID"}', b"[[1,[2]],{}]", b"NaN", b"Infinity", b'"\\x"', b'{"a":1}{"b":2}', b"{a:1}", b"/*c*/1", b"+1", b".5", b"1.", None,
]  # fmt: skip

JSONS: tuple[Case, ...] = (
    _case("json, every type", [*_OF_TYPES, *_MORE_TYPES], _STRICT, _STRICT),
    _case("json, numeric decimals", [*_MORE_TYPES[:7], *(m.envelope(m.decimal(2), value) for value in m.TYPES["e"][1])], _STRICT, {"": JSON, "decimal.format": "NUMERIC"}),
    _case("json, decimals by name in small letters", _MORE_TYPES[:2], _STRICT, {"": JSON, "decimal.format": "numeric"}),
    _case("json, written without schemas", [*_FEW_TYPES, *_MORE_TYPES], _STRICT, PLAIN),
    _case("json, unfitting payloads", _UNFITTING, _STRICT, _STRICT),
    _case("json, nulls", _NULLS, _STRICT, _STRICT),
    *(
        _case(f"json, defaults, read {read}, written {write}", [*(_DEFAULTS if read == write else _DEFAULTS[::5]), *_IN_STRUCTS],
              {"": JSON, "replace.null.with.default": read}, {"": JSON, "replace.null.with.default": write})
        for read in ("true", "false") for write in ("true", "false")
    ),
    _case("json, malformed", MALFORMED, _STRICT, _STRICT),
    _case("json, malformed, without schemas", MALFORMED, PLAIN, PLAIN),
    _case("json, loose", _LOOSE_TEXTS, PLAIN, PLAIN),
    _case("json, loose in envelopes", [m.envelope(None, value) for value in m.LOOSE], _STRICT, _STRICT),
    _case("json, loose, written with schemas", _LOOSE_TEXTS[:22], PLAIN, _STRICT),
    _case("json, in envelopes, written without schemas", [m.envelope(None, value) for value in m.LOOSE], _STRICT, PLAIN),
)  # fmt: skip

_TEXTS: list[bytes | None] = [
    b"",
    b"text",
    "é€\U0001f600".encode(),
    b"\xff\xfe",
    b"a\x00b",
    b"\xc3",
    b"\xed\xa0\x80",
    "é".encode("latin-1"),
    "é".encode("utf-16"),
    None,
]

TEXTS: tuple[Case, ...] = (
    *(_case(f"text, {name}", _TEXTS, {"": TEXT, **more}, {"": TEXT, **more}) for name, more in (
        ("usual", {}), ("latin", {"converter.encoding": "ISO-8859-1"}), ("ascii", {"converter.encoding": "US-ASCII"}), ("utf-16", {"converter.encoding": "UTF-16"}), ("utf-16le", {"converter.encoding": "UTF-16LE"}))),
    _case("text, read as UTF-8 and written as latin", _TEXTS, {"": TEXT}, {"": TEXT, "converter.encoding": "ISO-8859-1"}),
    _case("text of every type but bytes", [data for name, data in zip(m.TYPES, _FEW_TYPES, strict=True) if name != "y"], _STRICT, {"": TEXT}),
    _case("text of nested types", [m.envelope(m.struct({n: m.TYPES[n][0] for n in m.TYPES if n != "y"}), {n: v for n, v in m.LAST.items() if n != "y"}), m.envelope(m.SPARSE, {"s": "x"}), *_MORE_TYPES[7:10]], _STRICT, {"": TEXT}),
    _case("text of loose values", _LOOSE_TEXTS, PLAIN, {"": TEXT}),
    _case("text, written as JSON", _TEXTS, {"": TEXT}, _STRICT),
    _case("bytes, written as JSON", _TEXTS, _RAW, _STRICT),
    _case("bytes of every type", _FEW_TYPES, _STRICT, _RAW),
    _case("bytes of loose values", _LOOSE_TEXTS[:22], PLAIN, _RAW),
    _case("bytes of texts", _TEXTS, {"": TEXT}, _RAW),
    _case("text of bytes' nulls", [None], _RAW, {"": TEXT}),
)  # fmt: skip

_BINARY: list[bytes | None] = [
    b"",
    b"\x00",
    b"\x01",
    b"\x02",
    b"\x00\x05",
    b"\x00\x00\x00\x05",
    b"\x7f\xc0\x00\x00",
    b"\x00" * 7 + b"\x05",
    b"\x7f\xf8" + b"\x00" * 6,
    b"text, long",
    None,
]

NUMBERS: tuple[Case, ...] = (
    *(_case(f"{kind.lower()}, read", _BINARY, _number(kind), _number(kind)) for kind in _NUMBERS),
    *(_case(f"{kind.lower()}, written as JSON", [None, *(data for data in _BINARY if data is not None and len(data) in (1, 2, 4, 8))], _number(kind), _STRICT) for kind in ("Short", "Integer", "Long", "Double", "Boolean")),
    *(_case(f"{kind.lower()} of every type", _FEW_TYPES, _STRICT, _number(kind)) for kind in ("Long", "Boolean")),
    *(_case(f"{kind.lower()} of other types", _FEW_TYPES[1:14:3], _STRICT, _number(kind)) for kind in ("Short", "Integer", "Float", "Double")),
    *(_case(f"{kind.lower()} of loose values", _LOOSE_TEXTS[:22], PLAIN, _number(kind)) for kind in ("Integer", "Long", "Double", "Boolean")),
    _case("long of nulls", [m.envelope(m.optional(m.of("int64")), None), m.envelope(m.optional(m.of("string")), None), m.envelope(None, None), None], _STRICT, _number("Long")),
    _case("boolean of nulls", [m.envelope(m.optional(m.of("boolean")), None), m.envelope(m.optional(m.of("string")), None), m.envelope(None, None), None], _STRICT, _number("Boolean")),
)  # fmt: skip

_PAIRS = [(key, value) for key in (b"{", b"5", None) for value in (b"{", b"5", None)]
BOTH: tuple[Case, ...] = (
    Case("key and value fail", {}, tuple(Message(value, key=key) for key, value in _PAIRS), WITHOUT_SCHEMAS, USUAL),
    Case("key and value fail to be written", {}, tuple(Message(value, key=key) for key, value in _PAIRS), WITHOUT_SCHEMAS, converters(_RAW, _RAW)),
    Case("mixed schemas of keys and values", {}, tuple(Message(value, key=key) for key in (_OF_TYPES[0], None, m.envelope(None, 1)) for value in (m.envelope(m.INNER, {"x": 1}), None, _OF_TYPES[0])), USUAL, USUAL),
)  # fmt: skip

CASES = (*JSONS, *TEXTS, *NUMBERS, *BOTH)
