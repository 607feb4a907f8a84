from __future__ import annotations

import json

import pytest
from confluent_kafka import KafkaError, KafkaException

from headrace.connect.rest.dispatch import Dispatcher
from headrace.connect.rest.forwarding import send_to
from headrace.connect.rest.messages import Request, Response
from headrace.connect.rest.server import Server
from headrace.connect.settings import Listener
from headrace.services.ports import free_port
from headrace.testing.connect_worker import SOURCE, MemoryLog, SoleLeadership

CONFIG = {"connector.class": SOURCE, "topic": "numbers"}


@pytest.mark.parametrize(
    ("method", "path", "status", "message"),
    [
        ("GET", "/nowhere", 404, "HTTP 404 Not Found"),
        ("GET", "/connectors/a/b/c/d", 404, "HTTP 404 Not Found"),
        ("DELETE", "/connectors", 405, "HTTP 405 Method Not Allowed"),
        ("PUT", "/", 405, "HTTP 405 Method Not Allowed"),
        ("GET", "/connectors/x", 404, "Connector x not found"),
    ],
)
def test_errors_have_their_code_and_message(api, method, path, status, message):
    response = api(method, path)
    assert response.status == status
    assert response.body == {"error_code": status, "message": message}
    assert list(response.body) == ["error_code", "message"]


def test_a_wrong_method_is_told_the_right_ones(api):
    response = api("DELETE", "/connectors")
    assert response.headers["Allow"] == "GET,HEAD,OPTIONS,POST"


def test_options_are_the_methods(api):
    response = api("OPTIONS", "/connectors/c")
    assert (response.status, response.body) == (200, "HEAD, DELETE, GET, OPTIONS")
    assert response.headers["Allow"] == "DELETE,GET,HEAD,OPTIONS"
    assert response.content_type == "text/plain"


def test_other_content_types_are_415(api):
    response = api("POST", "/connectors", b"name=x", content_type="text/plain")
    assert (response.status, response.body["message"]) == (415, "HTTP 415 Unsupported Media Type")
    typed = api("POST", "/connectors", b"{}", content_type="application/json; charset=utf-8")
    assert typed.status != 415


@pytest.mark.parametrize(
    ("method", "path", "body", "kind"),
    [
        ("GET", "/connectors", None, "text/plain"),
        ("PUT", "/connectors/c/pause", None, "application/xml"),
        ("POST", "/connectors", b"{}", ""),
        ("PATCH", "/connectors/c/offsets", b"{}", ""),
        ("PUT", "/admin/loggers/a", b"{}", ""),
    ],
)
def test_what_is_not_said_to_be_json_is_415(api, method, path, body, kind):
    assert api(method, path, body, content_type=kind).status == 415


def test_a_body_that_nobody_reads_may_be_anything(api):
    assert api("PUT", "/connectors/c/pause", b"x", content_type="").status == 404


@pytest.mark.parametrize(
    ("kinds", "status"),
    [
        ("*/*", 200),
        ("application/*", 200),
        ("text/html, Application/JSON;q=0.5", 200),
        ("text/plain", 406),
        ("garbage", 406),
    ],
)
def test_who_does_not_take_json_is_given_nothing(api, kinds, status):
    assert api("GET", "/connectors", accept=kinds).status == status
    assert api("GET", "/nowhere", accept=kinds).status == 404


@pytest.mark.parametrize(("method", "end"), [("POST", "tasks"), ("PUT", "fence")])
def test_what_only_workers_ask_each_other(api, method, end):
    found = api.refused(method, f"/connectors/c/{end}")
    assert found == (400, "Internal request missing required signature")


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ("+1", "No status found for task c-1"),
        ("-1", "No status found for task c--1"),
        ("99999999999", "HTTP 404 Not Found"),
        ("1.5", "HTTP 404 Not Found"),
    ],
)
def test_tasks_are_numbers_of_java(api, task, message):
    assert api.refused("GET", f"/connectors/c/tasks/{task}/status") == (404, message)


def test_a_slash_at_the_end_does_not_matter(api):
    assert api.ok("GET", "/connectors/") == []


def test_names_are_decoded(api):
    api.ok("PUT", "/connectors/a%20b%2Fc/config", CONFIG)
    assert api.ok("GET", "/connectors") == ["a b/c"]
    assert api.ok("GET", "/connectors/a%20b%2Fc")["name"] == "a b/c"


def test_a_reference_that_leads_nowhere_is_told(api):
    config = {**CONFIG, "password": "${env:HEADRACE_NOT_SET_ANYWHERE}"}
    status, message = api.refused("PUT", "/connectors/c/config", config)
    assert status == 500
    assert "${env:HEADRACE_NOT_SET_ANYWHERE}" in message


