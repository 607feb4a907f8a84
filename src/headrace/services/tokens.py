"""A token endpoint: gives signed tokens (JWT) to clients that know their secret, as OAuth's client credentials have it.

HEADRACE_HOME/services/tokens/clients.json   clients and their secrets, made when it first starts
                             /signing.pem    what tokens are signed with
                             /keys.json      the public part (JWKS), for those who check tokens
"""

from __future__ import annotations

import base64
import json
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from headrace.services.certificates import write_private
from headrace.services.ports import HOST, accepts_connections
from headrace.services.processes import Launch
from headrace.services.supervisor import Service
from headrace.toolchain.progress import Reporter

AUDIENCE = "kafka"
PATH = "/token"
_KEY_ID = "development"

# Clients ask again well before; long enough that a debugger does not outlast it.
LIFETIME_SECONDS = 3600


class TokenService(Service):
    name: ClassVar[str] = "tokens"
    packages: ClassVar[tuple[str, ...]] = ("cryptography",)

    def __init__(
        self,
        folder: Path | None = None,
        *,
        clients: Sequence[str] = ("app",),
        port: int | None = None,
    ) -> None:
        super().__init__(folder, port=port)
        self.clients = tuple(clients)

    @property
    def url(self) -> str:
        """What goes into 'sasl.oauthbearer.token.endpoint.url'."""
        return f"http://{self.address}{PATH}"

    @property
    def keys(self) -> Path:
        return self.folder / "keys.json"

    def secret(self, client: str) -> str:
        secret: str = json.loads((self.folder / "clients.json").read_text())[client]
        return secret

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        if not (self.folder / "clients.json").exists():
            self._make_keys()
        command = [sys.executable, "-m", __name__, str(self.folder), str(ports["main"])]
        return Launch(command, self.folder, self.log)

    def is_ready(self, address: str) -> bool:
        return accepts_connections(int(address.rpartition(":")[2]))

    def _make_keys(self) -> None:
        from cryptography.hazmat.primitives.asymmetric import rsa
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            NoEncryption,
            PrivateFormat,
        )

        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        write_private(self.folder / "signing.pem", pem)
        numbers = key.public_key().public_numbers()
        public = {"kty": "RSA", "kid": _KEY_ID, "use": "sig", "alg": "RS256"}
        public |= {"n": _base64(_bytes(numbers.n)), "e": _base64(_bytes(numbers.e))}
        self.keys.write_text(json.dumps({"keys": [public]}), encoding="utf-8")
        known = {client: secrets.token_urlsafe(16) for client in self.clients}
        write_private(self.folder / "clients.json", json.dumps(known).encode())


def signed_token(key: Any, claims: Mapping[str, Any]) -> str:
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.hashes import SHA256

    header = {"alg": "RS256", "typ": "JWT", "kid": _KEY_ID}
    text = ".".join(_base64(json.dumps(part).encode()) for part in (header, claims))
    return f"{text}.{_base64(key.sign(text.encode(), PKCS1v15(), SHA256()))}"


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


class Endpoint(ThreadingHTTPServer):
    """Answers POST /token with a token for the client that the Authorization header names."""

    def __init__(self, folder: Path, port: int) -> None:
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        super().__init__((HOST, port), _Request)
        self.key = load_pem_private_key((folder / "signing.pem").read_bytes(), None)
        self.known: dict[str, str] = json.loads((folder / "clients.json").read_text())

    def answer(self, authorization: str) -> tuple[int, dict[str, Any]]:
        client, secret = _client(authorization)
        expected = self.known.get(client)
        if expected is None or not secrets.compare_digest(secret.encode(), expected.encode()):
            return 401, {"error": "invalid_client"}
        now = int(time.time())
        claims = {"iss": "headrace", "sub": client, "aud": AUDIENCE, "iat": now}
        token = signed_token(self.key, claims | {"exp": now + LIFETIME_SECONDS})
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": LIFETIME_SECONDS}


def _client(authorization: str) -> tuple[str, str]:
    kind, _, word = authorization.partition(" ")
    try:
        name, _, secret = base64.b64decode(word, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return (name, secret) if kind.lower() == "basic" else ("", "")


class _Request(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:  # the name is the protocol's
        # A body that is not read would break the connection before the answer arrives.
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        found = self.path.partition("?")[0] == PATH
        status, content = (
            self.server.answer(self.headers.get("Authorization", "")) if found else (404, {})
        )
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    Endpoint(Path(sys.argv[1]), int(sys.argv[2])).serve_forever()
