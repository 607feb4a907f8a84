"""The `datagen` source: rows made up in memory, at a given rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headrace.catalog.connector import Changes, MetadataKey
from headrace.catalog.options import Option
from headrace.catalog.table import Table
from headrace.changelog import WEIGHT, ChangelogMode
from headrace.connectors.datagen.expressions import column_sql
from headrace.connectors.datagen.generators import generators_of, row_limit
from headrace.connectors.datagen.options import DATAGEN_OPTIONS
from headrace.connectors.support import not_writable, option_error, parsed
from headrace.types import quote

SOURCE_CLASS = "headrace.sources.SequenceSource"


class DatagenConnector:
    name = "datagen"
    is_source = True
    is_sink = False

    def options(self, given: Mapping[str, str]) -> Sequence[Option]:
        return DATAGEN_OPTIONS

    def metadata(self, table_options: Mapping[str, str]) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, table: Table) -> None:
        generators_of(table)
        options = parsed(table, DATAGEN_OPTIONS)
        for key, least in (("rows-per-second", 1), ("number-of-rows", 0), ("scan.parallelism", 1)):
            if options.get(key, least) < least:
                raise option_error(table, key, f"option '{key}' must be {least} or more")

    def validate_source(self, table: Table) -> None:
        """Nothing beyond the options."""

    def validate_sink(self, table: Table) -> None:
        raise not_writable(table)

    def scan_mode(self, table: Table) -> ChangelogMode:
        return ChangelogMode.append()

    def sink_mode(self, table: Table) -> ChangelogMode:
        raise not_writable(table)

    def is_bounded(self, table: Table) -> bool:
        return row_limit(table) is not None

    def read(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        options = parsed(table, DATAGEN_OPTIONS)
        source = session.readStream.format(SOURCE_CLASS)
        source.option("rowsPerSecond", options["rows-per-second"])
        tasks = options.get("scan.parallelism", session.sparkContext.defaultParallelism)
        source.option("partitions", tasks)
        limit = row_limit(table)
        if limit is not None:
            source.option("numberOfRows", limit)
        made = generators_of(table)
        chosen = [f"{column_sql(made[name])} AS {quote(name)}" for name in columns]
        return source.load().selectExpr(*chosen, f"CAST(1 AS BIGINT) AS {WEIGHT}")

    def identity(self, session: Any, table: Table) -> Mapping[str, str]:
        return {}

    def writer(
        self,
        session: Any,
        table: Table,
        columns: Sequence[str],
        *,
        key: Sequence[str] = (),
        changes: Changes = Changes.SCATTERED,
    ) -> Any:
        raise not_writable(table)
