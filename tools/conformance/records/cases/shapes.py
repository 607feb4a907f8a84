"""Transforms of whole keys and values, of schemas and of topics."""

from __future__ import annotations

from typing import Any

from tools.conformance.records import material as m
from tools.conformance.records.case import TIME, WITHOUT_SCHEMAS, Case, Message, case

_PLAIN: dict[str, Any] = {"read": WITHOUT_SCHEMAS, "write": WITHOUT_SCHEMAS}
_KEPT = {"replace.null.with.default": "false"}

HOIST: tuple[Case, ...] = (
    case("HoistField$Value", {"field": "h"}, m.values(m.shapes())),
    case("HoistField$Value", {"field": "h"}, m.values(m.wholes()), note="wholes"),
    case("HoistField$Key", {"field": "h"}, m.keys(m.shapes())),
    case("HoistField$Value", {"field": "h"}, m.plain_values(m.loose_wholes()), **_PLAIN),
    case("HoistField$Key", {"field": "h"}, m.plain_keys(m.loose_wholes()), **_PLAIN),
)

_DEFAULTED = [m.envelope(m.DEFAULTED, {}), m.envelope(m.DEFAULTED, m.DEFAULTS), None]

METADATA: tuple[Case, ...] = (
    *(case("SetSchemaMetadata$Value", options, m.values(m.shapes())) for options in (
        {"schema.name": "n"}, {"schema.version": "5"}, {"schema.name": "n", "schema.version": "5"})),
    case("SetSchemaMetadata$Value", {"schema.name": "n"}, m.values(m.wholes()), note="wholes"),
    case("SetSchemaMetadata$Key", {"schema.name": "n"}, m.keys(m.shapes())),
    case("SetSchemaMetadata$Value", {"schema.name": "n"}, m.plain_values(m.loose()), **_PLAIN),
    *(case("SetSchemaMetadata$Value", {"schema.name": "n", **more}, m.values(_DEFAULTED)) for more in ({}, _KEPT)),
    case("SetSchemaMetadata$Value", {}, []),
)  # fmt: skip

_TOPICS = [Message(b"1", topic=topic) for topic in ("t", "db.orders", "db.a.b", "Orders-7", "")]
_ROUTES = (
    ("t", "u"), ("(.*)", "$1-x"), ("db\\.(.*)", "$1"), ("db", "x"), ("(?<n>.+)\\.(.+)", "${n}/$2"), ("(?i)orders-(\\d)", "o$1"),
    (".*", ""), ("(a)|(.*)", "[$1]"), ("(.*)", "\\$1"), ("(.*)", "$2"), ("(.*)", "${no}"), ("(.*)", "$"), (".*?", "x"),
)  # fmt: skip
_TIMES = [
    Message(b"1", topic=topic, timestamp=time)
    for topic in ("t", "a$b")
    for time in (TIME, 0, -1, None, 253402300800000)
]

ROUTERS: tuple[Case, ...] = (
    *(case("RegexRouter", {"regex": regex, "replacement": text}, _TOPICS, **_PLAIN) for regex, text in _ROUTES),
    case("RegexRouter", {"regex": "(", "replacement": ""}, []),
    case("TimestampRouter", {}, _TIMES, **_PLAIN),
    *(case("TimestampRouter", {"topic.format": text}, _TIMES, **_PLAIN) for text in ("${topic}", "x", "${timestamp}.${topic}.${topic}", "$1${topic}")),
    *(case("TimestampRouter", {"timestamp.format": text}, _TIMES, **_PLAIN)
      for text in ("yyyy-MM-dd'T'HH:mm:ss.SSSX", "YYYY-'W'ww-u", "G yy MMMM EEE h a", "'${topic}'", "D.F.W k K")),
    case("TimestampRouter", {}, _TIMES, sink=False, **_PLAIN),
    case("Filter", {}, m.values(m.shapes())),
)  # fmt: skip

CASES = (*HOIST, *METADATA, *ROUTERS)
