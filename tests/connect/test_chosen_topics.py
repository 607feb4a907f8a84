from __future__ import annotations

from types import SimpleNamespace

import pytest

from headrace.connect import chosen_topics
from headrace.connect.chosen_topics import ChosenTopics, Subscription


class Consumer:
    """Remembers subscriptions; `there` are the topics of the cluster."""

    def __init__(self, *there: str) -> None:
        self.there, self.subscribed = list(there), []

    def list_topics(self, timeout: float) -> SimpleNamespace:
        return SimpleNamespace(topics=dict.fromkeys(self.there))

    def subscribe(self, topics: list[str]) -> None:
        self.subscribed.append(topics)


@pytest.fixture
def always_looking(monkeypatch):
    monkeypatch.setattr(chosen_topics, "LOOK_SECONDS", -1.0)


def test_names_are_trimmed_and_must_be_equal():
    chosen = ChosenTopics.of({"topics": " a , b,,"})
    assert chosen.named == ("a", "b")
    assert chosen.wants("a")
    assert not chosen.wants("ab")


@pytest.mark.parametrize(
    ("regex", "topic", "wanted"),
    [
        ("pagila.public.(.*)", "pagila.public.actor", True),
        ("pagila.public.(.*)", "xpagila.public.actor", False),
        (r"(?<db>shop)\.\p{Lower}++", "shop.orders", True),
        ("(?i)SHOP.*", "shop", True),
        (".*", "__consumer_offsets", False),
        (".*", "__transaction_state", False),
        (".*", "__mine", True),
    ],
)
def test_a_pattern_is_javas_and_of_the_whole_name(regex, topic, wanted):
    assert ChosenTopics.of({"topics.regex": f" {regex} "}).wants(topic) is wanted


def test_names_are_subscribed_to_once():
    consumer = Consumer()
    subscription = Subscription(consumer, ChosenTopics(("b", "a")))
    subscription.refresh()
    subscription.refresh()
    assert consumer.subscribed == [["b", "a"]]


def test_a_pattern_follows_the_topics_that_there_are(always_looking):
    consumer = Consumer("x", "__consumer_offsets")
    subscription = Subscription(consumer, ChosenTopics(regex="[a-c&&[^b]]."))
    subscription.refresh()
    assert consumer.subscribed == []
    consumer.there += ["c1", "b1", "a1"]
    subscription.refresh()
    subscription.refresh()
    assert consumer.subscribed == [["a1", "c1"]]


def test_kafka_is_not_asked_at_every_read():
    consumer = Consumer("a1")
    subscription = Subscription(consumer, ChosenTopics(regex="a."))
    subscription.refresh()
    consumer.there.append("a2")
    subscription.refresh()
    assert consumer.subscribed == [["a1"]]


def test_while_brokers_are_away_it_stays_with_those_it_has(always_looking):
    from confluent_kafka import KafkaError, KafkaException

    class Away(Consumer):
        fault = None

        def list_topics(self, timeout):
            if self.fault is not None:
                raise KafkaException(KafkaError(self.fault))
            return super().list_topics(timeout)

    consumer = Away("a1", "b")
    subscription = Subscription(consumer, ChosenTopics(regex="a."))
    subscription.refresh()
    consumer.fault = KafkaError._TRANSPORT
    subscription.refresh()
    assert consumer.subscribed == [["a1"]]
    consumer.fault, consumer.there = None, ["a1", "a2"]
    subscription.refresh()
    assert consumer.subscribed[-1] == ["a1", "a2"]
    consumer.fault = KafkaError.TOPIC_AUTHORIZATION_FAILED
    with pytest.raises(KafkaException):
        subscription.refresh()
