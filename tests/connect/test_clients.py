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
    def test_names_certificates_and_logins_are_translated(self, tmp_path):
        authority = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"
        (tmp_path / "ca.pem").write_text(authority)
        jaas = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="p";'
        options = {
            "acks": "all",
            "max.request.size": "5000",
            "key.serializer": "x.Y",
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "PLAIN",
            "sasl.jaas.config": jaas,
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": str(tmp_path / "ca.pem"),
        }
        assert for_librdkafka(options) == {
            "acks": "all",
            "message.max.bytes": "5000",
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "PLAIN",
            "sasl.username": "a",
            "sasl.password": "p",
            "ssl.ca.pem": authority,
        }

    def test_files_that_nothing_needs_are_not_read(self):
        assert for_librdkafka({"ssl.truststore.location": "/x.jks"}) == {}


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
