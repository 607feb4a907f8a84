"""What a connector inherits from its worker: settings of Kafka clients, and converters."""

from __future__ import annotations

import re
from collections.abc import Mapping

from headrace.connect.converters import headers, json_converter

# What connecting to a secured cluster takes, in the names of Java's clients.
_CONNECTING = re.compile(r"(bootstrap\.servers|(security|sasl|ssl)\..+)")

_JAVA_ONLY = re.compile(
    r"sasl\.(jaas|client|login)\.|ssl\.(truststore|keystore|engine)\.|.*\.class$"
)

_JAAS_LOGIN = re.compile(r'(username|password)\s*=\s*"([^"]*)"')

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


def for_librdkafka(options: Mapping[str, str]) -> dict[str, str]:
    """The same in the names of Python's clients: a login of text, and PEM files; Java's key stores mean nothing there."""
    kept = {name: text for name, text in options.items() if not _JAVA_ONLY.match(name)}
    login = dict(_JAAS_LOGIN.findall(options.get("sasl.jaas.config", "")))
    kept |= {f"sasl.{part}": text for part, text in login.items()}
    if "bootstrap.servers" in kept:
        kept["bootstrap.servers"] = re.sub(r"\s", "", kept["bootstrap.servers"])
    if options.get("ssl.truststore.type", "").upper() == "PEM":
        kept["ssl.ca.location"] = options["ssl.truststore.location"]
    return kept


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
