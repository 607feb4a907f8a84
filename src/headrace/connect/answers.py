"""Answers of the REST API that are not a result: an HTTP status and Connect's message."""

from __future__ import annotations

REBALANCE = "Cannot complete request because of a conflicting operation (e.g. worker rebalance)"

NO_LEADER = "Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway."


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class NotLeader(Exception):
    """A request that another worker must answer; `url` is None while it is not known which."""

    def __init__(self, url: str | None) -> None:
        super().__init__(url)
        self.url = url


def not_found(message: str) -> Refusal:
    return Refusal(404, message)


def bad_request(message: str) -> Refusal:
    return Refusal(400, message)
