from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest_plugins = ["headrace.testing.fixtures", "headrace.testing.spark", "pytester"]

# Cheap tests first, so that a mistake shows early; within a cost the order of the files stays.
COSTS = ("spark", "services", "slow")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder for a PostgreSQL server, which runs under another account if the tests run as root.

    Every start of pytest closes the folder above all `tmp_path`s to other accounts, also for tests that run already.
    """
    with tempfile.TemporaryDirectory(prefix="headrace-test-") as folder:
        yield Path(folder)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=cost)


def cost(item: pytest.Item) -> int:
    return max(
        (COSTS.index(name) + 1 for name in COSTS if item.get_closest_marker(name)), default=0
    )
