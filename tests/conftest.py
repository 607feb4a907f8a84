from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace.toolchain.coordinates import SETS
from headrace.toolchain.jars import fetch
from headrace.toolchain.progress import show_progress

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


def pytest_collection_finish(session: pytest.Session) -> None:
    """Downloads the jars before the first test that needs some, as commands do."""
    if any(cost(item) for item in session.items) and not session.config.option.collectonly:
        with show_progress() as progress:
            fetch(SETS, progress)
