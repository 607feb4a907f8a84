"""TimestampConverter: every form of a point of time as every other."""

from __future__ import annotations

import itertools
from typing import Any

from tools.conformance.records import material as m
from tools.conformance.records.case import WITHOUT_SCHEMAS, Case, case

_PLAIN: dict[str, Any] = {"read": WITHOUT_SCHEMAS, "write": WITHOUT_SCHEMAS}
_KEPT = {"replace.null.with.default": "false"}
TARGETS = ("string", "unix", "Date", "Time", "Timestamp")
UNITS = ("nanoseconds", "microseconds", "milliseconds", "seconds")
FORMAT = {"format": "yyyy-MM-dd HH:mm:ss.SSS"}

_FORMS: dict[str, tuple[m.Node, list[Any]]] = {
    "u": (m.of("int64"), [0, 1700000000123, -1, 1700000000, 9223372036854775807]),
    "d": (m.logical("int32", "Date"), [0, 19675, -1]),
    "t": (m.logical("int32", "Time"), [0, 86399999]),
    "s": (m.logical("int64", "Timestamp"), [0, 1700000000123, -1]),
    "x": (m.of("string"), ["2023-11-14 22:13:20.123", "1969-12-31 23:59:59.999", "odd", "", "2023-13-45 25:61:61.1", "2023-11-14 22:13:20.123 and more"]),
    "i": (m.of("int32"), [5]),
    "a": (m.of("array", items=m.of("int32")), [[1]]),
}  # fmt: skip
_STRUCT = m.struct({name: m.optional(schema) for name, (schema, _) in _FORMS.items()})


def _records(name: str) -> list[bytes | None]:
    given = [m.envelope(_STRUCT, {name: value}) for value in _FORMS[name][1]]
    return [*given, m.envelope(_STRUCT, {}), None]


def _options(target: str, unit: str = "milliseconds", **more: str) -> dict[str, str]:
    return {"target.type": target, **FORMAT, "unix.precision": unit, **more}


_LOOSE = [
    *map(m.plain, (0, 1700000000123, 1700000000, -1, 1.5, "2023-11-14 22:13:20.123", "odd", "", True, None, [], {})),
    None,
]  # fmt: skip
_INSIDE: list[Any] = [0, 1700000000123, -1, 1.5, "2023-11-14 22:13:20.123", "odd", True, None, []]
_FIELDS = [m.plain({"v": value, "w": 1}) for value in _INSIDE]
_WHOLES = [m.envelope(schema, values[1 % len(values)]) for schema, values in _FORMS.values()]
_NULLS = [m.envelope(m.optional(schema), None) for schema, _ in _FORMS.values()]
_DEFAULTED = m.struct(
    {
        "s": m.logical("int64", "Timestamp", default=1),
        "d": m.optional(m.logical("int32", "Date"), default=1),
        "x": m.of("string", default="2023-11-14 22:13:20.123"),
    }
)

CASES: tuple[Case, ...] = (
    *(case("TimestampConverter$Value", _options(target, field=name), m.values(_records(name))) for target in TARGETS for name in _FORMS),
    *(case("TimestampConverter$Value", _options(target, unit, field=name), m.values(_records(name)))
      for unit, (target, name) in itertools.product(UNITS, (("unix", "s"), ("unix", "x"), ("Timestamp", "u"), ("string", "u")))),
    *(case("TimestampConverter$Value", _options(target, field="v"), m.plain_values([*_FIELDS, *m.loose()[-9:]]), **_PLAIN) for target in TARGETS),
    *(case("TimestampConverter$Value", _options(target), m.plain_values(_LOOSE), **_PLAIN) for target in TARGETS),
    *(case("TimestampConverter$Value", _options(target), m.values([*_WHOLES, *_NULLS, None])) for target in TARGETS),
    *(case("TimestampConverter$Value", _options("unix", unit), m.plain_values(_LOOSE), note="whole", **_PLAIN) for unit in UNITS),
    *(case("TimestampConverter$Value", _options("string", field=name, **more), m.values([m.envelope(_DEFAULTED, {}), None]), note="defaults")
      for name in ("s", "d", "x") for more in ({}, _KEPT)),
    case("TimestampConverter$Value", _options("unix", field="none"), m.values([*_records("u"), *m.shapes()])),
    case("TimestampConverter$Value", {"target.type": "Timestamp", "field": "x"}, m.values(_records("x")), note="no format"),
    case("TimestampConverter$Value", {"target.type": "Timestamp", "field": "v"}, m.plain_values(_FIELDS), note="no format", **_PLAIN),
    case("TimestampConverter$Key", _options("unix", field="s"), m.keys([*_records("s"), *m.shapes()])),
    case("TimestampConverter$Key", _options("string"), m.plain_keys(_LOOSE), **_PLAIN),
    case("TimestampConverter$Value", {"target.type": "string", "format": "yyyy-MM-dd'T'HH:mm:ssX"}, m.values([*_WHOLES, None]), note="zone"),
    case("TimestampConverter$Value", {"target.type": "string"}, []),
    case("TimestampConverter$Value", {"target.type": "string", "format": "qq"}, []),
)  # fmt: skip
