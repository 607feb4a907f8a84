"""The connection that options describe; nothing here opens one."""

import base64

import pytest

from headrace.catalog.options import masked, parse_options
from headrace.errors import InvalidOption
from headrace.formats.schema_registry import REGISTRY_OPTIONS, check_registry, registry_spec

URL = {"url": "http://registry:8081"}


def parsed(given):
    return parse_options(REGISTRY_OPTIONS, URL | given, owner="format 'f'")


def test_an_address_is_needed():
    with pytest.raises(InvalidOption, match="url"):
        parse_options(REGISTRY_OPTIONS, {}, owner="format 'f'")


def test_the_old_names_still_count_and_the_new_one_wins():
    old = {"schema-registry.url": "http://old", "schema-registry.subject": "s"}
    found = parse_options(REGISTRY_OPTIONS, old, owner="format 'f'")
    assert (found["url"], found["subject"]) == ("http://old", "s")
    assert parsed(old)["url"] == URL["url"]


def test_several_addresses_are_split_and_cleaned():
    found = registry_spec(parsed({"url": "http://a:1/ , https://b/apis/v7"}))
    assert found["urls"] == ["http://a:1", "https://b/apis/v7"]


def test_without_settings_nothing_is_sent_along():
    found = registry_spec(parsed({}))
    assert found["headers"] == {}
    assert (found["connectTimeoutMillis"], found["readTimeoutMillis"]) == (10_000, 30_000)
    assert found["keystore"] is found["truststore"] is found["proxyHost"] is None


def test_basic_credentials_become_a_header():
    given = {"basic-auth.credentials-source": "USER_INFO", "basic-auth.user-info": "me:pass"}
    expected = "Basic " + base64.b64encode(b"me:pass").decode()
    assert registry_spec(parsed(given))["headers"] == {"Authorization": expected}


def test_credentials_of_the_address_become_a_header_and_leave_it():
    found = registry_spec(parsed({"url": "https://me:p%40ss@host:1"}))
    assert found["urls"] == ["https://host:1"]
    assert base64.b64decode(found["headers"]["Authorization"].split()[1]) == b"me:p@ss"


def test_a_token_and_other_headers_are_sent():
    given = {
        "bearer-auth.credentials-source": "STATIC_TOKEN",
        "bearer-auth.token": "t0k",
        "properties.request.header.X-Tenant": "blue",
    }
    assert registry_spec(parsed(given))["headers"] == {
        "Authorization": "Bearer t0k",
        "X-Tenant": "blue",
    }


def test_an_option_wins_over_the_same_setting_among_the_properties():
    given = {
        "properties.schema.registry.ssl.truststore.location": "/old",
        "properties.schema.registry.ssl.truststore.password": "p",
        "ssl.truststore.location": "/new",
        "properties.http.read.timeout.ms": "5",
        "properties.proxy.host": "proxy",
        "properties.proxy.port": "3128",
    }
    found = registry_spec(parsed(given))
    assert (found["truststore"], found["truststorePassword"]) == ("/new", "p")
    assert (found["readTimeoutMillis"], found["proxyHost"], found["proxyPort"]) == (
        5,
        "proxy",
        3128,
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"url": "registry:8081"}, "http://host:port"),
        ({"properties.max.schemas": "7"}, "not served"),
        ({"properties.http.read.timeout.ms": "soon"}, "whole number"),
        ({"basic-auth.user-info": "me:pass"}, "USER_INFO"),
        ({"basic-auth.credentials-source": "USER_INFO"}, "USER_INFO"),
        ({"bearer-auth.token": "t0k"}, "STATIC_TOKEN"),
    ],
    ids=str,
)
def test_what_would_have_no_effect_is_refused(given, told):
    with pytest.raises(InvalidOption) as caught:
        check_registry(parsed(given), "avro-confluent")
    assert told in caught.value.render()
    assert "pass" not in caught.value.render().replace("password", "")


def test_a_source_of_credentials_that_is_not_served_is_refused():
    with pytest.raises(InvalidOption, match="credentials-source"):
        parsed({"basic-auth.credentials-source": "SASL_INHERIT"})


def test_secrets_are_masked_wherever_options_are_shown():
    given = {
        "value.avro-confluent.url": "https://me:pass@host/x",
        "value.avro-confluent.basic-auth.user-info": "me:pass",
        "value.avro-confluent.bearer-auth.token": "pass",
        "value.avro-confluent.ssl.keystore.password": "pass",
        "value.avro-confluent.subject": "s",
    }
    shown = masked(given)
    assert "pass" not in "".join(shown.values())
    assert shown["value.avro-confluent.url"] == "https://******@host/x"
    assert shown["value.avro-confluent.subject"] == "s"
