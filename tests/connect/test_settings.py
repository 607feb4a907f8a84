from __future__ import annotations

import pytest

from headrace.connect.settings import Listener, load
from headrace.connect.topics import Store
from headrace.errors import InvalidOption


def settings(**given: str):
    named = {name.replace("__", "."): text for name, text in given.items()}
    return load(None, {"bootstrap.servers": "b1:9092, b2:9092", **named})


def test_defaults():
    found = settings()
    assert found.listeners == [Listener("http", "127.0.0.1", 8083)]
    assert found.client == {"bootstrap.servers": "b1:9092,b2:9092"}
    assert found.values["group.id"] == "connect-cluster"
    shapes = {store: (topic.name, topic.partitions) for store, topic in found.topics.items()}
    assert shapes == {
        Store.CONFIG: ("connect-configs", 1),
        Store.OFFSET: ("connect-offsets", 25),
        Store.STATUS: ("connect-status", 5),
    }
    assert {topic.replication for topic in found.topics.values()} == {-1}


def test_the_file_of_a_java_worker(tmp_path):
    """The walk-through's, shortened; what this worker does not know is left to others."""
    file = tmp_path / "connect-distributed.properties"
    file.write_text(
        "bootstrap.servers=b-1.example:9098,b-2.example:9098\n"
        "group.id=connect-cluster\n"
        "key.converter.schemas.enable=true\n"
        "offset.storage.topic=connect-offsets\noffset.storage.replication.factor=2\n"
        "#offset.storage.partitions=50\n"
        "config.storage.replication.factor=2\nstatus.storage.replication.factor=2\n"
        "offset.flush.interval.ms=10000\nplugin.path=/usr/local/share/kafka/plugins\n"
    )
    found = load(file, {"group.id": "mine"})
    assert found.client["bootstrap.servers"] == "b-1.example:9098,b-2.example:9098"
    assert found.values["group.id"] == "mine"
    assert [topic.replication for topic in found.topics.values()] == [2, 2, 2]
    assert found.topics[Store.OFFSET].partitions == 25


def test_topics_are_created_with_settings_of_their_own():
    found = settings(
        offset__storage__segment__bytes="1048576",
        offset__storage__cleanup__policy="delete",
        config__storage__min__insync__replicas="2",
    ).topics
    assert found[Store.OFFSET].settings == {"segment.bytes": "1048576"}
    assert found[Store.CONFIG].settings == {"min.insync.replicas": "2"}
    assert found[Store.STATUS].settings == {}


def test_whether_java_sources_write_exactly_once():
    assert settings().values["exactly.once.source.support"] == "disabled"
    found = settings(exactly__once__source__support="Enabled")
    assert found.raw["exactly.once.source.support"] == "Enabled"


def test_references_in_the_file_are_resolved(monkeypatch):
    monkeypatch.setenv("CONNECT_TEST_GROUP", "from-environment")
    assert settings(group__id="${env:CONNECT_TEST_GROUP}").values["group.id"] == "from-environment"


def test_clients_get_the_cluster_s_security():
    found = settings(
        security__protocol="SASL_SSL",
        sasl__mechanism="PLAIN",
        sasl__jaas__config='x.PlainLoginModule required username="anna" password="pw";',
    )
    assert found.client == {
        "bootstrap.servers": "b1:9092,b2:9092",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.username": "anna",
        "sasl.password": "pw",
    }


class TestListeners:
    def test_several(self):
        found = settings(
            listeners="http://0.0.0.0:8083,https://localhost:8443",
            listeners__https__ssl__keystore__location="/x.pem",
        )
        assert found.listeners == [
            Listener("http", "0.0.0.0", 8083),
            Listener("https", "localhost", 8443),
        ]

    def test_a_host_left_out_is_every_address(self):
        assert settings(listeners="http://:8083").listeners[0].host == "0.0.0.0"

    @pytest.mark.parametrize("text", ["8083", "ftp://x:1", "http://x", "http://x:y"])
    def test_what_is_no_address(self, text):
        with pytest.raises(InvalidOption, match="a listener has no address"):
            settings(listeners=text)

    def test_https_needs_a_certificate(self):
        with pytest.raises(InvalidOption, match="needs a certificate"):
            settings(listeners="https://x:1")

    def test_forms_of_keystores(self):
        for kind, form in (("keystore", "JKS"), ("truststore", "pkcs12"), ("keystore", "PEM")):
            named = {f"listeners__https__ssl__{kind}__type": form}
            assert settings(**named).values[f"listeners.https.ssl.{kind}.type"] == form
        with pytest.raises(InvalidOption, match=r"keystore\.type"):
            settings(listeners__https__ssl__keystore__type="BKS")


class TestAdvertised:
    def test_where_it_listens(self):
        assert settings().advertised(5) == ("127.0.0.1", 5)

    def test_what_is_said(self):
        found = settings(rest__advertised__host__name="worker-1", rest__advertised__port="80")
        assert found.advertised(5) == ("worker-1", 80)

    def test_every_address_is_nowhere_to_go(self):
        host, _ = settings(listeners="http://0.0.0.0:8083").advertised(8083)
        assert host not in ("", "0.0.0.0")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"offset__storage__partitions": "0"}, "offset.storage.partitions"),
        ({"exactly__once__source__support": "odd"}, "exactly.once.source.support"),
        ({"topic__tracking__enable": "perhaps"}, "topic.tracking.enable"),
        ({"rest__extension__classes": "com.Other"}, "REST extension"),
        ({"admin__listeners": "http://x:1,https://x:2"}, "for /admin alone has no certificate"),
        ({"admin__listeners": "x:1"}, "a listener has no address"),
    ],
)
def test_what_cannot_be_used_is_named(given, message):
    with pytest.raises(InvalidOption, match=message):
        settings(**given)


def test_brokers_are_needed():
    with pytest.raises(InvalidOption, match=r"bootstrap\.servers"):
        load(None, {})


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InvalidOption, match="cannot be read"):
        load(tmp_path / "no.properties", {})


@pytest.mark.parametrize(
    ("given", "ports"),
    [
        ({}, []),
        ({"admin__listeners": ""}, []),
        ({"admin__listeners": "http://a:1, http://b:2"}, [1, 2]),
    ],
)
def test_addresses_that_admin_has_to_itself(given, ports):
    assert [listener.port for listener in settings(**given).admin_listeners] == ports
