"""A long table in parts that are read side by side: by the places of its rows on PostgreSQL, elsewhere by its numbers."""

from __future__ import annotations

from headrace.connect.jdbc.database import Database
from headrace.connect.jdbc.links import Link
from headrace.connect.jdbc.predicates import Condition
from headrace.connect.jdbc.tables import Source

# 8 KiB each: a table of 16 MiB is read by a query in a fraction of a second, and not worth tasks of its own.
_LEAST_BLOCKS = 2048

# 64 MiB a part: long enough that connecting does not count, short enough that the parts end at about the same time.
_BLOCKS_OF_A_PART = 8192

# Rows by the database's estimate from which a table is read in parts.
_LEAST_NUMBERS = 200_000
_PARTS = 16

_BLOCKS = """
SELECT pg_relation_size(CAST(? AS regclass)) / CAST(current_setting('block_size') AS bigint),
       CAST(current_setting('server_version_num') AS bigint)
"""

# Before PostgreSQL 14 every part would read the whole table.
_RANGE_SCANS = 140_000


def split(link: Link, database: Database, source: Source) -> list[Condition]:
    """Conditions that each row meets one of; none for a table that one query reads as well."""
    if source.id is None or not source.stored or source.suffix:
        return []
    return _by_place(link, database, source) if link.is_postgres else _by_number(database, source)


def _by_place(link: Link, database: Database, source: Source) -> list[Condition]:
    assert source.id is not None
    name = ".".join(map(link.dialect.quoted, source.id.parts))
    blocks, version = database.rows(_BLOCKS, name)[0]
    if version < _RANGE_SCANS or not blocks or blocks < _LEAST_BLOCKS:
        return []
    cores = link.session.sparkContext.defaultParallelism
    step = max(1, min(_BLOCKS_OF_A_PART, -(-blocks // (2 * cores))))
    # The last part is open: the table may have grown.
    starts = list(range(0, blocks, step))
    return [
        _between(f"{source.origin}.ctid", a, b)
        for a, b in zip(starts, [*starts[1:], None], strict=True)
    ]


def _between(place: str, first: int, end: int | None) -> Condition:
    low = f"{place} >= CAST('({first},0)' AS tid)"
    return Condition(low if end is None else f"{low} AND {place} < CAST('({end},0)' AS tid)")


def _by_number(database: Database, source: Source) -> list[Condition]:
    number = source.position.incrementing
    if number is None:
        return []
    low, high = database.rows(f"SELECT MIN({number}), MAX({number}) FROM {source.origin}")[0]
    if low is None or int(high) - int(low) < _LEAST_NUMBERS:
        return []
    step = -(-(int(high) - int(low) + 1) // _PARTS)
    starts = range(int(low), int(high) + 1, step)
    return [
        Condition(
            f"{number} >= {start}"
            + ("" if start + step > int(high) else f" AND {number} < {start + step}")
        )
        for start in starts
    ]
