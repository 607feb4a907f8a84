"""Why Kafka does not let a client in, or not do what it asks: certificates, logins, access rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from headrace.catalog.options import is_secret
from headrace.errors import EnvironmentFault

# The words of a broker or of Java; more of them would not be read.
LONGEST_REASON = 240

ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls"

# A class and what it says, from the outermost cause to the innermost.
Causes = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked, as far as it is known: of which brokers, with which properties, on which topic or group."""

    servers: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    operation: str = "DESCRIBE"
    name: str | None = None

    @property
    def broker(self) -> str:
        return "Kafka" if self.servers is None else f"Kafka at {self.servers}"


def refusal(causes: Causes, request: Request) -> EnvironmentFault | None:
    """The error, or None when these causes tell of something else."""
    for classes, told in _TOLD:
        found = next(((kind, text) for kind, text in causes if kind in classes), None)
        if found is not None:
            fault = told(found, causes, request)
            fault.found = fault.found and _shown(fault.found, request.properties)
            return fault
    return None


def refusal_from(message: str) -> EnvironmentFault | None:
    """The same from the text that Spark passes to the driver."""
    written = re.search(r"\btopic=(\S+) servers=(\S+) unwritten: ", message)
    request = (
        Request(operation="READ")
        if written is None
        else Request(written[2], operation="WRITE", name=written[1])
    )
    return refusal([(kind, text or "") for kind, text in _CAUSE.findall(message)], request)


_CAUSE = re.compile(r"\b(?:[a-z]\w*\.)+([A-Z]\w*(?:Exception|Error))\b(?:: ([^\r\n]*))?")


def _tls(found: tuple[str, str], causes: Causes, request: Request) -> EnvironmentFault:
    for form, summary, expected, cure in _TLS:
        if any(re.search(form, text) for _, text in causes):
            return EnvironmentFault(
                summary.format(broker=request.broker),
                condition="TLS_FAILED",
                found=next(text for _, text in reversed(causes) if re.search(form, text)),
                expected=expected,
                cure=cure,
            )
    return EnvironmentFault(
        f"no encrypted connection to {request.broker}",
        condition="TLS_FAILED",
        found=_innermost(causes, "SSLException") or found[1],
        cure="check 'properties.security.protocol', and that this listener speaks TLS",
    )


_TLS = (
    (
        r"NotAfter|NotBefore",
        "the certificate of {broker} is not valid at this time",
        "a certificate whose dates include today",
        "have the broker's certificate renewed; check the clock of this machine",
    ),
    (
        r"subject alternative|No name matching",
        "the certificate of {broker} is for another host",
        "one that names the host of 'properties.bootstrap.servers'",
        "use the name that is in the certificate",
    ),
    (
        r"PKIX|certification path|trustAnchors",
        "the certificate of {broker} is not trusted",
        "one signed by an authority of 'properties.ssl.truststore.location'",
        "put the authority's certificate into the truststore",
    ),
    (
        r"fatal alert",
        "{broker} refused the certificate of this client",
        "a valid one, signed by an authority that the broker trusts",
        "check 'properties.ssl.keystore.location', and the dates of its certificate",
    ),
)


def _login(found: tuple[str, str], causes: Causes, request: Request) -> EnvironmentFault:
    mechanism = request.properties.get("sasl.mechanism", "the mechanism")
    user = re.search(
        r'(?:username|clientId|principal)="([^"]*)"', request.properties.get("sasl.jaas.config", "")
    )
    who = f"user '{user[1]}'" if user else "a user"
    return EnvironmentFault(
        f"{request.broker} did not let this client log in",
        condition="AUTHENTICATION_FAILED",
        found=_reason_of_login(found[1], causes),
        expected=f"{mechanism} of {who} that the broker accepts",
        cure="check 'properties.sasl.mechanism' and 'properties.sasl.jaas.config'",
    )


def _reason_of_login(text: str, causes: Causes) -> str:
    """Java's own words are those of the endpoint or of Kerberos, behind several classes."""
    kerberos = _innermost(causes, "GSSException")
    if kerberos is not None:
        return kerberos
    if "asked for a password" in text:
        return "the keytab is missing, or has no key of the principal"
    return _bare(text)


def _bare(text: str) -> str:
    """Without the names of classes before it."""
    return re.sub(r"^(?:[\w$.]+(?:Exception|Error): )+", "", text)


