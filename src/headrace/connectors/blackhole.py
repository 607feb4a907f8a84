"""The `blackhole` sink: runs the query and keeps nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headrace.catalog.connector import Changes
from headrace.catalog.table import Table
from headrace.connectors.support import CONNECTOR, SinkConnector


class BlackholeConnector(SinkConnector):
    name = "blackhole"
    declared = (CONNECTOR,)

    def writer(
        self,
        session: Any,
        table: Table,
        columns: Sequence[str],
        *,
        key: Sequence[str] = (),
        changes: Changes = Changes.SCATTERED,
    ) -> Any:
        return session._jvm.headrace.sinks.BlackholeSink()
