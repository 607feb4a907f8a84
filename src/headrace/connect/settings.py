"""Settings of a worker: Connect's own names, from a properties file and the command line."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from headrace.connect.application import STATE_FOLDER
from headrace.connect.clients import for_librdkafka, kafka_options
from headrace.connect.common import EXACTLY_ONCE_SOURCES
from headrace.connect.configdef import (
    REQUIRED,
    ConfigDef,
    ConfigKey,
    Importance,
    Type,
    at_least,
    one_of,
)
from headrace.connect.providers import Providers, configured, properties
from headrace.connect.topics import Store, TopicSettings
from headrace.errors import InvalidOption

BASIC_AUTH = "org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension"

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW


def _count(name: str, default: int, text: str) -> ConfigKey:
    return ConfigKey(name, Type.INT, default, LOW, text, validator=at_least(1))


def _form(value: Any) -> str | None:
    return None if value is None else one_of("PEM", "JKS", "PKCS12", ignore_case=True)(value)


def _store(kind: str, text: str) -> tuple[ConfigKey, ...]:
    name = f"listeners.https.ssl.{kind}"
    return (
        ConfigKey(f"{name}.location", Type.STRING, None, LOW, text),
        ConfigKey(f"{name}.type", Type.STRING, None, LOW, "Its form; not set: as the file is.", validator=_form),
        ConfigKey(f"{name}.password", Type.PASSWORD, None, LOW, "Its password."),
    )  # fmt: skip


WORKER = ConfigDef(
    [
        ConfigKey("bootstrap.servers", Type.LIST, REQUIRED, HIGH, "Brokers to begin with."),
        ConfigKey("group.id", Type.STRING, "connect-cluster", HIGH, "Workers with this name are one cluster."),
        ConfigKey("config.storage.topic", Type.STRING, "connect-configs", HIGH, "Topic of connector configs."),
        ConfigKey("offset.storage.topic", Type.STRING, "connect-offsets", HIGH, "Topic of source offsets."),
        ConfigKey("status.storage.topic", Type.STRING, "connect-status", HIGH, "Topic of statuses."),
        _count("offset.storage.partitions", 25, "Partitions of the topic of offsets, where it is created."),
        _count("status.storage.partitions", 5, "Partitions of the topic of statuses, where it is created."),
        ConfigKey("config.storage.replication.factor", Type.SHORT, -1, LOW, "Replicas; -1: the broker's default."),
        ConfigKey("offset.storage.replication.factor", Type.SHORT, -1, LOW, "Replicas; -1: the broker's default."),
        ConfigKey("status.storage.replication.factor", Type.SHORT, -1, LOW, "Replicas; -1: the broker's default."),
        ConfigKey(
            EXACTLY_ONCE_SOURCES,
            Type.STRING,
            "disabled",
            HIGH,
            "Whether Java source connectors write exactly once; Headrace's own write at least once.",
            validator=one_of("DISABLED", "PREPARING", "ENABLED", ignore_case=True),
        ),
        ConfigKey("listeners", Type.LIST, ["http://127.0.0.1:8083"], LOW, "Addresses of the REST API."),
        ConfigKey("rest.advertised.host.name", Type.STRING, None, LOW, "Host that other workers are told."),
        ConfigKey("rest.advertised.port", Type.INT, None, LOW, "Port that other workers are told."),
        ConfigKey("rest.extension.classes", Type.LIST, [], LOW, "Extensions of the REST API."),
        ConfigKey("admin.listeners", Type.STRING, None, LOW, "Addresses of /admin; empty: none, not set: the listeners."),
        ConfigKey("topic.tracking.enable", Type.BOOLEAN, True, LOW, "Whether connectors' topics are remembered."),
        ConfigKey("topic.tracking.allow.reset", Type.BOOLEAN, True, LOW, "Whether they may be forgotten."),
        ConfigKey("config.providers", Type.LIST, [], LOW, "Names of config providers."),
        ConfigKey(
            "listeners.https.ssl.client.authentication",
            Type.STRING,
            "none",
            LOW,
            "Whether callers need a certificate.",
            validator=one_of("required", "requested", "none"),
        ),
        *_store("keystore", "Key and certificates."),
        ConfigKey("listeners.https.ssl.key.password", Type.PASSWORD, None, LOW, "Password of the key."),
        *_store("truststore", "Callers' authorities."),
        ConfigKey(STATE_FOLDER, Type.STRING, None, LOW, "Folder for what connectors keep on this machine."),
        ConfigKey("java.security.auth.login.config", Type.STRING, None, LOW, "JAAS file of the Basic login."),
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listener:
    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings; `raw` has what plugins and clients read by prefix."""

    values: Mapping[str, Any]
    raw: Mapping[str, str]
    providers: Providers

    @property
    def listeners(self) -> list[Listener]:
        return [_listener(text) for text in self.values["listeners"]]

    @property
    def admin_listeners(self) -> list[Listener]:
        """Addresses that /admin has to itself."""
        given = self.values["admin.listeners"] or ""
        return [_listener(text.strip()) for text in given.split(",") if text.strip()]

    @property
    def client(self) -> dict[str, Any]:
        """What every Kafka client of the worker is given."""
        return for_librdkafka(kafka_options(self.raw, {}, "admin"))

    @property
    def topics(self) -> dict[Store, TopicSettings]:
        return {
            store: TopicSettings(
                self.values[f"{store}.storage.topic"],
                1 if store is Store.CONFIG else self.values[f"{store}.storage.partitions"],
                self.values[f"{store}.storage.replication.factor"],
                _topic_settings(self.raw, f"{store}.storage."),
            )
            for store in Store
        }

    def advertised(self, port: int) -> tuple[str, int]:
        """Host and port by which other workers find this one, which listens on `port`."""
        host = self.values["rest.advertised.host.name"] or self.listeners[0].host
        if host in ("", "0.0.0.0", "::"):  # noqa: S104
            host = socket.getfqdn()
        return host, self.values["rest.advertised.port"] or port


