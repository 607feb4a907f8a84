from __future__ import annotations

import json

import pytest

from headrace.connect.rest.messages import Response
from headrace.connect.rest.server import Server
from headrace.connect.settings import Listener
from tools.conformance.answers import ask_all, differences
from tools.conformance.steps import JSON, Step, states


@pytest.fixture
def ask(tmp_path):
    """Answers of a server that answers as it is told, request by request."""
    server = Server(Listener("http", "127.0.0.1", 0))

    def run(answer, *steps):
        server.start(answer)
        return [found for _, found in ask_all(server.url, "Basic x", tmp_path, steps)]

    yield run
    server.stop()


class TestAsking:
    def test_what_changes_from_run_to_run_is_taken_out(self, ask, tmp_path):
        body = {"worker_id": "127.0.0.1:1", "trace": None, "file": f"{tmp_path}/in.txt", "n": [1]}
        (found,) = ask(lambda request: Response(200, body), Step("GET", "/"))
        assert found == {
            "status": 200,
            "headers": {"Content-Type": "application/json"},
            "body": {"worker_id": "{changes}", "trace": None, "file": "{folder}/in.txt", "n": [1]},
        }

    def test_prose_is_each_workers_own(self, ask):
        shown = [{"name": "a", "documentation": "words", "recommended_values": ["b"]}]
        (found,) = ask(lambda request: Response(200, shown), Step("GET", "/"))
        assert found["body"] == [{"name": "a"}]

    def test_headers_that_count(self, ask):
        def answer(request):
            headers = {
                "Location": f"http://{request.headers['host']}/connectors/a",
                "Allow": "PUT, GET",
            }
            return Response(201, None, headers)

        (found,) = ask(answer, Step("POST", "/connectors", {}))
        assert found["headers"] == {"Location": "{url}/connectors/a", "Allow": "GET,PUT"}

    def test_the_request_is_sent_as_it_is_written(self, ask, tmp_path):
        seen = []
        ask(
            lambda request: seen.append(request) or Response(204),
            Step("PUT", "/x?y=1", {"file": "{folder}/a"}),
            Step("POST", "/z", "{", headers={"Content-Type": "text/plain"}),
        )
        assert json.loads(seen[0].body) == {"file": f"{tmp_path}/a"}
        assert seen[0].query == {"y": ["1"]}
        assert seen[0].headers["authorization"] == "Basic x"
        assert (seen[1].body, seen[1].headers["content-type"]) == (b"{", "text/plain")

    def test_it_is_asked_again_until_it_is_so(self, ask):
        def status(state):
            return {"connector": {"state": state}, "tasks": []}

        told = [
            Response(404, {"error_code": 404}),
            Response(200, status("UNASSIGNED")),
            Response(409, {"message": "a conflicting operation"}),
            Response(200, status("STOPPED")),
        ]
        (found,) = ask(lambda request: told.pop(0), states("a", "STOPPED"))
        assert found["body"]["connector"]["state"] == "STOPPED"
        assert not told

    @pytest.mark.parametrize(
        ("until", "body"), [(1, {"offsets": [{}]}), ({"a": {"topics": []}}, {"a": {"topics": []}})]
    )
    def test_offsets_and_topics_are_waited_for(self, ask, until, body):
        told = [Response(200, {"offsets": []}), Response(200, body)]
        (found,) = ask(lambda request: told.pop(0), Step("GET", "/a", until=until))
        assert found["body"] == body


def answer(body, status=200, **headers):
    return {"status": status, "headers": headers, "body": body}


def compared(theirs, ours, **step):
    return differences(Step("GET", "/a", **step), theirs, ours)


class TestDifferences:
    def test_each_is_a_line_with_its_place(self):
        found = compared(answer({"a": [1, {"b": 2}]}), answer({"a": [1, {"b": 3}], "c": 4}))
        assert found == [
            "GET /a : body.a[1].b: 2 there, 3 here",
            "GET /a : body.c: '(absent)' there, 4 here",
        ]

    def test_status_and_headers(self):
        found = compared(answer(None, 404, Allow="GET"), answer(None, 405, Allow="PUT", More="1"))
        assert found == [
            "GET /a : status: 404 there, 405 here",
            "GET /a : headers: {'Allow': 'GET'} there, {'Allow': 'PUT'} here",
        ]

    def test_words_do_not_count_where_the_step_says_so(self):
        assert compared(answer("a", 500), answer("b", 500), words=False) == []
        assert compared(answer("a", 500), answer("b", 400), words=False) != []

    def test_limits_of_our_own_connectors_are_left_out_and_others_are_not(self):
        head = "Connector configuration is invalid and contains the following {} error(s):\n"
        one, limit = "Invalid value x\n", "a worker has no standard input to read\n"
        theirs = {"message": head.format(1) + one + "hint"}
        assert (
            compared(answer(theirs), answer({"message": head.format(2) + one + limit + "hint"}))
            == []
        )
        assert compared(answer(theirs), answer({"message": head.format(2) + one + one + "hint"}))

    def test_versions_count_as_present_or_absent(self):
        def body(version, errors=()):
            value = {"name": "connector.plugin.version", "value": version, "errors": list(errors)}
            definition = {"name": "connector.plugin.version", "default_value": version}
            return answer(
                {
                    "error_count": len(errors),
                    "configs": [{"definition": definition, "value": value}],
                }
            )

        assert compared(body("4.1.1"), body("0.1.0")) == []
        assert compared(body("4.1.1"), body(None)) != []
        assert compared(body("4.1.1"), body("0.1.0", ["wrong"])) != []


def test_steps_say_what_they_send():
    assert Step("GET", "/").payload is None
    assert Step("POST", "/", {"a": None}).payload == '{"a": null}'
    assert Step("POST", "/", "{").payload == "{"
    assert Step("GET", "/").headers == JSON
