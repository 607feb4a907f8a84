from __future__ import annotations

import base64
import json
import socket

import psutil
import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from headrace.errors import EnvironmentFault
from headrace.services import kafka
from headrace.services.kafka import KafkaService, Listener
from headrace.services.ports import free_port
from headrace.toolchain.progress import silent

PORTS = {"main": 1111, "controller": 2222, "SECURE": 3333}


def test_the_configuration_names_ports_and_folder(tmp_path):
    properties = KafkaService(tmp_path).properties(PORTS)
    assert properties["listeners"] == "CLIENT://127.0.0.1:1111,CONTROLLER://127.0.0.1:2222"
    assert properties["advertised.listeners"] == "CLIENT://127.0.0.1:1111"
    assert properties["controller.quorum.voters"] == "1@127.0.0.1:2222"
    assert properties["log.dirs"] == str(tmp_path / "data")


def test_internal_topics_have_one_replica(tmp_path):
    properties = KafkaService(tmp_path).properties(PORTS)
    replicas = {
        key: value
        for key, value in properties.items()
        if "replication.factor" in key or "min.isr" in key
    }
    assert len(replicas) == 5
    assert set(replicas.values()) == {"1"}


def test_more_listeners_are_data(tmp_path):
    service = KafkaService(
        tmp_path, listeners=[Listener("CLIENT"), Listener("SECURE", "SASL_PLAINTEXT")]
    )
    properties = service.properties(PORTS)
    assert "SECURE://127.0.0.1:3333" in properties["listeners"]
    assert "SECURE:SASL_PLAINTEXT" in properties["listener.security.protocol.map"]
    assert properties["inter.broker.listener.name"] == "CLIENT"


def test_ports_are_chosen_for_every_listener(tmp_path):
    wanted = free_port()
    service = KafkaService(
        tmp_path, listeners=[Listener("CLIENT", port=wanted), Listener("SECURE", "SSL")]
    )
    ports = service.choose_ports({})
    assert ports["main"] == wanted
    assert len(set(ports.values())) == 3
    assert set(ports) == {"main", "SECURE", "controller"}


def test_settings_of_the_caller_win(tmp_path):
    service = KafkaService(
        tmp_path, settings={"auto.create.topics.enable": "false", "num.partitions": "3"}
    )
    properties = service.properties(PORTS)
    assert properties["auto.create.topics.enable"] == "false"
    assert properties["num.partitions"] == "3"


def test_cluster_ids_are_random_and_in_kafkas_form():
    first, second = kafka._cluster_id(), kafka._cluster_id()
    assert first != second
    assert len(first) == 22
    assert len(base64.urlsafe_b64decode(first + "==")) == 16


def test_a_port_without_a_broker_is_not_ready(tmp_path):
    assert not KafkaService(tmp_path).is_ready(f"127.0.0.1:{free_port()}")


@pytest.mark.services
def test_a_folder_that_cannot_be_formatted_is_an_error_naming_it(tmp_path):
    service = KafkaService(tmp_path, settings={"node.id": "not a number"})
    with pytest.raises(EnvironmentFault) as caught:
        service.prepare({"main": 1, "controller": 2}, silent)
    assert caught.value.where == str(tmp_path / "data")
    assert "node.id" in caught.value.found or "not a number" in caught.value.found


