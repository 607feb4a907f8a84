import pytest

from headrace.cli.demo.pagila.connectors import accepted, not_running, written
from headrace.errors import EnvironmentFault, UserError


class Answers:
    """The worker's answers by path."""

    def __init__(self, **answers):
        self.answers = answers

    def get(self, path):
        return self.answers[path.replace("/connectors/", "").replace("/", "_")]


class Refusing:
    def __init__(self, error):
        self.error = error

    def call(self, method, path, body):
        raise self.error


def status(connector, *tasks, trace="org.apache.X: no bucket\n  at y"):
    parts = [
        {"state": state, **({"trace": trace} if state == "FAILED" else {})}
        for state in (connector, *tasks)
    ]
    return {"connector": parts[0], "tasks": parts[1:]}


@pytest.mark.parametrize(
    "error",
    [
        UserError("rebalance", found="status 409"),
        EnvironmentFault("no answer", condition="CONNECT_UNREACHABLE", found="timed out"),
    ],
)
def test_a_worker_that_is_starting_is_asked_again(error):
    assert not accepted(Refusing(error), "a", {})


@pytest.mark.parametrize(
    "error",
    [
        UserError("invalid", found="status 400; no class"),
        EnvironmentFault("no answer", condition="CONNECT_UNREACHABLE", found="refused"),
    ],
)
def test_any_other_refusal_ends_the_demo(error):
    with pytest.raises(type(error)):
        accepted(Refusing(error), "a", {})


def test_a_connector_runs_when_its_tasks_do():
    worker = Answers(
        a_status=status("RUNNING", "RUNNING"),
        b_status=status("RUNNING", "UNASSIGNED"),
        c_status=status("RUNNING"),
    )
    assert not_running(worker, ["a", "b", "c"]) == ["b", "c"]


@pytest.mark.parametrize("states", [("FAILED",), ("RUNNING", "RUNNING", "FAILED")])
@pytest.mark.parametrize(
    ("trace", "found"), [("X: no bucket\n  at y", "X: no bucket"), ("", "no trace")]
)
def test_a_failure_ends_the_wait_with_its_reason(states, trace, found):
    with pytest.raises(EnvironmentFault, match="'a' failed") as raised:
        not_running(Answers(a_status=status(*states, trace=trace)), ["a"])
    assert (raised.value.condition, raised.value.found) == ("CONNECTOR_FAILED", found)


def test_records_of_all_topics_of_a_sink_count():
    offsets = [
        {"partition": {"kafka_topic": topic}, "offset": {"kafka_offset": offset}}
        for topic, offset in (("t", 100), ("u", 5))
    ]
    assert written(Answers(s_offsets={"offsets": offsets}), "s") == 105
    assert written(Answers(s_offsets={"offsets": []}), "s") == 0
