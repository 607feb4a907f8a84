from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from headrace.services.ways import STORES, Way, password_login, ways_of


@pytest.fixture
def ways():
    return ways_of(
        addresses={"SSL": "h:1", "SASL_SSL": "h:2", "SASL_PLAINTEXT": "h:3"},
        certificates=Path("/certificates"),
        passwords={"app": "of-app", STORES: "of-stores"},
        user="app",
        token_url="http://h:4/token",
        token_secret="of-client",
        keytab=Path("/app.keytab"),
        principal="app@REALM",
    )


def by_name(ways):
    return {way.name: way for way in ways}


def test_each_leads_to_the_listener_of_its_protocol(ways):
    assert {way.name: way.servers for way in ways} == {
        "pem": "h:1",
        "stores": "h:1",
        "plain": "h:2",
        "scram-256": "h:2",
        "scram-512": "h:2",
        "oauth": "h:2",
        "scram-unencrypted": "h:3",
        "kerberos": "h:3",
    }


def test_options_show_no_secret(ways):
    for way in ways:
        shown = way.as_options()
        assert f"'{way.kind}_auth_name' = '{way.name}'" in shown
        assert not any(secret in shown for secret in ("of-app", "of-stores", "of-client"))


def test_entries_are_read_back_as_they_are(ways):
    content = tomllib.loads("\n".join(way.as_toml() for way in ways))
    for way in ways:
        assert content[way.kind][way.name] == way.properties


def test_quotes_and_backslashes_survive():
    way = Way("odd", "ssl", "h:1", {"sasl.jaas.config": 'a="b\\c";'})
    assert tomllib.loads(way.as_toml())["ssl"]["odd"] == {"sasl.jaas.config": 'a="b\\c";'}


@pytest.mark.parametrize(
    ("name", "mechanism", "module"),
    [
        ("plain", "PLAIN", "plain.PlainLoginModule"),
        ("scram-256", "SCRAM-SHA-256", "scram.ScramLoginModule"),
        ("scram-512", "SCRAM-SHA-512", "scram.ScramLoginModule"),
        ("oauth", "OAUTHBEARER", "oauthbearer.OAuthBearerLoginModule"),
    ],
)
def test_mechanisms_and_their_modules(ways, name, mechanism, module):
    properties = by_name(ways)[name].properties
    assert properties["security.protocol"] == "SASL_SSL"
    assert properties["sasl.mechanism"] == mechanism
    assert f".{module} required " in properties["sasl.jaas.config"]
    assert properties["ssl.truststore.location"] == "/certificates/ca.pem"


def test_without_encryption_nothing_is_trusted(ways):
    properties = by_name(ways)["scram-unencrypted"].properties
    assert properties["security.protocol"] == "SASL_PLAINTEXT"
    assert not any(key.startswith("ssl.") for key in properties)


def test_a_login_is_one_statement():
    login = password_login("PLAIN", "app", "secret")["sasl.jaas.config"]
    assert login.endswith(' required username="app" password="secret";')
