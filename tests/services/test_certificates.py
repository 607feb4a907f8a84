from __future__ import annotations

import ssl
import stat
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import pkcs12

from headrace.services.certificates import CA_NAME, new_authority, write_private

PASSWORD = "hunter2-hunter2"


@pytest.fixture
def authority(tmp_path):
    return new_authority(tmp_path / "certificates", PASSWORD)


def certificate_of(pem):
    (certificate,) = x509.load_pem_x509_certificates(pem.read_bytes())
    return certificate


def test_an_authority_signs_itself_and_others(authority):
    own = certificate_of(authority.pem)
    own.verify_directly_issued_by(own)
    issued = certificate_of(authority.issue("app", PASSWORD))
    issued.verify_directly_issued_by(own)
    assert issued.subject.rfc4514_string() == "CN=app"
    assert own.subject.rfc4514_string() == f"CN={CA_NAME}"
    assert own.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert not issued.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_certificates_name_this_machine(authority):
    issued = certificate_of(authority.issue("broker", PASSWORD))
    names = issued.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(a) for a in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1"]


def test_key_and_chain_work_with_each_other(authority):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.issue("broker", PASSWORD))
    context.load_verify_locations(authority.pem)
    assert context.cert_store_stats()["x509_ca"] == 1


def test_stores_open_with_the_password_alone(authority):
    authority.issue("app", PASSWORD)
    content = (authority.folder / "app.p12").read_bytes()
    store = pkcs12.load_pkcs12(content, PASSWORD.encode())
    assert store.cert.friendly_name == b"app"
    assert [c.certificate for c in store.additional_certs] == [certificate_of(authority.pem)]
    with pytest.raises(ValueError, match="password"):
        pkcs12.load_pkcs12(content, b"another")
    trusted = pkcs12.load_pkcs12(authority.truststore.read_bytes(), PASSWORD.encode())
    assert [c.friendly_name for c in trusted.additional_certs] == [CA_NAME.encode()]


def test_validity_includes_now_unless_it_has_ended(authority):
    now = datetime.now(UTC)
    fresh = certificate_of(authority.issue("app", PASSWORD))
    assert fresh.not_valid_before_utc < now < fresh.not_valid_after_utc
    old = certificate_of(authority.issue("old", PASSWORD, valid=timedelta(days=-1)))
    assert old.not_valid_before_utc < old.not_valid_after_utc < now


def test_authorities_differ(tmp_path):
    first, second = (new_authority(tmp_path / name, PASSWORD) for name in ("a", "b"))
    issued = certificate_of(first.issue("app", PASSWORD))
    with pytest.raises(Exception, match=r"^$|signature|Invalid"):
        issued.verify_directly_issued_by(certificate_of(second.pem))


def test_keys_are_for_their_owner_only(authority):
    authority.issue("app", PASSWORD)
    for name in ("app.pem", "app.p12", "truststore.p12"):
        assert stat.S_IMODE((authority.folder / name).stat().st_mode) == 0o600, name
    # The key of the authority itself is not kept at all.
    assert b"PRIVATE" not in authority.pem.read_bytes()


def test_a_file_that_others_could_read_is_replaced(tmp_path):
    file = tmp_path / "secret"
    file.write_text("old")
    file.chmod(0o644)
    write_private(file, b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
