from __future__ import annotations

import base64
import json
import stat
import threading
import time
import urllib.error
import urllib.request

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.hashes import SHA256

from headrace.services.tokens import AUDIENCE, Endpoint, TokenService
from headrace.toolchain.progress import silent


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = TokenService(tmp_path_factory.mktemp("tokens"), clients=("app", "other"))
    service.prepare({"main": 1}, silent)
    return service


@pytest.fixture(scope="module")
def endpoint(service):
    server = Endpoint(service.folder, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def basic(client, secret):
    return "Basic " + base64.b64encode(f"{client}:{secret}".encode()).decode()


def ask(url, authorization):
    headers = {"Authorization": authorization}
    request = urllib.request.Request(url, b"grant_type=client_credentials", headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def part(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def public_key(service):
    (key,) = json.loads(service.keys.read_text())["keys"]
    n, e = (int.from_bytes(part(key[name]), "big") for name in ("n", "e"))
    return key["kid"], RSAPublicNumbers(e, n).public_key()


def test_a_token_names_the_client_and_is_signed(service, endpoint):
    answer = ask(f"{endpoint}/token", basic("app", service.secret("app")))
    assert answer["token_type"] == "Bearer"
    signed, _, signature = answer["access_token"].rpartition(".")
    header, claims = (json.loads(part(text)) for text in signed.split("."))
    kid, key = public_key(service)
    key.verify(part(signature), signed.encode(), PKCS1v15(), SHA256())
    with pytest.raises(InvalidSignature):
        key.verify(part(signature), signed.encode() + b"x", PKCS1v15(), SHA256())
    assert (header["alg"], header["kid"]) == ("RS256", kid)
    assert (claims["sub"], claims["aud"]) == ("app", AUDIENCE)
    assert claims["iat"] <= time.time() < claims["exp"]


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Basic",
        "Basic %%%",
        "Bearer abc",
        basic("app", "guess"),
        basic("nobody", ""),
        basic("", ""),
    ],
)
def test_who_does_not_know_the_secret_gets_no_token(endpoint, authorization):
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(f"{endpoint}/token", authorization)
    assert caught.value.code == 401
    assert json.load(caught.value) == {"error": "invalid_client"}


def test_the_secret_of_one_client_is_not_that_of_another(service, endpoint):
    with pytest.raises(urllib.error.HTTPError, match="401"):
        ask(f"{endpoint}/token", basic("app", service.secret("other")))


def test_other_addresses_are_not_found(service, endpoint):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        ask(f"{endpoint}/", basic("app", service.secret("app")))


def test_secrets_stay_when_it_starts_again_and_are_private(service):
    before = service.secret("app")
    service.prepare({"main": 1}, silent)
    assert service.secret("app") == before
    for name in ("clients.json", "signing.pem"):
        assert stat.S_IMODE((service.folder / name).stat().st_mode) == 0o600
    assert '"d"' not in service.keys.read_text()


def test_what_is_run_shows_no_secret(service):
    command = " ".join(service.prepare({"main": 4711}, silent).command)
    assert command.endswith(f"-m headrace.services.tokens {service.folder} 4711")


@pytest.mark.services
def test_the_process_answers(secure_broker):
    tokens = secure_broker.tokens
    assert "access_token" in ask(tokens.url, basic("app", tokens.secret("app")))
    assert tokens.secret("app") not in tokens.log.read_text()
