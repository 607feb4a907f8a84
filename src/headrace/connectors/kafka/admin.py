"""Questions to a Kafka cluster, asked from the driver through the Java client that the jobs use too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headrace.connectors.kafka.login_modules import load_login_modules
from headrace.connectors.kafka.refusals import Causes, Request, refusal, set_up_fault
from headrace.errors import EnvironmentFault

# A person waits for these answers: a broker that is up gives them in milliseconds, one that is not must be named soon.
PATIENCE = {"request.timeout.ms": "4000", "default.api.timeout.ms": "8000"}

Offsets = dict[str, dict[int, int]]


class KafkaAdmin:
    def __init__(self, session: Any, properties: Mapping[str, str]) -> None:
        self._java = session._jvm.headrace.kafka.KafkaAdmin
        self._properties = PATIENCE | dict(properties)
        load_login_modules(session, properties)
        self.servers = properties["bootstrap.servers"]

    def topics(self, pattern: str = ".*") -> list[str]:
        """Those whose whole name the Java regular expression matches."""
        return sorted(self._answer("topics", pattern))

    def partitions(self, topics: Iterable[str]) -> dict[str, int]:
        """Number of partitions of each of the topics that exists."""
        counts: dict[str, int] = self._answer("partitions", json.dumps(list(topics)))
        return counts

    def topic_ids(self, topics: Iterable[str]) -> dict[str, str]:
        """What tells a topic from an earlier one of the same name."""
        ids: dict[str, str] = self._answer("topicIds", json.dumps(list(topics)))
        return ids

    def config(self, topic: str) -> dict[str, str]:
        settings: dict[str, str] = self._answer("config", topic)
        return settings

    def earliest_offsets(self, topics: Iterable[str]) -> Offsets:
        return self._offsets("offsets", json.dumps(list(topics)), "earliest")

    def latest_offsets(self, topics: Iterable[str]) -> Offsets:
        return self._offsets("offsets", json.dumps(list(topics)), "latest")

    def create(self, topic: str, *, partitions: int | None, config: Mapping[str, str]) -> bool:
        """Whether the topic was missing and is there now."""
        count = -1 if partitions is None else partitions
        created: bool = self._ask("create", topic, count, json.dumps(dict(config)))
        return created

    def _offsets(self, method: str, *args: Any) -> Offsets:
        found = self._answer(method, *args)
        return {
            topic: {int(partition): offset for partition, offset in by_partition.items()}
            for topic, by_partition in found.items()
        }

    def _answer(self, method: str, *args: Any) -> Any:
        return json.loads(self._ask(method, *args))

    def _ask(self, method: str, *args: Any) -> Any:
        from py4j.protocol import Py4JJavaError

        try:
            return getattr(self._java, method)(json.dumps(self._properties), *args)
        except Py4JJavaError as error:
            raise self._fault(method, args, causes_of(error.java_exception)) from None

    def _fault(self, method: str, args: Sequence[Any], causes: Causes) -> EnvironmentFault:
        request = Request(
            self.servers, self._properties, OPERATIONS.get(method, "DESCRIBE"), _named(args)
        )
        return (
            refusal(causes, request) or set_up_fault(causes, request) or self._other_fault(causes)
        )

    def _other_fault(self, causes: Causes) -> EnvironmentFault:
        variable = re.search(r"\$\{(\w+)\}", self.servers)
        if variable is not None:
            return EnvironmentFault(
                f"'{variable[0]}' is not the address of a broker",
                condition="BROKER_UNREACHABLE",
                found=f"'properties.bootstrap.servers' = '{self.servers}'",
                expected="host:port",
                cure=f"give the variable a value: --var {variable[1]}=host:port, or --var-file <(headrace dev env)",
            )
        kind, text = next(((k, t) for k, t in causes if k != "ExecutionException"), causes[-1])
        reason = next(
            iter((causes[-1][1] if kind == "KafkaException" else text).splitlines()), kind
        )
        unreachable = "Timeout" in kind or "bootstrap" in reason.lower()
        return EnvironmentFault(
            f"Kafka at {self.servers} "
            + ("does not answer" if unreachable else "refused the request"),
            condition="BROKER_UNREACHABLE" if unreachable else "BROKER_REFUSED",
            found=reason,
            expected=f"a broker at {self.servers} that speaks {self._protocol}"
            if unreachable
            else None,
            cure="check 'properties.bootstrap.servers' and 'properties.security.protocol', and that the broker runs"
            if unreachable
            else "correct what the broker names above; its log may have more",
        )

    @property
    def _protocol(self) -> str:
        return self._properties.get("security.protocol", "PLAINTEXT")


# Rights that calls need where it is not DESCRIBE.
OPERATIONS = {"create": "CREATE", "config": "DESCRIBE_CONFIGS"}


def _named(args: Sequence[Any]) -> str | None:
    """The topic or group that is asked about, or the first of several topics."""
    first = args[0] if args else None
    if not isinstance(first, str) or not first.startswith("["):
        return first
    topics: list[str] = json.loads(first)
    return topics[0] if topics else None


def causes_of(failure: Any) -> list[tuple[str, str]]:
    """A Java exception and what caused it: class and message of each."""
    causes = []
    while failure is not None:
        causes.append((failure.getClass().getSimpleName(), failure.getMessage() or ""))
        failure = failure.getCause()
    return causes
