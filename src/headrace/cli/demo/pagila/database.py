"""The database: three tables that connectors read, and what they hold when all is done."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from headrace.cli.demo.pagila.example_files import sql, statements

if TYPE_CHECKING:
    from psycopg import Connection

NAME = "pagila"
KEYS: Mapping[str, str] = {
    "country": "country_id",
    "city": "city_id",
    "address": "address_id",
}
# What the third source asks for, without the order in which it asks.
JOINED = """
SELECT address_id, address, address2, city, district, postal_code, country, phone, a.last_update
FROM address AS a JOIN city USING (city_id) JOIN country USING (country_id)
"""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

Row = dict[str, Any]
Rows = dict[int, Row]


class Database:
    """A new database on the server, empty until `fill`. Rows are returned by their first column."""

    def __init__(self, server_url: str) -> None:
        import psycopg

        with psycopg.connect(server_url, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {NAME}")  # type: ignore[arg-type, unused-ignore]
        self.server_url = server_url
        self._connection: Connection[Any] = psycopg.connect(
            server_url, dbname=NAME, autocommit=True
        )

    def fill(self) -> None:
        self._run(sql("schema"))
        self._run(sql("data"))

    def change(self) -> None:
        """The changes, each a transaction of its own: the time of a transaction becomes that of its rows."""
        for statement in statements("changes"):
            self._run(statement)

    def table(self, name: str) -> Rows:
        return self._rows(f"SELECT * FROM {name}")

    def joined(self) -> Rows:
        return self._rows(JOINED)

    def environment(self) -> dict[str, str]:
        """What the configurations of the connectors refer to."""
        parts = urlsplit(self.server_url)
        host, port = parts.hostname or "localhost", str(parts.port or 5432)
        return {
            "PAGILA_HOST": host,
            "PAGILA_PORT": port,
            "PAGILA_JDBC_URL": f"jdbc:postgresql://{host}:{port}/{NAME}",
            "PAGILA_USER": parts.username or "postgres",
            # The server of the demo trusts whoever reaches it; the option still has to hold something.
            "PAGILA_PASSWORD": parts.password or "trusted",
        }

    def close(self) -> None:
        self._connection.close()

    def _run(self, text: str) -> None:
        self._connection.execute(text)  # type: ignore[arg-type, unused-ignore]

    def _rows(self, query: str) -> Rows:
        from psycopg.rows import dict_row

        with self._connection.cursor(row_factory=dict_row) as cursor:
            cursor.execute(query)  # type: ignore[arg-type, unused-ignore]
            found = cursor.fetchall()
        return {next(iter(row.values())): {**row, "last_update": _exact(row)} for row in found}


def _exact(row: Mapping[str, Any]) -> str:
    changed: datetime = row["last_update"]
    return changed.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def milliseconds(exact: str) -> int:
    """As much of a time as Connect's Timestamp holds."""
    return (datetime.fromisoformat(exact) - EPOCH) // MILLISECOND


def coarse(rows: Mapping[int, Row]) -> Rows:
    """The rows as the JDBC source sends them."""
    return {
        key: {**row, "last_update": milliseconds(row["last_update"])} for key, row in rows.items()
    }
