"""Tables of a run, made by the database itself."""

from __future__ import annotations

import psycopg

# A row as orders have it: a number, two texts, a price and the time of its last change.
_COLUMNS = """id bigserial PRIMARY KEY, customer int NOT NULL, item varchar(40) NOT NULL, note text,
  price numeric(9,2) NOT NULL, paid boolean NOT NULL, changed timestamptz NOT NULL DEFAULT clock_timestamp()"""

_ROWS = """INSERT INTO {name} (customer, item, note, price, paid)
SELECT n % 100000, 'item number ' || n % 5000, CASE WHEN n % 3 > 0 THEN md5(n::text) END, n % 99999 / 100.0, n % 2 = 0
FROM generate_series(1, {rows}) AS n"""


def make(url: str, name: str, rows: int = 0, own: str = "") -> None:
    """Vacuumed, so that the first reader does not pay for what the writer left to do. `own` names a column that no other table has."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP TABLE IF EXISTS {name}".encode())
        columns = f"{_COLUMNS}, {own} text" if own else _COLUMNS
        connection.execute(f"CREATE TABLE {name} ({columns})".encode())
        if rows:
            connection.execute(_ROWS.format(name=name, rows=rows).encode())
        connection.execute(f"CREATE INDEX ON {name} (changed)".encode())
        connection.execute(f"VACUUM ANALYZE {name}".encode())


def touch(connection: psycopg.Connection[tuple[object, ...]], name: str, note: str) -> None:
    """Change the first row, or make it; `note` is known again in the record."""
    connection.execute(
        f"""INSERT INTO {name} (id, customer, item, note, price, paid) VALUES (1, 1, 'probe', %s, 1, true)
        ON CONFLICT (id) DO UPDATE SET note = excluded.note, changed = clock_timestamp()""".encode(),
        (note,),
    )
