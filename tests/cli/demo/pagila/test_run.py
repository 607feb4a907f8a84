import contextlib
from collections import deque

import pytest

from headrace.cli.demo.pagila import run as module
from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.places import LOG, QUERY, SINKS, WRITERS
from headrace.cli.demo.pagila.run import CONNECTORS, run_demo
from headrace.cli.demo.pagila.stage import Stage
from headrace.cli.output import JsonOutput, TextOutput
from headrace.errors import EnvironmentFault, UserError


class FakeDatabase:
    """Until it is changed, the earlier tables."""

    def __init__(self, world):
        self.world = world
        self.changed = False

    @property
    def now(self):
        return self.world.after if self.changed else self.world.before

    def table(self, name):
        return self.now.tables[name]

    def joined(self):
        return self.now.joined

    def change(self):
        self.changed = True


class FakeTopics:
    """Each look shows one of the states that are scripted, and the last one from then on."""

    def __init__(self, states):
        self.states = deque(states)

    def ends(self, topics):
        state = self.states.popleft() if len(self.states) > 1 else self.states[0]
        return {topic: len(state[topic]) for topic in topics}

    def read(self, topic):
        return self.states[-1][topic]


class FakeBucket:
    name = "lake"

    def __init__(self, world):
        self.rows = world.objects()

    def download(self, prefix, folder):
        assert prefix == f"topics/{QUERY}/"

    def json_rows(self, prefix):
        return self.rows[prefix.split("/")[1]]

    def objects(self):
        return [Object("topics/a", 1)]


class FakeClient:
    url = "http://w:1"

    def __init__(self, topics):
        self.topics = topics
        self.applied = []
        self.leads = False
        self.late = 1
        self.state = "RUNNING"

    def call(self, method, path, body):
        if not self.leads:
            self.leads = True
            raise UserError("rebalance", found="status 409")
        self.applied.append((method, path.split("/")[2], body))

    def get(self, path, **query):
        if path == "/connectors":
            part = {"state": self.state, "trace": "it broke"}
            return {name: {"status": {"connector": part, "tasks": [part]}} for name in CONNECTORS}
        sink = path.split("/")[2]
        self.late -= 1
        behind = max(self.late, 0)
        state = self.topics.states[-1]
        return {
            "offsets": [
                {
                    "partition": {"kafka_topic": t},
                    "offset": {"kafka_offset": len(state[t]) - behind},
                }
                for t in SINKS[sink]
            ]
        }


class FakeLake:
    def __init__(self, world):
        self.world = world

    def rows(self):
        return self.world.objects()[QUERY]

    def query(self, text):
        return [{"address_id": 100}] if "ROW_NUMBER" in text else [{"address_id": 100}] * 2


@pytest.fixture
def demo(world, monkeypatch):
    """Services that are made up; Spark as well."""
    nothing = {topic: [] for topic in WRITERS}
    topics = FakeTopics([nothing, world.loaded(), world.messages()])
    client = FakeClient(topics)

    class Worker:
        pass

    Worker.client = client
    database = FakeDatabase(world)

    @contextlib.contextmanager
    def services(output, folder):
        yield Stage(database, topics, FakeBucket(world), Worker())

    monkeypatch.setattr(module, "stage", services)
    monkeypatch.setattr(module, "open_lake", lambda folder: FakeLake(world))
    monkeypatch.setattr("headrace.cli.demo.pagila.steps.LOOK_SECONDS", 0)
    return client


def test_connectors_are_applied_in_the_order_of_the_document(demo):
    run_demo(JsonOutput())
    assert [(method, name) for method, name, _ in demo.applied] == [("PUT", n) for n in CONNECTORS]
    assert demo.applied[0][2]["table.whitelist"] == "address,city,country"


def test_everything_is_compared(demo):
    report = run_demo(JsonOutput())
    assert report.equal
    assert len(report.checks) == len(WRITERS) + 5
    assert {topic.name: topic.records for topic in report.topics}[LOG] == 9
    assert (len(report.history), len(report.latest)) == (2, 1)
    assert report.by_log[104] == ["deleted", "tombstone"]
    assert 104 not in report.by_query


def test_people_follow_what_happens(demo, capsys):
    run_demo(TextOutput())
    told = capsys.readouterr().err
    steps = [
        "PUT http://w:1/connectors/jdbc_source_connector_postgresql_00/config",
        "7 connectors run",
        "all rows are in the topics",
        "all records are in the bucket",
        "DELETE FROM address",
        "8 statements changed the tables",
        "all changes are in the topics",
        "all changed rows are in the bucket",
        "with Spark",
    ]
    places = [told.index(step) for step in steps]
    assert places == sorted(places)


def test_programs_are_told_the_end_only(demo, capsys):
    run_demo(JsonOutput())
    assert capsys.readouterr() == ("", "")


def test_a_connector_that_fails_ends_it(demo):
    demo.state = "FAILED"
    with pytest.raises(EnvironmentFault, match="failed") as raised:
        run_demo(JsonOutput())
    assert raised.value.found == "it broke"


def test_a_row_that_is_lost_on_the_way_to_the_bucket_is_found(demo, world, monkeypatch):
    class Lossy(FakeLake):
        def rows(self):
            return super().rows()[1:-1]

    monkeypatch.setattr(module, "open_lake", lambda folder: Lossy(world))
    report = run_demo(JsonOutput())
    assert not report.equal
    assert [check.place for check in report.checks if not check.equal] == [
        f"objects topics/{QUERY}/"
    ]
