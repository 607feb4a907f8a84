"""Failures of a database as errors with their facts; those that may pass are tried again."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from threading import Event
from typing import Any, TypeVar

from headrace.errors import EnvironmentFault, TransientFault

Result = TypeVar("Result")

# Classes of SQLSTATE whose errors pass: connections, serialization and deadlocks, resources, operators' interventions.
_PASSING = ("08", "40", "53", "57", "58")

# Pause between two tries of a query; Connect tries at the next poll.
_PAUSE_SECONDS = 1.0

# By how SQLSTATE begins.
_CURES = {
    "28": "check connection.user and connection.password",
    "3D": "check the name of the database in connection.url",
    "08": "check host and port in connection.url, and that the database takes connections",
    "42501": "let connection.user read what the connector reads",
}
_NO_DRIVER = "No suitable driver"

_STATE = re.compile(r"SQLSTATE (\w{5})")
_PASSWORD = re.compile(r"(?i)(password|pwd)=[^&;\s]*")


class DatabaseFault(EnvironmentFault):
    """`state` is the SQLSTATE of a statement that failed, empty where none came to run."""

    condition = "DATABASE_FAILED"
    state = ""


class PassingDatabaseFault(DatabaseFault, TransientFault):
    """One that another try may not meet."""

    def lasting(self, after: str) -> DatabaseFault:
        """The same when it has been met often enough."""
        return DatabaseFault(
            f"{self.summary}, {after}",
            where=self.where,
            found=self.found,
            cure=f"{self.cure or 'wait for the database'}; then restart the task, or let headrace.restart.attempts do it",
        )


def database_fault(failure: Exception, config: Mapping[str, str], doing: str) -> Exception:
    """An error of JDBC's in words, without secrets; others as they are."""
    from py4j.protocol import Py4JJavaError

    told = _sql_error(failure.java_exception) if isinstance(failure, Py4JJavaError) else None
    if told is None:
        return failure
    state, message = told
    passes = state[:2] in _PASSING and _NO_DRIVER not in message
    fault = (PassingDatabaseFault if passes else DatabaseFault)(
        f"the database failed while {doing}",
        where=shown_url(config.get("connection.url", "")),
        found=f"{hidden(message, config).splitlines()[0]} (SQLSTATE {state})",
        cure=_cure(state, message),
    )
    fault.state = state
    return fault


def _cure(state: str, message: str) -> str | None:
    if _NO_DRIVER in message:
        return "check how connection.url begins; jars of other drivers go on spark.driver.extraClassPath"
    return next((cure for begin, cure in _CURES.items() if state.startswith(begin)), None)


def _sql_error(cause: Any) -> tuple[str, str] | None:
    """SQLSTATE and message of the first SQLException among the causes, also one that came out of a task as text."""
    while cause is not None:
        name = cause.getClass().getName()
        message = str(cause.getMessage())
        if callable(getattr(cause, "getSQLState", None)) and _is_sql(cause):
            return str(cause.getSQLState() or "HY000"), f"{message}{_beneath(cause)}"
        found = _STATE.search(message)
        if found is not None and ("QueryFailed" in message or "QueryFailed" in name):
            text = message[found.end() :].lstrip(": ").splitlines()
            return found[1], text[0] if text else message
        cause = cause.getCause()
    return None


def _beneath(cause: Any) -> str:
    """What kept a driver from connecting: PostgreSQL's says no more than that it could not."""
    deeper = cause.getCause()
    return "" if deeper is None or _is_sql(deeper) else f" ({deeper.toString()})"


def _is_sql(cause: Any) -> bool:
    kind = cause.getClass()
    while kind is not None:
        if kind.getName() == "java.sql.SQLException":
            return True
        kind = kind.getSuperclass()
    return False


def hidden(text: str, config: Mapping[str, str]) -> str:
    password = config.get("connection.password")
    plain = text.replace(password, "[hidden]") if password else text
    return _PASSWORD.sub(r"\1=[hidden]", plain)


def shown_url(url: str) -> str:
    """Without what may be secret in it."""
    bare = url.partition("?")[0].partition(";")[0]
    return re.sub(r"//[^/@]*@", "//", bare)


def attempted(
    operation: Callable[[], Result], attempts: int, pause: float, stopping: Event
) -> Result:
    """Tried so often (-1: without end) while failures of the database may pass."""
    made = 0
    while True:
        try:
            return operation()
        except Exception as failure:
            made += 1
            if not isinstance(failure, PassingDatabaseFault) or made == attempts:
                raise
            if stopping.wait(pause):
                raise


def retrying_queries(operation: Callable[[], Result], attempts: int, stopping: Event) -> Result:
    """`query.retry.attempts` counts the tries after the first."""
    total = -1 if attempts < 0 else attempts + 1
    return attempted(operation, total, _PAUSE_SECONDS, stopping)
