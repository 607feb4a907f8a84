from __future__ import annotations

import pytest
from confluent_kafka import Producer

from headrace.connect.librdkafka import tls
from headrace.connect.librdkafka.tls import encrypted
from headrace.errors import InvalidOption
from headrace.services.certificates import new_authority
from headrace.services.ways import pem_key, pem_trust, store_files

SSL = {"security.protocol": "SSL"}
PASSWORD = "of-the-stores"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    new_authority(folder, PASSWORD).issue("app", PASSWORD)
    return folder


def taken(found: dict[str, str]) -> None:
    """librdkafka reads certificates and keys when a client is made."""
    Producer(found | SSL | {"log_level": "0", "bootstrap.servers": "127.0.0.1:1"})


@pytest.mark.parametrize("protocol", ["SSL", "SASL_SSL", "sasl_ssl"])
def test_files_of_pem(certificates, protocol):
    options = pem_trust(certificates) | pem_key(certificates, "app")
    found = encrypted(options | {"security.protocol": protocol})
    assert found.keys() == {"ssl.ca.pem", "ssl.key.pem", "ssl.certificate.pem"}
    assert found["ssl.ca.pem"].strip() == (certificates / "ca.pem").read_text().strip()
    assert "PRIVATE KEY" not in found["ssl.certificate.pem"]
    assert found["ssl.key.pem"].count("-----BEGIN") == 1
    taken(found)


def test_keystores_of_java_hold_the_same(certificates):
    pem = encrypted(SSL | pem_trust(certificates) | pem_key(certificates, "app"))
    stores = encrypted(SSL | store_files(certificates, "app", PASSWORD))
    assert stores.keys() == pem.keys()
    assert _bare(stores["ssl.ca.pem"]) == _bare(pem["ssl.ca.pem"])
    assert _bare(pem["ssl.certificate.pem"]) in _bare(stores["ssl.certificate.pem"])
    taken(stores)


def _bare(pem: str) -> str:
    """Without its lines, which are of different lengths."""
    return "".join(line for line in pem.splitlines() if not line.startswith("-----"))


def test_texts_in_place_of_files(certificates):
    pem = encrypted(SSL | pem_trust(certificates) | pem_key(certificates, "app"))
    options = {
        "ssl.truststore.certificates": pem["ssl.ca.pem"],
        "ssl.keystore.key": pem["ssl.key.pem"],
        "ssl.keystore.certificate.chain": pem["ssl.certificate.pem"],
    }
    assert encrypted(SSL | options) == pem


def test_a_password_of_a_key_in_pem():
    options = {"ssl.keystore.certificate.chain": "c", "ssl.key.password": "p"}
    plain = encrypted(SSL | options | {"ssl.keystore.key": "-----BEGIN PRIVATE KEY-----"})
    assert "ssl.key.password" not in plain
    locked = encrypted(
        SSL | options | {"ssl.keystore.key": "-----BEGIN ENCRYPTED PRIVATE KEY-----"}
    )
    assert locked["ssl.key.password"] == "p"


def test_a_wrong_password_is_told_and_not_shown(certificates):
    wrong = store_files(certificates, "app", "not-this-one")
    with pytest.raises(InvalidOption, match="cannot be used") as caught:
        encrypted(SSL | wrong)
    assert "truststore.p12" in caught.value.render()
    assert "not-this-one" not in caught.value.render()


@pytest.mark.parametrize(("given", "found"), [("", "none"), ("HTTPS", "https"), (" ", "none")])
def test_whether_names_of_hosts_are_compared(given, found):
    name = "ssl.endpoint.identification.algorithm"
    assert encrypted(SSL | {name: given}) == {name: found}
    taken({name: found})


@pytest.mark.parametrize("protocol", [{}, {"security.protocol": "SASL_PLAINTEXT"}])
def test_nothing_where_nothing_is_encrypted(protocol):
    assert encrypted(protocol | {"ssl.truststore.location": "/not/there.jks"}) == {}


def test_what_is_java_s_alone_is_told_once(caplog):
    tls._tell_unused.cache_clear()
    for _ in range(3):
        assert encrypted(SSL | {"ssl.enabled.protocols": "TLSv1.3", "ssl.protocol": ""}) == {}
    assert [record.message.split()[0] for record in caplog.records] == ["ssl.enabled.protocols"]
