"""Fields that a header of the record itself names, left out of its value and, where asked for, of its key."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headrace.connect.data.records import Part, Records
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.replace_field import Choice, replaced

if TYPE_CHECKING:
    from pyspark.sql import Column

# Of a header that is no list, as Java says it.
_CLASS_CAST = "java.lang.ClassCastException"
_NO_LIST = (
    "class java.lang.String cannot be cast to class java.util.List (java.lang.String and"
    " java.util.List are in module java.base of loader 'bootstrap')"
)
_TEXT, _KEPT = "__named_text", "__named_kept"

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """What a header says, and fields that stay whatever it says."""

    text: str | None
    kept: Names

    def names(self) -> list[str] | None:
        """None where the header holds something else than a list."""
        if self.text is None:
            return []
        try:
            found = json.loads(self.text)
        except ValueError:
            return None
        return [str(name) for name in found] if isinstance(found, list) else None


@dataclass(frozen=True, slots=True)
class Leaving:
    """Fields to leave out; of records whose header is no list, there are none to tell."""

    key: Names = ()
    value: Names = ()
    is_list: bool = True


def keeping(records: Records, kept: Column) -> Records:
    """Notes which fields stay whatever the header says: an array of names, none where the header does not count."""
    return records.changed({_KEPT: kept})


@dataclass(frozen=True, slots=True)
class NamedFields:
    """`compatible` leaves out only what is optional, so that older readers still understand the record."""

    header: str
    from_key: bool
    compatible: bool

    def left_out(self, records: Records) -> tuple[Records, ...]:
        """A batch for each schema that is left, since records say by themselves what they lose."""
        from pyspark.sql import functions as sf

        named = sf.when(sf.col(_KEPT).isNotNull(), _first(self.header).cast("string"))
        marked = records.changed({_TEXT: named})
        rows = marked.frame.select(_TEXT, _KEPT).distinct().collect()
        groups = self._groups(records, (Mention(text, tuple(kept or ())) for text, kept in rows))
        return tuple(_part(marked, leaving, groups) for leaving in {Leaving(): None, **groups})

    def _groups(
        self, records: Records, mentions: Iterable[Mention]
    ) -> dict[Leaving, list[Mention]]:
        groups: dict[Leaving, list[Mention]] = {}
        for mention in mentions:
            groups.setdefault(self._leaving(records, mention), []).append(mention)
        return groups

    def _leaving(self, records: Records, mention: Mention) -> Leaving:
        names = mention.names()
        if names is None:
            return Leaving(is_list=False)
        key = self._of(records.key, names) if self.from_key else ()
        changeable = [name for name in names if name not in mention.kept]
        return Leaving(key, self._of(records.value, changeable))

    def _of(self, schema: Schema | None, names: list[str]) -> Names:
        fields = schema.fields if schema is not None and schema.type is Type.STRUCT else ()
        return tuple(
            field.name
            for field in fields
            if field.name in names and (field.schema.optional or not self.compatible)
        )


def _first(name: str) -> Column:
    """The value of the first header of the name."""
    from pyspark.sql import functions as sf

    of_name = sf.filter("headers", lambda header: header["key"] == name)
    return sf.get(of_name, sf.lit(0))["value"]


def _part(marked: Records, leaving: Leaving, groups: dict[Leaving, list[Mention]]) -> Records:
    """Records that nothing is left out of are those that belong to no other group."""
    from pyspark.sql import functions as sf

    if leaving == Leaving():
        others = (m for other, members in groups.items() if other != leaving for m in members)
        chosen = ~_among(others)
    else:
        chosen = _among(groups[leaving])
    part = replace(marked, frame=marked.frame.filter(chosen).drop(_TEXT, _KEPT))
    if not leaving.is_list:
        return part.failed(sf.lit(True), _NO_LIST, _CLASS_CAST)
    return _without(_without(part, "key", leaving.key), "value", leaving.value)


def _among(mentions: Iterable[Mention]) -> Column:
    from pyspark.sql import functions as sf

    chosen = sf.lit(False)
    for mention in mentions:
        kept = sf.array(*(sf.lit(name) for name in mention.kept)).cast("array<string>")
        same = sf.col(_TEXT).eqNullSafe(sf.lit(mention.text)) & sf.col(_KEPT).eqNullSafe(kept)
        chosen = chosen | same
    return chosen


def _without(records: Records, part: Part, names: Names) -> Records:
    schema = records.schema(part)
    if not names or schema is None:
        return records
    return replaced(records, part, schema, Choice([], list(names), {}), True)
