"""Nodes over the tables of fixtures/plans/tables.sql, made by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from headrace.plan.nodes import Field, Node, Project, Scan


@pytest.fixture
def scan(table) -> Callable[..., Scan]:
    """The named columns of a table, all stored ones when none is named."""

    def make(name: str, *columns: str) -> Scan:
        source = table(name)
        stored = source.physical_columns + source.metadata_columns
        wanted = columns or tuple(column.name for column in stored)
        return Scan(source, tuple(Field(c.name, c.type) for c in stored if c.name in wanted))

    return make


@pytest.fixture
def project(expr) -> Callable[..., Project]:
    def make(node: Node, **outputs: str) -> Project:
        return Project(node, tuple((name, expr(text, node)) for name, text in outputs.items()))

    return make
