"""The `print` sink: every change as a line of text on standard output or error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from headrace.catalog.connector import Changes
from headrace.catalog.options import Option, OptionType
from headrace.catalog.table import Table
from headrace.connectors.support import CONNECTOR, SinkConnector, parsed, unsupported_option


class PrintConnector(SinkConnector):
    name = "print"
    declared = (
        CONNECTOR,
        Option(
            "print-identifier", OptionType.STRING, "Text before every line, as 'text> +I[1, a]'."
        ),
        Option(
            "standard-error",
            OptionType.BOOLEAN,
            "Whether to print to standard error instead of standard output.",
            default="false",
        ),
        Option("sink.parallelism", OptionType.INT, "Number of tasks that print."),
    )

    def validate_sink(self, table: Table) -> None:
        if parsed(table, self.declared).get("sink.parallelism", 1) != 1:
            reason = "one printer keeps the lines in order"
            raise unsupported_option(table, "sink.parallelism", reason, "remove the option")

    def console(self, table: Table, writer: Any) -> Iterator[tuple[str, bool]]:
        """The lines printed since the last call, each with whether it is for standard error."""
        to_error: bool = parsed(table, self.declared)["standard-error"]
        for line in writer.drain().splitlines():
            yield line, to_error

    def writer(
        self,
        session: Any,
        table: Table,
        columns: Sequence[str],
        *,
        key: Sequence[str] = (),
        changes: Changes = Changes.SCATTERED,
    ) -> Any:
        """Changes of one `key` (the table's primary key when not given) print as update pairs."""
        options = parsed(table, self.declared)
        names = list(columns)
        keys = [names.index(name) for name in (key or table.primary_key)]
        jvm = session._jvm
        positions = jvm.java.util.ArrayList()
        for position in keys:
            positions.add(position)
        return jvm.headrace.sinks.PrintSink(
            options.get("print-identifier", ""), options["standard-error"], positions
        )
