from __future__ import annotations

import http.client
import json
import threading
import uuid
from typing import ClassVar

import pytest

from headrace.connect.plugins import Plugins
from headrace.connect.rest.dispatch import Dispatcher
from headrace.connect.rest.forwarding import send_to
from headrace.connect.rest.server import Server
from headrace.connect.settings import load
from headrace.connect.topics import Entry, Fenced, Store
from headrace.connect.worker import on_kafka
from headrace.services.kafka import KafkaService
from headrace.testing.connect_worker import (
    PLUGINS,
    SOURCE,
    CountingSource,
    MemoryLog,
    SoleLeadership,
    memory_worker,
)
from headrace.testing.topics import eventually, json_table


class TestHealth:
    def test_starting_then_healthy(self):
        worker = memory_worker()
        assert worker.health() == (
            503,
            {"status": "starting", "message": "Worker is still starting up."},
        )
        worker.start()
        assert worker.health()[0] == 200
        assert worker.health()[1]["status"] == "healthy"
        worker.stop()

    def test_a_member_is_starting_until_somebody_leads(self):
        group = SoleLeadership(leads=False)
        worker = memory_worker(leadership=group)
        worker.start()
        assert worker.health()[0] == 503
        # Elected, and not done with what a leader does first.
        group.follows = f"http://{worker.worker_id}/"
        assert worker.health()[0] == 503
        group.follows = "http://other:8083/"
        assert worker.health()[0] == 200
        # A change of the leader is no new start.
        group.follows = None
        assert worker.health()[0] == 200
        worker.stop()

    def test_a_worker_that_cannot_lead_is_unhealthy(self):
        class Broken(MemoryLog):
            def lead(self):
                raise RuntimeError("no transactions here")

        worker = memory_worker(log=Broken())
        worker.start()
        status, body = worker.health()
        assert (status, body["status"]) == (500, "unhealthy")
        assert "no transactions here" in body["message"]
        worker.stop()


class TestTerms:
    """An office that is lost and gained, as when brokers were away."""

    def test_what_a_worker_ran_is_nobody_s_until_it_leads_again(self, make_api):
        api = make_api()
        api.source()
        api.until("counter", "RUNNING", ["RUNNING"])
        api.worker._lost()
        assert not api.worker._works()
        assert api.states("counter") == ("UNASSIGNED", ["UNASSIGNED"])
        assert not api.worker.log.leads
        api.worker._gained()
        assert api.worker._works()
        api.until("counter", "RUNNING", ["RUNNING"])

    def test_a_failed_task_still_says_why(self, make_api):
        api = make_api()
        api.source(fail="task-0")
        api.until("counter", "RUNNING", ["FAILED"])
        api.worker._lost()
        assert api.states("counter") == ("UNASSIGNED", ["FAILED"])

    def test_who_waits_to_write_is_told_in_time(self, make_api, monkeypatch):
        """A change that no broker lets be written does not hold up the end of the term."""
        monkeypatch.setattr("headrace.connect.worker.GRACE_SECONDS", 0.05)
        api, entered, resigned = make_api(), threading.Event(), threading.Event()

        def hanging(entries):
            entered.set()
            assert resigned.wait(30)
            raise Fenced("not any more")

        monkeypatch.setattr(api.worker.log, "write", hanging)
        monkeypatch.setattr(api.worker.log, "resign", resigned.set)
        api.worker.runner._put("c", lambda: api.worker.log.write([]))
        assert entered.wait(30)
        api.worker._lost()
        assert resigned.is_set()

    def test_a_worker_that_could_not_lead_does_not_work(self):
        class Broken(MemoryLog):
            def lead(self):
                raise RuntimeError("no transactions here")

        worker = memory_worker(log=Broken())
        worker.start()
        assert not worker._works()
        worker.stop()


def test_what_exactly_once_does_not_hold_for_is_told(make_api, caplog):
    make_api()
    assert caplog.text == ""
    make_api(exactly_once_source_support="Enabled")
    assert "Headrace's own sources write at least once" in caplog.text


class TestRestart:
    def test_connectors_go_on_with_the_next_worker(self, make_api):
        log = MemoryLog()
        first = make_api(log=log)
        first.source(count=2)
        first.sink()
        first.ok("PUT", "/connectors/collector/pause")
        first.settle()
        eventually(
            lambda: first.ok("GET", "/connectors/counter/offsets")["offsets"],
            lambda seen: seen == [{"partition": {"part": "0"}, "offset": {"at": 2}}],
        )
        first.worker.stop()
        second = make_api(log=MemoryLog(log.entries))
        second.settle()
        assert second.states("counter") == ("RUNNING", ["RUNNING"])
        assert second.states("collector") == ("PAUSED", ["PAUSED"])
        eventually(
            lambda: second.ok("GET", "/connectors/counter/offsets")["offsets"][0]["offset"],
            lambda seen: seen == {"at": 4},
        )

    def test_topics_of_a_java_worker_are_understood(self, make_api):
        """The records as Kafka Connect itself writes them."""
        config = {"connector.class": SOURCE, "topic": "numbers", "name": "old"}
        entries = [
            Entry(Store.CONFIG, "session-key", {"key": "x", "algorithm": "HmacSHA256"}),
            Entry(Store.CONFIG, "connector-old", {"properties": config}),
            Entry(Store.CONFIG, "target-state-old", {"state": "PAUSED", "state.v2": "STOPPED"}),
            Entry(Store.OFFSET, '["old",{"part":"0"}]', {"at": 41}),
        ]
        api = make_api(log=MemoryLog(entries))
        api.settle()
        assert api.states("old") == ("STOPPED", [])
        assert api.ok("GET", "/connectors/old/offsets") == {
            "offsets": [{"partition": {"part": "0"}, "offset": {"at": 41}}]
        }


