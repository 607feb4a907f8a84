"""What PostgreSQL tells of open transactions, by which rows that commit late are found.

A row's `xmin` is the number of the transaction that wrote it. Asked *before* a poll's snapshot is taken, PostgreSQL tells which
numbers are still in progress, those of subtransactions included; from the next number on nothing had been written. At
the next poll, rows whose number is among these were not seen, and all others were.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from headrace.connect.jdbc.dialects.base import Asked
from headrace.connect.jdbc.positions import Moment

# Numbers that were given out since the last look, and those that were open then; older ones have ended.
_LOOK = """
SELECT txid_snapshot_xmax(q.s),
  (SELECT COALESCE(json_agg(o.x), '[]') FROM (
     SELECT generate_series(greatest(CAST(? AS bigint), txid_snapshot_xmin(q.s)), txid_snapshot_xmax(q.s) - 1) AS x
     UNION SELECT CAST(json_array_elements_text(CAST(? AS json)) AS bigint)) o
   WHERE o.x >= txid_snapshot_xmin(q.s) AND txid_status(o.x) = 'in progress')::text,
  (SELECT CAST(extract(epoch FROM least(min(a.xact_start), now())) * 1000000 AS bigint)
   FROM pg_stat_activity a),
  (SELECT count(*) FROM pg_stat_activity a
   WHERE a.datname = current_database() AND a.xact_start IS NULL AND a.query = '<insufficient privilege>')
  + (SELECT count(*) FROM pg_prepared_xacts),
  CAST(extract(epoch FROM now()) * 1000000 AS bigint)
FROM (SELECT txid_current_snapshot() AS s) q
"""

_MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Transactions:
    """`next`: no number from here on has written. `open`: those in progress. `oldest`: when the oldest of all began, None
    where that is not shown to the user. `now`: the database's clock."""

    next: int
    open: tuple[int, ...]
    oldest: Moment | None
    now: Moment


def look(database: Asked, before: Transactions | None) -> Transactions:
    """Must be asked before the snapshot of a poll is taken, in a transaction of its own."""
    known: Sequence[int] = before.open if before else ()
    since = before.next if before else 0
    rows = database.rows(_LOOK, since, json.dumps(list(known)))
    upcoming, open, oldest, hidden, now = rows[0]
    return Transactions(
        int(upcoming),
        tuple(sorted(json.loads(open))),
        None if hidden else moment_of_micros(int(oldest)),
        moment_of_micros(int(now)),
    )


def moment_of_micros(micros: int) -> Moment:
    seconds, rest = divmod(micros, _MICROS)
    return seconds, rest * 1000
