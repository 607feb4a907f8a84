"""Requests and responses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headrace.connect.rest.bodies import Body


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

    def content(self) -> Body:
        """What the body says; raises a Refusal where it is no JSON."""
        return Body(self.body)


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


def error_response(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(status, {"error_code": status, "message": message}, headers or {})