# What a topic is called and how large it is; that it is compacted is no choice.
_OF_THE_WORKER = ("topic", "partitions", "replication.factor", "cleanup.policy")


def _topic_settings(raw: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Settings that the worker's topics are created with, as in Connect: `offset.storage.segment.bytes`."""
    given = {
        name.removeprefix(prefix): text for name, text in raw.items() if name.startswith(prefix)
    }
    return {name: text for name, text in given.items() if name not in _OF_THE_WORKER}


def load(file: Path | None, given: Mapping[str, str]) -> Settings:
    """Settings of a properties file and, before them, those given; the first fault is raised."""
    raw = {} if file is None else _read(file)
    raw.update(given)
    if "bootstrap.servers" not in raw:
        raise InvalidOption(
            "the worker needs the addresses of the Kafka brokers",
            condition="MISSING_OPTION",
            where=None if file is None else str(file),
            expected="bootstrap.servers",
            cure="headrace connect --bootstrap-servers HOST:PORT",
        )
    providers = configured(raw)
    resolved = providers.resolve(raw)
    checked = WORKER.validate(resolved)
    for value in checked.values():
        if value.errors:
            raise InvalidOption(
                f"worker setting '{value.name}' is not usable",
                where=None if file is None else str(file),
                found=value.errors[0],
            )
    settings = Settings({name: value.value for name, value in checked.items()}, resolved, providers)
    _require_extensions(settings)
    for listener in settings.listeners:
        _require_certificate(settings, listener)
    return settings


def _read(file: Path) -> dict[str, str]:
    try:
        return properties(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidOption(
            "the worker's properties file cannot be read", where=str(file), found=error.strerror
        ) from None


def _listener(text: str) -> Listener:
    parts = urlsplit(text)
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in ("http", "https") or port is None:
        raise InvalidOption(
            "a listener has no address",
            found=f"'{text}'",
            expected="http://host:port or https://host:port",
        )
    return Listener(parts.scheme, parts.hostname or "0.0.0.0", port)  # noqa: S104


def _require_extensions(settings: Settings) -> None:
    unknown = [name for name in settings.values["rest.extension.classes"] if name != BASIC_AUTH]
    if unknown:
        raise InvalidOption(
            "a REST extension is not known", found=f"'{unknown[0]}'", expected=BASIC_AUTH
        )
    if any(listener.scheme == "https" for listener in settings.admin_listeners):
        raise InvalidOption(
            "a listener for /admin alone has no certificate",
            found=f"admin.listeners = '{settings.values['admin.listeners']}'",
            expected="http://host:port",
            cure="leave admin.listeners out to serve /admin on the listeners, or set it empty to serve none",
        )


def _require_certificate(settings: Settings, listener: Listener) -> None:
    if listener.scheme == "https" and not settings.values["listeners.https.ssl.keystore.location"]:
        raise InvalidOption(
            "an https listener needs a certificate",
            found="listeners.https.ssl.keystore.location is not set",
            expected="a file of PEM, JKS or PKCS12 with the key and the certificates",
        )
