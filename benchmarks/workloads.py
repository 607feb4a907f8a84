"""The input of each query, record by record, and the answer it must lead to. Equal scales give equal records.

    pageviews      5,000,000 rows without a key: 100,000 users, 50 regions, 80 % of a user's views from the home region
    q2_orders      2,000,000 changes of 200,000 orders, 5 % of them tombstones
    q3_orders      2,000,000 changes of 500,000 orders, 5 % tombstones; 5 % of the changes move an order to another of
                   50,000 customers
    q4_orders      1,000,000 changes of 500,000 orders, as above
    q4_customers     100,000 changes of 50,000 customers, 2 % tombstones
    copy_orders, once_orders   as q3_orders

Scale multiplies the rows and the orders; users, regions and customers stay, so groups grow heavier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.changes import ChangeLog, Flags, Ints, draw

Record = tuple[str | None, str | None]
"""Key and value as JSON; no key: unkeyed, no value: tombstone."""

Answer = dict[str, list[int | str]]
"""The final table: key as text to the other columns of the sink."""

USERS, PAGES, REGIONS, CUSTOMERS = 100_000, 10_000, 50, 50_000
CUSTOMER_CHANGES = 100_000
STATUSES = ("NEW", "PAID", "SHIPPED", "DONE")

# Rows are made into Python objects in blocks, so that memory does not grow with the scale.
_BLOCK = 100_000


@dataclass(frozen=True, slots=True)
class Dataset:
    topic: str
    count: int
    records: Callable[[], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Workload:
    datasets: tuple[Dataset, ...]
    answer: Answer

    @property
    def rows(self) -> int:
        return sum(dataset.count for dataset in self.datasets)


@dataclass(frozen=True, slots=True)
class Orders:
    log: ChangeLog
    customers: Ints
    amounts: Ints
    statuses: Ints

    def dataset(self, topic: str) -> Dataset:
        return Dataset(topic, len(self.log), self.records)

    def records(self) -> Iterator[Record]:
        columns = (self.log.keys, self.customers, self.amounts, self.statuses)
        for deleted, order, customer, amount, status in _rows(self.log.deletes, *columns):
            value = (
                f'{{"order_id":{order},"customer_id":{customer},"amount":{amount},'
                f'"status":"{STATUSES[status]}"}}'
            )
            yield f'{{"order_id":{order}}}', None if deleted else value

    def final(self) -> Iterator[tuple[int, int, int, str]]:
        """Order, customer, amount and status of the rows that are there in the end."""
        live = self.log.live()
        columns = (self.log.keys, self.customers, self.amounts, self.statuses)
        for order, customer, amount, status in _rows(*(column[live] for column in columns)):
            yield order, customer, amount, STATUSES[status]


@dataclass(frozen=True, slots=True)
class Customers:
    log: ChangeLog
    versions: Ints
    regions: Ints

    def dataset(self, topic: str) -> Dataset:
        return Dataset(topic, len(self.log), self.records)

    def records(self) -> Iterator[Record]:
        columns = (self.log.keys, self.versions, self.regions)
        for deleted, customer, version, region in _rows(self.log.deletes, *columns):
            value = (
                f'{{"customer_id":{customer},"name":"{_name(customer, version)}",'
                f'"region":"{_region(region)}"}}'
            )
            yield f'{{"customer_id":{customer}}}', None if deleted else value

    def final(self) -> dict[int, tuple[str, str]]:
        live = self.log.live()
        columns = (self.log.keys, self.versions, self.regions)
        rows = _rows(*(column[live] for column in columns))
        return {customer: (_name(customer, version), _region(r)) for customer, version, r in rows}


def workload(query: str, scale: float) -> Workload:
    return _WORKLOADS[query](scale)


def _q1(scale: float) -> Workload:
    count = round(5_000_000 * scale)
    random = np.random.default_rng(1)
    users, pages = random.integers(0, USERS, count), random.integers(0, PAGES, count)
    elsewhere = random.integers(0, REGIONS, count)
    regions = np.where(random.random(count) < 0.8, users % REGIONS, elsewhere)

    def records() -> Iterator[Record]:
        start = np.datetime64("2025-01-01T00:00:00.000", "ms")
        times = start + np.arange(count).astype("timedelta64[ms]")
        for user, page, time, region in _rows(users, pages, times, regions):
            yield (
                None,
                f'{{"user_id":{user},"page_id":{page},'
                f'"viewtime":"{time.isoformat(" ", "milliseconds")}",'
                f'"user_region":"{_region(region)}"}}',
            )

    return Workload((Dataset("pageviews", count, records),), _views_per_region(users, regions))


def _views_per_region(users: Ints, regions: Ints) -> Answer:
    views = np.bincount(regions, minlength=REGIONS)
    visitors = np.unique(regions * USERS + users) // USERS
    distinct = np.bincount(visitors, minlength=REGIONS)
    return {_region(r): [int(views[r]), int(distinct[r])] for r in range(REGIONS) if views[r]}


def _q2(scale: float) -> Workload:
    orders = _orders(2, round(2_000_000 * scale), round(200_000 * scale))
    answer: Answer = {str(o): [c, a, s] for o, c, a, s in orders.final() if a > 50}
    return Workload((orders.dataset("q2_orders"),), answer)


def _q3(scale: float) -> Workload:
    orders = _orders(3, round(2_000_000 * scale), round(500_000 * scale))
    live = orders.log.live()
    customers, amounts = orders.customers[live], orders.amounts[live]
    counts, totals = np.bincount(customers), np.bincount(customers, weights=amounts)
    answer: Answer = {
        str(customer): [int(counts[customer]), int(totals[customer])]
        for customer in np.flatnonzero(counts).tolist()
    }
    return Workload((orders.dataset("q3_orders"),), answer)


def _q4(scale: float) -> Workload:
    orders = _orders(4, round(1_000_000 * scale), round(500_000 * scale))
    customers = _customers(5)
    known = customers.final()
    answer: Answer = {str(o): [c, a, s, *known[c]] for o, c, a, s in orders.final() if c in known}
    datasets = (orders.dataset("q4_orders"), customers.dataset("q4_customers"))
    return Workload(datasets, answer)


def _copied(topic: str, scale: float) -> Workload:
    orders = _orders(3, round(2_000_000 * scale), round(500_000 * scale))
    return Workload((orders.dataset(topic),), {str(o): [c, a, s] for o, c, a, s in orders.final()})


_WORKLOADS: dict[str, Callable[[float], Workload]] = {
    "q1": _q1,
    "q2": _q2,
    "q3": _q3,
    "q4": _q4,
    "copy": partial(_copied, "copy_orders"),
    "copy-once": partial(_copied, "once_orders"),
}


def _orders(seed: int, count: int, keys: int) -> Orders:
    random = np.random.default_rng(seed)
    log = draw(random, count, keys, delete_share=0.05)
    moves: Flags = random.random(count) < 0.05
    customers = log.carried(random.integers(0, CUSTOMERS, count), renewed=moves)
    return Orders(log, customers, random.integers(0, 100, count), random.integers(0, 4, count))


def _customers(seed: int) -> Customers:
    random = np.random.default_rng(seed)
    log = draw(random, CUSTOMER_CHANGES, CUSTOMERS, delete_share=0.02)
    versions = random.integers(0, 1000, CUSTOMER_CHANGES)
    return Customers(log, versions, random.integers(0, REGIONS, CUSTOMER_CHANGES))


def _name(customer: int, version: int) -> str:
    return f"name_{customer}_{version}"


def _region(number: int) -> str:
    return f"region_{number:02d}"


def _rows(*columns: NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    for start in range(0, len(columns[0]), _BLOCK):
        yield from zip(*(c[start : start + _BLOCK].tolist() for c in columns), strict=True)
