"""From a request to its response: the route, Connect's error bodies, and the way to the leader."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import unquote

from headrace.connect.answers import NO_LEADER, REBALANCE, NotLeader, Refusal
from headrace.connect.java_order import java_order
from headrace.connect.outages import passes
from headrace.connect.rest.forwarding import Send, as_own
from headrace.connect.rest.messages import Request, Response, error_response
from headrace.connect.rest.openapi import document
from headrace.connect.rest.routes import ROUTES, Route
from headrace.connect.worker import Worker
from headrace.errors import HeadraceError

logger = logging.getLogger("headrace.connect.rest")


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path))


class Dispatcher:
    def __init__(self, worker: Worker, send: Send, routes: Iterable[Route] = ROUTES) -> None:
        self.worker = worker
        self.send = send
        self.compiled = [(_pattern(route.path), route) for route in routes]

    def __call__(self, request: Request) -> Response:
        try:
            return self._handled(request)
        except NotLeader as elsewhere:
            return self._forwarded(request, elsewhere.url)
        except Refusal as refusal:
            return error_response(refusal.status, refusal.message)
        except Exception as error:
            return self._failed(request, error)

    def _failed(self, request: Request, error: Exception) -> Response:
        hide = self.worker.settings.providers.hide
        if passes(error):
            # Kafka's own worker says no more than the first half.
            return error_response(
                500, hide(f"Request timed out. Brokers are out of reach: {error}")
            )
        if isinstance(error, HeadraceError):
            return error_response(500, hide(error.render()))
        logger.exception("%s %s failed", request.method, request.path, exc_info=error)
        return error_response(500, hide(f"{type(error).__name__}: {error}"))

    def _handled(self, request: Request) -> Response:
        path = request.path.rstrip("/") or "/"
        if path == "/openapi.json" and request.method == "GET":
            return Response(200, document(ROUTES))
        found = [(m, route) for pattern, route in self.compiled if (m := pattern.fullmatch(path))]
        if not found:
            return error_response(404, "HTTP 404 Not Found")
        for match, route in found:
            if route.method == request.method:
                _require_types(request)
                named = {name: unquote(text) for name, text in match.groupdict().items()}
                return self._answered(route, replace(request, parameters=named))
        return _other_method(request.method, [route for _, route in found])

    def _answered(self, route: Route, request: Request) -> Response:
        elsewhere = self.worker.java.answer(route.method, route.path, request)
        return route.handle(self.worker, request) if elsewhere is None else elsewhere

    def _forwarded(self, request: Request, url: str | None) -> Response:
        """Passed on once without and once with the flag; after that the workers do not agree who leads."""
        if url is None:
            return error_response(409, NO_LEADER)
        asked = request.query.get("forward")
        if asked and asked[0].lower() == "false":
            return error_response(409, REBALANCE)
        query = {**request.query, "forward": ["false" if asked else "true"]}
        try:
            return as_own(request, self.send(url, replace(request, query=query)))
        except OSError as error:
            return error_response(500, f"IO Error trying to forward REST request: {error}")


_READ = re.compile(r"(POST /connectors|(PUT|PATCH) .*/(config|offsets|validate)|PUT /admin/.*)/?")


def _require_types(request: Request) -> None:
    """JSON in and JSON out, whether or not there is a body; a body that is looked at must say that it is."""
    kind = request.headers.get("content-type")
    reads = request.body and _READ.fullmatch(f"{request.method} {request.path}")
    if _kind(kind) != "application/json" if kind else reads and _accepts_json(request):
        raise Refusal(415, "HTTP 415 Unsupported Media Type")
    if not _accepts_json(request):
        raise Refusal(406, "HTTP 406 Not Acceptable")


def _accepts_json(request: Request) -> bool:
    wanted = map(_kind, request.headers.get("accept", "*/*").split(","))
    return any(kind in ("application/json", "application/*", "*/*") for kind in wanted)


def _kind(header: str) -> str:
    """A media type without its parameters."""
    return header.partition(";")[0].strip().lower()


def _other_method(method: str, routes: list[Route]) -> Response:
    methods = [route.method for route in routes]
    known = java_order([*methods, "OPTIONS", *(["HEAD"] if "GET" in methods else [])])
    allowed = {"Allow": ",".join(sorted(known))}
    if method == "OPTIONS":
        return Response(200, ", ".join(known), allowed)
    return error_response(405, "HTTP 405 Method Not Allowed", allowed)
