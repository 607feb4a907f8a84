"""Tokens for Amazon MSK by IAM: a request to connect, signed with keys of the account, in place of a password."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from headrace.connect.aws import Keys, keys_for, keys_of_profile, keys_of_role
from headrace.errors import InvalidOption

# Amazon takes a token for a quarter of an hour at most.
LIFETIME_SECONDS = 900

_SERVICE = "kafka-cluster"
_ALGORITHM = "AWS4-HMAC-SHA256"
_HOST = re.compile(r"\.kafka(?:-serverless)?\.([a-z0-9-]+)\.amazonaws\.com")


@dataclass(frozen=True, slots=True)
class MskTokens:
    """Gives librdkafka a token whenever it asks for one."""

    region: str
    login: Mapping[str, str]

    @classmethod
    def of(
        cls, servers: str, login: Mapping[str, str], environment: Mapping[str, str] = os.environ
    ) -> MskTokens:
        host = _HOST.search(servers)
        named = environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION")
        region = host[1] if host else named
        if not region:
            raise InvalidOption(
                "the region of the brokers is not known",
                where="bootstrap.servers",
                found=servers,
                expected="names such as b-1.….kafka.us-east-1.amazonaws.com:9098, or AWS_REGION",
            )
        return cls(region, login)

    def __call__(self, config: str) -> tuple[str, float]:
        now = time.time()
        return signed(self.region, self._keys(), now), now + LIFETIME_SECONDS

    def _keys(self) -> Keys:
        if "awsProfileName" in self.login:
            return keys_of_profile(self.login["awsProfileName"])
        if "awsRoleArn" in self.login:
            return keys_of_role(
                self.login["awsRoleArn"],
                self.login.get("awsRoleSessionName", "headrace"),
                self.login.get("awsStsRegion", self.region),
                self.login.get("awsRoleExternalId"),
            )
        return keys_for("Amazon MSK", "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")


def signed(region: str, keys: Keys, now: float) -> str:
    """The token: the address of the request with its signature, without padding."""
    host = f"kafka.{region}.amazonaws.com"
    moment = datetime.fromtimestamp(now, UTC).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{moment[:8]}/{region}/{_SERVICE}/aws4_request"
    query = _query(keys, scope, moment)
    signature = _signature(keys.secret, scope, moment, host, query)
    address = f"https://{host}/?{query}&X-Amz-Signature={signature}&User-Agent=headrace"
    return base64.urlsafe_b64encode(address.encode()).decode().rstrip("=")


def _query(keys: Keys, scope: str, moment: str) -> str:
    parts = {
        "Action": f"{_SERVICE}:Connect",
        "X-Amz-Algorithm": _ALGORITHM,
        "X-Amz-Credential": f"{keys.access}/{scope}",
        "X-Amz-Date": moment,
        "X-Amz-Expires": str(LIFETIME_SECONDS),
        "X-Amz-Security-Token": keys.token,
        "X-Amz-SignedHeaders": "host",
    }
    given = {name: text for name, text in parts.items() if text is not None}
    return "&".join(f"{name}={quote(text, safe='-_.~')}" for name, text in sorted(given.items()))


def _signature(secret: str, scope: str, moment: str, host: str, query: str) -> str:
    """As version 4 of Amazon's signatures has it, of a request without a body."""
    empty = hashlib.sha256(b"").hexdigest()
    request = f"GET\n/\n{query}\nhost:{host}\n\nhost\n{empty}"
    digest = hashlib.sha256(request.encode()).hexdigest()
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = _hmac(key, part)
    return _hmac(key, f"{_ALGORITHM}\n{moment}\n{scope}\n{digest}").hex()


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
