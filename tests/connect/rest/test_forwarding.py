from __future__ import annotations

import pytest

from headrace.connect.rest.forwarding import as_own, send_to
from headrace.connect.rest.messages import Request, Response
from headrace.connect.rest.server import Server
from headrace.connect.settings import Listener


@pytest.fixture
def make_server():
    started = []

    def make(answer):
        server = Server(Listener("http", "127.0.0.1", 0))
        server.start(answer)
        started.append(server)
        return server

    yield make
    for server in started:
        server.stop()


class TestSend:
    def test_the_request_arrives_whole(self, make_server):
        seen = []
        server = make_server(lambda request: seen.append(request) or Response(202, {"a": [1]}))
        request = Request(
            "PATCH",
            "/connectors/a%2Fb/config",
            {"forward": ["true"], "expand": ["x", "y"]},
            b'{"k": null}',
            {"content-type": "application/json", "authorization": "Basic abc", "x-other": "1"},
        )
        assert send_to(None)(server.url, request) == Response(202, {"a": [1]})
        (arrived,) = seen
        assert (arrived.method, arrived.path) == ("PATCH", "/connectors/a%2Fb/config")
        assert arrived.query == {"forward": ["true"], "expand": ["x", "y"]}
        assert arrived.body == b'{"k": null}'
        assert arrived.headers["authorization"] == "Basic abc"
        assert "x-other" not in arrived.headers

    def test_answers_without_a_body(self, make_server):
        server = make_server(lambda request: Response(204))
        assert send_to(None)(server.url, Request("DELETE", "/connectors/a")) == Response(204)

    def test_answers_that_are_text(self, make_server):
        server = make_server(lambda request: Response(401, "not you"))
        assert send_to(None)(server.url, Request("GET", "/")) == Response(401, "not you")

    def test_a_place_comes_along(self, make_server):
        where = {"Location": "http://leader/connectors/a"}
        server = make_server(lambda request: Response(201, {}, where))
        assert send_to(None)(server.url, Request("POST", "/connectors")).headers == where

    def test_nobody_there_is_an_error(self, make_server):
        server = make_server(lambda request: Response(200))
        server.stop()
        server.thread = None
        with pytest.raises(OSError, match="refused"):
            send_to(None)(server.url, Request("GET", "/"))


def test_a_place_is_told_as_the_caller_reaches_it():
    request = Request("POST", "/connectors", headers={"x-base-url": "https://public:8443"})
    there = Response(201, {}, {"Location": "http://10.0.0.1:8083/connectors/a%20b"})
    assert as_own(request, there).headers == {"Location": "https://public:8443/connectors/a%20b"}
    assert as_own(request, Response(200, {})) == Response(200, {})
