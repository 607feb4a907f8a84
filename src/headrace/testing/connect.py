"""Records of Connect for transforms to work on, also for those of one's own, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headrace.connect.data.records import Records
from headrace.connect.data.schema import Schema
from headrace.connect.transforms.chain import parse_chain

KAFKA = "org.apache.kafka.connect.transforms."


@dataclass(frozen=True)
class Result:
    """Rows of the batches that a chain leaves, and their schemas."""

    batches: tuple[Records, ...]
    rows: list[dict[str, Any]]

    def column(self, name: str) -> list[Any]:
        return [row[name] for row in self.rows]

    @property
    def values(self) -> list[Any]:
        return self.column("value")

    @property
    def keys(self) -> list[Any]:
        return self.column("key")

    @property
    def errors(self) -> list[str | None]:
        return [error and error["message"] for error in self.column("error")]

    @property
    def headers(self) -> list[list[tuple[str, Any]]]:
        return [
            [
                (header["key"], header["value"] and bytes(header["value"]))
                for header in headers or []
            ]
            for headers in self.column("headers")
        ]

    @property
    def value_schema(self) -> Schema | None:
        return self.batches[0].value

    @property
    def key_schema(self) -> Schema | None:
        return self.batches[0].key


class Bench:
    """Runs transforms: `values` are those of the records, `columns` further columns of them."""

    def __init__(self, spark: Any) -> None:
        self.spark = spark

    def records(
        self,
        values: list[Any],
        schema: Schema | None = None,
        *,
        keys: list[Any] | None = None,
        key_schema: Schema | None = None,
        **columns: list[Any],
    ) -> Records:
        from pyspark.sql import types as st

        header = st.StructType().add("key", st.StringType()).add("value", st.BinaryType())
        types: dict[str, st.DataType] = {
            "topic": st.StringType(),
            "partition": st.IntegerType(),
            "offset": st.LongType(),
            "timestamp": st.TimestampType(),
            "headers": st.ArrayType(header),
            "value": schema.spark() if schema else st.StringType(),
            "key": key_schema.spark() if key_schema else st.StringType(),
        }
        given = {"topic": ["t"] * len(values)} | columns | {"value": values}
        if keys is not None:
            given["key"] = keys
        fields = st.StructType([st.StructField(name, types[name]) for name in given])
        frame = self.spark.createDataFrame(list(zip(*given.values(), strict=True)), fields)
        return Records.of(frame, key_schema, schema)

    def chain(self, config: dict[str, str], records: Records) -> Result:
        batches = parse_chain(config).apply(records)
        rows = [row.asDict(recursive=True) for batch in batches for row in batch.frame.collect()]
        return Result(batches, rows)

    def apply(
        self, transform: str, options: dict[str, str], values: list[Any], *args: Any, **kwargs: Any
    ) -> Result:
        """One transform, by its class without the package."""
        own = {f"transforms.x.{name}": value for name, value in options.items()}
        type = transform if set(".:") & set(transform) else KAFKA + transform
        config = {"transforms": "x", "transforms.x.type": type} | own
        return self.chain(config, self.records(values, *args, **kwargs))
