from __future__ import annotations

import uuid

import psycopg
import pytest

from benchmarks.connect import tables

pytestmark = pytest.mark.services


def test_rows_are_made_and_touched(postgres_server):
    name = f"b{uuid.uuid4().hex[:10]}"
    tables.make(postgres_server.url, name, 3)
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        select = f"SELECT id, note, changed FROM {name} ORDER BY id"
        before = connection.execute(select).fetchall()
        assert [row[0] for row in before] == [1, 2, 3]
        tables.touch(connection, name, "seen")
        after = connection.execute(select).fetchall()
        assert after[0][1] == "seen"
        assert after[0][2] > before[0][2]
        assert after[1:] == before[1:]


def test_an_empty_table_gets_its_first_row(postgres_server):
    name = f"b{uuid.uuid4().hex[:10]}"
    tables.make(postgres_server.url, name)
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        tables.touch(connection, name, "first")
        assert connection.execute(f"SELECT id, note FROM {name}").fetchall() == [(1, "first")]


def test_a_column_of_its_own(postgres_server):
    name = f"b{uuid.uuid4().hex[:10]}"
    tables.make(postgres_server.url, name, 1, own="own_7")
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        tables.touch(connection, name, "seen")
        assert connection.execute(f"SELECT own_7, note FROM {name}").fetchall() == [(None, "seen")]
