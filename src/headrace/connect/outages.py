"""Brokers that are away for a time: which failures tell of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from headrace.errors import EnvironmentFault

# How long a broker may take to create, write or read back; Connect's own request timeout is 90 s.
PATIENCE_SECONDS = 60.0

# The same for a task, which is given little more than this to end; what takes longer is asked for again.
TASK_PATIENCE_SECONDS = 4.0

_UNREACHABLE = "BROKER_UNREACHABLE"

# As Kafka's clients for Java say it, and Spark, which waits for them.
_SAID_IN_JAVA = re.compile(
    r"org\.apache\.kafka\.common\.errors\.(Timeout|Disconnect|Network|BrokerNotAvailable|LeaderNotAvailable"
    r"|NotLeaderOrFollower|FencedLeaderEpoch|UnknownLeaderEpoch|NotEnoughReplicas\w*|Coordinator\w+)Exception"
    r"|Cannot fetch record for offset \d+ in \d+ milliseconds"
)


def unreachable(
    client: Mapping[str, str], summary: str, found: str | None = None
) -> EnvironmentFault:
    return EnvironmentFault(
        summary,
        condition=_UNREACHABLE,
        where=client.get("bootstrap.servers"),
        found=found,
        cure="check that the brokers of bootstrap.servers are up",
    )


def passes(error: BaseException) -> bool:
    """Whether brokers that come back, or learn who leads, may answer the same question."""
    from confluent_kafka import KafkaException
    from py4j.protocol import Py4JJavaError

    if isinstance(error, KafkaException):
        return _passes(error.args[0])
    if isinstance(error, EnvironmentFault):
        return error.condition == _UNREACHABLE
    return isinstance(error, Py4JJavaError) and _SAID_IN_JAVA.search(str(error)) is not None


def _passes(told: object) -> bool:
    from confluent_kafka import KafkaError

    if not isinstance(told, KafkaError):
        return False
    return told.retriable() or told.code() in (
        KafkaError._TRANSPORT,
        KafkaError._ALL_BROKERS_DOWN,
        KafkaError._TIMED_OUT,
        KafkaError._MSG_TIMED_OUT,
        KafkaError._RESOLVE,
        KafkaError._DESTROY_BROKER,
        KafkaError._WAIT_COORD,
        # "No leaders found".
        KafkaError._NOENT,
        KafkaError.BROKER_NOT_AVAILABLE,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.FENCED_LEADER_EPOCH,
        KafkaError.LEADER_NOT_AVAILABLE,
        KafkaError.NETWORK_EXCEPTION,
        KafkaError.NOT_COORDINATOR,
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.REQUEST_TIMED_OUT,
        KafkaError.UNKNOWN_LEADER_EPOCH,
    )
