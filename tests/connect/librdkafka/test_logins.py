from __future__ import annotations

import pytest
from confluent_kafka import Producer

from headrace.connect.librdkafka.logins import logged_in
from headrace.connect.librdkafka.msk_iam import MskTokens
from headrace.errors import InvalidOption
from headrace.services.ways import bearer_login, password_login

MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
BEARER = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "OAUTHBEARER"}
MSK = {
    "security.protocol": "SASL_SSL",
    "bootstrap.servers": "b-1.pagila.abc.c2.kafka.us-east-1.amazonaws.com:9098",
    "sasl.jaas.config": 'software.amazon.msk.auth.iam.IAMLoginModule required awsProfileName="shop";',
}


def taken(found: dict[str, object]) -> None:
    """librdkafka says at once whether it can log in so."""
    quiet = {"log_level": "0", "bootstrap.servers": "127.0.0.1:1"}
    Producer(quiet | {"security.protocol": "SASL_PLAINTEXT"} | found)


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_names_and_passwords(mechanism):
    found = logged_in(password_login(mechanism, "app", 'p;w\\"d'))
    assert found == {
        "sasl.mechanism": mechanism,
        "sasl.username": "app",
        "sasl.password": 'p;w"d',
    }
    taken(found)


def test_a_login_without_a_password():
    jaas = 'x.PlainLoginModule required username="app";'
    options = {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.jaas.config": jaas}
    with pytest.raises(InvalidOption, match="the login has no password") as caught:
        logged_in(options)
    assert caught.value.where == "sasl.jaas.config"


class TestTokens:
    def test_of_an_endpoint(self):
        found = logged_in(bearer_login("app", "s3cret", "http://127.0.0.1:9/token"))
        assert found == {
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.token.endpoint.url": "http://127.0.0.1:9/token",
            "sasl.oauthbearer.client.id": "app",
            "sasl.oauthbearer.client.secret": "s3cret",
        }

    def test_credentials_beside_the_login_come_first(self):
        options = bearer_login("old", "older", "http://127.0.0.1:9/token") | {
            "sasl.oauthbearer.client.credentials.client.id": "app",
            "sasl.oauthbearer.client.credentials.client.secret": "s3cret",
            "sasl.oauthbearer.scope": "kafka",
        }
        found = logged_in(options)
        assert found["sasl.oauthbearer.client.id"] == "app"
        assert found["sasl.oauthbearer.client.secret"] == "s3cret"
        assert found["sasl.oauthbearer.scope"] == "kafka"

    def test_scope_and_extensions_of_the_login(self):
        login = (
            f'{MODULE} clientId="a" clientSecret="b" scope="k" extension_pool="p" extension_x="y";'
        )
        options = BEARER | {
            "sasl.jaas.config": login,
            "sasl.oauthbearer.token.endpoint.url": "http://127.0.0.1:9/",
        }
        found = logged_in(options)
        assert found["sasl.oauthbearer.scope"] == "k"
        assert found["sasl.oauthbearer.extensions"] == "pool=p,x=y"
        taken(found)

    def test_those_that_nobody_signs(self):
        found = logged_in(
            BEARER | {"sasl.jaas.config": f'{MODULE} unsecuredLoginStringClaim_sub="dev";'}
        )
        assert found["enable.sasl.oauthbearer.unsecure.jwt"] == "true"
        assert found["sasl.oauthbearer.config"] == "principal=dev"
        taken(found)

    def test_from_nowhere(self):
        handler = {"sasl.login.callback.handler.class": "com.example.Tokens"}
        with pytest.raises(InvalidOption, match="none is named") as caught:
            logged_in(BEARER | handler)
        assert caught.value.found == "com.example.Tokens"


class TestAmazon:
    @pytest.mark.parametrize(
        "way",
        [
            {"sasl.mechanism": "AWS_MSK_IAM"},
            {
                "sasl.mechanism": "OAUTHBEARER",
                "sasl.login.callback.handler.class": "software.amazon.msk.auth.iam.IAMOAuthBearerLoginCallbackHandler",
            },
        ],
    )
    def test_a_signed_request_is_the_token(self, way):
        found = logged_in(MSK | way)
        assert found == {
            "sasl.mechanism": "OAUTHBEARER",
            "oauth_cb": MskTokens("us-east-1", {"awsProfileName": "shop"}),
        }


@pytest.mark.parametrize("mechanism", [{}, {"sasl.mechanism": "GSSAPI"}])
def test_kerberos_is_refused_by_name(mechanism):
    with pytest.raises(InvalidOption, match="cannot log in by GSSAPI") as caught:
        logged_in({"security.protocol": "SASL_SSL"} | mechanism)
    assert "SCRAM-SHA-512" in caught.value.expected


@pytest.mark.parametrize("protocol", [{}, {"security.protocol": "SSL"}])
def test_nothing_where_nobody_logs_in(protocol):
    assert logged_in(protocol | {"sasl.mechanism": "GSSAPI"}) == {}
