"""A bench that puts Kafka records through a format and back, as batches."""

from __future__ import annotations

import io
import json
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import fastavro
import pytest
from py4j.protocol import Py4JJavaError

from headrace.catalog.options import parse_options
from headrace.errors import DataError
from headrace.formats import FormatUse, format_named
from headrace.formats.changelog import MessageKey
from headrace.formats.codec import decode, decoder_spec, encode
from headrace.formats.errors import data_error_from
from headrace.services.schema_registry import SchemaRegistryService
from headrace.types import DataType

KAFKA = "key binary, value binary, topic string, partition int, offset bigint"
Record = tuple[bytes | None, bytes | None]


def use_of(
    name: str,
    columns: Mapping[str, DataType],
    options: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
) -> FormatUse:
    """A validated use of a format; `names` are those that differ inside the format."""
    format = format_named(name)
    parsed = parse_options(format.declared, options or {}, owner=f"format '{name}'")
    inside = names or {}
    fields = tuple((column, inside.get(column, column), type) for column, type in columns.items())
    return FormatUse(format, parsed, fields)


def as_bytes(item: object) -> bytes | None:
    if item is None or isinstance(item, bytes):
        return item
    return (item if isinstance(item, str) else json.dumps(item)).encode()


@dataclass(frozen=True)
class Bench:
    spark: Any

    def frame(self, records: Sequence[Record]) -> Any:
        rows = [(key, value, "orders", 3, offset) for offset, (key, value) in enumerate(records)]
        return self.spark.createDataFrame(rows, KAFKA)

    def decode(
        self,
        value: FormatUse,
        records: Sequence[Record],
        *,
        select: Sequence[str] = ("*",),
        key: FormatUse | None = None,
        upsert: bool = False,
        keep: Sequence[str] = (),
        needed: Sequence[str] | None = None,
        metadata: Mapping[str, MessageKey] | None = None,
        keyed: Sequence[str] = (),
    ) -> list[tuple[Any, ...]]:
        """The decoded rows, each ending in its weight unless `select` says otherwise."""
        df = decode(
            self.frame(records),
            key=key,
            value=value,
            upsert=upsert,
            keep=keep,
            needed=needed,
            metadata=metadata,
            keyed=keyed,
        )
        return [tuple(row) for row in df.selectExpr(*select).collect()]

    def values(
        self, value: FormatUse, *texts: bytes | None, select: Sequence[str] = ("*",)
    ) -> list[tuple[Any, ...]]:
        """The rows of records without keys, weights left out."""
        rows = self.decode(value, [(None, text) for text in texts], select=select)
        return [row[:-1] if select == ("*",) else row for row in rows]

    def changes(self, value: FormatUse, *messages: object, **asked: Any) -> list[tuple[Any, ...]]:
        """The weighted rows of messages, given as what JSON has, as text or as (key, message)."""
        pairs = [message if isinstance(message, tuple) else (None, message) for message in messages]
        records = [(as_bytes(key), as_bytes(message)) for key, message in pairs]
        return self.decode(value, records, **asked)

    def decoder(self, value: FormatUse, key: FormatUse | None = None, **asked: Any) -> Any:
        """That of the JVM, for a record at a time, without a job of Spark's."""
        needed = [name for name, _, _ in value.columns]
        spec = decoder_spec(key=key, value=value, upsert=False, needed=needed, **asked)
        return self.spark._jvm.headrace.formats.RecordDecoder(json.dumps(spec))

    def failure(
        self, value: FormatUse, record: object, key: FormatUse | None = None, **asked: Any
    ) -> DataError:
        """The error of a record that must not decode."""
        content = as_bytes(record)
        with pytest.raises(Py4JJavaError) as caught:
            self.decoder(value, key, **asked).rows(content if key else None, content)
        error = data_error_from(caught.value.java_exception.at("orders", 3, 0).getMessage())
        assert error is not None
        return error

    def encode(
        self, value: FormatUse, df: Any, key: FormatUse | None = None
    ) -> list[tuple[bytes | None, bytes | None]]:
        rows = encode(df, key=key, value=value, keep=()).collect()
        return [
            tuple(None if part is None else bytes(part) for part in (row.key, row.value))
            for row in rows
        ]

    def text(self, value: FormatUse, *literals: str) -> str:
        """One row given as SQL literals, encoded and shown as text."""
        names = [
            f"{literal} AS `{column[0]}`"
            for literal, column in zip(literals, value.columns, strict=True)
        ]
        df = self.spark.range(1).selectExpr(*names, "1L AS __weight")
        return (self.encode(value, df)[0][1] or b"").decode()


@pytest.fixture
def bench(spark: Any) -> Iterator[Bench]:
    # Spark keeps its TIME type behind a switch; columns declared TIME need it on.
    before = spark.conf.get("spark.sql.timeType.enabled", "false")
    spark.conf.set("spark.sql.timeType.enabled", "true")
    yield Bench(spark)
    spark.conf.set("spark.sql.timeType.enabled", before)


@pytest.fixture
def use() -> Any:
    return use_of


# One registry serves all tests, so that each needs subjects of its own.
SUBJECTS = (f"test-{number}" for number in count())


class Registry:
    """A client of the registry that is not the one under test."""

    def __init__(self, url: str) -> None:
        self.url = url

    def call(self, path: str, body: object = None, method: str | None = None) -> Any:
        content = {"Content-Type": "application/vnd.schemaregistry.v1+json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, content, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def register(self, schema: object, references: Sequence[object] = ()) -> tuple[int, str]:
        subject = next(SUBJECTS)
        body = {
            "schema": json.dumps(schema),
            "schemaType": "AVRO",
            "references": list(references),
        }
        return self.call(f"/subjects/{subject}/versions", body)["id"], subject

    def written(self, schema: object, *rows: object) -> list[bytes]:
        id, _ = self.register(schema)
        return [self.message(id, schema, row) for row in rows]

    def message(self, id: int, schema: object, row: object) -> bytes:
        out = io.BytesIO(b"\0" + id.to_bytes(4, "big"))
        out.seek(5)
        fastavro.schemaless_writer(out, fastavro.parse_schema(schema), row)
        return out.getvalue()

    def read(self, message: bytes) -> tuple[Any, Any]:
        schema = json.loads(
            self.call(f"/schemas/ids/{int.from_bytes(message[1:5], 'big')}")["schema"]
        )
        return schema, fastavro.schemaless_reader(
            io.BytesIO(message[5:]), fastavro.parse_schema(schema)
        )


@pytest.fixture
def registry(schema_registry: SchemaRegistryService) -> Registry:
    return Registry(schema_registry.url)
