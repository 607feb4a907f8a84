"""Options of every transformation, predicate and converter, as they are declared and with values that do not do."""

from __future__ import annotations

from collections.abc import Mapping

from tools.conformance.steps import COPY, LINES, Step, validate

_PACKAGE = "org.apache.kafka.connect."
_TRANSFORMS = (
    "Cast$Value", "DropHeaders", "ExtractField$Value", "Filter", "Flatten$Value", "HeaderFrom$Value", "HoistField$Value",
    "InsertField$Value", "InsertHeader", "MaskField$Value", "RegexRouter", "ReplaceField$Value",
    "SetSchemaMetadata$Value", "TimestampConverter$Value", "TimestampRouter", "ValueToKey",
)  # fmt: skip
_PREDICATES = ("HasHeaderKey", "RecordIsTombstone", "TopicNameMatches")
_JSON = "json.JsonConverter"
_SIMPLE = "storage.SimpleHeaderConverter"
_CONVERTERS = (
    _JSON, "storage.StringConverter", "converters.ByteArrayConverter", "converters.BooleanConverter",
    "converters.DoubleConverter", "converters.FloatConverter", "converters.IntegerConverter",
    "converters.LongConverter", "converters.ShortConverter",
)  # fmt: skip
_SOURCE = {"name": "a", **LINES}
_SINK = {"name": "a", **COPY}
_WITHOUT_TOPICS = {name: text for name, text in _SINK.items() if name != "topics"}


def _transform(kind: str, options: Mapping[str, str | None] = {}) -> dict[str, str | None]:
    own = {f"transforms.t.{name}": text for name, text in options.items()}
    full = f"{_PACKAGE}transforms.{kind}" if kind and "." not in kind else kind
    return {**_SOURCE, "transforms": "t", "transforms.t.type": full, **own}


def _predicate(kind: str, options: Mapping[str, str] = {}) -> dict[str, str]:
    own = {f"predicates.p.{name}": text for name, text in options.items()}
    full = f"{_PACKAGE}transforms.predicates.{kind}" if "." not in kind else kind
    return {**_SOURCE, "predicates": "p", "predicates.p.type": full, **own}


_DECLARED = (
    *(
        Step("GET", f"/connector-plugins/{_PACKAGE}{name.replace('$', '%24')}/config")
        for name in (
            *(f"transforms.{name}" for name in _TRANSFORMS),
            *(f"transforms.predicates.{name}" for name in _PREDICATES),
            *_CONVERTERS,
            _SIMPLE,
        )
    ),
    *(validate("FileStreamSource", _transform(name)) for name in _TRANSFORMS),
    *(validate("FileStreamSource", _predicate(name)) for name in _PREDICATES),
    *(
        validate("FileStreamSource", {**_SOURCE, **dict.fromkeys(options, f"{_PACKAGE}{name}")})
        for name in _CONVERTERS
        for options in (("key.converter", "value.converter"), ("header.converter",))
    ),
)

_TRANSFORM_FAULTS: tuple[Mapping[str, str | None], ...] = (
    *(_transform("Cast$Value", {"spec": spec}) for spec in ("", "a:int99", "a:int32,int8", "a:b:c", "a:map", "int8,int16")),
    *(_transform(kind) for kind in ("Cast", "org.none.Such", "Valu", "", f"{_PACKAGE}json.JsonConverter")),
    {**_SOURCE, "transforms": "t"},
    {**_SOURCE, "transforms": "t,,u"},
    {**_SOURCE, "transforms": None},
    _transform("Flatten$Value", {"delimiter": ""}),
    _transform("ExtractField$Key", {"field": ""}),
    _transform("ExtractField$Key", {"field": "a.b", "field.syntax.version": "v3"}),
    _transform("HeaderFrom$Value", {"fields": "a", "headers": "b", "operation": "zap"}),
    _transform("HeaderFrom$Value", {"fields": "", "headers": "", "operation": "COPY"}),
    _transform("InsertField$Value", {"topic.field": "x!", "static.field": "a"}),
    _transform("InsertHeader", {"header": ""}),
    _transform("DropHeaders", {"headers": ""}),
    _transform("MaskField$Value", {"fields": ""}),
    _transform("MaskField$Value", {"fields": "a", "replacement": ""}),
    _transform("RegexRouter", {"regex": "(", "replacement": "x"}),
    _transform("RegexRouter", {"regex": "", "replacement": ""}),
    _transform("ReplaceField$Value", {"renames": "a"}),
    _transform("ReplaceField$Value", {"renames": "a:b:c", "whitelist": "x"}),
    _transform("SetSchemaMetadata$Value", {"schema.version": "x"}),
    _transform("TimestampConverter$Value", {"target.type": "x"}),
    _transform("TimestampConverter$Value", {"target.type": "unix", "unix.precision": "x"}),
    _transform("ValueToKey", {"fields": ""}),
    _transform("ValueToKey", {"fields": "a,b", "replace.null.with.default": "x"}),
    _transform("Filter", {"predicate": "nope"}),
    _transform("Filter", {"negate": "x"}),
    _transform("Filter", {"predicate": "", "negate": "true"}),
    _predicate("TopicNameMatches", {"pattern": "("}),
    _predicate("HasHeaderKey", {"name": ""}),
    _predicate(f"{_PACKAGE}transforms.Filter"),
)  # fmt: skip

