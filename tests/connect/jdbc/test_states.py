"""What a task makes of tables that change, by hand; `test_task` changes real ones."""

from __future__ import annotations

import logging
from dataclasses import replace
from types import SimpleNamespace

import pytest

from headrace.connect.jdbc import states as module
from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.positions import Marks, Position
from headrace.connect.jdbc.predicates import Columns
from headrace.connect.jdbc.states import States
from headrace.connect.jdbc.tables import Source
from headrace.connect.jdbc.types import TypeSettings

STORED = (Position(None, 7), Marks(9))


def source(name: str) -> Source:
    table = TableId(None, "s", name)
    return Source(table, name, name, (), Columns((), '"id"'), (), "", TypeSettings())


class Stage:
    """A database with these tables; `shape` is what its dialect says of them."""

    def __init__(self, monkeypatch, *names: str, query: str | None = None) -> None:
        self.tables = [source(name) for name in names]
        self.shape: object = 1
        self.asked: list[str] = []
        dialect = SimpleNamespace(
            shape=lambda database, tables: self.shape,
            columns=lambda database, query: [query, self.shape],
        )
        link = SimpleNamespace(dialect=dialect, session=None, settings=SimpleNamespace(query=query))
        monkeypatch.setattr(module, "sources", lambda link, database, names: list(self.tables))
        monkeypatch.setattr(module, "cells", lambda session, source: object())
        self.states = States(link, [one.id for one in self.tables], self.stored)

    def stored(self, source: Source):
        self.asked.append(source.id.name)
        return STORED

    def refresh(self) -> bool:
        return self.states.refresh(None)

    @property
    def names(self) -> list[str]:
        return [state.source.id.name for state in self.states.current]


@pytest.fixture
def stage(monkeypatch):
    made = Stage(monkeypatch, "a", "b")
    assert made.refresh()
    return made


def test_they_begin_where_they_stood(stage):
    assert stage.names == ["a", "b"]
    first = stage.states.current[0]
    assert (first.position, first.marks, first.pipeline) == (*STORED, None)
    assert stage.states.begun


def test_nothing_is_looked_up_while_the_shape_stays(stage):
    stage.tables = []
    assert not stage.refresh()
    assert stage.names == ["a", "b"]


def test_another_shape_gives_a_table_its_new_columns_where_it_stands(stage, caplog):
    first, second = stage.states.current
    first.position, first.pipeline, second.pipeline = Position(None, 8), "plan", "other"
    kept = second.cells
    stage.tables[0] = replace(stage.tables[0], suffix=" x")
    stage.shape = 2
    with caplog.at_level(logging.INFO):
        assert stage.refresh()
    assert stage.states.current == [first, second]
    assert (first.source.suffix, first.pipeline, first.position) == (" x", None, Position(None, 8))
    assert (second.pipeline, second.cells) == ("other", kept)
    assert caplog.messages == ["the columns of s.a have changed"]


def test_a_table_that_is_gone_is_told_and_goes_on_when_it_is_back(stage, caplog):
    stage.states.current[0].position = Position(None, 8)
    gone, stage.shape = stage.tables.pop(0), 2
    assert stage.refresh()
    assert stage.names == ["b"]
    assert "s.a is gone" in caplog.text
    stage.tables.insert(0, gone)
    stage.shape = 3
    assert stage.refresh()
    assert stage.states.current[0].position == Position(None, 8)
    assert stage.asked == ["a", "b"]


def test_no_tables_at_all_are_looked_up_once(monkeypatch):
    stage = Stage(monkeypatch)
    assert [stage.refresh(), stage.refresh()] == [True, False]


def test_whether_they_are_others_now(stage):
    assert not stage.states.is_another(None)
    stage.shape = 2
    assert stage.states.is_another(None)


def test_the_shape_of_a_query_is_its_columns(monkeypatch):
    stage = Stage(monkeypatch, "q", query="SELECT 1")
    assert stage.states.shape(None) == ["SELECT 1", 1]
