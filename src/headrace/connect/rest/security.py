"""Who may use the REST API: Connect's Basic login with a file of users, and TLS."""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import re
import ssl
from collections.abc import Mapping
from pathlib import Path

from headrace.connect.keystores import Store, pem_file, unusable
from headrace.connect.providers import properties
from headrace.connect.settings import BASIC_AUTH, Settings
from headrace.errors import InvalidOption

_LOGIN_MODULE = "PropertyFileLoginModule"
_TLS = "listeners.https.ssl."

_CLIENT_CERTIFICATES = {
    "none": ssl.CERT_NONE,
    "requested": ssl.CERT_OPTIONAL,
    "required": ssl.CERT_REQUIRED,
}


class BasicLogin:
    """Users by name with their passwords; a file without any lets everybody in, as Connect's module does."""

    def __init__(self, users: Mapping[str, str]) -> None:
        self.users = dict(users)

    def admits(self, header: str | None) -> bool:
        if not self.users:
            return True
        user, _, password = _credentials(header).partition(":")
        expected = self.users.get(user)
        # Compared in constant time, also for users that are not there.
        same = hmac.compare_digest(password.encode(), (expected or "").encode())
        return same and expected is not None


def _credentials(header: str | None) -> str:
    kind, _, encoded = (header or "").partition(" ")
    if kind.lower() != "basic":
        return ""
    try:
        return base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def login(settings: Settings) -> BasicLogin | None:
    """The login that the settings ask for, or none."""
    if BASIC_AUTH not in settings.values["rest.extension.classes"]:
        return None
    file = settings.values["java.security.auth.login.config"] or _from_java_options()
    if file is None:
        raise InvalidOption(
            "the Basic login has no file of users",
            expected="java.security.auth.login.config in the settings, or in KAFKA_OPTS",
            cure=f'name a JAAS file: KafkaConnect {{ …{_LOGIN_MODULE} required file="users.properties"; }};',
        )
    return BasicLogin(_users(Path(file)))


def _from_java_options() -> str | None:
    found = re.search(
        r"-Djava\.security\.auth\.login\.config=(\S+)", os.environ.get("KAFKA_OPTS", "")
    )
    return None if found is None else found[1]


def _users(jaas: Path) -> dict[str, str]:
    entry = re.search(r"KafkaConnect\s*\{(.*?)\}", _text(jaas), re.DOTALL)
    module = re.search(rf"{_LOGIN_MODULE}\s+\w+\s(.*?);", entry[1] if entry else "", re.DOTALL)
    file = re.search(r'file\s*=\s*"([^"]+)"', module[1] if module else "")
    if file is None:
        raise InvalidOption(
            "the JAAS file has no login for the worker",
            where=str(jaas),
            expected=f'KafkaConnect {{ …{_LOGIN_MODULE} required file="users.properties"; }};',
        )
    return properties(_text(Path(file[1])))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidOption(
            "a file of the Basic login cannot be read", where=str(file), found=error.strerror
        ) from None


def server_context(settings: Settings) -> ssl.SSLContext:
    """TLS of the https listeners."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _show_certificate(context, _store(settings, "keystore"))
    trusted = _store(settings, "truststore")
    if trusted is not None:
        context.load_verify_locations(cadata=trusted.pem())
    context.verify_mode = _CLIENT_CERTIFICATES[settings.values[f"{_TLS}client.authentication"]]
    return context


def client_context(settings: Settings) -> ssl.SSLContext:
    """TLS towards other workers: their authorities, or the system's."""
    trusted = _store(settings, "truststore")
    context = ssl.create_default_context(cadata=None if trusted is None else trusted.pem())
    if settings.values[f"{_TLS}client.authentication"] == "required":
        _show_certificate(context, _store(settings, "keystore"))
    return context


def _store(settings: Settings, kind: str) -> Store | None:
    values = settings.values
    location = values[f"{_TLS}{kind}.location"]
    if not location:
        return None
    type, password = values[f"{_TLS}{kind}.type"], values[f"{_TLS}{kind}.password"]
    return Store(location, type, password, values[f"{_TLS}key.password"])


def _show_certificate(context: ssl.SSLContext, store: Store | None) -> None:
    if store is None:
        return
    with pem_file(store) as file:
        try:
            context.load_cert_chain(file, password=store.pem_password)
        except (OSError, ssl.SSLError) as error:
            raise unusable(store.location, error.strerror or str(error)) from None
