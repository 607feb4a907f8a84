"""What a connector inherits from its worker: settings of Kafka clients, and converters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from headrace.connect.converters import headers, json_converter
from headrace.connect.librdkafka.logins import logged_in
from headrace.connect.librdkafka.names import translated
from headrace.connect.librdkafka.tls import encrypted

# What connecting to a secured cluster takes, in the names of Java's clients.
_CONNECTING = re.compile(r"(bootstrap\.servers|(security|sasl|ssl)\..+)")

# What Connect's own worker files name; with schemas beside every value, unless told otherwise.
_USUAL_CONVERTERS = {
    "key.converter": json_converter.PLUGIN.name,
    "value.converter": json_converter.PLUGIN.name,
    headers.OPTION: headers.SIMPLE,
}


def kafka_options(
    worker: Mapping[str, str], config: Mapping[str, str], client: str
) -> dict[str, str]:
    """Options of a `producer`, `consumer` or `admin` client: the worker's, its own for that client, the connector's."""
    connecting = only_connecting(worker)
    own = _below(f"{client}.", worker)
    return {**connecting, **own, **_below(f"{client}.override.", config)}


def only_connecting(options: Mapping[str, str]) -> dict[str, str]:
    """What reaches the cluster, for clients that do something else than the options were meant for."""
    return {name: text for name, text in options.items() if _CONNECTING.fullmatch(name)}


def for_librdkafka(options: Mapping[str, str]) -> dict[str, Any]:
    """The same for Python's clients. Raises InvalidOption where these cannot do what is asked for."""
    return {**translated(options), **encrypted(options), **logged_in(options)}


def converters(worker: Mapping[str, str], config: Mapping[str, str]) -> dict[str, str]:
    """The converters of keys, values and headers with their options: the connector's, or else the worker's."""
    chosen = {}
    for option, usual in _USUAL_CONVERTERS.items():
        source = config if config.get(option) else worker
        chosen[option] = source.get(option) or usual
        chosen |= {n: text for n, text in source.items() if n.startswith(f"{option}.")}
    return chosen


def _below(prefix: str, options: Mapping[str, str]) -> dict[str, str]:
    return {n.removeprefix(prefix): text for n, text in options.items() if n.startswith(prefix)}
