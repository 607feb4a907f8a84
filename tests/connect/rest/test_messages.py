from __future__ import annotations

import json

import pytest

from headrace.connect.answers import Refusal
from headrace.connect.rest.messages import (
    Request,
    Response,
    as_config,
    creation,
    error_response,
)


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


class TestConfig:
    def test_numbers_keep_their_spelling(self):
        body = b'{"a": 5000, "b": 1.50, "c": true, "d": false, "e": "x", "f": null, "g": 1e3}'
        assert request(body).config() == {
            "a": "5000",
            "b": "1.50",
            "c": "true",
            "d": "false",
            "e": "x",
            "f": None,
            "g": "1e3",
        }

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", b"1", b"null", b'{"a": []}', b'{"a": {}}'])
    def test_other_shapes_are_500(self, body):
        with pytest.raises(Refusal) as refused:
            request(body).config()
        assert refused.value.status == 500

    def test_of_parsed_json(self):
        assert as_config({"a": True}) == {"a": "true"}


class TestCreation:
    def test_a_name_is_trimmed(self):
        made = creation(request({"name": " c ", "config": {}}))
        assert (made.name, made.config, made.initial_state) == ("c", {}, None)

    def test_a_missing_name_is_empty(self):
        assert creation(request({"config": {}})).name == ""
        assert creation(request({"name": None, "config": {}})).name == ""

    def test_states_in_any_case(self):
        made = creation(request({"config": {}, "initial_state": "Stopped"}))
        assert made.initial_state == "STOPPED"

    def test_a_stray_field_is_named(self):
        with pytest.raises(Refusal, match='Unrecognized field "connector'):
            creation(request({"connector.class": "x"}))


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
