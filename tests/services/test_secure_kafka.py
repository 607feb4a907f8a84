from __future__ import annotations

import json
import stat
import tomllib

import pytest
from confluent_kafka.admin import AdminClient

from headrace.services.kdc import KdcService
from headrace.services.secure_kafka import APP, READER, RULES, WRITER, SecureKafkaService
from headrace.services.tokens import TokenService

PORTS = {"main": 1, "SASL_SSL": 2, "SASL_PLAINTEXT": 3, "controller": 4}


@pytest.fixture
def service(tmp_path):
    kdc, tokens = KdcService(tmp_path / "kdc"), TokenService(tmp_path / "tokens")
    service = SecureKafkaService(tmp_path / "kafka", kdc=kdc, tokens=tokens)
    service.folder.mkdir()
    service._make_users()
    return service


def test_no_listener_is_open_to_everybody(service):
    properties = service.properties(PORTS)
    protocols = dict(
        item.split(":") for item in properties["listener.security.protocol.map"].split(",")
    )
    assert protocols == {
        "SSL": "SSL",
        "SASL_SSL": "SASL_SSL",
        "SASL_PLAINTEXT": "SASL_PLAINTEXT",
        "CONTROLLER": "SSL",
    }
    assert properties["ssl.client.auth"] == "required"
    assert properties["allow.everyone.if.no.acl.found"] == "false"
    assert properties["super.users"] == "User:broker;User:admin"


@pytest.mark.parametrize("listener", ["sasl_ssl", "sasl_plaintext"])
def test_every_mechanism_has_its_login(service, listener):
    properties = service.properties(PORTS)
    enabled = properties[f"listener.name.{listener}.sasl.enabled.mechanisms"].split(",")
    assert enabled == ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI"]
    for mechanism in enabled:
        login = properties[f"listener.name.{listener}.{mechanism.lower()}.sasl.jaas.config"]
        assert login.endswith(";")
    plain = properties[f"listener.name.{listener}.plain.sasl.jaas.config"]
    assert f'user_app="{service.passwords["app"]}"' in plain
    assert service.passwords["stores"] not in plain


def test_users_are_made_once_with_passwords_of_their_own(service):
    before = service.passwords
    assert set(before) == {"admin", "stores", *RULES}
    assert len(set(before.values())) == len(before)
    for name in ("broker", "admin", "expired", *RULES):
        assert (service.certificates / f"{name}.pem").exists()
    assert stat.S_IMODE((service.folder / "passwords.json").stat().st_mode) == 0o600


def test_the_callers_settings_win(tmp_path):
    service = SecureKafkaService(tmp_path, settings={"ssl.client.auth": "requested"})
    service._make_users()
    assert service.properties(PORTS)["ssl.client.auth"] == "requested"


def test_java_is_told_of_kerberos_and_of_the_keys_it_may_read(service):
    first, second = service.java_options()
    assert first == f"-Djava.security.krb5.conf={service.kdc.configuration}"
    assert second.endswith(f"allowed.urls={service.tokens.keys.as_uri()}")


def test_readers_cannot_write_and_writers_cannot_read():
    rights = {
        user: {operation for rule in rules if rule.kind == "topic" for operation in rule.operations}
        for user, rules in RULES.items()
    }
    assert rights[READER] == {"DESCRIBE", "READ"}
    assert rights[WRITER] == {"DESCRIBE", "WRITE", "CREATE"}
    assert rights[APP] == rights[READER] | rights[WRITER]


@pytest.mark.services
def test_a_running_broker_has_its_rules_and_its_ways(secure_broker):
    admin = AdminClient(secure_broker.admin_client())
    described = admin.describe_user_scram_credentials(["app"])["app"].result(20)
    assert len(described.scram_credential_infos) == 2
    assert len(set(secure_broker.addresses.values())) == 3
    content = tomllib.loads(secure_broker.credentials.read_text())
    assert set(content["ssl"]) | set(content["krb"]) == {way.name for way in secure_broker.ways}
    assert stat.S_IMODE(secure_broker.credentials.stat().st_mode) == 0o600
    configuration = secure_broker.folder / "server.properties"
    assert stat.S_IMODE(configuration.stat().st_mode) == 0o600


@pytest.mark.services
def test_neither_log_nor_command_line_has_a_password(secure_broker):
    import psutil

    process = psutil.Process(secure_broker.status().pid)
    shown = " ".join(process.cmdline()) + secure_broker.log.read_text()
    shown += json.dumps(secure_broker.status().to_dict())
    assert [user for user, word in secure_broker.passwords.items() if word in shown] == []
