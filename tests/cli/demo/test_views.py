from __future__ import annotations

import json
from collections import Counter
from datetime import datetime

from headrace.cli.demo.views import (
    REGIONS,
    USERS,
    PageView,
    RegionCount,
    by_region,
    count_per_region,
    page_views,
)


def view(user: int, region: str) -> PageView:
    return PageView(user, 1, datetime(2026, 1, 1), region)


def test_the_same_views_in_every_run():
    assert list(page_views(500)) == list(page_views(500))
    assert list(page_views(500))[:10] == list(page_views(10))


def test_busy_regions_are_busy_and_no_region_is_empty():
    seen = Counter(item.user_region for item in page_views(5_000))
    assert set(seen) == set(REGIONS)
    assert seen["Provence"] > 3 * seen["Lapland"]


def test_visitors_return():
    users = {item.user_id for item in page_views(20_000)}
    assert len(users) <= USERS


def test_time_moves_on():
    times = [item.viewtime for item in page_views(100)]
    assert times == sorted(set(times))


def test_a_record_has_the_columns_of_the_table():
    record = json.loads(PageView(7, 8, datetime(2026, 1, 2, 3, 4, 5, 6000), "Skåne").to_json())
    assert record == {
        "user_id": 7,
        "page_id": 8,
        "viewtime": "2026-01-02 03:04:05.006",
        "user_region": "Skåne",
    }


def test_views_and_distinct_visitors_are_counted_per_region():
    views = [view(1, "b"), view(1, "b"), view(2, "b"), view(1, "a")]
    assert count_per_region(views) == [RegionCount("a", 1, 1), RegionCount("b", 3, 2)]


def test_counts_side_by_side_with_the_busiest_first():
    found = [RegionCount("a", 1, 1), RegionCount("b", 5, 2)]
    wanted = [RegionCount("b", 5, 2), RegionCount("c", 3, 1)]
    assert list(by_region(found, wanted)) == [
        ("b", found[1], wanted[0]),
        ("c", None, wanted[1]),
        ("a", found[0], None),
    ]
