from __future__ import annotations

import pytest
from confluent_kafka import KafkaError, KafkaException
from py4j.protocol import Py4JJavaError

from headrace.connect.outages import passes, unreachable
from headrace.errors import EnvironmentFault


class JavaFault(Py4JJavaError):
    """What the JVM threw, as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def kafka(code: int) -> KafkaException:
    return KafkaException(KafkaError(code, "told so"))


@pytest.mark.parametrize(
    "code",
    [
        KafkaError._TRANSPORT,
        KafkaError._ALL_BROKERS_DOWN,
        KafkaError._TIMED_OUT,
        KafkaError._MSG_TIMED_OUT,
        KafkaError._WAIT_COORD,
        KafkaError._NOENT,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.FENCED_LEADER_EPOCH,
    ],
)
def test_what_brokers_that_come_back_cure(code):
    assert passes(kafka(code))


@pytest.mark.parametrize(
    "code",
    [
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.UNKNOWN_TOPIC_OR_PART,
        KafkaError.UNKNOWN_MEMBER_ID,
        KafkaError.MSG_SIZE_TOO_LARGE,
        KafkaError._FENCED,
    ],
)
def test_what_they_do_not(code):
    assert not passes(kafka(code))


def test_what_the_client_says_of_itself_counts():
    assert passes(KafkaException(KafkaError(KafkaError.NOT_ENOUGH_REPLICAS, "few", retriable=True)))
    assert not passes(KafkaException("no error of Kafka's"))


def test_faults_of_ours():
    fault = unreachable({"bootstrap.servers": "b:1"}, "nobody answers")
    assert passes(fault)
    assert fault.where == "b:1"
    assert not passes(EnvironmentFault("the well is dry"))
    assert not passes(ValueError("BROKER_UNREACHABLE"))


@pytest.mark.parametrize(
    ("text", "passing"),
    [
        ("org.apache.kafka.common.errors.TimeoutException: Topic t not present in metadata", True),
        ("Caused by: org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException", True),
        ("org.apache.kafka.common.errors.CoordinatorNotAvailableException", True),
        ("TimeoutException: Cannot fetch record for offset 7 in 120000 milliseconds", True),
        ("org.apache.kafka.common.errors.RecordTooLargeException: too large", False),
        ("org.apache.kafka.common.errors.TopicAuthorizationException", False),
        ("java.sql.SQLException: no connection", False),
    ],
)
def test_what_java_says(text, passing):
    assert passes(JavaFault(text)) is passing
