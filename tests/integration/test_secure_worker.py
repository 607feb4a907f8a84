"""A Connect worker on a broker that lets in only whom it knows: lines of a file to a topic and on to files, by every mechanism."""

from __future__ import annotations

import json
import uuid

import pytest

from headrace.connect.installed import installed
from headrace.connect.java.process import JavaProcess
from headrace.connect.rest.dispatch import Dispatcher
from headrace.connect.rest.messages import Request
from headrace.connect.settings import load
from headrace.connect.worker import on_kafka
from headrace.errors import HeadraceError, InvalidOption
from headrace.services.ways import password_login, pem_trust, store_files
from headrace.testing.topics import eventually

pytestmark = [pytest.mark.spark, pytest.mark.services]

WAYS = ["pem", "stores", "plain", "scram-256", "scram-512", "oauth", "scram-unencrypted"]
TEXT = "org.apache.kafka.connect.storage.StringConverter"


def settings_of(servers, properties, folder):
    """As a properties file of Connect's says it: the login for the worker, and again for its producers and consumers."""
    group = f"secure-{uuid.uuid4().hex[:8]}"
    login = {"security.protocol": "SSL", **properties}
    return load(
        None,
        {
            "bootstrap.servers": servers,
            "group.id": group,
            "headrace.state.dir": str(folder),
            **{f"{s}.storage.topic": f"{group}-{s}" for s in ("config", "offset", "status")},
            **login,
            **{f"producer.{name}": text for name, text in login.items()},
            **{f"consumer.{name}": text for name, text in login.items()},
        },
    )


class SecureWorker:
    def __init__(self, settings) -> None:
        self.worker = on_kafka(settings, installed(), 8083)
        self.ask = Dispatcher(self.worker, None)
        self.worker.start()
        eventually(lambda: self.worker.herder.leads, bool)

    def put(self, name, config):
        body = json.dumps(config).encode()
        headers = {"content-type": "application/json", "x-base-url": "http://worker"}
        answer = self.ask(Request("PUT", f"/connectors/{name}/config", {}, body, headers))
        assert answer.status == 201, answer.body

    def states(self, name):
        body = self.ask(Request("GET", f"/connectors/{name}/status")).body
        return [task.get("trace") or task["state"] for task in body.get("tasks", [])]


@pytest.fixture
def make_worker(spark):
    made = []

    def make(settings):
        made.append(SecureWorker(settings))
        return made[-1]

    yield make
    for one in made:
        one.worker.stop()


@pytest.mark.parametrize("name", WAYS)
def test_lines_go_to_a_topic_and_on_to_files(secure_broker, make_worker, tmp_path, name):
    way = next(way for way in secure_broker.ways if way.name == name)
    (tmp_path / "in.txt").write_text("one\ntwo\nthree\n")
    worker = make_worker(settings_of(way.servers, way.properties, tmp_path / "state"))
    topic = f"lines-{uuid.uuid4().hex[:8]}"
    files = f"files-{topic}"
    worker.put(
        "lines",
        {
            "connector.class": "FileStreamSource",
            "file": str(tmp_path / "in.txt"),
            "topic": topic,
            "value.converter": TEXT,
            "producer.override.max.request.size": "2000000",
        },
    )
    worker.put(
        files,
        {
            "connector.class": "headrace.connect.FolderSinkConnector",
            "topics": topic,
            "store.url": (tmp_path / "lake").as_uri(),
            "format.class": "io.confluent.connect.s3.format.json.JsonFormat",
            "flush.size": "3",
            "value.converter": TEXT,
            "consumer.override.metadata.max.age.ms": "500",
        },
    )
    file = tmp_path / "lake" / "topics" / topic / "partition=0" / f"{topic}+0+0000000000.json"
    eventually(lambda: file.exists() or worker.states(files), lambda seen: seen is True)
    assert file.read_text().split() == ['"one"', '"two"', '"three"']
    eventually(
        lambda: worker.ask(Request("GET", f"/connectors/{files}/offsets")).body["offsets"],
        lambda seen: [entry["offset"] for entry in seen] == [{"kafka_offset": 3}],
    )


def test_a_wrong_password_is_told_and_not_shown(secure_broker, tmp_path):
    login = password_login("PLAIN", "app", "not-this-one") | pem_trust(secure_broker.certificates)
    settings = settings_of(secure_broker.addresses["SASL_SSL"], login, tmp_path)
    with pytest.raises(HeadraceError) as caught:
        on_kafka(settings, installed(), 8083)
    shown = caught.value.render()
    assert "uthentication" in shown
    assert "not-this-one" not in shown
    assert len(shown.splitlines()) <= 5


def test_a_wrong_password_of_a_keystore_is_told_and_not_shown(secure_broker, tmp_path):
    wrong = store_files(secure_broker.certificates, "app", "not-this-one")
    settings = settings_of(secure_broker.addresses["SSL"], wrong, tmp_path)
    with pytest.raises(InvalidOption, match="cannot be used") as caught:
        on_kafka(settings, installed(), 8083)
    assert "not-this-one" not in caught.value.render()


@pytest.mark.slow
def test_the_java_worker_asks_the_same_endpoint_for_tokens(secure_broker, tmp_path, monkeypatch):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    way = next(way for way in secure_broker.ways if way.name == "oauth")
    process = JavaProcess(settings_of(way.servers, way.properties, tmp_path))
    process.begin(lambda ask: None)
    try:
        assert process.ask(Request("GET", "/")).body["kafka_cluster_id"]
    finally:
        process.stop()
    assert secure_broker.tokens.secret("app") not in process.log.read_text()
