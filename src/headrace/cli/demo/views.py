"""Page views that are the same in every run, and what a query over them must answer."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

# Uneven on purpose: a busy region and a quiet one show that each is counted on its own.
REGIONS: dict[str, int] = {
    "Provence": 16,
    "Bavaria": 14,
    "Andalusia": 12,
    "Tuscany": 11,
    "Flanders": 9,
    "Silesia": 8,
    "Jutland": 7,
    "Transylvania": 6,
    "Skåne": 5,
    "Connacht": 4,
    "Crete": 3,
    "Lapland": 2,
}
USERS = 3_000
PAGES = 400
SEED = 2311
FIRST_VIEW = datetime(2026, 1, 1, 9, 0)


@dataclass(frozen=True, slots=True)
class PageView:
    user_id: int
    page_id: int
    viewtime: datetime
    user_region: str

    def to_json(self) -> bytes:
        """With the timestamp in SQL's form, which the json format expects unless told otherwise."""
        stamp = self.viewtime.isoformat(sep=" ", timespec="milliseconds")
        record = {"user_id": self.user_id, "page_id": self.page_id, "viewtime": stamp}
        return json.dumps(record | {"user_region": self.user_region}, ensure_ascii=False).encode()


def page_views(rows: int) -> Iterator[PageView]:
    chance = random.Random(SEED)  # noqa: S311 - repeatable, and nothing is kept secret by it
    regions, weights = list(REGIONS), list(REGIONS.values())
    for number in range(rows):
        yield PageView(
            user_id=chance.randrange(USERS),
            page_id=chance.randrange(PAGES),
            viewtime=FIRST_VIEW + timedelta(milliseconds=20 * number),
            user_region=chance.choices(regions, weights)[0],
        )


@dataclass(frozen=True, slots=True, order=True)
class RegionCount:
    user_region: str
    pv: int
    uv: int

    def to_dict(self) -> dict[str, object]:
        return {"user_region": self.user_region, "pv": self.pv, "uv": self.uv}


def count_per_region(views: Iterable[PageView]) -> list[RegionCount]:
    """The query's answer, counted the plain way."""
    users: dict[str, list[int]] = defaultdict(list)
    for view in views:
        users[view.user_region].append(view.user_id)
    return sorted(RegionCount(region, len(ids), len(set(ids))) for region, ids in users.items())


def by_region(
    found: Iterable[RegionCount], wanted: Iterable[RegionCount]
) -> Iterator[tuple[str, RegionCount | None, RegionCount | None]]:
    """Both tables side by side, the busiest region first."""
    left = {row.user_region: row for row in found}
    right = {row.user_region: row for row in wanted}
    sizes = {region: row.pv for region, row in (left | right).items()}
    for region in sorted(sizes, key=lambda name: (-sizes[name], name)):
        yield region, left.get(region), right.get(region)
