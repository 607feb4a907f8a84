"""A broker that lets in only whom it knows, by every mechanism, and lets users do only what they may.

HEADRACE_HOME/services/kafka-secure/certificates/      of the broker and of its users
                                   /passwords.json     of its users, made when it first starts
                                   /credentials.toml   client properties by name, for HEADRACE_CREDENTIALS
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

from headrace.services.access import Rule, allow, set_passwords
from headrace.services.certificates import new_authority, write_private
from headrace.services.kafka import KafkaService, Listener
from headrace.services.kdc import KdcService
from headrace.services.ports import HOST
from headrace.services.processes import Launch
from headrace.services.supervisor import ServiceStatus
from headrace.services.tokens import AUDIENCE, TokenService
from headrace.services.ways import STORES, Way, ways_of
from headrace.toolchain.progress import Reporter, silent

SSL, SASL_SSL, SASL_PLAINTEXT = "SSL", "SASL_SSL", "SASL_PLAINTEXT"

# The broker itself and who manages it; rules do not bind them.
BROKER, ADMIN = "broker", "admin"
# May do all that jobs do; reads only; writes only.
APP, READER, WRITER = "app", "reader", "writer"
# Nobody: a certificate that is no longer valid, to see what clients say.
EXPIRED = "expired"

EVERYTHING = "*"
READING = (
    Rule("topic", EVERYTHING, ("DESCRIBE", "READ")),
    Rule("group", EVERYTHING, ("READ",)),
)
WRITING = (
    Rule("topic", EVERYTHING, ("DESCRIBE", "WRITE", "CREATE")),
    Rule("transactional-id", EVERYTHING, ("DESCRIBE", "WRITE")),
)
RULES: Mapping[str, tuple[Rule, ...]] = {
    APP: READING + WRITING,
    READER: READING,
    WRITER: WRITING,
}

_LOGIN = "org.apache.kafka.common.security"
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI")


class SecureKafkaService(KafkaService):
    name: ClassVar[str] = "kafka-secure"
    packages: ClassVar[tuple[str, ...]] = (*KafkaService.packages, "cryptography")
    jar_sets: ClassVar[tuple[str, ...]] = (*KafkaService.jar_sets, *KdcService.jar_sets)
    # It may run beside the plain broker, and has three listeners, none of which is the usual one.
    well_known_port: ClassVar[int | None] = None

    def __init__(
        self,
        folder: Path | None = None,
        *,
        kdc: KdcService | None = None,
        tokens: TokenService | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        listeners = [Listener(protocol, protocol) for protocol in (SSL, SASL_SSL, SASL_PLAINTEXT)]
        super().__init__(folder, listeners=listeners, settings=settings)
        self.kdc = kdc or KdcService()
        self.tokens = tokens or TokenService()

    def variables(self) -> dict[str, str]:
        """Paths of the files with secrets, not the secrets."""
        return {
            "KAFKA_SECURE_BOOTSTRAP_SERVERS": self.bootstrap_servers,
            "HEADRACE_CREDENTIALS": str(self.credentials),
            "KRB5_CONFIG": str(self.kdc.configuration),
        }

    @property
    def certificates(self) -> Path:
        return self.folder / "certificates"

    @property
    def credentials(self) -> Path:
        """For HEADRACE_CREDENTIALS: the client properties of every way in."""
        return self.folder / "credentials.toml"

    @property
    def passwords(self) -> dict[str, str]:
        """By user; that of the files with keys belongs to "stores"."""
        passwords: dict[str, str] = json.loads((self.folder / "passwords.json").read_text())
        return passwords

    @property
    def _users(self) -> dict[str, str]:
        return {name: word for name, word in self.passwords.items() if name != STORES}

    @property
    def addresses(self) -> dict[str, str]:
        """Of the listeners, by protocol."""
        ports = self._read().ports
        return {
            listener.name: f"{HOST}:{ports['main' if listener.name == SSL else listener.name]}"
            for listener in self.listeners
        }

    @property
    def ways(self) -> list[Way]:
        return ways_of(
            addresses=self.addresses,
            certificates=self.certificates,
            passwords=self.passwords,
            user=APP,
            token_url=self.tokens.url,
            token_secret=self.tokens.secret(APP),
            keytab=self.kdc.keytab(APP),
            principal=self.kdc.principal(APP),
        )

    def start(self, progress: Reporter = silent) -> ServiceStatus:
        self.kdc.owned = self.tokens.owned = self.owned
        self.kdc.start(progress)
        self.tokens.start(progress)
        status = super().start(progress)
        self.set_passwords(self._users)
        for user, rules in RULES.items():
            self.allow(user, rules)
        named = "\n".join(way.as_toml() for way in self.ways)
        write_private(self.credentials, named.encode())
        return status

    def stop(self, progress: Reporter = silent) -> ServiceStatus:
        status = super().stop(progress)
        self.tokens.stop(progress)
        self.kdc.stop(progress)
        return status

    def set_passwords(self, passwords: Mapping[str, str]) -> None:
        """Of users of SCRAM, who are made by it."""
        set_passwords(self.admin_client(), passwords)

    def allow(self, user: str, rules: Iterable[Rule]) -> None:
        allow(self.admin_client(), user, rules)

    def admin_client(self) -> dict[str, str]:
        """How librdkafka connects as the super user."""
        return {"bootstrap.servers": self.address, **self.probe_settings()}

    def probe_settings(self) -> dict[str, str]:
        certificate = str(self.certificates / f"{ADMIN}.pem")
        return {
            "security.protocol": SSL,
            "ssl.ca.location": str(self.certificates / "ca.pem"),
            "ssl.certificate.location": certificate,
            "ssl.key.location": certificate,
        }

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        if not (self.folder / "passwords.json").exists():
            self._make_users()
        return super().prepare(ports, progress)

    def _make_users(self) -> None:
        passwords = {user: secrets.token_urlsafe(16) for user in (ADMIN, *RULES, STORES)}
        authority = new_authority(self.certificates, passwords[STORES])
        for name in (BROKER, ADMIN, *RULES):
            authority.issue(name, passwords[STORES])
        authority.issue(EXPIRED, passwords[STORES], valid=-timedelta(days=1))
        write_private(self.folder / "passwords.json", json.dumps(passwords).encode())

    def java_options(self) -> list[str]:
        return [
            f"-Djava.security.krb5.conf={self.kdc.configuration}",
            f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={self.tokens.keys.as_uri()}",
        ]

    def properties(self, ports: Mapping[str, int]) -> dict[str, str]:
        standard = super().properties(ports)
        protocols = standard["listener.security.protocol.map"]
        return {
            **standard,
            # The authorizer is asked about the broker's own requests to its controller, too.
            "listener.security.protocol.map": protocols.replace(
                "CONTROLLER:PLAINTEXT", f"CONTROLLER:{SSL}"
            ),
            **self._certified(),
            **self._authorized(),
            **self._sasl(SASL_SSL),
            **self._sasl(SASL_PLAINTEXT),
            # Anybody may open a connection there; who it is, SASL finds out.
            f"listener.name.{SASL_SSL.lower()}.ssl.client.auth": "none",
            **self.settings,
        }

    def _certified(self) -> dict[str, str]:
        return {
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(self.certificates / f"{BROKER}.pem"),
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": str(self.certificates / "ca.pem"),
            "ssl.client.auth": "required",
            "ssl.principal.mapping.rules": "RULE:^CN=([^,]+).*$/$1/,DEFAULT",
        }

    def _authorized(self) -> dict[str, str]:
        return {
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": f"User:{BROKER};User:{ADMIN}",
            "allow.everyone.if.no.acl.found": "false",
            # A job that may not create a topic must not have it made by merely asking for it.
            "auto.create.topics.enable": "false",
        }

    def _sasl(self, listener: str) -> dict[str, str]:
        prefix = f"listener.name.{listener.lower()}."
        users = " ".join(f'user_{user}="{word}"' for user, word in self._users.items())
        scram = f"{_LOGIN}.scram.ScramLoginModule required;"
        bearer = f"{prefix}oauthbearer.sasl."
        return {
            f"{prefix}sasl.enabled.mechanisms": ",".join(MECHANISMS),
            f"{prefix}plain.sasl.jaas.config": f"{_LOGIN}.plain.PlainLoginModule required {users};",
            f"{prefix}scram-sha-256.sasl.jaas.config": scram,
            f"{prefix}scram-sha-512.sasl.jaas.config": scram,
            f"{bearer}jaas.config": f"{_LOGIN}.oauthbearer.OAuthBearerLoginModule required;",
            f"{bearer}server.callback.handler.class": f"{_LOGIN}.oauthbearer.OAuthBearerValidatorCallbackHandler",
            f"{prefix}sasl.oauthbearer.jwks.endpoint.url": self.tokens.keys.as_uri(),
            f"{prefix}sasl.oauthbearer.expected.audience": AUDIENCE,
            f"{prefix}gssapi.sasl.jaas.config": self.kdc.login(self.kdc.service_principal),
            f"{prefix}sasl.kerberos.service.name": "kafka",
        }
