from __future__ import annotations

from threading import Event
from types import SimpleNamespace

import pytest

from headrace.connect.jdbc import links
from headrace.connect.jdbc.config import ISOLATIONS
from headrace.connect.jdbc.faults import DatabaseFault, PassingDatabaseFault
from headrace.connect.jdbc.links import Link


class Connection:
    """And the JVM's object around it."""

    def __init__(self) -> None:
        self.rolled_back = self.closed = 0

    def connection(self) -> Connection:
        return self

    def rollback(self) -> None:
        self.rolled_back += 1

    def close(self) -> None:
        self.closed += 1
        raise OSError("already broken")


class Java:
    """The JVM's classes, as far as links use them; connections are refused so often first."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals, self.opened = refusals, 0
        self.logins: list[tuple] = []
        self.Fetched = SimpleNamespace(of=None)

    def Login(self, *facts: object) -> SimpleNamespace:
        self.logins.append(facts)
        return SimpleNamespace(open=self._open)

    def _open(self) -> Connection:
        self.opened += 1
        if self.opened <= self.refusals:
            raise PassingDatabaseFault("the database failed while connecting")
        return Connection()

    def Database(self, connection: Connection) -> Connection:
        return connection

    def Query(self, *facts: object) -> tuple:
        return facts


@pytest.fixture
def link(monkeypatch):
    monkeypatch.setattr(links, "load_drivers", lambda _: None)

    def make(java: Java, **options: str) -> Link:
        packages = SimpleNamespace(headrace=SimpleNamespace(connect=SimpleNamespace(jdbc=java)))
        config = {
            "connection.url": "jdbc:postgresql://host/db",
            "connection.backoff.ms": "1",
            "mode": "timestamp",
            **options,
        }
        return Link(SimpleNamespace(_jvm=packages), config, Event())

    return make


@pytest.mark.parametrize(
    ("url", "switch", "lossless"),
    [
        ("jdbc:postgresql://host/db", "true", True),
        ("jdbc:postgresql://host/db", "false", False),
        ("jdbc:mariadb://host/db", "true", False),
    ],
)
def test_late_rows_are_found_on_postgresql_unless_switched_off(link, url, switch, lossless):
    made = link(Java(), **{"connection.url": url, "headrace.lossless": switch})
    assert made.lossless == lossless


@pytest.mark.parametrize(
    ("given", "isolation"),
    [("READ_COMMITTED", "REPEATABLE_READ"), ("SERIALIZABLE", "SERIALIZABLE")],
)
def test_a_poll_is_read_in_one_snapshot(link, given, isolation):
    java = Java()
    link(java, **{"transaction.isolation.mode": given})
    assert java.logins[0][2] == ISOLATIONS[isolation]


def test_one_connection_serves_all_transactions(link):
    java = Java()
    made = link(java)
    for _ in range(2):
        with made.transaction() as database:
            assert database.connection.closed == 0
    assert java.opened == 1
    assert database.connection.rolled_back == 2


def test_a_failure_closes_the_connection_and_the_next_opens_another(link):
    java = Java()
    made = link(java)
    with pytest.raises(ValueError, match="mine"), made.transaction() as database:
        raise ValueError("mine")
    assert database.connection.closed == 1
    with made.transaction():
        pass
    assert java.opened == 2


def test_a_server_that_comes_up_late_is_waited_for(link):
    java = Java(refusals=2)
    with link(java).transaction():
        pass
    assert java.opened == 3


def test_a_server_that_is_not_there_fails_for_good_after_the_attempts(link):
    """A fault that may pass would be tried again without end, as queries are."""
    java = Java(refusals=9)
    with pytest.raises(DatabaseFault) as caught:
        link(java, **{"connection.attempts": "2"}).database()
    assert not isinstance(caught.value, PassingDatabaseFault)
    assert caught.value.summary == "the database failed while connecting, after 2 attempts"
    assert java.opened == 2


def test_a_query_has_the_zone_and_the_size_of_a_round_trip(link):
    made = link(Java(), **{"db.timezone": "Asia/Tokyo", "batch.max.rows": "7"})
    assert made.query("SELECT 1", "[]") == ("SELECT 1", "[]", "Asia/Tokyo", 7)


def test_closing_twice_is_no_harm(link):
    made = link(Java())
    with made.transaction():
        pass
    made.close()
    made.close()
