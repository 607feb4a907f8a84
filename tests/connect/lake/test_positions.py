"""Topics, their ends, and the group's offsets."""

from __future__ import annotations

import uuid

import pytest

from headrace.connect.lake.positions import SinkTopics
from headrace.testing.topics import create_topic, produce

pytestmark = pytest.mark.services


@pytest.fixture
def topic(kafka_broker):
    name = f"pos-{uuid.uuid4().hex[:8]}"
    create_topic(kafka_broker.bootstrap_servers, name, partitions=2)
    produce(kafka_broker.bootstrap_servers, name, [("a", "1")] * 5)
    return name


@pytest.fixture
def make(kafka_broker):
    def make(**config: str) -> SinkTopics:
        given = {name.replace("_", "."): text for name, text in config.items()}
        worker = {"bootstrap.servers": kafka_broker.bootstrap_servers}
        return SinkTopics(worker, given, f"sink-{uuid.uuid4().hex[:6]}")

    return make


def test_partitions_of_named_topics(make, topic):
    topics = make(topics=f" {topic} , nowhere ")
    assert topics.places() == [(topic, 0), (topic, 1)]
    assert sum(topics.ends(topics.places()).values()) == 5
    assert sum(topics.begins(topics.places()).values()) == 0
    assert topics.ends([]) == {}


def test_a_pattern_matches_whole_names(make, topic):
    assert make(topics_regex=f"{topic[:-1]}.").places() == [(topic, 0), (topic, 1)]
    assert make(topics_regex=topic[:-1]).places() == []


def test_starts_at_what_the_group_has_committed(make, topic):
    topics = make(topics=topic)
    ends = topics.ends(topics.places())
    full = max(ends, key=lambda place: ends[place])
    assert set(topics.starts(topics.places()).values()) == {0}
    topics.commit({full: 3})
    assert topics.starts([full]) == {full: 3}
    # No record is there yet, or it is of an earlier topic of the name.
    topics.commit({full: 99})
    assert topics.starts([full]) == {full: 0}


def test_or_at_the_end(make, topic):
    topics = make(topics=topic, consumer_override_auto_offset_reset="latest")
    assert topics.starts(topics.places()) == topics.ends(topics.places())


def test_the_group_can_be_named(make, topic):
    assert make(topics=topic).group.startswith("connect-sink-")
    assert make(topics=topic, consumer_override_group_id="mine").group == "mine"


def test_options_that_only_java_knows_are_left_to_spark(make, topic):
    topics = make(topics=topic, consumer_override_max_poll_records="7")
    assert topics.consumer["max.poll.records"] == "7"
    assert topics.places() == [(topic, 0), (topic, 1)]
    topics.close()


@pytest.mark.parametrize(("level", "more"), [("", 1), ("read_committed", 0)])
def test_the_end_is_where_such_a_consumer_s_is(make, topic, kafka_broker, level, more):
    from confluent_kafka import Producer

    given = {"consumer_override_isolation_level": level} if level else {}
    topics = make(topics=topic, **given)
    before = topics.ends([(topic, 1)])[topic, 1]
    producer = Producer(
        {"bootstrap.servers": kafka_broker.bootstrap_servers, "transactional.id": topic}
    )
    producer.init_transactions(60)
    producer.begin_transaction()
    producer.produce(topic, b"open", partition=1)
    producer.flush()
    assert topics.ends([(topic, 1)])[topic, 1] == before + more
    producer.abort_transaction(60)
    topics.close()
