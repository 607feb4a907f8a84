from __future__ import annotations

import datetime
import ipaddress
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from headrace.connect.rest.dispatch import Dispatcher
from headrace.connect.rest.messages import Request
from headrace.testing.connect_worker import SINK, SOURCE, memory_worker
from headrace.testing.topics import eventually


class Api:
    """A worker in memory, asked as a client asks; no socket between."""

    def __init__(self, worker, send=None) -> None:
        self.worker = worker
        self.dispatch = Dispatcher(worker, send)

    def __call__(self, method: str, target: str, body: object = None, **headers: str):
        parts = urlsplit(target)
        payload = (
            body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        )
        known = {name.replace("_", "-"): value for name, value in headers.items()}
        known.setdefault("x-base-url", "http://worker:8083")
        if payload:
            known.setdefault("content-type", "application/json")
        return self.dispatch(
            Request(
                method, parts.path, parse_qs(parts.query, keep_blank_values=True), payload, known
            )
        )

    def ok(self, method: str, target: str, body: object = None):
        response = self(method, target, body)
        assert response.status < 300, response
        return response.body

    def refused(self, method: str, target: str, body: object = None) -> tuple[int, str]:
        response = self(method, target, body)
        assert response.body["error_code"] == response.status
        return response.status, response.body["message"]

    def settle(self) -> None:
        """Wait until the worker has done what it was asked so far."""
        assert self.worker.runner.settled(30)

    def source(self, name: str = "counter", **config: object):
        """Create a source, running."""
        config = {"connector.class": SOURCE, "topic": "numbers", **config}
        body = self.ok("PUT", f"/connectors/{name}/config", config)
        self.settle()
        return body

    def sink(self, name: str = "collector", **config: object):
        body = self.ok(
            "PUT", f"/connectors/{name}/config", {"connector.class": SINK, "topics": "a", **config}
        )
        self.settle()
        return body

    def states(self, name: str) -> tuple[str, list[str]]:
        status = self.ok("GET", f"/connectors/{name}/status")
        return status["connector"]["state"], [task["state"] for task in status["tasks"]]

    def until(self, name: str, *states: object) -> None:
        eventually(lambda: self.states(name), lambda seen: seen == states, 30)


@pytest.fixture
def make_api():
    started = []

    def make(send=None, **parts):
        worker = memory_worker(**parts)
        started.append(worker)
        worker.start()
        return Api(worker, send)

    yield make
    for worker in started:
        worker.stop()


@pytest.fixture
def api(make_api):
    return make_api()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A PEM file with a key and its certificate for 127.0.0.1, its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "worker")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "worker.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file
