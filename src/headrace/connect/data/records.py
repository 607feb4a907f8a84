"""A batch of Connect's records as a DataFrame, and the ways in which a transform changes it.

Columns: topic, partition, offset (of records read from Kafka), key, value, headers, timestamp, then what becomes of the
record: `key_typed` and `value_typed` (whether the schema is the record's own, which tells a null with a schema from a
tombstone), `dropped`, `error` (class and message of what Connect would throw), and `stage` (what was being done to the
record then). Records with an error stay in the batch: whoever writes it decides what a failure means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from headrace.connect.data.columns import default_of, header_text
from headrace.connect.data.schema import DATA_EXCEPTION, Schema

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

Part = Literal["key", "value"]

VALUE: frozenset[Part] = frozenset({"value"})

# Outcome: the bytes of a header, of its schema and value.
HeaderWriter = Callable[[Schema | None, "Column"], "Column"]

HEADERS = "array<struct<key:string,value:binary>>"
ERROR = "struct<class:string,message:string>"
_DEFAULTS: Mapping[str, str] = {
    "partition": "CAST(NULL AS int)",
    "key": "CAST(NULL AS string)",
    "headers": f"CAST(NULL AS {HEADERS})",
    "timestamp": "CAST(NULL AS timestamp)",
    "error": f"CAST(NULL AS {ERROR})",
    "stage": "CAST(NULL AS string)",
    "dropped": "false",
}
_OUTCOME = "__outcome"
_HEADER = "__header"


@dataclass(frozen=True, slots=True)
class Records:
    """One batch whose keys have one schema and whose values have one; without a schema they are texts of JSON. Headers
    that are added become texts, or what `header_writer` makes of them."""

    frame: DataFrame
    key: Schema | None
    value: Schema | None
    header_writer: HeaderWriter | None = None
    # Whose nulls have a schema as well: a converter that has but one gives it to whatever it reads.
    always_typed: frozenset[Part] = frozenset()
    # What no record has anything of but nulls.
    nulls: frozenset[Part] = frozenset()

    @classmethod
    def of(
        cls,
        frame: DataFrame,
        key: Schema | None,
        value: Schema | None,
        always_typed: frozenset[Part] = frozenset(),
    ) -> Records:
        """Records of a frame with `topic` and `value` at least; nulls are tombstones where it does not say otherwise."""
        from pyspark.sql import functions as sf

        present = set(frame.columns)
        defaults = {
            **_DEFAULTS,
            "key_typed": "key IS NOT NULL" if key and "key" in present else "false",
            "value_typed": "value IS NOT NULL" if value else "false",
        }
        absent = {n: sf.expr(text) for n, text in defaults.items() if n not in present}
        return cls(frame.withColumns(absent), key, value, always_typed=always_typed)

    def schema(self, part: Part) -> Schema | None:
        return self.key if part == "key" else self.value

    @property
    def is_sink(self) -> bool:
        return "offset" in self.frame.columns

    def with_schema(self, part: Part, schema: Schema | None) -> Records:
        left = replace(self, nulls=self.nulls - {part})
        return replace(left, key=schema) if part == "key" else replace(left, value=schema)

    def changed(self, columns: Mapping[str, Column]) -> Records:
        return replace(self, frame=self.frame.withColumns(dict(columns)))

    def of_value(
        self, part: Part, schema: Schema | None, value: Column, typed: Column | None = None
    ) -> Records:
        """With another key or value, of another schema."""
        if typed is None:
            return self.changed({part: value}).with_schema(part, schema)
        changed = self.changed({part: value, f"{part}_typed": typed}).with_schema(part, schema)
        return replace(changed, always_typed=self.always_typed - {part})

    def of_outcome(self, part: Part, schema: Schema | None, outcome: Column) -> Records:
        """With another key or value, or the error met on the way to it."""
        return self.of_column_outcome(part, outcome).with_schema(part, schema)

    def of_column_outcome(self, name: str, outcome: Column) -> Records:
        """With another column, or the error met on the way to it."""
        from pyspark.sql import functions as sf

        found = self.frame.withColumn(_OUTCOME, outcome)
        error = sf.coalesce(sf.col("error"), sf.col(_OUTCOME)["error"])
        columns = {name: sf.col(_OUTCOME)["value"], "error": error}
        return replace(self, frame=found.withColumns(columns).drop(_OUTCOME))

    def of_fields(
        self,
        part: Part,
        schema: Schema,
        columns: Mapping[str, Column],
        outcomes: Mapping[str, Column],
    ) -> Records:
        """With a struct of the columns, in the schema's order, of which some are outcomes."""
        from pyspark.sql import functions as sf

        places = {name: f"{_OUTCOME}_{i}" for i, name in enumerate(outcomes)}
        found = self.frame.withColumns({places[name]: c for name, c in outcomes.items()})
        values = {name: sf.col(place)["value"] for name, place in places.items()}
        given = dict(columns) | values
        errors = [sf.col(place)["error"] for place in places.values()]
        frame = found.withColumns(
            {
                part: struct_of(
                    {field.name: given[field.name] for field in schema.fields},
                    sf.col(part).isNotNull(),
                ),
                "error": sf.coalesce(sf.col("error"), *errors),
            }
        ).drop(*places.values())
        return replace(self, frame=frame).with_schema(part, schema)

    def failed(self, when: Column, message: str, kind: str = DATA_EXCEPTION) -> Records:
        """With an error for records that have none yet."""
        from pyspark.sql import functions as sf

        error = sf.struct(sf.lit(kind).alias("class"), sf.lit(message).alias("message"))
        return self.changed({"error": sf.coalesce(sf.col("error"), sf.when(when, error))})

    def staged(self, stage: str) -> Records:
        """With the stage named on records that have an error since."""
        from pyspark.sql import functions as sf

        failed = sf.when(sf.col("error").isNotNull(), sf.lit(stage))
        return self.changed({"stage": sf.coalesce(sf.col("stage"), failed)})

    def without(self, when: Column) -> Records:
        """Without these records; those that failed stay, to be reported."""
        from pyspark.sql import functions as sf

        return self.changed({"dropped": sf.col("dropped") | when})

    def good(self) -> Records:
        """Those that nothing was wrong with."""
        from pyspark.sql import functions as sf

        return replace(self, frame=self.frame.filter(sf.col("error").isNull()))

    def bad(self) -> Records:
        """Those with an error."""
        from pyspark.sql import functions as sf

        return replace(self, frame=self.frame.filter(sf.col("error").isNotNull()))

    def with_header(
        self, name: str, schema: Schema | None, value: Column, when: Column | None = None
    ) -> Records:
        """With one more header on each record, or on some."""
        from pyspark.sql import functions as sf

        if self.header_writer is None:
            return self._with_header(name, header_text(schema, value).cast("binary"), when)
        present = sf.lit(True) if when is None else when
        found = self.changed({_HEADER: self.header_writer(schema, value)})
        error = sf.when(present & sf.col("error").isNull(), sf.col(_HEADER)["error"])
        stage = sf.when(error.isNotNull(), sf.lit("HEADER_CONVERTER"))
        failed = found.changed(
            {
                "error": sf.coalesce(sf.col("error"), error),
                "stage": sf.coalesce(sf.col("stage"), stage),
            }
        )
        added = failed._with_header(name, sf.col(_HEADER)["value"], when)
        return replace(added, frame=added.frame.drop(_HEADER))

    def _with_header(self, name: str, content: Column, when: Column | None) -> Records:
        from pyspark.sql import functions as sf

        header = sf.struct(sf.lit(name).alias("key"), content.alias("value"))
        longer = sf.array_append(sf.coalesce(sf.col("headers"), sf.array().cast(HEADERS)), header)
        kept = longer if when is None else sf.when(when, longer).otherwise(sf.col("headers"))
        return self.changed({"headers": kept.cast(HEADERS)})


def field_of(struct: Column, name: str, schema: Schema, *, defaults: bool) -> Column:
    """A field's value, or its default where it is null and has one."""
    from pyspark.sql import functions as sf

    value = struct.getField(name)
    return sf.coalesce(value, default_of(schema)) if defaults and schema.default else value


def fields_of(struct: Column, schema: Schema, *, defaults: bool) -> dict[str, Column]:
    return {
        field.name: field_of(struct, field.name, field.schema, defaults=defaults)
        for field in schema.fields
    }


def struct_of(columns: Mapping[str, Column], when: Column) -> Column:
    """A struct of the columns, null where `when` is false."""
    from pyspark.sql import functions as sf

    return sf.when(when, sf.struct(*(column.alias(name) for name, column in columns.items())))
