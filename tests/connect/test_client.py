from __future__ import annotations

import json

import pytest

from headrace.connect import client
from headrace.connect.answers import NO_LEADER, REBALANCE
from headrace.connect.client import Client, path, read_config
from headrace.connect.rest.messages import Response, error_response
from headrace.connect.rest.security import BasicLogin
from headrace.connect.rest.server import Server
from headrace.connect.settings import Listener
from headrace.errors import EnvironmentFault, InvalidOption, UserError
from headrace.services.ports import free_port


@pytest.fixture
def serve():
    started = []

    def start(answer, login=None) -> str:
        server = Server(Listener("http", "127.0.0.1", 0))
        server.start(answer, login)
        started.append(server)
        return server.url

    yield start
    for server in started:
        server.stop()


def test_a_call_and_its_answer(serve):
    seen = []

    def answer(request):
        seen.append(request)
        return Response(200, {"ok": True})

    client = Client(serve(answer) + "/")
    assert client.get("/connectors", expand=["status", "info"]) == {"ok": True}
    assert client.call("PUT", "/connectors/a/config", {"x": 1}) == {"ok": True}
    assert seen[0].query == {"expand": ["status", "info"]}
    assert (seen[1].method, json.loads(seen[1].body)) == ("PUT", {"x": 1})
    assert seen[1].headers["content-type"] == "application/json"


def test_an_answer_without_a_body(serve):
    assert Client(serve(lambda request: Response(204))).call("DELETE", "/x") is None


def test_a_refusal_is_raised_with_the_worker_s_words(serve):
    message = "Connector configuration is invalid:\none\ntwo\nYou can also find the above list"
    client = Client(serve(lambda request: error_response(400, message)))
    with pytest.raises(UserError) as refused:
        client.call("PUT", "/connectors/a/config", {})
    error = refused.value
    assert error.condition == "CONNECT_REFUSED"
    assert error.summary == "Connector configuration is invalid:"
    assert error.found == "status 400; one; two"
    assert len(error.render().splitlines()) <= 5


def test_a_worker_that_is_still_joining_is_asked_again(serve, monkeypatch):
    monkeypatch.setattr(client, "_PAUSE_SECONDS", 0.01)
    answers = [error_response(409, NO_LEADER), error_response(409, REBALANCE), Response(201, {})]
    url = serve(lambda request: answers.pop(0))
    assert Client(url, patience=60).call("PUT", "/connectors/a/config", {}) == {}
    answers[:] = [error_response(409, NO_LEADER), error_response(409, "Connector a already exists")]
    with pytest.raises(UserError, match="no known leader"):
        Client(url).get("/connectors")
    with pytest.raises(UserError, match="already exists"):
        Client(url, patience=60).get("/connectors")


def test_a_refusal_that_is_no_json(serve):
    client = Client(serve(lambda request: Response(502, "bad gateway")))
    with pytest.raises(UserError, match="bad gateway"):
        client.get("/")


def test_a_login(serve):
    url = serve(lambda request: Response(200, []), BasicLogin({"anna": "s3cret"}))
    assert Client(url, "anna:s3cret").get("/connectors") == []
    with pytest.raises(UserError, match="User cannot access") as refused:
        Client(url, "anna:wr0ng").get("/connectors")
    assert "wr0ng" not in refused.value.render()


def test_nobody_answers():
    with pytest.raises(EnvironmentFault, match="does not answer") as caught:
        Client(f"http://127.0.0.1:{free_port()}").get("/")
    assert caught.value.condition == "CONNECT_UNREACHABLE"


def test_an_address_needs_a_scheme():
    with pytest.raises(InvalidOption, match="no usable address"):
        Client("localhost:8083")


def test_names_are_encoded():
    assert path("a b/c", "config") == "/connectors/a%20b%2Fc/config"


class TestFiles:
    @pytest.mark.parametrize(
        ("body", "name"),
        [
            ({"name": "n", "config": {"x": "1"}}, "n"),
            ({"config": {"name": "m", "x": "1"}}, "m"),
            ({"name": "o", "x": "1"}, "o"),
            ({"x": "1"}, "jdbc_source_00"),
        ],
    )
    def test_wrapped_or_bare(self, tmp_path, body, name):
        file = tmp_path / "jdbc_source_00.json"
        file.write_text(json.dumps(body))
        assert read_config(file) == (name, {"x": "1", "name": name})

    @pytest.mark.parametrize("text", ["{", "[]", "1"])
    def test_no_configuration(self, tmp_path, text):
        file = tmp_path / "x.json"
        file.write_text(text)
        with pytest.raises(InvalidOption):
            read_config(file)

    def test_no_file(self, tmp_path):
        with pytest.raises(InvalidOption, match="cannot be read"):
            read_config(tmp_path / "no.json")
