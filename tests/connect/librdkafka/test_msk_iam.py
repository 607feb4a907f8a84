from __future__ import annotations

import base64
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from botocore.auth import SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from headrace.connect.aws import Keys
from headrace.connect.librdkafka import msk_iam
from headrace.connect.librdkafka.msk_iam import MskTokens, signed
from headrace.errors import EnvironmentFault, InvalidOption

NOW = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
KEYS = Keys("AKIAFAKEFAKEFAKE", "not/a+secret=at-all")
SERVERS = (
    "b-1.c.x.c2.kafka.eu-west-1.amazonaws.com:9098,b-2.c.x.c2.kafka.eu-west-1.amazonaws.com:9098"
)


def address(token: str) -> str:
    return base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()


def by_amazon(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address as Amazon's own library signs it."""
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda: NOW, raising=False)
    request = AWSRequest(
        "GET", "https://kafka.eu-west-1.amazonaws.com/?Action=kafka-cluster%3AConnect"
    )
    SigV4QueryAuth(Credentials(*keys), "kafka-cluster", "eu-west-1", expires=900).add_auth(request)
    return str(request.url)


@pytest.mark.parametrize("keys", [KEYS, KEYS._replace(token="of/a+session==")])
def test_the_signature_is_that_of_amazon_s_library(keys, monkeypatch):
    expected = parse_qs(urlsplit(by_amazon(keys, monkeypatch)).query)
    found = urlsplit(address(signed("eu-west-1", keys, NOW.timestamp())))
    query = parse_qs(found.query)
    assert query.pop("User-Agent") == ["headrace"]
    assert query == expected
    assert (found.scheme, found.hostname, found.path) == (
        "https",
        "kafka.eu-west-1.amazonaws.com",
        "/",
    )


def test_a_token_has_no_padding_and_no_secret():
    token = signed("eu-west-1", KEYS, NOW.timestamp())
    assert "=" not in token
    assert KEYS.secret not in address(token)


class TestRegion:
    @pytest.mark.parametrize(
        "servers",
        [SERVERS, "boot-x.c1.kafka-serverless.eu-west-1.amazonaws.com:9098"],
    )
    def test_is_that_of_the_brokers(self, servers):
        found = MskTokens.of(servers, {}, {"AWS_REGION": "us-east-1"})
        assert found.region == "eu-west-1"

    @pytest.mark.parametrize("name", ["AWS_REGION", "AWS_DEFAULT_REGION"])
    def test_or_of_the_environment(self, name):
        assert MskTokens.of("kafka.internal:9098", {}, {name: "us-east-2"}).region == "us-east-2"

    def test_or_not_known(self):
        with pytest.raises(InvalidOption, match="region") as caught:
            MskTokens.of("kafka.internal:9098", {}, {})
        assert caught.value.found == "kafka.internal:9098"


class TestKeys:
    def credential(self, tokens: MskTokens) -> str:
        token, until = tokens("")
        assert until > datetime.now(UTC).timestamp() + 800
        return parse_qs(urlsplit(address(token)).query)["X-Amz-Credential"][0].partition("/")[0]

    def test_of_the_environment(self, monkeypatch):
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAENV")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
        assert self.credential(MskTokens("eu-west-1", {})) == "AKIAENV"

    def test_of_a_profile(self, monkeypatch, tmp_path):
        file = tmp_path / "credentials"
        file.write_text("[shop]\naws_access_key_id = AKIASHOP\naws_secret_access_key = y\n")
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
        assert self.credential(MskTokens("eu-west-1", {"awsProfileName": "shop"})) == "AKIASHOP"

    def test_of_a_role(self, monkeypatch):
        asked = []
        monkeypatch.setattr(
            msk_iam,
            "keys_of_role",
            lambda *facts: asked.append(facts) or Keys("ASIAROLE", "z", "t"),
        )
        login = {"awsRoleArn": "arn:aws:iam::1:role/reader", "awsRoleExternalId": "e"}
        assert self.credential(MskTokens("eu-west-1", login)) == "ASIAROLE"
        assert asked == [("arn:aws:iam::1:role/reader", "headrace", "eu-west-1", "e")]

    def test_of_nobody(self, monkeypatch):
        for name in ("AWS_ACCESS_KEY_ID", "AWS_PROFILE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("boto3.Session.get_credentials", lambda session: None)
        with pytest.raises(EnvironmentFault, match="no credentials for Amazon MSK"):
            MskTokens("eu-west-1", {})("")
