"""Ways into a secure broker: for each mechanism the client properties, named so that tables need not show them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

# Whose password opens the files with keys.
STORES = "stores"

_LOGIN = "org.apache.kafka.common.security"


@dataclass(frozen=True, slots=True)
class Way:
    """`kind` is that of the named credentials (`ssl_auth_name`, `krb_auth_name`)."""

    name: str
    kind: Literal["ssl", "krb"]
    servers: str
    properties: Mapping[str, str]

    def as_toml(self) -> str:
        """The entry of a credentials file."""
        lines = [
            f"{json.dumps(key)} = {json.dumps(value)}" for key, value in self.properties.items()
        ]
        return "\n".join([f"[{self.kind}.{self.name}]", *lines, ""])

    def as_options(self) -> str:
        """What a table says to come in this way."""
        return f"'properties.bootstrap.servers' = '{self.servers}', '{self.kind}_auth_name' = '{self.name}'"


def ways_of(
    *,
    addresses: Mapping[str, str],
    certificates: Path,
    passwords: Mapping[str, str],
    user: str,
    token_url: str,
    token_secret: str,
    keytab: Path,
    principal: str,
) -> list[Way]:
    """`addresses` and `passwords` by protocol and by user; the password of files is that of "stores"."""
    stores = passwords[STORES]
    encrypted, open_ = addresses["SASL_SSL"], addresses["SASL_PLAINTEXT"]
    trust = pem_trust(certificates)
    bearer = trust | bearer_login(user, token_secret, token_url)
    kerberos = {"principal": principal, "keytab": str(keytab)}
    return [
        Way("pem", "ssl", addresses["SSL"], trust | pem_key(certificates, user)),
        Way("stores", "ssl", addresses["SSL"], store_files(certificates, user, stores)),
        Way("plain", "ssl", encrypted, trust | password_login("PLAIN", user, passwords[user])),
        *(
            Way(name, "ssl", encrypted, trust | password_login(mechanism, user, passwords[user]))
            for name, mechanism in SCRAM.items()
        ),
        Way("oauth", "ssl", encrypted, bearer),
        Way(
            "scram-unencrypted",
            "ssl",
            open_,
            password_login("SCRAM-SHA-512", user, passwords[user])
            | {"security.protocol": "SASL_PLAINTEXT"},
        ),
        Way("kerberos", "krb", open_, kerberos),
    ]


SCRAM = {"scram-256": "SCRAM-SHA-256", "scram-512": "SCRAM-SHA-512"}


def pem_trust(certificates: Path) -> dict[str, str]:
    return {
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(certificates / "ca.pem"),
    }


def pem_key(certificates: Path, user: str) -> dict[str, str]:
    return {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(certificates / f"{user}.pem"),
    }


def store_files(certificates: Path, user: str, password: str) -> dict[str, str]:
    return {
        "ssl.truststore.location": str(certificates / "truststore.p12"),
        "ssl.truststore.password": password,
        "ssl.keystore.location": str(certificates / f"{user}.p12"),
        "ssl.keystore.password": password,
        "ssl.key.password": password,
    }


def password_login(mechanism: str, user: str, password: str) -> dict[str, str]:
    module = "plain.PlainLoginModule" if mechanism == "PLAIN" else "scram.ScramLoginModule"
    return {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": f'{_LOGIN}.{module} required username="{user}" password="{password}";',
    }


def bearer_login(client: str, secret: str, url: str) -> dict[str, str]:
    module = f"{_LOGIN}.oauthbearer.OAuthBearerLoginModule"
    return {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "OAUTHBEARER",
        "sasl.login.callback.handler.class": f"{_LOGIN}.oauthbearer.OAuthBearerLoginCallbackHandler",
        "sasl.oauthbearer.token.endpoint.url": url,
        "sasl.jaas.config": f'{module} required clientId="{client}" clientSecret="{secret}";',
    }
