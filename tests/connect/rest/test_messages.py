from __future__ import annotations

import json

import pytest

from headrace.connect.rest.messages import Request, Response, error_response


def request(body: object = None, **query: str) -> Request:
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Request("POST", "/", {name: [value] for name, value in query.items()}, payload)


class TestFlags:
    @pytest.mark.parametrize(
        ("text", "value"), [("true", True), ("TRUE", True), ("false", False), ("1", False)]
    )
    def test_only_true_is_true(self, text, value):
        assert request(x=text).flag("x") is value

    def test_defaults(self):
        assert request().flag("x") is False
        assert request().flag("x", True) is True


def test_the_content_is_what_the_body_says():
    assert request({"a": 1}).content().config() == {"a": "1"}
    assert request(b"").content().root is None


class TestResponse:
    def test_json(self):
        response = Response(200, {"a": "é"})
        assert response.payload() == '{"a": "é"}'.encode()
        assert response.content_type == "application/json"

    def test_text_and_nothing(self):
        assert Response(401, "no").payload() == b"no"
        assert Response(401, "no").content_type == "text/plain"
        assert Response(204).payload() == b""

    def test_an_empty_list_is_a_body(self):
        assert Response(200, []).payload() == b"[]"

    def test_errors(self):
        response = error_response(405, "no", {"Allow": "GET"})
        assert response.body == {"error_code": 405, "message": "no"}
        assert response.headers == {"Allow": "GET"}
