"""Topics that records are about to go to, created where they are missing as `topic.creation.*` says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from headrace.connect.clients import for_librdkafka, kafka_options
from headrace.connect.outages import passes
from headrace.connect.regex.translation import fault, matches
from headrace.errors import EnvironmentFault

_PREFIX = "topic.creation."
DEFAULT = "default"
_OWN = ("include", "exclude", "partitions", "replication.factor")

# The broker's own number.
_BROKERS = "-1"

# How long the brokers may take to create a topic.
_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """Settings of the topics whose names one of `include` matches and none of `exclude`."""

    name: str
    partitions: int
    replicas: int
    include: tuple[str, ...] = (".*",)
    exclude: tuple[str, ...] = ()
    config: Mapping[str, str] = field(default_factory=dict)

    def takes(self, topic: str) -> bool:
        return _any(self.include, topic) and not _any(self.exclude, topic)


def _any(patterns: Iterable[str], topic: str) -> bool:
    return matches(patterns, topic)


def groups(config: Mapping[str, str]) -> list[TopicGroup]:
    """In their order, the default last; it gives the others what they leave out."""
    default = _below(config, DEFAULT)
    named = [name.strip() for name in config.get(f"{_PREFIX}groups", "").split(",")]
    own = [_group(name, {**_sizes(default), **_below(config, name)}) for name in named if name]
    return [*own, _group(DEFAULT, default)]


def _below(config: Mapping[str, str], group: str) -> dict[str, str]:
    prefix = f"{_PREFIX}{group}."
    return {n.removeprefix(prefix): text for n, text in config.items() if n.startswith(prefix)}


def _sizes(options: Mapping[str, str]) -> dict[str, str]:
    return {name: options[name] for name in ("partitions", "replication.factor") if name in options}


def _group(name: str, options: Mapping[str, str]) -> TopicGroup:
    return TopicGroup(
        name,
        int(options.get("partitions", _BROKERS)),
        int(options.get("replication.factor", _BROKERS)),
        _patterns(options.get("include", ".*" if name == DEFAULT else "")),
        _patterns(options.get("exclude", "")),
        {option: text for option, text in options.items() if option not in _OWN},
    )


def _patterns(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def faults(config: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What Connect refuses of `topic.creation.*`."""
    named = [name.strip() for name in config.get(f"{_PREFIX}groups", "").split(",") if name.strip()]
    sizes = [f"{_PREFIX}{DEFAULT}.{size}" for size in ("replication.factor", "partitions")]
    wanted = named or any(name.startswith(f"{_PREFIX}{DEFAULT}.") for name in config)
    for option in sizes:
        if wanted and option not in config:
            yield option, f'Missing required configuration "{option}" which has no default value.'
    for option in (
        *sizes,
        *(f"{_PREFIX}{n}.{s}" for n in named for s in ("replication.factor", "partitions")),
    ):
        if option in config and not re.fullmatch(r"-1|[1-9][0-9]*", config[option].strip()):
            yield (
                option,
                f"Invalid value {config[option]} for configuration {option}: must be -1 or positive",
            )
    yield from _bad_patterns(config, named)
    for name in named:
        if not config.get(f"{_PREFIX}{name}.include", "").strip():
            option = f"{_PREFIX}{name}.include"
            yield option, f'Missing required configuration "{option}" which has no default value.'


def _bad_patterns(config: Mapping[str, str], named: Iterable[str]) -> Iterator[tuple[str, str]]:
    for option in (f"{_PREFIX}{name}.{list}" for name in named for list in ("include", "exclude")):
        for pattern in _patterns(config.get(option, "")):
            if (refused := fault(pattern)) is not None:
                said = f"Invalid regex: {refused}"
                yield option, f"Invalid value {pattern} for configuration {option}: {said}"


class Topics:
    """Asks and creates once for every topic."""

    def __init__(self, config: Mapping[str, str], worker: Mapping[str, str]) -> None:
        self.groups = groups(config)
        self.enabled = worker.get("topic.creation.enable", "true").strip().lower() == "true"
        self.options = for_librdkafka(kafka_options(worker, config, "admin"))
        self.known: set[str] = set()
        self._admin: Any = None

    def ensure(self, topics: Iterable[str]) -> list[str]:
        """Those that nobody asked for before; they exist now, or the brokers create them on their own."""
        new = sorted(set(topics) - self.known)
        if new and self.enabled:
            there = self._client().list_topics(timeout=_SECONDS).topics
            self._create([topic for topic in new if topic not in there])
        self.known.update(new)
        return new

    def _client(self) -> Any:
        from confluent_kafka.admin import AdminClient

        if self._admin is None:
            self._admin = AdminClient({**self.options})
        return self._admin

    def _create(self, topics: list[str]) -> None:
        from confluent_kafka import KafkaError, KafkaException
        from confluent_kafka.cimpl import NewTopic

        wanted = [
            NewTopic(topic, group.partitions, group.replicas, config=dict(group.config))
            for topic in topics
            for group in [next(group for group in self.groups if group.takes(topic))]
        ]
        patience = {"request_timeout": _SECONDS}
        answers = self._client().create_topics(wanted, **patience) if wanted else {}
        for topic, answer in answers.items():
            try:
                answer.result()
            except KafkaException as refused:
                if passes(refused):
                    raise
                if refused.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                    raise EnvironmentFault(
                        f"topic '{topic}' cannot be created",
                        condition="TOPIC_NOT_CREATED",
                        found=refused.args[0].str(),
                    ) from None
