"""What a record format declares, and what every format shares."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, runtime_checkable

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.errors import UserError
from headrace.types import CHARACTER, DataType, Kind

Part = Literal["key", "value"]


class Format(Protocol):
    """One per format name. Instances are stateless; a table carries the settings."""

    name: str
    declared: tuple[Option, ...]
    changelog_mode: ChangelogMode

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        """The metadata keys it adds to a table, without the `value.` in front."""

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        """Refuses column types it cannot carry and options that contradict each other; raises UserError."""

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        """The options as the codec in the JVM reads them."""


@runtime_checkable
class SchemaFormat(Protocol):
    """A format whose records follow a schema that depends on the columns."""

    def schema(self, fields: DataType, options: ParsedOptions) -> str:
        """The schema, given to the codec as option `schema`."""


IGNORE_PARSE_ERRORS = Option(
    "ignore-parse-errors",
    OptionType.BOOLEAN,
    "Turn unreadable fields into NULL and skip unreadable records instead of failing",
    default="false",
)


def unsupported_type(
    format_name: str, path: str, type: DataType, reason: str, cure: str | None = None
) -> UserError:
    return UserError(
        f"format '{format_name}' cannot carry column '{path}'",
        condition="UNSUPPORTED_TYPE",
        found=type.sql(),
        expected=reason,
        cure=cure,
    )


def walk_types(fields: DataType, visit: Callable[[str, DataType], None]) -> None:
    """Calls `visit` with the dotted path and the type of every column and of everything nested in it."""
    for name, type in fields.fields():
        _walk(name, type, visit)


def _walk(path: str, type: DataType, visit: Callable[[str, DataType], None]) -> None:
    visit(path, type)
    if type.kind is Kind.ROW:
        for name, child in type.fields():
            _walk(f"{path}.{name}", child, visit)
    else:
        for child in type.children:
            _walk(path, child, visit)


def require_text_map_keys(format_name: str, path: str, type: DataType) -> None:
    """JSON and Avro name a map's entries, so the keys must be text."""
    if type.kind in (Kind.MAP, Kind.MULTISET) and type.children[0].kind not in CHARACTER:
        raise unsupported_type(format_name, path, type, f"a {type.kind} with keys of type STRING")


def type_spec(type: DataType) -> dict[str, Any]:
    """A type as the JVM reads it: Flink's kind and precision, which Spark's own type does not keep."""
    spec: dict[str, Any] = {"kind": str(type.kind), "nullable": type.nullable}
    if type.precision is not None:
        spec["precision"] = type.precision
    if type.scale is not None:
        spec["scale"] = type.scale
    if type.children:
        spec["children"] = [type_spec(child) for child in type.children]
    if type.names:
        spec["names"] = list(type.names)
    return spec


# Of Java's escapes in a delimiter, those that name one character.
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


def unescape(text: str) -> str:
    """Java's escapes resolved: `\\t`, `\\u0001`, `\\\\`."""
    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", _unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    escape = match[1]
    return chr(int(escape[1:], 16)) if len(escape) > 1 else _ESCAPES.get(escape, escape)
