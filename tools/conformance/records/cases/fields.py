"""Transforms that choose, name, add or move fields."""

from __future__ import annotations

from typing import Any

from tools.conformance.records import material as m
from tools.conformance.records.case import WITHOUT_SCHEMAS, Case, Message, case

_PLAIN: dict[str, Any] = {"read": WITHOUT_SCHEMAS, "write": WITHOUT_SCHEMAS}
_NAMES = ",".join(m.TYPES)
_KEPT = {"replace.null.with.default": "false"}
_DEFAULTED = m.values([m.envelope(m.DEFAULTED, {}), m.envelope(m.DEFAULTED, m.DEFAULTS), None])

_DEEP = m.struct(
    {
        "a": m.struct(
            {"b": m.struct({"c": m.of("int32"), "d.e": m.of("string")}), "n": m.optional(m.INNER)}
        ),
        "a.b": m.of("string"),
        "o": m.optional(
            m.struct({"p": m.of("int32", default=5), "q": m.optional(m.of("string", default="qq"))})
        ),
    }
)
_NESTED = {"a": {"b": {"c": 1, "d.e": "dot"}, "n": None}, "a.b": "flat", "o": None}
DEEP = [
    m.envelope(_DEEP, _NESTED),
    m.envelope(_DEEP, {**_NESTED, "a": {"b": {"c": 2, "d.e": ""}, "n": {"x": 1}}, "o": {"p": 6}}),
    m.envelope(_DEEP, {**_NESTED, "o": {}}),
    None,
]
LOOSE_DEEP = [
    *map(m.plain, (_NESTED, {"a": 5}, {"a": None}, {"a": {"b": "text"}}, {"a": []}, {}, {"o": {}})),
    m.plain({"o": {"p": None, "q": [{"r": 1}]}, "e": {}}),
    None,
]  # fmt: skip

EXTRACT: tuple[Case, ...] = (
    *(case("ExtractField$Value", {"field": name}, m.values([*m.sparse()[:60:8], m.envelope(m.FULL, m.LAST), None])) for name in m.TYPES),
    case("ExtractField$Value", {"field": "v"}, m.plain_values(m.loose()), **_PLAIN),
    *(case("ExtractField$Value", {"field": name, **more}, _DEFAULTED) for name in ("i32", "s", "e", "m", "ts") for more in ({}, _KEPT)),
    case("ExtractField$Value", {"field": "s"}, m.values(m.shapes())),
    case("ExtractField$Value", {"field": "none"}, m.values(m.shapes())),
    case("ExtractField$Key", {"field": "s"}, m.keys(m.shapes())),
    case("ExtractField$Key", {"field": "v"}, m.plain_keys(m.loose()), **_PLAIN),
    *(case("ExtractField$Value", {"field": path, "field.syntax.version": version}, m.values(DEEP))
      for path in ("a.b", "a.b.c", "a.b.`d.e`", "`a.b`", "a.n.x", "o.p", "o.q", "a.b.none", "a.none.c", "a.b.c.d") for version in ("V1", "V2")),
    *(case("ExtractField$Value", {"field": path, "field.syntax.version": "V2"}, m.plain_values(LOOSE_DEEP), **_PLAIN)
      for path in ("a", "a.b", "a.b.c", "`a.b`", "o.q", "a.b.`d.e`")),
    case("ExtractField$Value", {"field": "o.q", "field.syntax.version": "V2", **_KEPT}, m.values(DEEP)),
    case("ExtractField$Value", {"field": "`a", "field.syntax.version": "V2"}, []),
)  # fmt: skip

FLATTEN: tuple[Case, ...] = (
    case("Flatten$Value", {}, m.values(m.shapes())),
    case("Flatten$Value", {}, m.values(DEEP)),
    case("Flatten$Value", {"delimiter": "_"}, m.values(DEEP)),
    case("Flatten$Value", {"delimiter": ""}, m.values(DEEP)),
    case("Flatten$Key", {"delimiter": "/"}, m.keys(DEEP)),
    case("Flatten$Value", {}, m.plain_values(LOOSE_DEEP), **_PLAIN),
    case("Flatten$Value", {}, m.plain_values(m.loose()), **_PLAIN),
    case("Flatten$Key", {"delimiter": "_"}, m.plain_keys(LOOSE_DEEP), **_PLAIN),
    case("Flatten$Value", {}, m.values(m.envelope(m.struct({"t": schema, "i": m.optional(m.of("int32"), default=1)}), payload)
         for schema in ({**m.INNER, "default": {"x": 7, "y": "d"}}, m.optional(m.INNER, default={"x": 7, "y": "d"}), m.optional(m.INNER))
         for payload in ({"t": {"x": 1}}, {"t": None}, {"i": None, "t": {"x": 1, "y": "z"}})), note="defaults"),
)  # fmt: skip

