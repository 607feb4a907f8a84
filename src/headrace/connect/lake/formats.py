"""Formats of files: records as the bytes that a file is put together from, and what the JVM must know of the file."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from headrace.connect.converters.avro_schema import for_spark, to_avro_schema
from headrace.connect.data import schema as cs
from headrace.connect.data.columns import plain_text, to_json
from headrace.connect.data.records import Records
from headrace.connect.data.schema import DATA_EXCEPTION, ConnectFault, Field, Schema, Type
from headrace.connect.lake.columns import packed
from headrace.connect.lake.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import Column

HEADERS = Schema(
    Type.ARRAY,
    values=Schema(
        Type.STRUCT,
        name="KafkaHeader",
        fields=(Field("key", cs.string()), Field("value", cs.string(optional=True))),
    ),
)
_KINDS = {"avro": "avro", "parquet": "parquet"}


@dataclass(slots=True)
class Format:
    """Files of values, keys or headers. `schemas` grows by one with each batch that is encoded."""

    part: str
    settings: Settings
    schemas: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.settings.format(self.part)

    @property
    def extension(self) -> str:
        gzip = self.settings["s3.compression.type"] == "gzip" and self.kind in ("json", "bytes")
        ending = {
            "json": ".json",
            "avro": ".avro",
            "parquet": _parquet_ending(self.settings["parquet.codec"]),
            "bytes": self.settings["format.bytearray.extension"],
            "string": ".txt",
        }[self.kind]
        beside = "" if self.part == "value" else f".{self.part}s"
        return f"{beside}{ending}{'.gz' if gzip else ''}"

    def spec(self) -> dict[str, Any]:
        settings = self.settings
        codec = {"avro": settings["avro.codec"], "parquet": settings["parquet.codec"]}
        separator = "\n"
        if self.kind == "bytes" and settings["format.bytearray.separator"] is not None:
            separator = settings["format.bytearray.separator"]
        return {
            "format": _KINDS.get(self.kind, "lines"),
            "extension": self.extension,
            "schemas": self.schemas,
            "codec": codec.get(self.kind),
            "separator": base64.b64encode(separator.encode()).decode(),
            "gzip": self.extension.endswith(".gz"),
            "level": settings["s3.compression.level"],
        }

    def encoded(self, records: Records, column: str, schema: Schema | None, into: str) -> Records:
        """With bytes of a column in another; what cannot be written has an error."""
        found, described = self._encoded(_Value(records, column, schema), into)
        self.schemas.append(described)
        return found

    def also(self, records: Records, column: str, schema: Schema, into: str) -> Records:
        """With bytes of a column as a file of another batch has them."""
        return self._encoded(_Value(records, column, schema), into)[0]

    def _encoded(self, value: _Value, into: str) -> tuple[Records, str]:
        try:
            bytes, described = getattr(self, f"_{self.kind}")(value)
        except ConnectFault as fault:
            return value.failing(fault.message, into), ""
        return value.given(bytes, into), described

    def _json(self, value: _Value) -> tuple[Column, str]:
        from pyspark.sql import functions as sf

        if value.schema is None:
            return value.column.cast("binary"), ""
        numeric = self.settings["json.decimal.format"].upper() == "NUMERIC"
        outcome = to_json(
            value.schema, value.column, sf.lit(True), envelope=False, numeric_decimals=numeric
        )
        value.outcome = outcome
        return outcome, ""

    def _bytes(self, value: _Value) -> tuple[Column, str]:
        if value.schema is None or value.schema.type is not Type.BYTES or value.schema.name:
            kind = "null" if value.schema is None else value.schema.label()
            raise ConnectFault(f"Invalid schema type for ByteArrayConverter: {kind}")
        return value.column, ""

    def _string(self, value: _Value) -> tuple[Column, str]:
        return plain_text(value.schema, value.column).cast("binary"), ""

    def _avro(self, value: _Value) -> tuple[Column, str]:
        from pyspark.sql.avro.functions import to_avro

        if value.schema is None:
            raise ConnectFault("Avro is written from records with a schema; these have none")
        described = to_avro_schema(value.schema, facts=self.settings["connect.meta.data"])
        return to_avro(value.column, json.dumps(for_spark(described))), json.dumps(described)

    def _parquet(self, value: _Value) -> tuple[Column, str]:
        if value.schema is None or value.schema.type is not Type.STRUCT:
            raise ConnectFault(
                "Parquet is written from structs with a schema; these records are none"
            )
        return packed(value.records.frame, value.name), value.schema.text()


def _parquet_ending(codec: str) -> str:
    shown = {"none": "", "gzip": ".gz", "lz4_raw": ".lz4raw", "zstd": ".zstd"}
    return f"{shown.get(codec, f'.{codec}')}.parquet"


@dataclass(slots=True)
class _Value:
    """A column of records on its way into a file."""

    records: Records
    name: str
    schema: Schema | None
    outcome: Column | None = None

    @property
    def column(self) -> Column:
        from pyspark.sql import functions as sf

        return sf.col(self.name)

    def failing(self, message: str, into: str) -> Records:
        from pyspark.sql import functions as sf

        failed = self.records.failed(self.column.isNotNull(), message, DATA_EXCEPTION)
        return failed.changed({into: sf.lit(None).cast("binary")})

    def given(self, bytes: Column, into: str) -> Records:
        from pyspark.sql import functions as sf

        if self.outcome is None:
            return self.records.changed({into: sf.when(self.column.isNotNull(), bytes)})
        found = self.records.changed({"__written": self.outcome})
        written = sf.col("__written")
        error = sf.when(self.column.isNotNull(), written["error"])
        return found.changed({into: written["value"], "error": sf.coalesce(sf.col("error"), error)})


def header_texts(records: Records, into: str) -> Records:
    """Headers as a list of names and texts, NULL where there are none."""
    from pyspark.sql import functions as sf

    texts = sf.transform(
        "headers",
        lambda header: sf.struct(
            header["key"].alias("key"), header["value"].cast("string").alias("value")
        ),
    )
    return records.changed({into: sf.when(sf.size("headers") > 0, texts)})