def test_a_defect_is_500_without_secrets(api, monkeypatch):
    api.worker.settings.providers.secrets.add("hunter2")

    def broken(name):
        raise RuntimeError("hunter2 is wrong")

    monkeypatch.setattr(api.worker.herder, "status", broken)
    status, message = api.refused("GET", "/connectors/c/status")
    assert (status, message) == (500, "RuntimeError: [hidden] is wrong")


def test_brokers_that_are_away_are_told_as_a_timeout(api, monkeypatch):
    def late(name):
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "late"))

    monkeypatch.setattr(api.worker.offsets, "read", late)
    status, message = api.refused("GET", "/connectors/c/offsets")
    assert status == 500
    assert message.startswith("Request timed out. Brokers are out of reach: ")
    assert "late" in message


class TestForwarding:
    """What a worker does that does not lead."""

    @pytest.fixture
    def sent(self):
        return []

    @pytest.fixture
    def follower(self, make_api, sent):
        def send(url: str, request: Request) -> Response:
            sent.append((url, request))
            return Response(201, {"name": "c"}, {"Location": "http://leader/connectors/c"})

        return make_api(send=send, leadership=SoleLeadership("http://leader:8083/", leads=False))

    def test_writes_go_to_the_leader(self, follower, sent):
        response = follower("PUT", "/connectors/c/config", CONFIG)
        assert (response.status, response.body) == (201, {"name": "c"})
        ((url, request),) = sent
        assert url == "http://leader:8083/"
        assert (request.method, request.path) == ("PUT", "/connectors/c/config")
        assert request.query == {"forward": ["true"]}
        assert json.loads(request.body) == CONFIG

    def test_a_second_time_it_says_so(self, follower, sent):
        follower("DELETE", "/connectors/c?forward=true")
        assert sent[0][1].query == {"forward": ["false"]}

    def test_a_third_time_it_gives_up(self, follower, sent):
        status, message = follower.refused("DELETE", "/connectors/c?forward=false")
        assert status == 409
        assert "rebalance" in message
        assert sent == []

    def test_reads_stay_here(self, follower, sent):
        assert follower.ok("GET", "/connectors") == []
        assert sent == []

    def test_what_is_wrong_is_refused_before_it_is_sent(self, follower, sent):
        assert (
            follower.refused("PUT", "/connectors/c/config", {"connector.class": SOURCE})[0] == 400
        )
        assert sent == []

    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("PUT", "/connectors/c/pause"),
            ("PUT", "/connectors/c/resume"),
            ("PUT", "/connectors/c/stop"),
            ("POST", "/connectors/c/restart"),
            ("POST", "/connectors/c/restart?includeTasks=true"),
            ("POST", "/connectors/c/tasks/0/restart"),
            ("DELETE", "/connectors/c/offsets"),
            ("PUT", "/connectors/c/topics/reset"),
        ],
    )
    def test_everything_that_changes_something_is_sent(self, follower, sent, method, path):
        follower(method, path)
        assert len(sent) == 1

    def test_without_a_leader_it_is_409(self, make_api):
        api = make_api(leadership=SoleLeadership(None, leads=False))
        status, message = api.refused("DELETE", "/connectors/c")
        assert status == 409
        assert "no known leader URL" in message

    def test_a_leader_that_is_gone_is_500(self, make_api):
        away = f"http://127.0.0.1:{free_port()}/"
        api = make_api(send=send_to(None), leadership=SoleLeadership(away, leads=False))
        status, message = api.refused("DELETE", "/connectors/c")
        assert status == 500
        assert message.startswith("IO Error trying to forward REST request")

    def test_through_a_socket(self, make_api):
        log = MemoryLog()
        leader = make_api(log=log)
        server = Server(Listener("http", "127.0.0.1", 0))
        server.start(Dispatcher(leader.worker, send_to(None)))
        try:
            follower = make_api(
                send=send_to(None), leadership=SoleLeadership(f"{server.url}/", leads=False)
            )
            response = follower(
                "PUT", "/connectors/c/config", CONFIG, content_type="application/json"
            )
            assert response.status == 201
            assert response.headers["Location"] == "http://worker:8083/connectors/c"
            assert leader.ok("GET", "/connectors") == ["c"]
            assert follower("PUT", "/connectors/c/pause").status == 202
        finally:
            server.stop()


def test_a_worker_that_was_fenced_refuses_and_leads_no_more(api):
    api.worker.log.leads = False
    status, _ = api.refused("PUT", "/connectors/c/config", CONFIG)
    assert status == 409
    assert not api.worker.herder.leads
