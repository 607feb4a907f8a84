"""Source tables as DataFrames. One that a job scans several times is one source of its query, fetched and decoded once.

Branches of a query would each read a source for themselves: Spark's plans are trees. It does run an exchange once that
stands in a plan several times, so the rows of a shared table pass through one. All branches see the same offsets
of it in every batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from headrace.catalog.connector import CondensedSource
from headrace.changelog import WEIGHT
from headrace.plan.nodes import Scan
from headrace.types import quote

Key = tuple[str, tuple[tuple[str, str], ...]]


class ScanFrames:
    def __init__(self, spark: SparkSession, scans: Iterable[Scan]) -> None:
        self.spark = spark
        self._scans: dict[Key, list[Scan]] = {}
        self._shared: dict[Key, DataFrame] = {}
        for scan in scans:
            self._scans.setdefault(_key(scan), []).append(scan)

    def frame(self, scan: Scan) -> DataFrame:
        """The scan's columns, then what its connector adds, then the weight."""
        scans = self._scans.get(_key(scan), [])
        if len(scans) < 2:
            return self._read(scan, scan.names, scan.every_change)
        if _key(scan) not in self._shared:
            self._shared[_key(scan)] = self._read_for_all(scans)
        shared = self._shared[_key(scan)]
        others = {name for other in scans for name in other.names} - set(scan.names)
        added = [name for name in shared.columns if name not in (*scan.names, *others, WEIGHT)]
        return shared.select(*map(quote, (*scan.names, *added)), WEIGHT)

    def _read_for_all(self, scans: list[Scan]) -> DataFrame:
        names = dict.fromkeys(name for scan in scans for name in scan.names)
        every_change = any(scan.every_change for scan in scans)
        rows = self._read(scans[0], tuple(names), every_change)
        operators: Any = self.spark._jvm.headrace.operators.Operators  # type: ignore[union-attr]
        return DataFrame(operators.shared(rows._jdf), self.spark)

    def _read(self, scan: Scan, names: tuple[str, ...], every_change: bool) -> DataFrame:
        connector = scan.table.connector
        df: DataFrame = (
            connector.read_newest(self.spark, scan.table, names)
            if isinstance(connector, CondensedSource) and not every_change
            else connector.read(self.spark, scan.table, names)
        )
        return df


def _key(scan: Scan) -> Key:
    """Hints make another source of a table."""
    options = tuple(sorted(scan.table.options.items()))
    return str(scan.table.identifier), options