_ALL = [
    m.envelope(m.FULL, m.FIRST),
    m.envelope(m.FULL, m.LAST),
    None,
    m.envelope(m.SPARSE, {}),
    m.envelope(m.SPARSE, None),
]
_MOST = m.shapes()[:6]

REPLACE: tuple[Case, ...] = (
    *(case("ReplaceField$Value", options, m.values(m.shapes())) for options in (
        {"exclude": "s,none"}, {"include": "s,t,none"}, {"renames": "s:S,i32:count"}, {"include": "s,i32", "exclude": "s"},
        {"include": "s,d", "renames": "s:d2"}, {})),
    *(case("ReplaceField$Value", options, m.plain_values(m.loose()), **_PLAIN) for options in (
        {"exclude": "v"}, {"include": "v"}, {"renames": "v:u"}, {"renames": "v:w"}, {"renames": "w:v"}, {"include": "none"})),
    case("ReplaceField$Key", {"exclude": "s"}, m.keys(m.shapes())),
    case("ReplaceField$Value", {"renames": "s:i32"}, m.values(_MOST)),
    case("ReplaceField$Value", {"include": "none"}, m.values(_MOST)),
    *(case("ReplaceField$Value", {"exclude": "i8", **more}, _DEFAULTED) for more in ({}, _KEPT)),
    *(case("ReplaceField$Value", {"renames": text}, []) for text in ("a", "a:", ":b", "a:b:c")),
)  # fmt: skip

_PLACED = [
    Message(_MOST[0], timestamp=None),
    Message(_MOST[-1], timestamp=0, partition=0, offset=0, topic="other"),
    *m.values(_MOST[1:4]),
]
_INSERTIONS = (
    {"topic.field": "tp"}, {"topic.field": "tp!"}, {"topic.field": "tp?"}, {"partition.field": "pa"}, {"partition.field": "pa!"},
    {"timestamp.field": "tm"}, {"timestamp.field": "tm!"}, {"static.field": "st", "static.value": "v"},
    {"static.field": "st!", "static.value": ""}, {"topic.field": "s"},
    {"topic.field": "tp", "partition.field": "pa", "timestamp.field": "tm", "static.field": "st", "static.value": "v"},
)  # fmt: skip

INSERT: tuple[Case, ...] = (
    *(case("InsertField$Value", options, _PLACED, sink=sink) for options in _INSERTIONS for sink in (True, False)),
    *(case("InsertField$Value", {"offset.field": "of", "topic.field": "tp"}, _PLACED, sink=sink) for sink in (True, False)),
    *(case("InsertField$Value", {"offset.field": "of!", **more}, m.plain_values(m.loose()), sink=sink, **_PLAIN)
      for sink in (True, False) for more in ({}, {"topic.field": "v", "timestamp.field": "tm"})),
    *(case("InsertField$Value", options, m.plain_values(m.loose()), **_PLAIN) for options in _INSERTIONS[-4:]),
    case("InsertField$Value", {"timestamp.field": "tm", "partition.field": "v"},
         [Message(b'{"v":1}', timestamp=None), Message(b"null", timestamp=None), Message(b'{"v":1}')], note="no time", **_PLAIN),
    case("InsertField$Value", {"topic.field": "tp"}, m.values(m.shapes())),
    case("InsertField$Key", {"topic.field": "tp"}, m.keys(m.shapes())),
    case("InsertField$Key", {"static.field": "st", "static.value": "v"}, m.plain_keys(m.loose()), **_PLAIN),
    *(case("InsertField$Value", {"topic.field": "tp", **more}, _DEFAULTED) for more in ({}, _KEPT)),
    case("InsertField$Value", {}, []),
)  # fmt: skip

TO_KEY: tuple[Case, ...] = (
    case("ValueToKey", {"fields": _NAMES}, m.values(_ALL)),
    case("ValueToKey", {"fields": "s"}, m.values(m.shapes())),
    case("ValueToKey", {"fields": "s,none"}, m.values(m.shapes())),
    case("ValueToKey", {"fields": "s,s"}, m.values(_ALL[:1])),
    *(case("ValueToKey", {"fields": names}, m.plain_values(m.loose()), **_PLAIN) for names in ("v", "w,v", "none")),
    *(case("ValueToKey", {"fields": "i32,s,e,m", **more}, _DEFAULTED) for more in ({}, _KEPT)),
)  # fmt: skip

CASES = (*EXTRACT, *FLATTEN, *REPLACE, *INSERT, *TO_KEY)
