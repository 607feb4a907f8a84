"""Cast and MaskField: every type as every other, and emptied."""

from __future__ import annotations

from typing import Any

from tools.conformance.records import material as m
from tools.conformance.records.case import WITHOUT_SCHEMAS, Case, case

TARGETS = ("int8", "int16", "int32", "int64", "float32", "float64", "boolean", "string")
_NAMES = tuple(m.TYPES)
_PLAIN: dict[str, Any] = {"read": WITHOUT_SCHEMAS, "write": WITHOUT_SCHEMAS}


def _all(target: str, names: tuple[str, ...] = _NAMES) -> dict[str, str]:
    return {"spec": ",".join(f"{name}:{target}" for name in names)}


_DEFAULTED = m.values([m.envelope(m.DEFAULTED, {}), m.envelope(m.DEFAULTED, m.DEFAULTS), None])
_SCALARS = ("i8", "i16", "i32", "i64", "f", "d", "b", "s", "da", "ti", "ts")
_NUMBERS = ("i8", "i16", "i32", "i64", "f", "d", "b", "s")
_SOME = [m.envelope(m.TYPES[name][0], m.TYPES[name][1][1]) for name in ("i64", "d", "b", "s", "ts")]

CAST: tuple[Case, ...] = (
    *(case("Cast$Value", _all(target), m.values(m.sparse()), note="each type") for target in TARGETS if target != "int16"),
    *(case("Cast$Value", {"spec": f"v:{target}"}, m.plain_values(m.loose()), **_PLAIN) for target in TARGETS),
    *(case("Cast$Value", {"spec": target}, m.plain_values(m.loose_wholes()), **_PLAIN) for target in TARGETS),
    case("Cast$Value", {"spec": "string"}, m.values(m.wholes())),
    case("Cast$Value", {"spec": "int64"}, m.values(m.wholes())),
    *(case("Cast$Value", {"spec": target}, m.values(_SOME)) for target in ("int8", "int32", "float32", "float64", "boolean")),
    *(case("Cast$Value", _all(target, _NUMBERS), _DEFAULTED, note="defaults") for target in TARGETS),
    case("Cast$Value", {**_all("string", _SCALARS), "replace.null.with.default": "false"}, _DEFAULTED),
    case("Cast$Value", {**_all("string", _SCALARS), "replace.null.with.default": "true"}, _DEFAULTED),
    case("Cast$Value", {"spec": "i32:string, s : int64 ,none:int8"}, m.values(m.shapes())),
    case("Cast$Key", {"spec": "i32:string"}, m.keys(m.shapes())),
    case("Cast$Key", {"spec": "int64"}, m.plain_keys(m.loose_wholes()), **_PLAIN),
    case("Cast$Value", {"spec": "s:INT8"}, m.values([m.envelope(m.SPARSE, {"s": "5"})])),
    *(case("Cast$Value", {"spec": spec}, []) for spec in ("a:bytes", "a:odd", "int8,string", "a:b:int8", "array")),
)  # fmt: skip

_EACH = {"fields": ",".join(_NAMES)}

MASK: tuple[Case, ...] = (
    case("MaskField$Value", _EACH, m.values(m.sparse())),
    *(case("MaskField$Value", {**_EACH, "replacement": text}, m.values(m.sparse())) for text in ("9", "x", "-1.25")),
    *(case("MaskField$Value", {"fields": "v", **more}, m.plain_values(m.loose()), **_PLAIN)
      for more in ({}, {"replacement": "9"}, {"replacement": "x"}, {"replacement": "1.5"})),
    case("MaskField$Value", {"fields": "s,i32,none"}, m.values(m.shapes())),
    case("MaskField$Value", {"fields": "s,i32", "replacement": "5"}, m.values(m.shapes())),
    case("MaskField$Key", {"fields": "s"}, m.keys(m.shapes())),
    case("MaskField$Key", {"fields": "v"}, m.plain_keys(m.loose()), **_PLAIN),
    *(case("MaskField$Value", {"fields": "s,i32,d", "replace.null.with.default": text}, _DEFAULTED) for text in ("true", "false")),
)  # fmt: skip

CASES = (*CAST, *MASK)
