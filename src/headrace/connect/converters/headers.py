"""`header.converter`: bytes of headers as the texts in which batches keep them, and headers that a source adds as bytes.

Every header has a type of its own, and nothing but files asks for its value again; so a sink's headers become texts as
SimpleHeaderConverter writes them when they are read, and a source's become bytes when a transform makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headrace.connect.converters.base import Converter, ConverterPlugin, outcome
from headrace.connect.converters.json_converter import JsonConverter
from headrace.connect.converters.registry import CONVERTERS, build_converter
from headrace.connect.data.columns import header_json, header_literal, header_text
from headrace.connect.data.records import HEADERS, Records
from headrace.connect.data.schema import Schema

if TYPE_CHECKING:
    from pyspark.sql import Column

SIMPLE = "org.apache.kafka.connect.storage.SimpleHeaderConverter"
OPTION = "header.converter"
_APACHE = "org.apache.kafka.connect."
_CONVERTED = "__headers"

# Kafka's own convert headers as well; those of registries do not.
HEADER_CONVERTERS: Mapping[str, ConverterPlugin] = {
    name: plugin for name, plugin in CONVERTERS.items() if name.startswith(_APACHE)
}


@dataclass(frozen=True, slots=True)
class HeaderConverter:
    """`converter` is None for SimpleHeaderConverter, whose texts are the form of batches."""

    converter: Converter | None = None

    def writing(self, records: Records) -> Records:
        """A source's records, whose transforms add headers in this converter's bytes."""
        return replace(records, header_writer=None if self.converter is None else self.encode)

    def encode(self, schema: Schema | None, value: Column) -> Column:
        """Outcome: bytes of a header's value."""
        assert self.converter is not None
        from pyspark.sql import functions as sf

        return self.converter.encode(schema, value, sf.lit(schema is not None))

    def read(self, records: Records) -> Records:
        """A sink's records with texts for headers, or with what was wrong with one."""
        from pyspark.sql import functions as sf

        if self.converter is None:
            return records.changed({"headers": sf.transform("headers", _simple).cast(HEADERS)})
        converted = sf.transform("headers", lambda header: _named(header, self._text(header)))
        found = records.changed({_CONVERTED: converted})
        texts = sf.transform(
            _CONVERTED,
            lambda header: sf.struct(
                header["key"].alias("key"), header["text"]["value"].cast("binary").alias("value")
            ),
        )
        errors = sf.filter(
            sf.transform(_CONVERTED, lambda header: header["text"]["error"]),
            lambda error: error.isNotNull(),
        )
        error = sf.coalesce(sf.col("error"), sf.get(errors, sf.lit(0)))
        changed = found.changed({"headers": texts.cast(HEADERS), "error": error})
        return replace(changed, frame=changed.frame.drop(_CONVERTED)).staged("HEADER_CONVERTER")

    def _text(self, header: Column) -> Column:
        """Outcome: the text of a header's bytes."""
        data = header["value"]
        if isinstance(self.converter, JsonConverter):
            return header_json(data, envelope=self.converter.schemas)
        assert self.converter is not None
        schema = self.converter.schema(None)
        decoded = self.converter.decode(schema, None, data)
        return outcome(header_text(schema, decoded["value"]), decoded["error"])


def _simple(header: Column) -> Column:
    from pyspark.sql import functions as sf

    return sf.struct(header["key"].alias("key"), header_literal(header["value"]).alias("value"))


def _named(header: Column, text: Column) -> Column:
    from pyspark.sql import functions as sf

    return sf.struct(header["key"].alias("key"), text.alias("text"))


def parse_header_converter(config: Mapping[str, str]) -> HeaderConverter:
    """The one that a configuration names; raises InvalidConfig, in Connect's words."""
    if config.get(OPTION, SIMPLE).strip() == SIMPLE:
        return HeaderConverter()
    return HeaderConverter(build_converter(HEADER_CONVERTERS, config, OPTION))
