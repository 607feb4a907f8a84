"""Why a broker did not let a client in: what librdkafka says beside its answers, which only tell that none came."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from headrace.errors import EnvironmentFault

# What stands before the reason: the connection, twice.
_PLACE = re.compile(r"^(?:\S+://\S+: )+|\s*\(after \d+ms in state [^)]*\)")
# A broker closes the connection with such a word where it does not like a certificate.
_ALERT = "tls alert"
# Cures of librdkafka's own, in its own names of options.
_ADVICE = re.compile(r"[:.,]\s*verify that ssl\.ca\.location.*|\s*\(install .*", re.I)


def refusal(client: Mapping[str, Any], heard: Sequence[Any]) -> EnvironmentFault | None:
    """Of the errors that a client called back with, the first that nobody needs to wait for."""
    from confluent_kafka import KafkaError

    for error in heard:
        reason = _reason(error.str())
        if error.code() == KafkaError._AUTHENTICATION:
            return _login(client, reason)
        if error.code() == KafkaError._SSL or _ALERT in reason:
            return _tls(client, reason)
    return None


def last_reason(heard: Sequence[Any]) -> str | None:
    """What was said of a connection last, where anything was."""
    from confluent_kafka import KafkaError

    said = [error for error in heard if error.code() != KafkaError._ALL_BROKERS_DOWN]
    return _reason(said[-1].str()) if said else None


def _reason(text: str) -> str:
    return _ADVICE.sub("", _PLACE.sub("", text)).strip()


def _login(client: Mapping[str, Any], reason: str) -> EnvironmentFault:
    return EnvironmentFault(
        "the brokers did not let the worker log in",
        condition="AUTHENTICATION_FAILED",
        where=client.get("bootstrap.servers"),
        found=reason,
        cure="check sasl.mechanism and sasl.jaas.config of the worker",
    )


def _tls(client: Mapping[str, Any], reason: str) -> EnvironmentFault:
    return EnvironmentFault(
        "no encrypted connection to the brokers",
        condition="TLS_FAILED",
        where=client.get("bootstrap.servers"),
        found=reason,
        cure="check security.protocol, ssl.truststore.location and ssl.keystore.location of the worker",
    )
