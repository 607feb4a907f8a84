"""The `kafka` connector, and what `upsert-kafka` shares with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from headrace.catalog.connector import Changes, MetadataKey
from headrace.catalog.options import Option
from headrace.catalog.table import Table
from headrace.changelog import ChangelogMode
from headrace.connectors.kafka import (
    reconcile,
    transactions,
    validate,
    validate_sink,
    validate_source,
)
from headrace.connectors.kafka.changes import all_metadata, reads_by_key, row_key
from headrace.connectors.kafka.settings import UPSERT, declared_options, settings_of


class KafkaConnector:
    """Records of topics as rows: the value format says which changes they mean."""

    name = "kafka"
    is_source = True
    is_sink = True
    gives_rows_live = True

    def options(self, given: Mapping[str, str]) -> Sequence[Option]:
        return declared_options(self.name == UPSERT, given)

    def metadata(self, table_options: Mapping[str, str]) -> Mapping[str, MetadataKey]:
        return all_metadata(table_options)

    def validate(self, table: Table) -> None:
        validate.validate(table)

    def validate_source(self, table: Table) -> None:
        validate_source.validate_source(table)

    def validate_sink(self, table: Table) -> None:
        validate_sink.validate_sink(table)

    def scan_mode(self, table: Table) -> ChangelogMode:
        if self._reads_by_key(table):
            return ChangelogMode.upsert()
        return settings_of(table).value.format.changelog_mode

    def _reads_by_key(self, table: Table) -> bool:
        return reads_by_key(table, settings_of(table))

    def by_key(self, table: Table) -> Table:
        return replace(table, connector=CHANGES_BY_KEY)

    def sink_mode(self, table: Table) -> ChangelogMode:
        return settings_of(table).value.format.changelog_mode

    def is_bounded(self, table: Table) -> bool:
        return settings_of(table).is_bounded

    def read(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        from headrace.connectors.kafka.read import read

        return read(session, table, columns, by_key=self._reads_by_key(table))

    def read_newest(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        from headrace.connectors.kafka.read import read

        by_key = self._reads_by_key(table)
        newest_per = row_key(table, columns) if by_key else ()
        return read(session, table, columns, newest_per=newest_per, by_key=by_key)

    def is_replayed(self, table: Table) -> bool:
        return reconcile.is_replayed(settings_of(table))

    def is_empty(self, session: Any, table: Table) -> bool:
        return reconcile.is_empty(session, settings_of(table))

    def identity(self, session: Any, table: Table) -> Mapping[str, str]:
        from headrace.connectors.kafka.read import topic_ids

        return topic_ids(session, table)

    def writer(
        self,
        session: Any,
        table: Table,
        columns: Sequence[str],
        *,
        key: Sequence[str] = (),
        changes: Changes = Changes.SCATTERED,
    ) -> Any:
        from headrace.connectors.kafka.write import writer

        return writer(session, table, columns, changes=changes)

    def begin_transactions(self, table: Table, writer: Any, folder: Path, number: int) -> None:
        transactions.begin(settings_of(table), writer, folder, number)

    def remarks(self, table: Table) -> Iterator[str]:
        from headrace.connectors.kafka.write import remarks

        return remarks(table)

    def live_writer(self, session: Any, table: Table, columns: Sequence[str], rows: Any) -> Any:
        from headrace.connectors.kafka.write import live_writer

        return live_writer(session, table, columns, rows)


class ChangesByKey(KafkaConnector):
    """Changes that count once however often they are told: only the newest row of a key is looked at."""

    def _reads_by_key(self, table: Table) -> bool:
        return True


CHANGES_BY_KEY = ChangesByKey()


class UpsertKafkaConnector(KafkaConnector):
    """The last record of a key is its row; a record without a value deletes it."""

    name = UPSERT

    def scan_mode(self, table: Table) -> ChangelogMode:
        return ChangelogMode.upsert()

    def sink_mode(self, table: Table) -> ChangelogMode:
        return ChangelogMode.upsert()

    def existing(self, session: Any, table: Table) -> Mapping[str, int]:
        return reconcile.existing(session, settings_of(table))

    def reconcile(
        self, session: Any, table: Table, writer: Any, existing: Mapping[str, int]
    ) -> None:
        writer.reconcile(reconcile.specification(settings_of(table), existing))

    def notices(self, table: Table, writer: Any) -> Iterator[str]:
        return reconcile.notices(settings_of(table), writer)

    def write_interval(self, table: Table) -> timedelta:
        interval: timedelta = settings_of(table).options["sink.buffer-flush.interval"]
        return interval

    def read_newest(self, session: Any, table: Table, columns: Sequence[str]) -> Any:
        from headrace.connectors.kafka.read import read

        return read(session, table, columns, newest_per=table.primary_key)