def _denied(found: tuple[str, str], causes: Causes, request: Request) -> EnvironmentFault:
    kind, needed = _RESOURCES[found[0]]
    if kind == "the cluster" and request.operation == "WRITE":
        kind = "topic"  # who may write no topic at all is refused already as a producer
    named = re.search(r"(?:topics?|group): \[?([^\],]+)", found[1])
    name = named[1].strip() if named else request.name
    operations = needed or request.operation
    subject = f"{kind} '{name}'" if name and kind in ("topic", "group") else kind
    flag = f"--{kind} '{name or '…'}'" if kind in ("topic", "group") else _FLAGS[kind]
    words = " ".join(f"--operation {word}" for word in operations.split(" and "))
    return EnvironmentFault(
        f"{request.broker} does not let this user work with {subject}",
        condition="ACCESS_DENIED",
        found=found[1],
        expected=f"the right to {operations} {'it' if name else 'there'}",
        cure=f"kafka-acls --add --allow-principal 'User:…' {words} {flag}",
    )


_FLAGS = {
    "the transactional ids of the sink": "--transactional-id '…' --resource-pattern-type prefixed",
    "the cluster": "--cluster",
}
# What it is about, and the rights where they do not depend on the request.
_RESOURCES = {
    "TopicAuthorizationException": ("topic", ""),
    "GroupAuthorizationException": ("group", "READ"),
    "TransactionalIdAuthorizationException": (
        "the transactional ids of the sink",
        "WRITE and DESCRIBE",
    ),
    "ClusterAuthorizationException": ("the cluster", ""),
}


def _set_up(found: tuple[str, str], causes: Causes, request: Request) -> EnvironmentFault:
    """A client that gets nowhere near a broker: its files, or addresses it may not ask."""
    telling = [_bare(text) for _, text in causes if not _NOT_MADE.match(text)]
    reason = ": ".join(dict.fromkeys(filter(None, telling[:2]))) or found[1]
    return EnvironmentFault(
        f"the client of {request.broker} cannot be set up",
        condition="INVALID_CLIENT",
        found=reason,
        cure=next(cure for words, cure in _SET_UP_CURES if words in reason),
    )


# By what Kafka says; the last one holds for everything else.
_SET_UP_CURES = (
    (
        ALLOWED_URLS,
        f"SET 'spark.driver.extraJavaOptions' = '-D{ALLOWED_URLS}=…' before the first job",
    ),
    (
        "'KafkaClient' entry",
        "'properties.sasl.jaas.config' or 'krb_auth_name' of the table, or SET 'security.kerberos.login.principal' "
        "and '.keytab' before the first job",
    ),
    ("", "check the files and passwords that 'properties.ssl.*' and 'properties.sasl.*' name"),
)


Told = Callable[[tuple[str, str], Causes, Request], EnvironmentFault]

_TOLD: tuple[tuple[frozenset[str], Told], ...] = (
    (frozenset({"SslAuthenticationException"}), _tls),
    (
        frozenset(
            {
                "SaslAuthenticationException",
                "UnsupportedSaslMechanismException",
                "IllegalSaslStateException",
                "LoginException",
            }
        ),
        _login,
    ),
    (frozenset(_RESOURCES), _denied),
)

# Outermost where a client could not even be made, unless its servers have no address.
_NOT_MADE = re.compile(r"^Failed to (?:create new|construct) ")


def set_up_fault(causes: Causes, request: Request) -> EnvironmentFault | None:
    """Told after the others: a login that fails while the client is made is a login that fails."""
    made = not any(_NOT_MADE.match(text) for _, text in causes)
    if made or any("bootstrap" in text for _, text in causes):
        return None
    fault = _set_up(causes[-1], causes, request)
    fault.found = fault.found and _shown(fault.found, request.properties)
    return fault


def _innermost(causes: Causes, kind: str) -> str | None:
    return next((text for name, text in reversed(causes) if name == kind and text), None)


def _shown(reason: str, properties: Mapping[str, str]) -> str:
    """One line, without anything that stands in a secret property."""
    line = next(iter(reason.splitlines()), "")
    values = _secret_values(properties)
    for secret in _secrets(values):
        line = line.replace(secret, MASK)
    # Of a malformed login Kafka quotes the word it stumbled over.
    quoted = re.compile(r"'([^']+)'")
    line = quoted.sub(lambda m: f"'{MASK}'" if any(m[1] in v for v in values) else m[0], line)
    return line[:LONGEST_REASON]


MASK = "******"


def _secret_values(properties: Mapping[str, str]) -> list[str]:
    """The address of a token endpoint is none, whatever its name says."""
    return [v for key, v in properties.items() if is_secret(key) and not key.endswith(".url")]


def _secrets(values: Sequence[str]) -> list[str]:
    """The longest first, so that none is left in part."""
    inner = [
        word
        for value in values
        for key, word in re.findall(r"(\w+)\s*=\s*\"?([^\";\s]+)", value)
        if is_secret(key)
    ]
    return sorted({word for word in (*values, *inner) if word}, key=len, reverse=True)
