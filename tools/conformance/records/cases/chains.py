"""Predicates, and steps one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tools.conformance.records import material as m
from tools.conformance.records.case import USUAL, WITHOUT_SCHEMAS, Case, Config, Message, chain_of

_PREDICATES = "org.apache.kafka.connect.transforms.predicates."
TOMBSTONE = {"type": f"{_PREDICATES}RecordIsTombstone"}
HEADER = {"type": f"{_PREDICATES}HasHeaderKey", "name": "a"}


def topic(pattern: str) -> dict[str, str]:
    return {"type": f"{_PREDICATES}TopicNameMatches", "pattern": pattern}


_MIXED = [
    Message(data, headers=headers, topic=name)
    for data in (m.envelope(m.INNER, {"x": 1, "y": "z"}), None, m.envelope(None, {"x": 1}), m.envelope(m.optional(m.INNER), None), m.envelope(None, None))
    for headers, name in (((), "t"), ((("a", b"1"),), "tt"), ((("A", None),), "x\nt"))
]  # fmt: skip
_STEPS: tuple[tuple[str, Config], ...] = (
    ("Filter", {}),
    ("InsertHeader", {"header": "h", "value.literal": "1"}),
    ("HoistField$Value", {"field": "h"}),
    ("ReplaceField$Value", {"exclude": "x"}),
)
_CHOICES: Mapping[str, Config] = {
    "tombstone": TOMBSTONE,
    "header": HEADER,
    "topic t": topic("t"),
    "topic t+": topic("t+|x"),
    "topic .*": topic(".*"),
    "topic (?i)T|x\\nt": topic("(?i)T|x\\nt"),
}


def _case(
    name: str,
    chain: Config,
    messages: Iterable[Message],
    converters: Config = USUAL,
    sink: bool = True,
) -> Case:
    return Case(name, chain, tuple(messages), converters, converters, sink)


PREDICATED = tuple(
    _case(
        f"{kind} where {name}{' not' if negate == 'true' else ''}",
        chain_of(
            (kind, {**options, "predicate": "p", "negate": negate}), predicates={"p": predicate}
        ),
        _MIXED,
    )
    for kind, options in _STEPS
    for name, predicate in _CHOICES.items()
    for negate in ("false", "true")
    if kind in ("Filter", "HoistField$Value") or name in ("tombstone", "header")
)

_LOOSE = [
    *map(m.plain, ({"v": 5, "w": "x"}, {"v": "5"}, None, "text", {"v": None}, {"v": {"y": 1}})),
    None,
]
_TWO = [
    m.envelope(m.INNER, {"x": 1, "y": "z"}),
    None,
    m.envelope(m.SPARSE, {"i32": 1}),
    m.envelope(None, {"x": 1}),
    m.envelope(m.optional(m.INNER), None),
]

CHAINS: Mapping[str, tuple[tuple[str, Config], ...]] = {
    "hoist then extract": (("HoistField$Value", {"field": "h"}), ("ExtractField$Value", {"field": "h"})),
    "hoist twice": (("HoistField$Value", {"field": "h"}), ("HoistField$Value", {"field": "i"})),
    "hoist then flatten": (("HoistField$Value", {"field": "h"}), ("Flatten$Value", {})),
    "key then extract": (("ValueToKey", {"fields": "x"}), ("ExtractField$Key", {"field": "x"})),
    "extract then hoist": (("ExtractField$Value", {"field": "x"}), ("HoistField$Value", {"field": "h"})),
    "rename then cast": (("ReplaceField$Value", {"renames": "x:z"}), ("Cast$Value", {"spec": "z:string"})),
    "insert then cast": (("InsertField$Value", {"timestamp.field": "ts", "offset.field": "o"}), ("Cast$Value", {"spec": "ts:int64,o:string"})),
    "insert then convert": (
        ("InsertField$Value", {"timestamp.field": "ts"}),
        ("TimestampConverter$Value", {"target.type": "string", "field": "ts", "format": "yyyy-MM-dd"}),
    ),
    "route then insert": (("RegexRouter", {"regex": "(.*)", "replacement": "$1-2"}), ("InsertField$Value", {"topic.field": "tp"})),
    "header then drop": (("HeaderFrom$Value", {"fields": "x", "headers": "a", "operation": "move"}), ("DropHeaders", {"headers": "a"})),
    "name then mask": (("SetSchemaMetadata$Value", {"schema.name": "n"}), ("MaskField$Value", {"fields": "x"})),
    "cast whole of an extracted field": (("ExtractField$Value", {"field": "x"}), ("Cast$Value", {"spec": "string"})),
}  # fmt: skip
_LOOSE_CHAINS: Mapping[str, tuple[tuple[str, Config], ...]] = {
    "hoist then flatten": (("HoistField$Value", {"field": "h"}), ("Flatten$Value", {})),
    "time then cast": (("TimestampConverter$Value", {"target.type": "Timestamp", "field": "v", "format": "d"}), ("Cast$Value", {"spec": "v:string"})),
    "cast then key": (("Cast$Value", {"spec": "v:int32"}), ("ValueToKey", {"fields": "v"}), ("ExtractField$Key", {"field": "v"})),
    "cast to a float then to text": (("Cast$Value", {"spec": "v:float32"}), ("Cast$Value", {"spec": "v:string"})),
    "cast to a byte then mask": (("Cast$Value", {"spec": "v:int8"}), ("MaskField$Value", {"fields": "v", "replacement": "300"})),
    "extract then cast": (("ExtractField$Value", {"field": "v"}), ("Cast$Value", {"spec": "string"})),
    "insert time then text": (
        ("InsertField$Value", {"timestamp.field": "ts"}),
        ("TimestampConverter$Value", {"target.type": "string", "field": "ts", "format": "yyyy-MM-dd"}),
    ),
    "insert the partition then its header": (
        ("InsertField$Value", {"partition.field": "p"}),
        ("HeaderFrom$Value", {"fields": "p", "headers": "p", "operation": "move"}),
    ),
}  # fmt: skip

CASES: tuple[Case, ...] = (
    *PREDICATED,
    *(_case(name, chain_of(*steps), m.values(_TWO)) for name, steps in CHAINS.items()),
    *(
        _case(f"{name}, no schema", chain_of(*steps), m.plain_values(_LOOSE), WITHOUT_SCHEMAS)
        for name, steps in _LOOSE_CHAINS.items()
    ),
)
