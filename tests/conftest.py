from __future__ import annotations

import pytest

pytest_plugins = ["headrace.testing.fixtures", "headrace.testing.spark", "pytester"]

# Cheap tests first, so that a mistake shows early; within a cost the order of the files stays.
COSTS = ("spark", "services", "slow")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=cost)


def cost(item: pytest.Item) -> int:
    return max(
        (COSTS.index(name) + 1 for name in COSTS if item.get_closest_marker(name)), default=0
    )
