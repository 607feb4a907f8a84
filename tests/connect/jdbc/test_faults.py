from __future__ import annotations

import threading

import pytest

from headrace.connect.data.faults import RegistryAway
from headrace.connect.jdbc.faults import (
    DatabaseFault,
    PassingDatabaseFault,
    _beneath,
    _cure,
    attempted,
    database_fault,
    hidden,
    retrying_queries,
    shown_url,
)

NEVER = threading.Event()


def failing(times: int, fault: Exception):
    tries = []

    def operation() -> int:
        tries.append(1)
        if len(tries) <= times:
            raise fault
        return len(tries)

    return operation


class TestAttempts:
    def test_what_may_pass_is_tried_so_often(self):
        assert attempted(failing(2, PassingDatabaseFault("x")), 3, 0, NEVER) == 3
        # Of a registry `errors.retry.timeout` says how long it is waited for.
        with pytest.raises(RegistryAway):
            attempted(failing(1, RegistryAway("away")), -1, 0, NEVER)
        with pytest.raises(PassingDatabaseFault):
            attempted(failing(3, PassingDatabaseFault("x")), 3, 0, NEVER)

    def test_what_does_not_pass_is_told_at_once(self):
        with pytest.raises(DatabaseFault):
            attempted(failing(1, DatabaseFault("x")), -1, 0, NEVER)

    def test_stopping_ends_the_tries(self):
        stopping = threading.Event()
        stopping.set()
        with pytest.raises(PassingDatabaseFault):
            attempted(failing(1, PassingDatabaseFault("x")), -1, 3600, stopping)

    def test_retries_of_queries_come_after_the_first_try(self):
        with pytest.raises(PassingDatabaseFault):
            retrying_queries(failing(1, PassingDatabaseFault("x")), 0, NEVER)

    def test_a_fault_that_lasts_is_not_tried_again(self):
        lasting = PassingDatabaseFault("it failed", where="here", found="x").lasting("twice")
        assert (str(lasting.summary), lasting.where, lasting.found) == (
            "it failed, twice",
            "here",
            "x",
        )
        with pytest.raises(DatabaseFault):
            attempted(failing(1, lasting), -1, 3600, NEVER)


class TestSecrets:
    def test_passwords_are_taken_out_of_messages(self):
        text = "FATAL: hunter2 in jdbc:x?user=u&password=other&ssl=1"
        told = hidden(text, {"connection.password": "hunter2"})
        assert told == "FATAL: [hidden] in jdbc:x?user=u&password=[hidden]&ssl=1"

    @pytest.mark.parametrize(
        ("url", "shown"),
        [
            ("jdbc:postgresql://h:1/d?password=x", "jdbc:postgresql://h:1/d"),
            ("jdbc:mysql://u:p@h/d", "jdbc:mysql://h/d"),
            ("jdbc:sqlserver://h;password=x", "jdbc:sqlserver://h"),
        ],
    )
    def test_addresses_are_shown_without_them(self, url, shown):
        assert shown_url(url) == shown

    def test_other_errors_stay(self):
        error = ValueError("x")
        assert database_fault(error, {}, "reading") is error


class Java:
    """As much of a Java exception as is asked for."""

    def __init__(self, kind, message, cause=None) -> None:
        self.kind, self.message, self.cause = kind, message, cause

    def getClass(self):
        return self

    def getSuperclass(self):
        return None

    def getName(self):
        return self.kind

    def getCause(self):
        return self.cause

    def toString(self):
        return f"{self.kind}: {self.message}"


def test_what_kept_a_driver_from_connecting_is_told():
    unknown = Java("java.net.UnknownHostException", "db")
    sql = Java("java.sql.SQLException", "no")
    assert _beneath(Java("x", "y", unknown)) == " (java.net.UnknownHostException: db)"
    assert _beneath(Java("x", "y", sql)) == _beneath(Java("x", "y")) == ""


@pytest.mark.parametrize(
    ("state", "message", "cure"),
    [
        ("28P01", "password authentication failed", "connection.password"),
        ("3D000", "no such database", "name of the database"),
        ("08001", "Connection refused", "host and port"),
        ("08001", "No suitable driver found for jdbc:postgres", "spark.driver.extraClassPath"),
        ("42501", "permission denied for table t", "let connection.user read"),
    ],
)
def test_cures(state, message, cure):
    assert cure in _cure(state, message)


def test_not_everything_has_a_cure():
    assert _cure("42P01", "relation does not exist") is None
