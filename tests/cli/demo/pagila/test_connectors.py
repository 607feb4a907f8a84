import pytest

from headrace.cli.demo.pagila.connectors import accepted, unwritten, waiting_for, written
from headrace.errors import EnvironmentFault, UserError


class FakeClient:
    def __init__(self, **answers):
        self.answers = answers
        self.calls = []

    def call(self, method, path, body=None):
        self.calls.append((method, path, body))

    def get(self, path, **query):
        self.calls.append(("GET", path, query))
        return self.answers[path.rpartition("/")[2]]


def status(connector, *tasks, trace="org.apache.X: no bucket\n  at y"):
    parts = [
        {"state": state, **({"trace": trace} if state == "FAILED" else {})}
        for state in (connector, *tasks)
    ]
    return {"status": {"connector": parts[0], "tasks": parts[1:]}}


def test_a_configuration_is_put_under_its_name():
    client = FakeClient()
    assert accepted(client, "a b", {"x": 1})
    assert client.calls == [("PUT", "/connectors/a%20b/config", {"x": 1})]


@pytest.mark.parametrize(
    ("found", "again"), [("status 409", True), ("status 400; no class", False)]
)
def test_only_a_worker_that_comes_up_is_asked_again(found, again):
    class Refusing(FakeClient):
        def call(self, method, path, body=None):
            raise UserError("no", found=found)

    if again:
        assert not accepted(Refusing(), "a", {})
    else:
        with pytest.raises(UserError):
            accepted(Refusing(), "a", {})


def test_one_runs_when_its_tasks_do():
    client = FakeClient(
        connectors={
            "a": status("RUNNING", "RUNNING"),
            "b": status("RUNNING", "UNASSIGNED"),
            "c": status("RUNNING"),
            "e": {},
        }
    )
    assert waiting_for(client, ["a", "b", "c", "d", "e"]) == ["b", "c", "d", "e"]
    assert client.calls == [("GET", "/connectors", {"expand": "status"})]


@pytest.mark.parametrize("states", [("FAILED",), ("RUNNING", "RUNNING", "FAILED")])
def test_a_failure_ends_the_wait_with_its_reason(states):
    with pytest.raises(EnvironmentFault) as raised:
        waiting_for(FakeClient(connectors={"a": status(*states)}), ["a"])
    assert raised.value.condition == "CONNECTOR_FAILED"
    assert raised.value.found == "org.apache.X: no bucket"


def test_a_failure_without_a_trace_is_told_as_well():
    with pytest.raises(EnvironmentFault, match="'a' failed"):
        waiting_for(FakeClient(connectors={"a": status("FAILED", trace="")}), ["a"])


OFFSETS = {
    "offsets": [
        {"partition": {"kafka_topic": "t", "kafka_partition": 0}, "offset": {"kafka_offset": 100}},
        {"partition": {"kafka_topic": "u", "kafka_partition": 0}, "offset": {"kafka_offset": 5}},
    ]
}


def test_a_sink_tells_how_far_it_is():
    client = FakeClient(offsets=OFFSETS)
    assert written(client, "s") == {"t": 100, "u": 5}
    assert unwritten(client, "s", {"t": 103, "u": 5}) == 3
    assert unwritten(client, "s", {"u": 5}) == 0


def test_a_topic_that_it_has_not_begun_is_unwritten_as_a_whole():
    assert unwritten(FakeClient(offsets={"offsets": []}), "s", {"t": 7}) == 7
