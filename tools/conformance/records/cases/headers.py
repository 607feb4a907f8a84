"""Headers that transforms make, and those that are read and written."""

from __future__ import annotations

from typing import Any

from tools.conformance.records import material as m
from tools.conformance.records.case import (
    JSON,
    PLAIN,
    WITHOUT_SCHEMAS,
    Case,
    Message,
    case,
    converters,
)

_PLAIN: dict[str, Any] = {"read": WITHOUT_SCHEMAS, "write": WITHOUT_SCHEMAS}
_KEPT = {"replace.null.with.default": "false"}
_NAMES = ",".join(m.TYPES)
_HEADERS = {"fields": _NAMES, "headers": ",".join(f"h{name}" for name in m.TYPES)}
_ALL = [
    m.envelope(m.FULL, m.FIRST),
    m.envelope(m.FULL, m.LAST),
    None,
    m.envelope(m.SPARSE, {}),
    m.envelope(m.SPARSE, None),
]
_DEFAULTED = m.values([m.envelope(m.DEFAULTED, {}), m.envelope(m.DEFAULTED, m.DEFAULTS), None])
_JSON_HEADERS = converters(header=JSON)
_PLAIN_JSON_HEADERS = converters(PLAIN, PLAIN, JSON)

FROM: tuple[Case, ...] = (
    case("HeaderFrom$Value", {**_HEADERS, "operation": "copy"}, m.values([*_ALL, *m.sparse()[::3]])),
    *(case("HeaderFrom$Value", {"fields": "s,i32", "headers": "a,b", "operation": operation}, m.values(m.shapes())) for operation in ("move", "copy")),
    *(case("HeaderFrom$Value", {"fields": "v", "headers": "a", "operation": operation}, m.plain_values(m.loose()), **_PLAIN) for operation in ("move", "copy")),
    case("HeaderFrom$Key", {"fields": "s", "headers": "a", "operation": "move"}, m.keys(m.shapes())),
    case("HeaderFrom$Key", {"fields": "v,w", "headers": "a,a", "operation": "move"}, m.plain_keys(m.loose()), **_PLAIN),
    case("HeaderFrom$Value", {"fields": "none", "headers": "a", "operation": "copy"}, m.values(_ALL)),
    case("HeaderFrom$Value", {"fields": "none,v", "headers": "a,b", "operation": "move"}, m.plain_values(m.loose()), **_PLAIN),
    *(case("HeaderFrom$Value", {"fields": "i32,s,e,m", "headers": "a,b,c,d", "operation": operation, **more}, _DEFAULTED)
      for operation in ("move", "copy") for more in ({}, _KEPT)),
    case("HeaderFrom$Value", {**_HEADERS, "operation": "copy"}, m.values(_ALL), note="as JSON", write=_JSON_HEADERS, sink=False),
    case("HeaderFrom$Value", {"fields": "v", "headers": "a", "operation": "copy"}, m.plain_values(m.loose()), note="as JSON",
         read=WITHOUT_SCHEMAS, write=_PLAIN_JSON_HEADERS, sink=False),
    case("HeaderFrom$Value", {"fields": "a,b", "headers": "c", "operation": "copy"}, []),
)  # fmt: skip

LITERALS = (
    "null", "true", "TRUE", "text", "", " ", '"quoted"', '"a\\"b"', "5", "-129", "70000", "5000000000", "9223372036854775808", "1.5",
    "1e400", "0.1", "-0", "+5", "007", ".5", "5.", "1.0", "1e3", "NaN", "2023-11-14", "2023-11-14T22:13:20.123Z", "22:13:20.123Z",
    "2023-13-45", "[]", "[1,2]", "[1, 300]", '["a","b"]', "[1,\"a\"]", "{}", '{"a":1}', '{"a":1,"b":"x"}', '{"a":[1,2]}', "[1,", "{a:b}",
    "1234567890123456789012345678901234567890", "12345678901234567.25", "a,b", "x:y", '"open', "[true,false]", "[null]", "5 ",
)  # fmt: skip

_WITH = [Message(b"1", headers=headers) for headers in (
    (), (("a", b"1"),), (("a", b"x"), ("b", b"y"), ("a", b"z")), (("A", b"1"), ("b", None)), (("b", b""),))]  # fmt: skip

MORE: tuple[Case, ...] = (
    *(case("InsertHeader", {"header": "h", "value.literal": text}, _WITH[:2], **_PLAIN) for text in LITERALS),
    *(case("InsertHeader", {"header": "h", "value.literal": text}, _WITH[:1], read=WITHOUT_SCHEMAS, write=converters(PLAIN, PLAIN, JSON), sink=False)
      for text in ("5", "text", "1.5", "[1,2]", "2023-11-14", "null")),
    *(case("DropHeaders", {"headers": names}, _WITH, **_PLAIN) for names in ("a", "a,b", "none")),
)  # fmt: skip

_READ = [Message(b"1", headers=(("h", text.encode()),)) for text in LITERALS]
_ODD = [Message(b"1", headers=(("h", data),)) for data in (None, b"", b"\xff", b"\x00\x01")]
_AS_JSON = [
    Message(b"1", headers=(("h", data),))
    for data in (
        *(m.envelope(schema, values[-1]) for schema, values in m.TYPES.values()),
        *map(m.plain, m.LOOSE), m.envelope(None, {"a": "b"}), m.envelope(None, None), None, b"", b"{", b"{}",
    )
]  # fmt: skip

READ: tuple[Case, ...] = (
    Case("headers as they are", {}, tuple(_READ + _ODD), WITHOUT_SCHEMAS, WITHOUT_SCHEMAS),
    *(
        Case(f"headers of {name.rpartition('.')[2]}", {}, tuple(_READ + _ODD if name != JSON else _AS_JSON),
             converters(PLAIN, PLAIN, name), WITHOUT_SCHEMAS)
        for name in (JSON, "org.apache.kafka.connect.storage.StringConverter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                     "org.apache.kafka.connect.converters.IntegerConverter", "org.apache.kafka.connect.converters.BooleanConverter")
    ),
)  # fmt: skip

CASES = (*FROM, *MORE, *READ)
