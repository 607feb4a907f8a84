"""How a client proves who it is: what JAAS tells Java's clients, for each mechanism that librdkafka has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from headrace.connect.librdkafka.msk_iam import MskTokens
from headrace.connectors.kafka.jaas import LOGIN, TOKEN_ENDPOINT, as_kafka_reads, login_options
from headrace.errors import InvalidOption

# Java's clients that say no mechanism use Kerberos.
_USUAL = "GSSAPI"

_HANDLER = "sasl.login.callback.handler.class"
_AMAZON = "software.amazon.msk.auth.iam."
_UNSECURED = "unsecuredLoginStringClaim_sub"
_EXTENSION = "extension_"

Login = Mapping[str, str]


def logged_in(options: Mapping[str, str]) -> dict[str, Any]:
    """Raises InvalidOption for mechanisms that Python's clients lack."""
    if not options.get("security.protocol", "").upper().startswith("SASL"):
        return {}
    read = as_kafka_reads(options)
    mechanism = read.get("sasl.mechanism") or _USUAL
    way = _WAYS.get(mechanism)
    if way is None:
        raise InvalidOption(
            f"the worker's own clients cannot log in by {mechanism}",
            where="sasl.mechanism",
            expected=", ".join(_WAYS),
        )
    return way(read, login_options(read.get(LOGIN, "")))


def _by_password(options: Mapping[str, str], login: Login) -> dict[str, Any]:
    missing = [name for name in ("username", "password") if name not in login]
    if missing:
        raise InvalidOption(
            f"the login has no {missing[0]}",
            where=LOGIN,
            expected='… required username="…" password="…";',
        )
    return {
        "sasl.mechanism": options["sasl.mechanism"],
        "sasl.username": login["username"],
        "sasl.password": login["password"],
    }


def _by_token(options: Mapping[str, str], login: Login) -> dict[str, Any]:
    if options.get(_HANDLER, "").startswith(_AMAZON):
        return _by_amazon(options, login)
    bearer = {"sasl.mechanism": "OAUTHBEARER"}
    if options.get(TOKEN_ENDPOINT):
        return bearer | _from_endpoint(options, login)
    if _UNSECURED in login:
        return bearer | {
            "enable.sasl.oauthbearer.unsecure.jwt": "true",
            "sasl.oauthbearer.config": f"principal={login[_UNSECURED]}",
        }
    raise InvalidOption(
        "the worker's own clients ask an endpoint for tokens, and none is named",
        where=TOKEN_ENDPOINT,
        found=options.get(_HANDLER),
        expected="an address, with clientId and clientSecret in sasl.jaas.config",
    )


def _from_endpoint(options: Mapping[str, str], login: Login) -> dict[str, str]:
    credentials = "sasl.oauthbearer.client.credentials.client."
    found = {
        "sasl.oauthbearer.client.id": options.get(f"{credentials}id") or login.get("clientId"),
        "sasl.oauthbearer.client.secret": options.get(f"{credentials}secret")
        or login.get("clientSecret"),
        "sasl.oauthbearer.scope": options.get("sasl.oauthbearer.scope") or login.get("scope"),
        "sasl.oauthbearer.extensions": ",".join(
            f"{name.removeprefix(_EXTENSION)}={text}"
            for name, text in login.items()
            if name.startswith(_EXTENSION)
        ),
    }
    given = {name: text for name, text in found.items() if text}
    return {"sasl.oauthbearer.method": "oidc", TOKEN_ENDPOINT: options[TOKEN_ENDPOINT]} | given


def _by_amazon(options: Mapping[str, str], login: Login) -> dict[str, Any]:
    """Amazon's brokers take the request that its login module signs as a token, too."""
    tokens = MskTokens.of(options.get("bootstrap.servers", ""), login)
    return {"sasl.mechanism": "OAUTHBEARER", "oauth_cb": tokens}


_WAYS: Mapping[str, Callable[[Mapping[str, str], Login], dict[str, Any]]] = {
    "PLAIN": _by_password,
    "SCRAM-SHA-256": _by_password,
    "SCRAM-SHA-512": _by_password,
    "OAUTHBEARER": _by_token,
    "AWS_MSK_IAM": _by_amazon,
}