def test_a_jar_without_its_classes_is_blamed_instead_of_the_folder(tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(kafka, "ensure", lambda *_: [tmp_path / "empty"])
    with pytest.raises(EnvironmentFault, match="cannot be formatted") as caught:
        KafkaService(tmp_path).prepare({"main": 1, "controller": 2}, silent)
    assert caught.value.cure == "run: headrace dev fetch broker"


def produce(servers: str, topic: str, *values: str) -> None:
    producer = Producer({"bootstrap.servers": servers})
    for value in values:
        producer.produce(topic, value=value)
    assert producer.flush(30) == 0


def consume(servers: str, topic: str, count: int) -> list[str]:
    consumer = Consumer(
        {"bootstrap.servers": servers, "group.id": f"read-{topic}", "auto.offset.reset": "earliest"}
    )
    consumer.subscribe([topic])
    values = [message.value().decode() for message in consumer.consume(count, 30)]
    consumer.close()
    return values


@pytest.mark.services
def test_records_come_back_through_a_group(kafka_broker):
    produce(kafka_broker.bootstrap_servers, "kafka-test-echo", "a", "b")
    assert consume(kafka_broker.bootstrap_servers, "kafka-test-echo", 2) == ["a", "b"]


@pytest.mark.services
def test_transactions_work_on_one_node(kafka_broker):
    producer = Producer(
        {"bootstrap.servers": kafka_broker.bootstrap_servers, "transactional.id": "kafka-test"}
    )
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce("kafka-test-transaction", value="x")
    producer.commit_transaction(30)
    assert consume(kafka_broker.bootstrap_servers, "kafka-test-transaction", 1) == ["x"]


@pytest.mark.services
@pytest.mark.parametrize("compression", ["snappy", "lz4", "zstd", "gzip"])
def test_every_compression_is_accepted_by_a_compacting_topic(kafka_broker, compression):
    topic = f"kafka-test-{compression}"
    admin = AdminClient({"bootstrap.servers": kafka_broker.bootstrap_servers})
    # The broker compresses anew when the topic says otherwise than the client, so its own codec is used.
    config = {"compression.type": compression, "cleanup.policy": "compact"}
    admin.create_topics([NewTopic(topic, 1, 1, config=config)])[topic].result(30)
    producer = Producer({"bootstrap.servers": kafka_broker.bootstrap_servers})
    producer.produce(topic, key="k", value="v" * 1000)
    assert producer.flush(30) == 0
    assert consume(kafka_broker.bootstrap_servers, topic, 1) == ["v" * 1000]


@pytest.mark.services
@pytest.mark.slow
def test_data_cluster_and_port_survive_a_restart(tmp_path):
    # Java reads properties files and names of files in encodings of its own.
    folder = tmp_path / "mein häuschen 家"
    service = KafkaService(folder)
    with service:
        address, pid = service.address, service.status().pid
        produce(address, "kept", "before")
        cluster = (folder / "data" / "meta.properties").read_text()
    assert not psutil.pid_exists(pid)
    with service:
        assert service.address == address
        assert consume(address, "kept", 1) == ["before"]
        assert (folder / "data" / "meta.properties").read_text() == cluster
    assert "shut down completed" in service.log.read_text()


@pytest.mark.services
@pytest.mark.slow
def test_every_listener_leads_to_the_broker_and_a_crash_is_survived(tmp_path, kill):
    service = KafkaService(tmp_path, listeners=[Listener("CLIENT"), Listener("SECOND")])
    with service:
        ports = json.loads((tmp_path / "state.json").read_text())["ports"]
        produce(f"127.0.0.1:{ports['SECOND']}", "crash", "written")
        kill(service.status().pid)
        assert service.start().state == "running"
        assert consume(service.bootstrap_servers, "crash", 1) == ["written"]


def test_a_taken_port_of_a_listener_is_an_error_naming_it(tmp_path):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        with pytest.raises(EnvironmentFault, match=f"port {port} is taken"):
            KafkaService(tmp_path, listeners=[Listener("CLIENT", port=port)]).start()


def test_remembered_ports_are_used_again(tmp_path):
    service = KafkaService(tmp_path)
    first = service.choose_ports({})
    assert service.choose_ports(first) == first


def test_a_secured_listener_is_ready_when_it_accepts_connections(tmp_path):
    service = KafkaService(tmp_path, listeners=[Listener("CLIENT", "SASL_PLAINTEXT")])
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        assert service.is_ready(f"127.0.0.1:{server.getsockname()[1]}")
    assert not service.is_ready(f"127.0.0.1:{free_port()}")
