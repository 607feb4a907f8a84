from __future__ import annotations

import time

import pytest

from headrace.connectors.kafka.admin import PATIENCE, KafkaAdmin
from headrace.errors import EnvironmentFault

pytestmark = [pytest.mark.spark, pytest.mark.services]


@pytest.fixture
def admin(spark, kafka_broker):
    return KafkaAdmin(spark, {"bootstrap.servers": kafka_broker.address})


def test_create_once_with_settings(admin, topic):
    assert admin.partitions([topic]) == {}
    assert admin.create(topic, partitions=3, config={"cleanup.policy": "compact"})
    assert not admin.create(topic, partitions=1, config={})
    assert admin.partitions([topic, "missing"]) == {topic: 3}
    assert admin.config(topic)["cleanup.policy"] == "compact"
    assert topic in admin.topics()


def test_the_broker_chooses_the_partitions_when_not_told(admin, topic):
    assert admin.create(topic, partitions=None, config={})
    assert admin.partitions([topic]) == {topic: 1}


def test_a_refused_request_says_why(admin, topic):
    with pytest.raises(EnvironmentFault, match="refused the request") as caught:
        admin.create(topic, partitions=1, config={"cleanup.policy": "shred"})
    assert caught.value.condition == "BROKER_REFUSED"
    assert "shred" in caught.value.found


def test_a_topic_made_anew_has_another_id(admin, topic, delete_topic):
    admin.create(topic, partitions=1, config={})
    first = admin.topic_ids([topic, "missing"])
    assert list(first) == [topic]
    assert admin.topic_ids([topic]) == first
    delete_topic(topic)
    admin.create(topic, partitions=1, config={})
    assert admin.topic_ids([topic]) != first


def test_offsets(admin, topic, produce):
    admin.create(topic, partitions=2, config={})
    produce(topic, *({"value": b"x", "partition": 1} for _ in range(3)))
    assert admin.earliest_offsets([topic]) == {topic: {0: 0, 1: 0}}
    assert admin.latest_offsets([topic]) == {topic: {0: 0, 1: 3}}


@pytest.mark.slow
def test_an_unreachable_broker_is_named_within_seconds(spark, unused_tcp_address):
    began = time.monotonic()
    with pytest.raises(EnvironmentFault, match=unused_tcp_address) as caught:
        KafkaAdmin(spark, {"bootstrap.servers": unused_tcp_address}).topics()
    assert time.monotonic() - began < 2 * int(PATIENCE["default.api.timeout.ms"]) / 1000
    assert caught.value.condition == "BROKER_UNREACHABLE"
    assert caught.value.exit_code == 3


def test_a_name_that_does_not_resolve_is_unreachable_too(spark):
    with pytest.raises(EnvironmentFault, match=r"nowhere\.invalid:9092") as caught:
        KafkaAdmin(spark, {"bootstrap.servers": "nowhere.invalid:9092"}).topics()
    assert caught.value.condition == "BROKER_UNREACHABLE"


def test_a_variable_without_a_value_is_named_with_the_option_that_gives_one(spark):
    with pytest.raises(EnvironmentFault) as caught:
        KafkaAdmin(spark, {"bootstrap.servers": "${KAFKA_BOOTSTRAP_SERVERS}"}).topics()
    assert caught.value.summary == "'${KAFKA_BOOTSTRAP_SERVERS}' is not the address of a broker"
    assert "--var KAFKA_BOOTSTRAP_SERVERS=host:port" in caught.value.cure


def test_secrets_stay_out_of_the_error(spark):
    secret = {"bootstrap.servers": "nowhere.invalid:9092", "ssl.key.password": "hunter2"}
    with pytest.raises(EnvironmentFault) as caught:
        KafkaAdmin(spark, secret).topics()
    assert "hunter2" not in caught.value.render()
