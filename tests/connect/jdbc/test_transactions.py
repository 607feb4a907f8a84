from __future__ import annotations

import psycopg
import pytest

from headrace.connect.jdbc.transactions import Transactions, look, moment_of_micros


class Answer:
    """A database that gives one row and remembers what it was asked."""

    def __init__(self, *row: object) -> None:
        self.row = list(row)
        self.asked: list[tuple[object, ...]] = []

    def rows(self, sql: str, *parameters: object) -> list[list[object]]:
        self.asked.append(parameters)
        return [self.row]


def test_microseconds():
    assert moment_of_micros(1_500_000) == (1, 500_000_000)
    assert moment_of_micros(-1) == (-1, 999_999_000)


def test_the_first_look_knows_of_none_before():
    database = Answer(100, "[95, 90]", 5_000_000, 0, 9_000_000)
    found = look(database, None)
    assert found == Transactions(100, (90, 95), (5, 0), (9, 0))
    assert database.asked == [(0, "[]")]


def test_later_looks_ask_for_what_was_open_and_what_is_new():
    database = Answer(120, "[90]", 5_000_000, 0, 9_000_000)
    look(database, Transactions(100, (90, 95), (5, 0), (8, 0)))
    assert database.asked == [(100, "[90, 95]")]


def test_what_is_hidden_makes_the_oldest_unknown():
    assert look(Answer(100, "[]", 5_000_000, 1, 9_000_000), None).oldest is None


class Psycopg:
    """The same questions over another client."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def rows(self, sql: str, *parameters: object) -> list[list[object]]:
        with self.connection.transaction():
            found = self.connection.execute(sql.replace("?", "%s"), parameters).fetchall()
        return [list(row) for row in found]


def seen(found: Transactions) -> set[int]:
    """Numbers whose rows a poll after this look has read."""
    return set(range(found.next)) - set(found.open)


@pytest.mark.services
class TestPostgres:
    @pytest.fixture
    def ask(self, postgres_server):
        with psycopg.connect(postgres_server.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS looked (x int)")
            yield lambda before=None: look(Psycopg(connection), before)

    def test_open_transactions_and_their_savepoints_are_told_until_they_end(
        self, ask, postgres_server
    ):
        with psycopg.connect(postgres_server.url) as other:
            other.execute("INSERT INTO looked VALUES (1)")
            other.execute("SAVEPOINT s")
            other.execute("INSERT INTO looked VALUES (2)")
            written = {row[0] for row in other.execute("SELECT xmin::text::bigint FROM looked")}
            first = ask()
            assert not seen(first) & written
            assert len(written) == 2
            assert first.oldest is not None
            assert first.oldest <= first.now
            # A later one that ends brings the others below the next number.
            with psycopg.connect(postgres_server.url) as later:
                later.execute("INSERT INTO looked VALUES (3)")
            again = ask(first)
            assert set(again.open) >= written
            other.rollback()
        assert seen(ask(again)) >= written

    def test_one_that_has_written_nothing_yet_counts_as_old(self, ask, postgres_server):
        with psycopg.connect(postgres_server.url) as other:
            began = other.execute("SELECT extract(epoch FROM now()) * 1000000").fetchone()[0]
            assert ask().oldest <= moment_of_micros(int(began))

    def test_sessions_of_others_are_hidden_from_plain_users(self, postgres_server):
        with psycopg.connect(postgres_server.url, autocommit=True) as owner:
            owner.execute("DROP ROLE IF EXISTS plain_reader")
            owner.execute("CREATE ROLE plain_reader")
            with psycopg.connect(postgres_server.url, autocommit=True) as plain:
                plain.execute("SET ROLE plain_reader")
                assert look(Psycopg(plain), None).oldest is None
                plain.execute("RESET ROLE")
            owner.execute("DROP ROLE plain_reader")
