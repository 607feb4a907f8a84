from __future__ import annotations

import pytest

from headrace.connectors.kafka.credentials import credential_properties
from headrace.errors import EnvironmentFault, Position, UnknownName

CONTENT = """
[ssl.shop]
"ssl.truststore.location" = "/etc/trust.jks"
"ssl.truststore.password" = "hunter2"

[ssl.empty]

[krb.reports]
principal = "reports@EXAMPLE.COM"
keytab = "/etc/reports.keytab"
service = "broker"

[krb.plain]
"sasl.jaas.config" = "own"
"security.protocol" = "SASL_SSL"

[krb.number]
port = 1
"""


@pytest.fixture
def file(monkeypatch, tmp_path):
    path = tmp_path / "credentials.toml"
    path.write_text(CONTENT)
    path.chmod(0o600)
    monkeypatch.setenv("HEADRACE_CREDENTIALS", str(path))
    return path


def test_without_a_name_the_file_is_not_looked_at(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_CREDENTIALS", str(tmp_path / "none"))
    assert credential_properties(None, None, {}) == {}


def test_ssl_is_the_protocol_and_the_named_properties(file):
    assert credential_properties("shop", None, {}) == {
        "security.protocol": "SSL",
        "ssl.truststore.location": "/etc/trust.jks",
        "ssl.truststore.password": "hunter2",
    }
    assert credential_properties("empty", None, {}) == {"security.protocol": "SSL"}


def test_kerberos_logs_in_with_the_keytab(file):
    found = credential_properties(None, "reports", {})
    login = found.pop("sasl.jaas.config")
    assert login.startswith("com.sun.security.auth.module.Krb5LoginModule required ")
    assert 'keyTab="/etc/reports.keytab" principal="reports@EXAMPLE.COM";' in login
    assert found == {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "GSSAPI",
        "sasl.kerberos.service.name": "broker",
    }


def test_the_files_own_properties_come_first(file):
    found = credential_properties(None, "plain", {})
    assert found["sasl.jaas.config"] == "own"
    assert found["security.protocol"] == "SASL_SSL"
    assert found["sasl.kerberos.service.name"] == "kafka"


def test_both_kinds_make_kerberos_over_ssl(file):
    found = credential_properties("shop", "reports", {})
    assert found["security.protocol"] == "SASL_SSL"
    assert found["ssl.truststore.location"] == "/etc/trust.jks"


@pytest.mark.parametrize(
    ("names", "key"), [(("shp", None), "ssl_auth_name"), ((None, "report"), "krb_auth_name")]
)
def test_an_unknown_name_is_told_with_its_nearest(file, names, key):
    place = Position(3, 4)
    with pytest.raises(UnknownName, match=r"did you mean '(shop|reports)'") as caught:
        credential_properties(*names, {key: place})
    assert caught.value.condition == "UNKNOWN_CREDENTIALS"
    assert caught.value.where == place
    assert str(file) in caught.value.summary
    assert "hunter2" not in caught.value.render()


def test_a_name_of_the_other_kind_is_unknown(file):
    with pytest.raises(UnknownName):
        credential_properties("reports", None, {})


def unusable(name="shop"):
    with pytest.raises(EnvironmentFault, match="cannot be used") as caught:
        credential_properties(name, None, {})
    assert caught.value.condition == "INVALID_CREDENTIALS"
    assert "hunter2" not in caught.value.render()
    return caught.value


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_may_read_or_write_is_not_used(file, mode):
    file.chmod(mode)
    error = unusable()
    assert error.where == str(file)
    assert error.cure == f"chmod 600 {file}"


def test_a_missing_file_says_where_it_should_be(file):
    file.unlink()
    error = unusable()
    assert error.found == "no such file"
    assert "HEADRACE_CREDENTIALS" in error.cure


def test_malformed_text_is_pointed_at_and_not_shown(file):
    file.write_text('[ssl.shop]\n"ssl.key.password" = hunter2\n')
    assert "line 2" in unusable().found


def test_values_are_texts(file):
    with pytest.raises(EnvironmentFault, match="cannot be used") as caught:
        credential_properties(None, "number", {})
    assert caught.value.found == "[krb.number]"