_OTHER_FAULTS: tuple[Mapping[str, str | None], ...] = (
    {
        **_SOURCE,
        "value.converter": f"{_PACKAGE}{_JSON}",
        "value.converter.schemas.enable": "x",
        "value.converter.decimal.format": "odd",
        "value.converter.schemas.cache.size": "-1",
    },
    {**_SOURCE, "value.converter": "JsonConverter"},
    {**_SOURCE, "value.converter": ""},
    {**_SOURCE, "value.converter": f"{_PACKAGE}transforms.Filter"},
    {**_SOURCE, "key.converter": f"{_PACKAGE}{_SIMPLE}"},
    {**_SOURCE, "errors.retry.timeout": "x", "errors.retry.delay.max.ms": "-5", "errors.log.enable": "yes"},
    {**_SOURCE, "config.action.reload": "RESTART"},
    *({**_SOURCE, "tasks.max": text} for text in ("-1", "", "99999999999", " 2 ")),
    {**_SOURCE, "topic.creation.groups": "a", "topic.creation.a.include": "x"},
    {**_SOURCE, "topic.creation.default.partitions": "1"},
    {**_SOURCE, "topic.creation.default.replication.factor": "0", "topic.creation.default.partitions": "x"},
    {**_SOURCE, "exactly.once.support": "odd"},
    {**_SOURCE, "exactly.once.support": "required"},
    {**_SOURCE, "transaction.boundary": "odd"},
    {**_SOURCE, "transaction.boundary": "connector"},
    {**_SOURCE, "transaction.boundary": "interval", "transaction.boundary.interval.ms": "0"},
    {**_SOURCE, "offsets.storage.topic": " "},
    {**_SOURCE, "offsets.storage.topic": "own-offsets"},
    {**_SOURCE, "transaction.boundary": "interval", "transaction.boundary.interval.ms": "500"},
    {**_SOURCE, "exactly.once.support": "REQUIRED", "transaction.boundary": "CONNECTOR"},
    {**_SOURCE, "producer.override.acks": "odd", "producer.override.nonsense": "x", "consumer.override.max.poll.records": "x"},
    {**_SOURCE, "producer.override.linger.ms": "x"},
    {**_SOURCE, "producer.override.bootstrap.servers": "", "producer.override.ssl.key.password": "hush"},
    {**_SOURCE, "name": "a\nb"},
    {**_SOURCE, "name": None},
    {**_SOURCE, "topic": ""},
)  # fmt: skip

_SINK_FAULTS = (
    {**_SINK, "topics": ""},
    {**_SINK, "topics": "a", "topics.regex": "("},
    {**_WITHOUT_TOPICS, "topics.regex": "("},
    {**_WITHOUT_TOPICS, "topics.regex": "l.*", "errors.deadletterqueue.topic.name": "lines"},
    {**_SINK, "errors.deadletterqueue.topic.replication.factor": "x"},
    {**_SINK, "consumer.override.max.poll.records": "x"},
    {**_SINK, "consumer.override.max.poll.records": "0", "producer.override.acks": "odd", "admin.override.retries": "x"},
    {**_SINK, "consumer.override.group.id": "x", "consumer.override.auto.offset.reset": "odd"},
    {
        **_SINK,
        "errors.deadletterqueue.topic.name": "dlq",
        "consumer.override.max.poll.records": "0",
        "producer.override.acks": "odd",
        "admin.override.client.id": "7",
    },
)  # fmt: skip

OPTIONS = (
    *_DECLARED,
    *(validate("FileStreamSource", config) for config in (*_TRANSFORM_FAULTS, *_OTHER_FAULTS)),
    *(validate("FileStreamSink", config) for config in _SINK_FAULTS),
    Step("POST", "/connectors", {"name": "a", "config": {**LINES, "producer.override.linger.ms": "x"}}),
)  # fmt: skip
