from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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


# Other work on the machine makes any single example slow, and is no fault of the code. A run draws the same examples
# as the one before, so that it fails only because of a change; `make soak` looks for new ones.
settings.register_profile(
    "headrace", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile("explore", settings.get_profile("headrace"), derandomize=False)
settings.load_profile("headrace")


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long the tests take that `make soak` runs longer."""
    parser.addoption("--soak-seconds", type=float, help="try random queries for so long")
    parser.addoption("--kills", type=int, help="how often a running job is killed")
    parser.addoption("--kill-seed", type=int, help="what the moments of the kills follow from")
    parser.addoption("--outage-seconds", type=int, help="how long brokers are away at least")
    parser.addoption("--growth-changes", type=int, help="how many changes state has to stand")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=cost)
    if "soak" not in config.option.markexpr:
        config.hook.pytest_deselected(items=[item for item in items if is_soak(item)])
        items[:] = [item for item in items if not is_soak(item)]


def cost(item: pytest.Item) -> int:
    return max(
        (COSTS.index(name) + 1 for name in COSTS if item.get_closest_marker(name)), default=0
    )


def pytest_collection_finish(session: pytest.Session) -> None:
    """Downloads the jars before the first test that needs some, as commands do."""
    if any(cost(item) for item in session.items) and not session.config.option.collectonly:
        with show_progress() as progress:
            fetch(SETS, progress)


def is_soak(item: pytest.Item) -> bool:
    return item.get_closest_marker("soak") is not None
