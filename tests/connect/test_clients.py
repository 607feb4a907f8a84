from __future__ import annotations

import pytest

from headrace.connect.clients import converters, for_librdkafka, kafka_options, only_connecting
from headrace.connect.converters.registry import parse_converter

JSON = "org.apache.kafka.connect.json.JsonConverter"
SIMPLE = "org.apache.kafka.connect.storage.SimpleHeaderConverter"
TEXT = "org.apache.kafka.connect.storage.StringConverter"

WORKER = {
    "bootstrap.servers": "b:1",
    "group.id": "connect-cluster",
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "AWS_MSK_IAM",
    "ssl.truststore.location": "/x.jks",
    "producer.acks": "1",
    "producer.security.protocol": "SSL",
    "consumer.max.poll.records": "10",
    "listeners.https.ssl.keystore.location": "/secret.pem",
}


def test_what_reaches_a_cluster():
    assert only_connecting({"bootstrap.servers": "b:1", "ssl.protocol": "x", "acks": "1"}) == {
        "bootstrap.servers": "b:1",
        "ssl.protocol": "x",
    }


class TestKafkaOptions:
    def test_what_connecting_takes_is_inherited_and_nothing_else(self):
        assert kafka_options(WORKER, {}, "admin") == {
            "bootstrap.servers": "b:1",
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "AWS_MSK_IAM",
            "ssl.truststore.location": "/x.jks",
        }

    def test_the_worker_s_own_for_a_client_come_first(self):
        found = kafka_options(WORKER, {}, "producer")
        assert (found["acks"], found["security.protocol"]) == ("1", "SSL")
        assert "max.poll.records" not in found

    def test_the_connector_s_come_before_all(self):
        config = {"producer.override.acks": "all", "consumer.override.acks": "no", "acks": "no"}
        assert kafka_options(WORKER, config, "producer")["acks"] == "all"


class TestForPython:
    def test_a_login_of_text(self):
        jaas = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="p";'
        found = for_librdkafka({"sasl.mechanism": "PLAIN", "sasl.jaas.config": jaas, "acks": "all"})
        assert found == {
            "sasl.mechanism": "PLAIN",
            "sasl.username": "a",
            "sasl.password": "p",
            "acks": "all",
        }

    def test_authorities_in_a_pem_file(self):
        options = {"ssl.truststore.type": "PEM", "ssl.truststore.location": "/ca.pem"}
        assert for_librdkafka(options) == {"ssl.ca.location": "/ca.pem"}

    def test_what_only_java_knows_is_left_out(self):
        options = {
            "ssl.truststore.location": "/x.jks",
            "ssl.keystore.password": "p",
            "sasl.client.callback.handler.class": "x.Y",
            "interceptor.class": "x.Z",
        }
        assert for_librdkafka(options) == {}


class TestConverters:
    def test_the_usual_ones(self):
        assert converters({}, {}) == {
            "key.converter": JSON,
            "value.converter": JSON,
            "header.converter": SIMPLE,
        }

    def test_the_worker_s_with_their_options(self):
        worker = {"key.converter": TEXT, "value.converter.schemas.enable": "false"}
        assert converters(worker, {}) == {
            "key.converter": TEXT,
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
            "header.converter": SIMPLE,
        }

    def test_a_converter_of_the_connector_has_only_its_own_options(self):
        worker = {"value.converter": JSON, "value.converter.schemas.enable": "false"}
        found = converters(worker, {"value.converter": JSON})
        assert found == {
            "key.converter": JSON,
            "value.converter": JSON,
            "header.converter": SIMPLE,
        }

    def test_options_without_a_converter_are_not_the_worker_s(self):
        """As in Connect: they belong to a converter that the connector would have to name."""
        found = converters({}, {"value.converter.schemas.enable": "false"})
        assert "value.converter.schemas.enable" not in found

    @pytest.mark.parametrize("option", ["key.converter", "value.converter"])
    def test_what_comes_out_can_be_built(self, option):
        assert parse_converter(converters({}, {}), option) is not None
