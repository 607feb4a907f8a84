"""The `blackhole` sink: runs the query and keeps nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
        consolidate: bool = True,
    ) -> Any:
        return session._jvm.headrace.sinks.BlackholeSink()
