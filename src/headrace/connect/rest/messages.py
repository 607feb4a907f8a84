"""Requests and responses, and what Connect makes of JSON bodies.

A body that is no JSON or has another shape is a 500 in Connect, not a 400; clients that look at the status rely on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headrace.connect.answers import Refusal

Config = dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    query: Mapping[str, list[str]] = field(default_factory=dict)
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    # What stands for the {names} of the route's path.
    parameters: Mapping[str, str] = field(default_factory=dict)

    def flag(self, name: str, default: bool = False) -> bool:
        values = self.query.get(name)
        return default if not values else values[0].lower() == "true"

    def json(self) -> Any:
        return _loads(self.body)

    def config(self) -> Config:
        """The body as a map of strings."""
        return as_config(_loads(self.body, raw_numbers=True))


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: JSON, plain text where the body is a string, or none where it is None."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def payload(self) -> bytes:
        if isinstance(self.body, str):
            return self.body.encode()
        return b"" if self.body is None else json.dumps(self.body, ensure_ascii=False).encode()

    @property
    def content_type(self) -> str:
        return "text/plain" if isinstance(self.body, str) else "application/json"


@dataclass(frozen=True, slots=True)
class Creation:
    """The body of POST /connectors."""

    name: str
    config: Config
    initial_state: str | None


def creation(request: Request) -> Creation:
    body = _loads(request.body, raw_numbers=True)
    known = ("name", "config", "initial_state")
    if not isinstance(body, dict):
        raise malformed(f"a JSON object with {', '.join(known)} is needed")
    unknown = [name for name in body if name not in known]
    if unknown:
        raise malformed(f'Unrecognized field "{unknown[0]}", not one of {", ".join(known)}')
    state = body.get("initial_state")
    if state is not None and str(state).upper() not in ("RUNNING", "PAUSED", "STOPPED"):
        raise malformed(f"initial_state is RUNNING, PAUSED or STOPPED, not '{state}'")
    name = body.get("name")
    return Creation(
        "" if name is None else str(name).strip(),
        as_config(body.get("config")),
        None if state is None else str(state).upper(),
    )


def as_config(body: Any) -> Config:
    """Numbers and booleans become their text; anything deeper is no configuration."""
    if not isinstance(body, dict):
        raise malformed("a JSON object with the configuration is needed")
    for name, value in body.items():
        if isinstance(value, dict | list):
            raise malformed(f'the value of "{name}" is no text')
    return {
        name: ("true" if value else "false") if isinstance(value, bool) else value
        for name, value in body.items()
    }


def _loads(body: bytes, *, raw_numbers: bool = False) -> Any:
    # 5000 and 0.50 stay as they were written.
    options: Any = {"parse_int": str, "parse_float": str} if raw_numbers else {}
    try:
        return json.loads(body, **options)
    except ValueError as error:
        raise malformed(f"the body is no JSON: {error}") from None


def malformed(message: str) -> Refusal:
    return Refusal(500, message)


def error_response(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(status, {"error_code": status, "message": message}, headers or {})
