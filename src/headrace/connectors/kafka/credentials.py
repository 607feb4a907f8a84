"""Named credentials: client properties that a table names and does not show, from a file that only its owner reads.

[ssl.orders]                          'ssl_auth_name' = 'orders'
"ssl.truststore.location" = "/etc/kafka/truststore.jks"
"ssl.truststore.password" = "…"

[krb.orders]                          'krb_auth_name' = 'orders'
principal = "reports@EXAMPLE.COM"     with keytab: makes 'sasl.jaas.config'
keytab = "/etc/kafka/reports.keytab"
service = "kafka"                     'sasl.kerberos.service.name'
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headrace.connectors.kafka.jaas import LOGIN, keytab_login
from headrace.connectors.kafka.options import KERBEROS_NAME, SSL_NAME
from headrace.errors import EnvironmentFault, Position, UnknownName
from headrace.toolchain.paths import CREDENTIALS_VARIABLE, credentials_file

# Permissions of the group and of others.
NOT_THE_OWNERS = 0o077

PROTOCOL = "security.protocol"
# What a kind of credentials is for, unless the table or the file says otherwise.
SSL_DEFAULTS = {PROTOCOL: "SSL"}
KERBEROS_DEFAULTS = {
    PROTOCOL: "SASL_PLAINTEXT",
    "sasl.mechanism": "GSSAPI",
    "sasl.kerberos.service.name": "kafka",
}


def credential_properties(
    ssl: str | None, kerberos: str | None, positions: Mapping[str, Position]
) -> dict[str, str]:
    """Client properties of the names that are given; the file is looked at only if one is."""
    properties: dict[str, str] = {}
    if ssl is not None:
        properties |= SSL_DEFAULTS | _entry("ssl", ssl, positions.get(SSL_NAME))
    if kerberos is not None:
        entry = _kerberos(_entry("krb", kerberos, positions.get(KERBEROS_NAME)))
        both = {} if ssl is None else {PROTOCOL: "SASL_SSL"}
        properties |= KERBEROS_DEFAULTS | both | entry
    return properties


def _kerberos(entry: dict[str, str]) -> dict[str, str]:
    properties = {k: v for k, v in entry.items() if k not in ("principal", "keytab", "service")}
    if "principal" in entry and "keytab" in entry:
        properties[LOGIN] = keytab_login(entry["principal"], entry["keytab"])
    if "service" in entry:
        properties["sasl.kerberos.service.name"] = entry["service"]
    return properties


def _entry(kind: str, name: str, where: Position | None) -> dict[str, str]:
    file = credentials_file()
    entries = _tables(file).get(kind, {})
    if name not in entries:
        raise UnknownName(
            "credentials", name, entries, where=where, context=f" for {kind} in {file}"
        )
    entry = entries[name]
    if not isinstance(entry, dict) or not all(isinstance(value, str) for value in entry.values()):
        raise _unusable(file, f"[{kind}.{name}]", "client properties whose values are texts")
    return entry


def _tables(file: Path) -> dict[str, dict[str, Any]]:
    try:
        if file.stat().st_mode & NOT_THE_OWNERS:
            raise _unusable(
                file, "others may read it", "a file of its owner only", f"chmod 600 {file}"
            )
        content = tomllib.loads(file.read_text())
    except FileNotFoundError:
        cure = f"make it, or set {CREDENTIALS_VARIABLE} to another"
        raise _unusable(file, "no such file", "a file with tables [ssl.<name>]", cure) from None
    except (OSError, ValueError) as error:
        # The parser's words point at a line; its text, which may be a secret, is not among them.
        raise _unusable(file, str(error), "a TOML file that can be read") from None
    return {kind: names for kind, names in content.items() if isinstance(names, dict)}


def _unusable(file: Path, found: str, expected: str, cure: str | None = None) -> EnvironmentFault:
    return EnvironmentFault(
        "the credentials file cannot be used",
        condition="INVALID_CREDENTIALS",
        where=str(file),
        found=found,
        expected=expected,
        cure=cure,
    )
