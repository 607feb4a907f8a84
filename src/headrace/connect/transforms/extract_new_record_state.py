"""ExtractNewRecordState of Debezium: the row in place of the change event around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from headrace.connect.configdef import ConfigKey, Importance, one_of, optional
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType
from headrace.connect.data.records import Part, Records, field_of, fields_of, struct_of
from headrace.connect.data.schema import Field, Schema, Type, string
from headrace.connect.transforms.base import Transform, TransformPlugin
from headrace.connect.transforms.named_fields import NamedFields, keeping

if TYPE_CHECKING:
    from pyspark.sql import Column


DELETED = "__deleted"
MODE = "delete.tombstone.handling.mode"
REWRITES = ("rewrite", "rewrite-with-tombstone")
_TRANSACTION = ("id", "total_order", "data_collection_order")
_OF_EVENT = ("op", "ts_ms", "ts_us", "ts_ns")

KEYS = (
    ConfigKey(
        MODE,
        ConfigType.STRING,
        documentation="What becomes of deletes and of the tombstones after them.",
        default="tombstone",
        validator=one_of("drop", "tombstone", *REWRITES, "delete-to-tombstone", ignore_case=True),
    ),
    ConfigKey(
        "drop.tombstones",
        ConfigType.BOOLEAN,
        documentation="Debezium 1.x: whether tombstones are dropped.",
        default=None,
    ),
    ConfigKey(
        "delete.handling.mode",
        ConfigType.STRING,
        documentation="Debezium 1.x: what becomes of deletes.",
        default=None,
        validator=optional(one_of("none", "drop", "rewrite", ignore_case=True)),
    ),
    ConfigKey("add.fields", ConfigType.LIST, [], Importance.LOW, "Fields of the event to add."),
    ConfigKey(
        "add.source.fields",
        ConfigType.LIST,
        [],
        Importance.LOW,
        "Debezium 1.0: fields of the event's source to add.",
    ),
    ConfigKey(
        "operation.header",
        ConfigType.BOOLEAN,
        False,
        Importance.LOW,
        "Debezium 1.0: whether a header has the operation.",
    ),
    ConfigKey("add.headers", ConfigType.LIST, [], Importance.LOW, "The same, as headers."),
    ConfigKey(
        "add.fields.prefix", ConfigType.STRING, "__", Importance.LOW, "Before the added names."
    ),
    ConfigKey(
        "add.headers.prefix", ConfigType.STRING, "__", Importance.LOW, "Before the headers' names."
    ),
    ConfigKey(
        "route.by.field", ConfigType.STRING, "", Importance.LOW, "The field that names the topic."
    ),
    ConfigKey(
        "drop.fields.header.name",
        ConfigType.STRING,
        documentation="The header whose list names fields that the record loses.",
        default=None,
        importance=Importance.LOW,
    ),
    ConfigKey(
        "drop.fields.from.key",
        ConfigType.BOOLEAN,
        False,
        Importance.LOW,
        "Whether the key loses these fields too.",
    ),
    ConfigKey(
        "drop.fields.keep.schema.compatible",
        ConfigType.BOOLEAN,
        True,
        Importance.LOW,
        "Whether only optional fields are dropped, which older readers can do without.",
    ),
    REPLACE_NULL,
)


@dataclass(frozen=True, slots=True)
class Handling:
    """What becomes of deletes (`drop`, `null`, `rewrite`) and whether tombstones stay; a null in place of a row has
    the row's schema unless it is a tombstone itself."""

    deletes: str
    tombstones: bool
    typed_null: bool = True

    @classmethod
    def of(cls, config: Config) -> Handling:
        if config["drop.tombstones"] is not None or config["delete.handling.mode"] is not None:
            return cls._of_older(config)
        mode = config[MODE].lower()
        deletes = "rewrite" if mode in REWRITES else "drop" if mode == "drop" else "null"
        return cls(deletes, mode == "rewrite-with-tombstone", mode != "delete-to-tombstone")

    @classmethod
    def _of_older(cls, config: Config) -> Handling:
        """1.x drops both where nothing is said; `none` leaves a null in place of the row."""
        mode = (config["delete.handling.mode"] or "drop").lower()
        dropped = config["drop.tombstones"]
        return cls("null" if mode == "none" else mode, dropped is False)


@dataclass(frozen=True, slots=True)
class Reference:
    """A field of the event to add: `struct` is where it lies, none for the event itself."""

    struct: str | None
    field: str
    name: str

    @classmethod
    def parse(cls, text: str, prefix: str) -> Reference:
        source, _, renamed = text.partition(":")
        outer, dot, inner = source.partition(".")
        if not dot:
            return cls(_struct_of(outer), outer, prefix + (renamed or outer))
        return cls(outer, inner, prefix + (renamed or f"{outer}_{inner}"))

    def find(self, event: Schema, value: Column) -> tuple[Schema, Column] | None:
        """Its schema and value, also where another transform has put it beside its struct."""
        parent = event if self.struct is None else event.field(self.struct)
        inner = None if parent is None else parent.field(self.field)
        if parent is None or inner is None:
            inner = event.field(self.field)
            return None if inner is None else (_added(inner), value.getField(self.field))
        holder = value if self.struct is None else value.getField(self.struct)
        return _added(inner), holder.getField(self.field)


def _struct_of(field: str) -> str | None:
    if field in _OF_EVENT:
        return None
    return "transaction" if field in _TRANSACTION else "source"


def _added(schema: Schema) -> Schema:
    return replace(schema, optional=True, default=None)


