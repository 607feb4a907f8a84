"""Files of keys and certificates in every form; those of Java's are read by a JVM."""

import os
import ssl
import subprocess
from pathlib import Path

import pytest

from headrace.connect.keystores import Store, pem_file
from headrace.errors import InvalidOption
from headrace.toolchain.java import find_java

STORE_PASSWORD, KEY_PASSWORD = "of-the-store", "of-the-key"
REAL_JAVA = pytest.mark.spark


@pytest.fixture(scope="module")
def keystore(certificate, tmp_path_factory):
    """Makes a keystore of a type with the certificate's key; in one of JKS the key has a password of its own."""
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
    from cryptography.hazmat.primitives.serialization import load_pem_private_key as load_key
    from cryptography.x509 import load_pem_x509_certificate as load_certificate

    folder, pem = tmp_path_factory.mktemp("stores"), certificate.read_bytes()
    first = folder / "worker.p12"
    encrypted = BestAvailableEncryption(STORE_PASSWORD.encode())
    content = (b"worker", load_key(pem, None), load_certificate(pem), None, encrypted)
    first.write_bytes(pkcs12.serialize_key_and_certificates(*content))

    def make(type: str):
        if type == "PKCS12":
            return first
        made = folder / "worker.jks"
        if not made.exists():
            keytool("-importkeystore", *of("src", first), *of("dest", made, "JKS"))
            changed = ("-keypass", STORE_PASSWORD, "-new", KEY_PASSWORD)
            store = ("-keystore", str(made), "-storepass", STORE_PASSWORD)
            keytool("-keypasswd", "-alias", "worker", *changed, *store)
        return made

    return make


def of(side, file, type="PKCS12"):
    words = {"keystore": str(file), "storetype": type, "storepass": STORE_PASSWORD}
    return [word for name, value in words.items() for word in (f"-{side}{name}", value)]


def keytool(*words):
    program = find_java().executable.with_name("keytool")
    subprocess.run([program, *words, "-noprompt"], check=True, capture_output=True)


@pytest.fixture(scope="module")
def truststore(certificate, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trusted")
    made, authority = folder / "trusted.jks", folder / "authority.pem"
    authority.write_text(first_certificate(certificate.read_text()))
    store = ("-keystore", str(made), "-storetype", "JKS", "-storepass", STORE_PASSWORD)
    keytool("-importcert", "-alias", "authority", "-file", str(authority), *store)
    return made


def served_by(store: Store) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with pem_file(store) as file:
        context.load_cert_chain(file, password=store.pem_password)
    return context


def first_certificate(text: str) -> str:
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    return text[text.index(begin) : text.index(end) + len(end)]


class TestPem:
    def test_a_file_of_pem_stays_as_it_is(self, certificate):
        for type in (None, "PEM", "pem"):
            assert Store(str(certificate), type).pem() == certificate.read_text()

    def test_its_key_may_have_a_password(self, certificate):
        assert Store(str(certificate), key_password="k").pem_password == "k"
        assert Store(str(certificate), password="s").pem_password == ""

    def test_the_file_that_is_read_goes_again(self, certificate):
        with pem_file(Store(str(certificate))) as file:
            assert os.stat(file).st_mode & 0o077 == 0
            assert Path(file).read_text() == certificate.read_text()
        assert not os.path.exists(file)

    def test_another_form_than_the_one_that_was_said(self, certificate):
        with pytest.raises(InvalidOption) as caught:
            Store(str(certificate), "JKS").pem()
        assert (caught.value.found, caught.value.expected) == ("a PEM file", "JKS")

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(InvalidOption, match="cannot be used") as caught:
            Store(str(tmp_path / "away.jks")).pem()
        assert caught.value.found == "No such file or directory"


@REAL_JAVA
class TestKeystoresOfJava:
    @pytest.mark.parametrize("type", ["PKCS12", "JKS"])
    @pytest.mark.parametrize("is_said", [True, False])
    def test_they_serve_the_certificate(self, keystore, certificate, type, is_said):
        own = KEY_PASSWORD if type == "JKS" else None
        store = Store(str(keystore(type)), type if is_said else None, STORE_PASSWORD, own)
        assert first_certificate(store.pem()) == first_certificate(certificate.read_text())
        assert served_by(store).cert_store_stats()["x509"] == 0

    def test_authorities_without_a_key(self, truststore):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=Store(str(truststore), None, STORE_PASSWORD).pem())
        assert context.get_ca_certs()[0]["subject"] == ((("commonName", "worker"),),)

    def test_a_wrong_password_is_told_and_not_shown(self, keystore):
        with pytest.raises(InvalidOption) as caught:
            Store(str(keystore("PKCS12")), None, "not-this-one").pem()
        assert "password" in caught.value.found
        assert "not-this-one" not in caught.value.render()

    def test_a_wrong_password_of_the_key(self, keystore):
        with pytest.raises(InvalidOption, match="cannot be used"):
            Store(str(keystore("JKS")), "JKS", STORE_PASSWORD, "not-this-one").pem()

    def test_a_file_of_something_else(self, tmp_path):
        file = tmp_path / "odd"
        file.write_text("nothing")
        with pytest.raises(InvalidOption) as caught:
            Store(str(file), "JKS", "x").pem()
        assert "Unrecognized keystore format" in caught.value.found
