"""What the formats share whose records are changes: JSON messages around rows that come and go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol, runtime_checkable

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.formats.base import (
    IGNORE_PARSE_ERRORS,
    Format,
    Part,
    require_text_map_keys,
    type_spec,
    walk_types,
)
from headrace.formats.json import JSON_OPTIONS
from headrace.types import BIGINT, STRING, DataType, timestamp_ltz

Reading = Literal["value", "milliseconds", "seconds", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageKey(MetadataKey):
    """A metadata key and where a message has it: in a field, or in the first of some fields `inside` of that one.
    `outside`: beside the payload instead of in it. `written` is its type there, `reading` what makes the key's type of it."""

    field: str
    inside: tuple[str, ...] = ()
    outside: bool = False
    written: DataType = STRING
    reading: Reading = "value"

    def spec(self, cell: int) -> dict[str, Any]:
        return {
            "cell": cell,
            "field": self.field,
            "inside": list(self.inside),
            "outside": self.outside,
            "type": type_spec(self.written),
            "as": self.reading,
        }


def text_key(field: str, doc: str, *inside: str) -> MessageKey:
    """A name of where a row comes from."""
    return MessageKey(STRING, doc=doc, constant=True, field=field, inside=inside)


def instant_key(
    field: str,
    doc: str,
    *inside: str,
    precision: int = 3,
    written: DataType = BIGINT,
    reading: Reading = "milliseconds",
) -> MessageKey:
    return MessageKey(
        timestamp_ltz(precision),
        doc=doc,
        field=field,
        inside=inside,
        written=written,
        reading=reading,
    )


def value_key(type: DataType, field: str, doc: str, *inside: str) -> MessageKey:
    return MessageKey(type, doc=doc, field=field, inside=inside, written=type)


@dataclass(frozen=True, slots=True)
class Envelope:
    """What is written before and after a row that comes (`added`), and one that goes (`removed`); the first `header`
    bytes of the row's encoding stay in front of it."""

    added: tuple[str, str]
    removed: tuple[str, str]
    header: int = 0

    def spec(self) -> dict[str, Any]:
        return {"added": list(self.added), "removed": list(self.removed), "header": self.header}


@runtime_checkable
class ChangelogFormat(Format, Protocol):
    """A format whose records are changes."""

    lacks_old_rows: bool
    """Whether there are sources that write its updates and deletes without the old row."""

    def envelope(self, options: ParsedOptions) -> Envelope: ...

    def check_writable(self, options: ParsedOptions) -> None:
        """Refuses options with which the format can only be read; raises UserError."""


class ChangelogJson:
    """The formats differ in the message around the rows."""

    name: str
    keys: Mapping[str, MessageKey]
    lacks_old_rows = False
    changelog_mode = ChangelogMode.retract()
    declared: tuple[Option, ...] = (IGNORE_PARSE_ERRORS, *JSON_OPTIONS)

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return self.keys

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        walk_types(fields, partial(require_text_map_keys, self.name))

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        return {option.name: options.get(option.name) for option in self.declared}

    def check_writable(self, options: ParsedOptions) -> None:
        """Nothing to refuse."""


def before_and_after(operation: str, insert: str, delete: str, without_nulls: bool) -> Envelope:
    """Messages with both rows, of which one is null, or left out with the other NULLs."""
    no_before = "" if without_nulls else '"before":null,'
    no_after = "" if without_nulls else ',"after":null'
    return Envelope(
        ("{" + no_before + '"after":', f',"{operation}":"{insert}"}}'),
        ('{"before":', f'{no_after},"{operation}":"{delete}"}}'),
    )
