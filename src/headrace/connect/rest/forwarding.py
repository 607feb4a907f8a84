"""Requests that another worker answers: another one of the cluster, or the one for Java connectors."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

from headrace.connect.rest.messages import Request, Response

# Connect's own limit for a request.
FORWARD_SECONDS = 90.0

Send = Callable[[str, Request], Response]


def send_to(context: ssl.SSLContext | None) -> Send:
    """Requests to other workers, with the caller's own login; `context` is for https."""

    def send(url: str, request: Request) -> Response:
        parts = urlsplit(url)
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(
                parts.netloc, timeout=FORWARD_SECONDS, context=context
            )
        else:
            connection = http.client.HTTPConnection(parts.netloc, timeout=FORWARD_SECONDS)
        kept = ("content-type", "authorization")
        headers = {name: request.headers[name] for name in kept if name in request.headers}
        target = f"{request.path}?{urlencode(request.query, doseq=True)}"
        try:
            connection.request(request.method, target, request.body or None, headers)
            answer = connection.getresponse()
            payload = answer.read()
        finally:
            connection.close()
        location = answer.headers.get("Location")
        return Response(
            answer.status, _body(answer, payload), {"Location": location} if location else {}
        )

    return send


def _body(answer: http.client.HTTPResponse, payload: bytes) -> object:
    if not payload:
        return None
    is_json = answer.headers.get_content_type() == "application/json"
    return json.loads(payload) if is_json else payload.decode("utf-8", "replace")


def as_own(request: Request, response: Response) -> Response:
    """The other worker's answer, with a Location that the caller can reach as it reached this one."""
    if "Location" not in response.headers:
        return response
    base = request.headers.get("x-base-url", "")
    return replace(
        response, headers={"Location": base + urlsplit(response.headers["Location"]).path}
    )
