"""The options of formats that keep their schemas in a registry, and the connection they describe."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.errors import InvalidOption

SUBJECT = "subject"
PROPERTIES = "properties."

# A person waits for the first answer, so that a registry that is not there must be named soon.
CONNECT_TIMEOUT_MILLIS = "10000"
READ_TIMEOUT_MILLIS = "30000"

REGISTRY_OPTIONS: tuple[Option, ...] = (
    Option(
        "url",
        OptionType.STRING,
        "Address of the schema registry; several, separated by commas, are tried in turn.",
        required=True,
        aliases=("schema-registry.url",),
    ),
    Option(
        SUBJECT,
        OptionType.STRING,
        "Subject under which a sink registers its schema; with one topic `<topic>-value` or `<topic>-key`.",
        aliases=("schema-registry.subject",),
    ),
    Option(
        "schema",
        OptionType.STRING,
        "Avro schema to read and write with; without it, the one derived from the columns, which it must match.",
        aliases=("schema-registry.schema",),
    ),
    Option("ssl.keystore.location", OptionType.STRING, "File with the client's own key."),
    Option("ssl.keystore.password", OptionType.STRING, "Password of that file.", secret=True),
    Option("ssl.truststore.location", OptionType.STRING, "File with trusted certificates."),
    Option("ssl.truststore.password", OptionType.STRING, "Password of that file.", secret=True),
    Option(
        "basic-auth.credentials-source",
        OptionType.ENUM,
        "Where name and password come from: the address, or 'basic-auth.user-info'.",
        choices=("URL", "USER_INFO"),
    ),
    Option("basic-auth.user-info", OptionType.STRING, "name:password.", secret=True),
    Option(
        "bearer-auth.credentials-source",
        OptionType.ENUM,
        "Where the token comes from: 'bearer-auth.token'.",
        choices=("STATIC_TOKEN",),
    ),
    Option("bearer-auth.token", OptionType.STRING, "Token sent with every request.", secret=True),
    Option(
        "properties.*",
        OptionType.STRING,
        "Settings of the registry's own client: those of SSL, authentication, proxy, timeouts and request headers.",
    ),
)

# The registry client's names of what has an option of its own; the option wins.
_OWN_NAMES: Mapping[str, str] = {
    "ssl.keystore.location": "schema.registry.ssl.keystore.location",
    "ssl.keystore.password": "schema.registry.ssl.keystore.password",
    "ssl.truststore.location": "schema.registry.ssl.truststore.location",
    "ssl.truststore.password": "schema.registry.ssl.truststore.password",
    "basic-auth.credentials-source": "basic.auth.credentials.source",
    "basic-auth.user-info": "basic.auth.user.info",
    "bearer-auth.credentials-source": "bearer.auth.credentials.source",
    "bearer-auth.token": "bearer.auth.token",
}
HEADER_PREFIX = "request.header."
_NUMBERS = ("proxy.port", "http.connect.timeout.ms", "http.read.timeout.ms")
_SERVED = (*_OWN_NAMES.values(), "schema.registry.ssl.key.password", "proxy.host", *_NUMBERS)


def check_registry(options: ParsedOptions, format_name: str) -> None:
    """Refuses settings without effect and addresses that are none; raises InvalidOption."""
    for url in _urls(options):
        if not re.match(r"https?://[^/]", url):
            raise _invalid(format_name, "url", f"'{_bare(url)}'", "http://host:port")
    for name in options.prefixed(PROPERTIES):
        if name not in _SERVED and not name.startswith(HEADER_PREFIX):
            raise _invalid(
                format_name,
                f"{PROPERTIES}{name}",
                "a setting that is not served",
                f"{', '.join(_SERVED)}, {HEADER_PREFIX}*",
            )
    settings = _settings(options)
    for name in _NUMBERS:
        if not settings.get(name, "0").isdecimal():
            found = f"'{settings[name]}'"
            raise _invalid(format_name, f"{PROPERTIES}{name}", found, "a whole number")
    _check_pair(settings, format_name, "basic.auth", "user.info", "USER_INFO")
    _check_pair(settings, format_name, "bearer.auth", "token", "STATIC_TOKEN")


def _check_pair(
    settings: Mapping[str, str], format_name: str, kind: str, secret: str, source: str
) -> None:
    """The registry's client looks at a secret only where the source says so, and then needs it."""
    chosen = settings.get(f"{kind}.credentials.source", "").upper() == source
    if chosen == (f"{kind}.{secret}" in settings):
        return
    dashed = kind.replace(".", "-")
    raise InvalidOption(
        f"'{dashed}.credentials-source' and '{dashed}.{secret.replace('.', '-')}' of format "
        f"'{format_name}' go together",
        condition="CONFLICTING_OPTIONS",
        found="only one of the two",
        expected=f"'{dashed}.credentials-source' = '{source}' and the credentials themselves",
    )


def registry_spec(options: ParsedOptions) -> dict[str, Any]:
    """The connection as the JVM opens it."""
    settings = _settings(options)
    ssl = "schema.registry.ssl."
    return {
        "urls": [_bare(url) for url in _urls(options)],
        "headers": _headers(options, settings),
        "connectTimeoutMillis": int(
            settings.get("http.connect.timeout.ms", CONNECT_TIMEOUT_MILLIS)
        ),
        "readTimeoutMillis": int(settings.get("http.read.timeout.ms", READ_TIMEOUT_MILLIS)),
        "proxyHost": settings.get("proxy.host"),
        "proxyPort": int(settings.get("proxy.port", "0")),
        "keystore": settings.get(f"{ssl}keystore.location"),
        "keystorePassword": settings.get(f"{ssl}keystore.password"),
        "keyPassword": settings.get(f"{ssl}key.password"),
        "truststore": settings.get(f"{ssl}truststore.location"),
        "truststorePassword": settings.get(f"{ssl}truststore.password"),
    }


def _settings(options: ParsedOptions) -> dict[str, str]:
    """Everything by the names of the registry's client."""
    given = options.prefixed(PROPERTIES)
    return given | {own: options[name] for name, own in _OWN_NAMES.items() if options.is_set(name)}


def _headers(options: ParsedOptions, settings: Mapping[str, str]) -> dict[str, str]:
    headers = {
        name.removeprefix(HEADER_PREFIX): value
        for name, value in settings.items()
        if name.startswith(HEADER_PREFIX)
    }
    authorization = _authorization(options, settings)
    return headers | ({"Authorization": authorization} if authorization else {})


def _authorization(options: ParsedOptions, settings: Mapping[str, str]) -> str | None:
    if "bearer.auth.token" in settings:
        return f"Bearer {settings['bearer.auth.token']}"
    credentials = settings.get("basic.auth.user.info") or _in_address(options)
    if credentials is None:
        return None
    return "Basic " + base64.b64encode(credentials.encode()).decode()


def _in_address(options: ParsedOptions) -> str | None:
    found = (re.match(r"https?://([^/@]+)@", url) for url in _urls(options))
    return next((unquote(match[1]) for match in found if match), None)


def _urls(options: ParsedOptions) -> list[str]:
    return [url.strip().rstrip("/") for url in options["url"].split(",")]


def _bare(url: str) -> str:
    """The address without credentials."""
    return re.sub(r"(?<=://)[^/@]*@", "", url)


def _invalid(format_name: str, option: str, found: str, expected: str) -> InvalidOption:
    return InvalidOption(
        f"invalid option '{option}' of format '{format_name}'", found=found, expected=expected
    )