class KafkaWorker:
    """A worker on a real broker with a real listener."""

    def __init__(self, servers: str, prefix: str, plugins: Plugins = PLUGINS) -> None:
        settings = load(
            None,
            {
                "bootstrap.servers": servers,
                "group.id": prefix,
                "listeners": "http://127.0.0.1:0",
                "offset.storage.partitions": "2",
                "status.storage.partitions": "2",
                **{f"{store}.storage.topic": f"{prefix}-{store}" for store in Store},
            },
        )
        self.server = Server(settings.listeners[0])
        self.worker = on_kafka(settings, plugins, self.server.port)
        self.server.start(Dispatcher(self.worker, send_to(None)))
        self.worker.start()

    def __call__(self, method: str, path: str, body: object = None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=90)
        headers = {"Content-Type": "application/json"}
        payload = None if body is None else json.dumps(body)
        connection.request(method, path, payload, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text) if text else None

    def until(self, name: str, connector: str, tasks: list[str]) -> None:
        def look():
            status, body = self("GET", f"/connectors/{name}/status")
            if status != 200:
                return None
            return body["connector"]["state"], [task["state"] for task in body["tasks"]]

        eventually(look, lambda seen: seen == (connector, tasks))

    def stop(self) -> None:
        self.server.stop()
        self.worker.stop()


@pytest.mark.services
def test_two_workers_on_a_broker(kafka_broker):
    """One leads, the other forwards; when the first goes, the second runs its connectors."""
    servers, prefix = kafka_broker.bootstrap_servers, f"worker-{uuid.uuid4().hex[:8]}"
    first = KafkaWorker(servers, prefix)
    eventually(lambda: first.worker.herder.leads, bool)
    second = KafkaWorker(servers, prefix)
    workers = [first, second]
    try:
        eventually(lambda: [w.worker.herder.leads for w in workers].count(True), lambda n: n == 1)
        leader, follower = sorted(workers, key=lambda w: not w.worker.herder.leads)
        assert first("GET", "/")[1]["kafka_cluster_id"]
        config = {"connector.class": SOURCE, "topic": "numbers", "count": 5}
        status, info = follower("PUT", "/connectors/counter/config", config)
        assert (status, info["config"]["count"]) == (201, "5")
        follower.until("counter", "RUNNING", ["RUNNING"])
        shown = follower("GET", "/connectors/counter/status")[1]
        assert shown["connector"]["worker_id"] == f"127.0.0.1:{leader.server.port}"
        assert follower("GET", "/connectors/counter/offsets")[0] == 200
        eventually(
            lambda: json_table(servers, f"{prefix}-offset"),
            lambda rows: rows == {'["counter",{"part":"0"}]': {"at": 5}},
        )
        leader.stop()
        workers.remove(leader)
        eventually(lambda: follower.worker.herder.leads, bool)
        eventually(
            lambda: follower("GET", "/connectors/counter/offsets")[1]["offsets"][0]["offset"],
            lambda offset: offset == {"at": 10},
        )
        assert follower("PUT", "/connectors/counter/stop") == (204, None)
        follower.until("counter", "STOPPED", [])
        assert follower("DELETE", "/connectors/counter/offsets")[0] == 200
        assert follower("GET", "/connectors/counter/offsets")[1] == {"offsets": []}
    finally:
        for worker in workers:
            worker.stop()


class Breaking(CountingSource):
    """Fails when it is told to, and whenever it is started after that."""

    broken: ClassVar[threading.Event] = threading.Event()

    def run_task(self, config, context):
        while not context.stopping.is_set():
            if Breaking.broken.wait(0.05):
                raise RuntimeError("the well is dry")


@pytest.mark.services
def test_a_task_that_fails_while_no_broker_is_there(tmp_path):
    """Known here at once, and to everybody when the broker is back."""
    prefix = f"worker-{uuid.uuid4().hex[:8]}"
    with KafkaService(tmp_path / "kafka") as broker:
        servers = broker.bootstrap_servers
        worker = KafkaWorker(servers, prefix, Plugins([Breaking]))
        try:
            eventually(lambda: worker.worker.herder.leads, bool)
            config = {"connector.class": SOURCE, "topic": "numbers"}
            assert worker("PUT", "/connectors/counter/config", config)[0] == 201
            worker.until("counter", "RUNNING", ["RUNNING"])
            broker.stop()
            Breaking.broken.set()
            eventually(
                lambda: worker("GET", "/connectors/counter/tasks/0/status")[1],
                lambda task: task["state"] == "FAILED" and "the well is dry" in task["trace"],
                5,
            )
            broker.start()
            worker.until("counter", "RUNNING", ["FAILED"])
            eventually(
                lambda: json_table(servers, f"{prefix}-status")["status-task-counter-0"]["state"],
                lambda state: state == "FAILED",
            )
        finally:
            worker.stop()
