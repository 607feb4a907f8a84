"""A registry behind TLS that asks its clients for a certificate."""

import datetime as dt
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12

from headrace import types as t
from headrace.formats.errors import registry_fault_from
from headrace.toolchain.java import find_java

PASSWORD = "keep-out"


class Answering(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"id": 7}')

    def log_message(self, *args):
        """Nothing on the terminal."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A certificate of 127.0.0.1 that vouches for itself, as PEM for Python and as stores for Java."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "registry")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (folder / "both.pem").write_bytes(private + pem)
    (folder / "certificate.pem").write_bytes(pem)
    (folder / "keystore.p12").write_bytes(
        pkcs12.serialize_key_and_certificates(
            b"me",
            key,
            certificate,
            None,
            serialization.BestAvailableEncryption(PASSWORD.encode()),
        )
    )
    keytool = find_java().executable.with_name("keytool")
    options = ["-importcert", "-noprompt", "-file", "certificate.pem", "-alias", "it"]
    stored = ["-keystore", "truststore.p12", "-storepass", PASSWORD, "-storetype", "PKCS12"]
    subprocess.run([keytool, *options, *stored], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def server(folder):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "both.pem")
    context.load_verify_locations(folder / "certificate.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    server = HTTPServer(("127.0.0.1", 0), Answering)
    # The handshake belongs to the request: done when accepting, a refused client would end the server's loop.
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def written(bench, use, server, **stores):
    given = {"url": f"https://127.0.0.1:{server.server_port}", "subject": "s"}
    options = {name.replace("_", "."): str(value) for name, value in stores.items()}
    df = bench.spark.range(1).selectExpr("'x' AS c", "1L AS __weight")
    return bench.encode(use("avro-confluent", {"c": t.STRING}, given | options), df)


@pytest.mark.spark
def test_stores_prove_both_sides(bench, use, server, folder):
    found = written(
        bench,
        use,
        server,
        ssl_keystore_location=folder / "keystore.p12",
        ssl_keystore_password=PASSWORD,
        ssl_truststore_location=folder / "truststore.p12",
        ssl_truststore_password=PASSWORD,
    )
    assert found == [(None, b"\0\0\0\0\7\2\2x")]


@pytest.mark.spark
def test_a_wrong_password_and_an_unknown_certificate_are_told(bench, use, server, folder):
    wrong = {"ssl_truststore_location": folder / "truststore.p12", "ssl_truststore_password": "x"}
    for stores, told in ((wrong, "password"), ({}, "PKIX")):
        with pytest.raises(Exception, match="registry=") as caught:
            written(bench, use, server, **stores)
        error = registry_fault_from(str(caught.value))
        assert error.condition == "REGISTRY_UNREACHABLE"
        assert told in error.found
