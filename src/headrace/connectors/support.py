"""What every connector shares: errors that name the option, its value and the cure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions, masked_value, parse_options
from headrace.catalog.table import Table
from headrace.changelog import ChangelogMode
from headrace.errors import InvalidOption

CONNECTOR = Option("connector", OptionType.STRING, "The connector's name.", required=True)


def parsed(table: Table, declared: Iterable[Option]) -> ParsedOptions:
    """The table's options against a connector's declarations: required, known and well-formed."""
    owner = f"connector '{table.options.get('connector', '')}'"
    return parse_options(declared, table.options, owner=owner, positions=table.positions)


def option_error(
    table: Table,
    key: str,
    summary: str,
    *,
    expected: str | None = None,
    cure: str | None = None,
    condition: str | None = None,
) -> InvalidOption:
    """An InvalidOption that points at `key` and shows what the table gives for it."""
    return InvalidOption(
        summary,
        condition=condition,
        where=table.positions.get(key),
        found=_shown(table.options, key),
        expected=expected,
        cure=cure,
    )


def unsupported_option(table: Table, key: str, reason: str, cure: str) -> InvalidOption:
    return option_error(
        table,
        key,
        f"option '{key}' is not supported yet: {reason}",
        cure=cure,
        condition="UNSUPPORTED_OPTION",
    )


def _shown(options: Mapping[str, str], key: str) -> str | None:
    if key not in options:
        return None
    return f"'{key}' = '{masked_value(key, options[key])}'"


class SinkConnector:
    """What the sinks for development share: no metadata, any change taken, nothing to read."""

    name: str
    declared: tuple[Option, ...]
    is_source = False
    is_sink = True

    def options(self, given: Mapping[str, str]) -> Sequence[Option]:
        return self.declared

    def metadata(self, table_options: Mapping[str, str]) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, table: Table) -> None:
        parsed(table, self.declared)

    def validate_source(self, table: Table) -> None:
        raise not_readable(table)

    def validate_sink(self, table: Table) -> None:
        """Nothing beyond the options."""

    def scan_mode(self, table: Table) -> ChangelogMode:
        raise not_readable(table)

    def sink_mode(self, table: Table) -> ChangelogMode:
        return ChangelogMode.retract()

    def is_bounded(self, table: Table) -> bool:
        raise not_readable(table)

    def read(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        raise not_readable(table)

    def identity(self, session: Any, table: Table) -> Mapping[str, str]:
        return {}


def not_readable(table: Table) -> InvalidOption:
    return _one_way(table, "read", "written")


def not_writable(table: Table) -> InvalidOption:
    return _one_way(table, "written", "read")


def _one_way(table: Table, wanted: str, possible: str) -> InvalidOption:
    connector = table.options["connector"]
    return option_error(
        table,
        "connector",
        f"table '{table.identifier.name}' cannot be {wanted}: connector '{connector}' can only be {possible}",
        expected="kafka, upsert-kafka",
    )