def build(config: Config, part: Part) -> Transform:
    handling = Handling.of(config)
    fields, headers = _references(config)
    named = _named_fields(config)

    def apply(records: Records) -> Records | tuple[Records, ...]:
        from pyspark.sql import functions as sf

        event = records.value
        row = None if event is None else _row_schema(event)
        if event is None or row is None:
            return _tombstones(records, handling, headers, sf.col("value").isNull())
        if named is None:
            return _unwrapped(records, event, row, handling, fields, headers, config)
        noted = keeping(records, _kept(row, handling, fields))
        return named.left_out(_unwrapped(noted, event, row, handling, fields, headers, config))

    return apply


def _named_fields(config: Config) -> NamedFields | None:
    header = config["drop.fields.header.name"]
    if not (header or "").strip():
        return None
    from_key = config["drop.fields.from.key"]
    return NamedFields(header, from_key, config["drop.fields.keep.schema.compatible"])


def _kept(row: Schema, handling: Handling, fields: list[Reference]) -> Column:
    """Of a delete the fields added to it, which come after others were dropped, or all where nothing is left of it."""
    from pyspark.sql import functions as sf

    event = sf.col("value")
    rewritten = [reference.name for reference in fields]
    names = rewritten if handling.deletes == "rewrite" else [f.name for f in row.fields] + rewritten
    kept = sf.array(*(sf.lit(name) for name in names)).cast("array<string>")
    none = sf.array().cast("array<string>")
    known = sf.when(event.getField("after").isNull(), kept).otherwise(none)
    return sf.when(event.isNotNull(), known)


def _references(config: Config) -> tuple[list[Reference], list[Reference]]:
    """What is added as fields, and what as headers."""
    prefix, before = config["add.fields.prefix"], config["add.headers.prefix"]
    fields = [Reference.parse(text, prefix) for text in config["add.fields"]]
    fields += [Reference("source", name, prefix + name) for name in config["add.source.fields"]]
    headers = [Reference.parse(text, before) for text in config["add.headers"]]
    operation = [Reference(None, "op", before + "op")] if config["operation.header"] else []
    return fields, headers + operation


def _row_schema(event: Schema) -> Schema | None:
    """The schema of `after` where this is a change event, None where it is any other record."""
    named = event.name is not None and event.name.endswith(".Envelope")
    shaped = all(event.field(name) is not None for name in ("before", "after", "op"))
    return event.field("after") if named or shaped else None


def _tombstones(
    records: Records, handling: Handling, headers: list[Reference], tombstone: Column
) -> Records:
    from pyspark.sql import functions as sf

    for header in headers:
        if header.field == "op":
            records = records.with_header(header.name, string(), sf.lit("d"), tombstone)
    return records if handling.tombstones else records.without(tombstone)


def _unwrapped(
    records: Records,
    event: Schema,
    row: Schema,
    handling: Handling,
    fields: list[Reference],
    headers: list[Reference],
    config: Config,
) -> Records:
    from pyspark.sql import functions as sf

    value = sf.col("value")
    records = _with_headers(records, event, headers)
    records = _tombstones(records, handling, headers, value.isNull())
    before, after = value.getField("before"), value.getField("after")
    deleted = value.isNotNull() & after.isNull() & before.isNotNull()
    truncated = value.isNotNull() & after.isNull() & before.isNull()
    records = records.without(truncated)
    if handling.deletes == "drop":
        records = records.without(deleted)
    if config["route.by.field"]:
        records = _routed(records, config["route.by.field"], row)
    rewrite = handling.deletes == "rewrite"
    source = sf.coalesce(after, before) if rewrite else after
    columns = fields_of(source, row, defaults=rewrite and config[REPLACE_NULL.name])
    added = _added_fields(event, value, fields)
    marks: Mapping[str, Any] = {DELETED: _mark(deleted)} if rewrite else {}
    schemas = [Field(name, string(optional=True)) for name in marks]
    schemas += [Field(name, schema) for name, (schema, _) in added.items()]
    whole = {**columns, **marks, **{name: column for name, (_, column) in added.items()}}
    # Deletes that become nulls need a schema that lets them be, where it is written: files have no nulls.
    nullable = handling.deletes == "null" and handling.typed_null and not records.is_sink
    unwrapped = replace(row, optional=nullable, fields=(*row.fields, *schemas))
    typed = sf.col("value_typed") & (~deleted if not handling.typed_null else sf.lit(True))
    return records.of_value("value", unwrapped, struct_of(whole, source.isNotNull()), typed)


def _mark(deleted: Column) -> Column:
    from pyspark.sql import functions as sf

    return sf.when(deleted, sf.lit("true")).otherwise(sf.lit("false"))


def _added_fields(
    event: Schema, value: Column, references: list[Reference]
) -> dict[str, tuple[Schema, Column]]:
    found = ((reference.name, reference.find(event, value)) for reference in references)
    return {name: place for name, place in found if place is not None}


def _with_headers(records: Records, event: Schema, references: list[Reference]) -> Records:
    from pyspark.sql import functions as sf

    value = sf.col("value")
    for name, (schema, content) in _added_fields(event, value, references).items():
        records = records.with_header(name, schema, content, value.isNotNull())
    return records


def _routed(records: Records, field: str, row: Schema) -> Records:
    from pyspark.sql import functions as sf

    schema = row.field(field)
    if schema is None or schema.type is not Type.STRING:
        message = (
            f"{field} is not a valid field name"
            if schema is None
            else (f"Field '{field}' is not of type STRING")
        )
        return records.failed(sf.col("value").isNotNull(), message)
    value = sf.col("value")
    row_value = sf.coalesce(value.getField("after"), value.getField("before"))
    name = field_of(row_value, field, schema, defaults=False)
    present = sf.length(sf.trim(name)) > 0
    return records.changed({"topic": sf.when(present, name).otherwise(sf.col("topic"))})


PLUGIN = TransformPlugin("io.debezium.transforms.ExtractNewRecordState", KEYS, build, sided=False)
