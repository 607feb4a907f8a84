"""Certificates and keys as PEM, which is all that librdkafka takes, whatever files Java's clients have them in."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache

from headrace.connect.keystores import Store

logger = logging.getLogger("headrace.connect")

_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.S)
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.S)

# Java's names of protocols and ciphers, and classes of Java; the system's own choice holds here.
_JAVA_ONLY = (
    "ssl.cipher.suites",
    "ssl.enabled.protocols",
    "ssl.engine.factory.class",
    "ssl.protocol",
    "ssl.provider",
)


def encrypted(options: Mapping[str, str]) -> dict[str, str]:
    """What a client needs to trust its brokers, and to be trusted by them."""
    if not options.get("security.protocol", "").upper().endswith("SSL"):
        return {}
    for name in _JAVA_ONLY:
        if options.get(name):
            _tell_unused(name)
    found = _trusted(options) | _own(options)
    if "ssl.endpoint.identification.algorithm" in options:
        wanted = options["ssl.endpoint.identification.algorithm"].strip().lower()
        found["ssl.endpoint.identification.algorithm"] = wanted or "none"
    return found


def _trusted(options: Mapping[str, str]) -> dict[str, str]:
    given = options.get("ssl.truststore.certificates")
    if given:
        return {"ssl.ca.pem": given}
    store = _store(options, "truststore")
    return {} if store is None else {"ssl.ca.pem": _joined(_CERTIFICATE, store.pem())}


def _own(options: Mapping[str, str]) -> dict[str, str]:
    key, chain = options.get("ssl.keystore.key"), options.get("ssl.keystore.certificate.chain")
    store = _store(options, "keystore")
    if not (key and chain) and store is not None:
        pem = store.pem()
        key, chain = _joined(_KEY, pem), _joined(_CERTIFICATE, pem)
    if not (key and chain):
        return {}
    found = {"ssl.key.pem": key, "ssl.certificate.pem": chain}
    if options.get("ssl.key.password") and "ENCRYPTED" in key:
        found["ssl.key.password"] = options["ssl.key.password"]
    return found


def _store(options: Mapping[str, str], kind: str) -> Store | None:
    location = options.get(f"ssl.{kind}.location")
    if not location:
        return None
    password = options.get(f"ssl.{kind}.password")
    own = options.get("ssl.key.password") if kind == "keystore" else None
    return Store(location, options.get(f"ssl.{kind}.type"), password, own)


def _joined(kind: re.Pattern[str], pem: str) -> str:
    return "\n".join(kind.findall(pem)) + "\n"


@cache
def _tell_unused(name: str) -> None:
    """Once for each."""
    logger.warning("%s is for clients in Java: the worker's own take the system's choice", name)
