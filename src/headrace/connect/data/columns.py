"""Columns that the JVM computes for records of Connect. Outcomes are structs of a value and an error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from headrace.connect.data.config import invalid
from headrace.connect.data.faults import registry_fault
from headrace.connect.data.schema import Schema

if TYPE_CHECKING:
    from pyspark.sql import Column

NULL_MARK = " null"

# What schemas have their ids from: subjects of a registry, or artifacts of Apicurio's, which may have to be there.
Naming = Literal["SUBJECT", "ARTIFACT", "NEW_ARTIFACT"]


def to_json(
    schema: Schema | None,
    value: Column,
    typed: Column,
    *,
    envelope: bool,
    numeric_decimals: bool = False,
    defaults: bool = True,
) -> Column:
    """Outcome: bytes as the JSON converter writes them; `typed` tells nulls with a schema from tombstones."""
    return _column(
        "toJson", _text(schema), envelope, numeric_decimals, defaults, _wrapped(value), typed
    )


def from_json(
    schema: Schema | None, data: Column, *, envelope: bool, defaults: bool = True
) -> Column:
    """Outcome: a value of the schema; without one, the text of JSON."""
    return _column("fromJson", _text(schema), envelope, defaults, data)


def schema_tag(data: Column) -> Column:
    """Outcome: the text of the schema within bytes of the JSON converter, with NULL_MARK behind it where they hold a null."""
    return _column("tagOf", data)


def time_text(pattern: str, millis: Column) -> Column:
    """By a pattern of SimpleDateFormat, in UTC."""
    return _column("timeText", pattern, millis)


def header_text(schema: Schema | None, value: Column) -> Column:
    return _column("headerText", _text(schema), _wrapped(value))


def header_json(data: Column, *, envelope: bool) -> Column:
    """Outcome: the text of a header that the JSON converter wrote."""
    return _column("headerJson", envelope, data)


def plain_text(schema: Schema | None, value: Column) -> Column:
    """As Java writes Connect's object."""
    return _column("plainText", _text(schema), _wrapped(value))


def decoded(charset: str, data: Column) -> Column:
    return _column("decoded", charset, data)


def encoded(charset: str, text: Column) -> Column:
    return _column("encoded", charset, text)


def header_literal(data: Column) -> Column:
    """Bytes of a header once the simple header converter has read and written them."""
    return _column("headerLiteral", data)


def schemaless_class(value: Column) -> Column:
    """As Connect's messages name the class of a value without a schema."""
    return _column("schemalessClass", value)


def step(
    name: str, settings: Mapping[str, Any], value: Column, more: Column | None = None
) -> Column:
    """Outcome: a value without a schema after a step of a transform; `more` is an object of fields to add."""
    from pyspark.sql import functions as sf

    added = sf.lit(None).cast("string") if more is None else more
    return _column("step", name, json.dumps(settings), value, added)


def convert(
    name: str, settings: Mapping[str, Any], before: Schema, after: Schema, value: Column
) -> Column:
    """Outcome: a value with a schema after a step of a transform, in the schema that the step gives it."""
    return _column(
        "convert", name, json.dumps(settings), before.text(), after.text(), _wrapped(value)
    )


def route(regex: str, replacement: str, topic: Column) -> Column:
    """Outcome: a topic by another name where all of it matches; raises InvalidConfig for what is no expression of Java's."""
    from pyspark.errors import IllegalArgumentException

    try:
        return _column("route", regex, replacement, topic)
    except IllegalArgumentException as refused:
        raise invalid("regex", regex, f"Invalid regex: {refused.getMessage()}") from None


def default_of(schema: Schema) -> Column:
    """The default value of a schema that has one."""
    from pyspark.sql import functions as sf

    data = sf.lit(bytearray((schema.default or "null").encode()))
    return from_json(schema, data, envelope=False)["value"]


def _text(schema: Schema | None) -> str | None:
    return None if schema is None else schema.text()


def _wrapped(value: Column) -> Column:
    """The JVM's methods take a value of any type as the field of a row."""
    from pyspark.sql import functions as sf

    return sf.struct(value.alias("value"))


def _column(method: str, *arguments: Any) -> Column:
    from pyspark.sql import SparkSession
    from pyspark.sql.classic.column import Column as ClassicColumn

    jvm: Any = SparkSession.active()._jvm
    plain = [a._jc if isinstance(a, ClassicColumn) else a for a in arguments]
    return ClassicColumn(getattr(jvm.headrace.connect.ConnectColumns, method)(*plain))


def to_binary(kind: str, schema: Schema | None, value: Column) -> Column:
    """Outcome: bytes of a number or truth value."""
    return _column("toBinary", kind, _text(schema), _wrapped(value))


def from_binary(kind: str, data: Column) -> Column:
    """Outcome: a number or truth value."""
    return _column("fromBinary", kind, data)


def framed(
    registry: str, naming: Naming, name: str, schema: str, topic: Column, avro: Column
) -> Column:
    """Binary Avro behind the id of its schema, null where it has none; `name` has ${topic} for the record's topic."""
    return _column("framed", registry, naming, name, schema, topic, avro)


def registered_schema(registry: str, id: int) -> str | None:
    """The JSON of a schema in a registry, None where it has none of Avro's under this id."""
    text: str | None = _registry("schema", registry, id)
    return text


def apicurio_schema(registry: str, id: int) -> str | None:
    """The JSON of a schema under a global id of Apicurio's own API, None where there is none."""
    text: str | None = _registry("globalSchema", registry, id)
    return text


def registered_version(registry: str, id: int, subject: str) -> int | None:
    """The version that a schema is under a subject of a registry, None where it is none of its."""
    version: int | None = _registry("version", registry, id, subject)
    return version


def _registry(method: str, *arguments: Any) -> Any:
    from py4j.protocol import Py4JJavaError
    from pyspark.sql import SparkSession

    jvm: Any = SparkSession.active()._jvm
    try:
        return getattr(jvm.headrace.formats.RegistryAccess, method)(*arguments)
    except Py4JJavaError as failure:
        raise registry_fault(str(failure.java_exception)) or failure from None
