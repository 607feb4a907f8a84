from __future__ import annotations

import builtins

import pytest

from headrace.connect.aws import Keys, keys_for, keys_of_profile, keys_of_role
from headrace.errors import EnvironmentFault
from headrace.services.s3 import S3Service


@pytest.fixture
def without_boto3(monkeypatch):
    real = builtins.__import__

    def missing(name, *facts, **more):
        if name == "boto3":
            raise ImportError(name)
        return real(name, *facts, **more)

    monkeypatch.setattr(builtins, "__import__", missing)


def test_keys_of_the_environment():
    environment = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    assert keys_for("S3", "", environment) == Keys("a", "b", None)
    assert keys_for("S3", "", environment | {"AWS_SESSION_TOKEN": "c"}) == Keys("a", "b", "c")


def test_keys_of_a_profile(tmp_path, monkeypatch):
    file = tmp_path / "credentials"
    file.write_text("[shop]\naws_access_key_id = p\naws_secret_access_key = q\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
    assert keys_of_profile("shop") == Keys("p", "q", None)
    monkeypatch.setenv("AWS_PROFILE", "shop")
    assert keys_for("S3", "", {}) == Keys("p", "q", None)


def test_none_at_all(without_boto3):
    with pytest.raises(EnvironmentFault, match="no credentials for MSK") as caught:
        keys_for("MSK", "two variables", {})
    assert caught.value.expected == "two variables"


@pytest.mark.parametrize("ask", [keys_of_profile, lambda arn: keys_of_role(arn, "s", "r", None)])
def test_what_needs_amazon_s_library_says_so(without_boto3, ask):
    with pytest.raises(EnvironmentFault, match="need the package boto3"):
        ask("x")


@pytest.mark.services
def test_a_role_lends_its_keys(tmp_path, monkeypatch):
    """By Amazon's own protocol, from a server on this machine."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "any")
    with S3Service(tmp_path) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_STS", server.endpoint)
        lent = keys_of_role(
            "arn:aws:iam::123456789012:role/reader", "headrace", "us-east-1", "outside"
        )
    assert lent.access.startswith("ASIA")
    assert lent.token
