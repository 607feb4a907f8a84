"""Logins as Kafka's client reads them: those of documents come quoted for Java, or name classes as Flink packs them."""

from __future__ import annotations

import re
from collections.abc import Mapping

LOGIN = "sasl.jaas.config"
TOKEN_ENDPOINT = "sasl.oauthbearer.token.endpoint.url"  # noqa: S105

# Flink's client carries Kafka's classes under a package of its own.
_PACKED_BY_FLINK = "org.apache.flink.kafka.shaded."
# Quotes with a backslash, as they stand in a program's text; inside a quoted word Kafka reads them itself.
_QUOTED_FOR_JAVA = re.compile(r'=\s*\\"(.*?)\\"')
_OPTION = re.compile(r'([\w.]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]+))')


def as_kafka_reads(properties: Mapping[str, str]) -> dict[str, str]:
    read = {key: value.replace(_PACKED_BY_FLINK, "") for key, value in properties.items()}
    if LOGIN in read:
        read[LOGIN] = _QUOTED_FOR_JAVA.sub(r'="\1"', read[LOGIN])
    return read


def login_options(login: str) -> dict[str, str]:
    """What is said behind the module and its flag."""
    found = _OPTION.findall(login)
    return {name: re.sub(r"\\(.)", r"\1", quoted) or bare for name, quoted, bare in found}


def keytab_login(principal: str, keytab: str) -> str:
    return (
        "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true "
        f'keyTab="{keytab}" principal="{principal}";'
    )
