"""Tables without SQL."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from headrace.catalog.table import Column, Identifier, Table, View
from headrace.connectors.registry import connector_named
from headrace.types import BIGINT, STRING


def _identifier(name: str) -> Identifier:
    parts = name.split(".")
    return Identifier(*("default_catalog", "default_database")[: 3 - len(parts)], *parts)


@pytest.fixture
def table() -> Callable[..., Table]:
    def make(name: str = "t", **facts) -> Table:
        known = {
            "columns": (Column(name="id", type=BIGINT), Column(name="name", type=STRING)),
            "options": {"connector": "print"},
            "connector": connector_named("print"),
        }
        return Table(identifier=_identifier(name), **(known | facts))

    return make


@pytest.fixture
def view() -> Callable[..., View]:
    def make(name: str = "v", **facts) -> View:
        return View(identifier=_identifier(name), query_text="SELECT 1", path=("c", "d"), **facts)

    return make
