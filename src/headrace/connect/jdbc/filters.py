"""Which tables of a database a connector reads, by the options of both generations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from headrace.connect.configdef import Type, parse
from headrace.connect.jdbc.columns import TableId
from headrace.connect.regex.translation import matches
from headrace.errors import InvalidOption

TABLE_TYPES = (
    "TABLE",
    "VIEW",
    "SYSTEM TABLE",
    "GLOBAL TEMPORARY",
    "LOCAL TEMPORARY",
    "ALIAS",
    "SYNONYM",
)


@dataclass(frozen=True, slots=True)
class TableFilters:
    """`catalog` and `schema` are patterns of LIKE: None asks for all, "" for those without."""

    whitelist: tuple[str, ...] = ()
    blacklist: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    catalog: str | None = None
    schema: str | None = None
    types: tuple[str, ...] = ("TABLE",)

    @classmethod
    def of(cls, config: Mapping[str, str]) -> TableFilters:
        return cls(
            _list(config, "table.whitelist"),
            _list(config, "table.blacklist"),
            _list(config, "table.include.list"),
            _list(config, "table.exclude.list"),
            config.get("catalog.pattern"),
            config.get("schema.pattern"),
            tuple(kind.upper() for kind in _list(config, "table.types")) or ("TABLE",),
        )

    def chosen(self, tables: Iterable[TableId], quote: Callable[[str], str]) -> list[TableId]:
        """Those that the lists let through, in the order of their names; raises InvalidOption where the records of two
        would go to one topic."""
        kept = sorted(
            (table for table in tables if self._wants(spellings(table, quote))),
            key=lambda table: table.full_name,
        )
        check_topics(kept)
        return kept

    def _wants(self, spelled: Spellings) -> bool:
        if self.include:
            return _matches(self.include, spelled) and not _matches(self.exclude, spelled)
        if self.whitelist:
            return not spelled.names.isdisjoint(self.whitelist)
        return spelled.names.isdisjoint(self.blacklist)


@dataclass(frozen=True, slots=True)
class Spellings:
    """How a list may name a table: `names` in lists of names, `full` in those of expressions."""

    names: frozenset[str]
    full: frozenset[str]


def spellings(table: TableId, quote: Callable[[str], str]) -> Spellings:
    """Full name with and without quotes, or the name alone; also without its catalogue."""
    inner = TableId(None, table.schema or None, table.name)
    full = {table.full_name, inner.full_name if table.schema else table.full_name}
    quoted = {".".join(map(quote, parts)) for parts in (table.parts, inner.parts)}
    return Spellings(frozenset({table.name, *full, *quoted}), frozenset(full))


def like(pattern: str | None, name: str | None) -> bool:
    """Whether a pattern of metadata lets a catalogue or schema through."""
    if pattern is None:
        return True
    if pattern == "":
        return not name
    return re.fullmatch(_expression(pattern), name or "") is not None


def _expression(pattern: str) -> str:
    wild = {"%": ".*", "_": "."}
    return "".join(wild.get(character, re.escape(character)) for character in pattern)


def check_topics(tables: Sequence[TableId]) -> None:
    """A topic is named after the bare name, so two tables of one name would mix."""
    by_name: dict[str, list[TableId]] = defaultdict(list)
    for table in tables:
        by_name[table.name].append(table)
    for same in by_name.values():
        if len(same) > 1:
            raise InvalidOption(
                "several tables have the same name, and so would share a topic",
                condition="TABLES_SHARE_A_TOPIC",
                found=", ".join(table.full_name for table in same),
                cure="choose one of them with table.whitelist, or narrow schema.pattern or catalog.pattern",
            )


def _matches(expressions: Sequence[str], spelled: Spellings) -> bool:
    return any(matches(expressions, name) for name in spelled.full)


def _list(config: Mapping[str, str], option: str) -> tuple[str, ...]:
    return tuple(parse(Type.LIST, config.get(option, "")))
