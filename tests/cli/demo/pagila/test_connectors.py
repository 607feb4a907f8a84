import pytest

from headrace.cli.demo.pagila.connectors import accepted, not_running, written
from headrace.connect.client import Client, ConnectRefused
from headrace.connect.rest.messages import Response, error_response
from headrace.connect.rest.server import Server
from headrace.connect.settings import Listener
from headrace.errors import EnvironmentFault


@pytest.fixture
def worker():
    """A client, and the answers that it gets by path; nothing else exists."""
    answers: dict[str, Response] = {}
    server = Server(Listener("http", "127.0.0.1", 0))
    server.start(lambda request: answers.get(request.path, error_response(404, "not found")))
    yield Client(server.url), answers
    server.stop()


def status(connector, *tasks):
    states = [{"id": id, "state": state} for id, state in enumerate(tasks)]
    return Response(200, {"connector": {"state": connector}, "tasks": states})


def test_a_connector_without_a_status_does_not_run_yet(worker):
    client, answers = worker
    answers["/connectors/b/status"] = status("RUNNING", "RUNNING")
    answers["/connectors/c/status"] = status("RUNNING")
    answers["/connectors/d/status"] = status("RUNNING", "RUNNING", "UNASSIGNED")
    assert not_running(client, "abcd") == ["a", "c", "d"]


def test_a_failed_task_ends_the_demo_with_the_first_line_of_its_trace(worker):
    client, answers = worker
    failed = {"id": 0, "state": "FAILED", "trace": "no such table\n\tat x"}
    answers["/connectors/a/status"] = Response(
        200, {"connector": {"state": "RUNNING"}, "tasks": [failed]}
    )
    with pytest.raises(EnvironmentFault) as raised:
        not_running(client, "a")
    assert (raised.value.condition, raised.value.found) == ("CONNECTOR_FAILED", "no such table")


def test_only_a_worker_that_does_not_lead_yet_is_asked_again(worker):
    client, answers = worker
    answers["/connectors/a/config"] = error_response(409, "rebalance in process")
    assert not accepted(client, "a", {})
    answers["/connectors/a/config"] = Response(201, {})
    assert accepted(client, "a", {})
    answers["/connectors/a/config"] = error_response(400, "invalid")
    with pytest.raises(ConnectRefused, match="invalid"):
        accepted(client, "a", {})


def test_written_are_the_records_below_the_committed_offsets(worker):
    client, answers = worker
    assert written(client, "a") == 0
    offsets = [
        {"partition": {"kafka_topic": topic}, "offset": {"kafka_offset": 600}} for topic in "xy"
    ]
    answers["/connectors/a/offsets"] = Response(200, {"offsets": offsets})
    assert written(client, "a") == 1200
