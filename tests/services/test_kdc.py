from __future__ import annotations

import stat
import struct

import pytest

from headrace.services.kdc import REALM, KdcService, keytab_entries
from headrace.services.ports import free_port


def entry(*parts: str, key: bytes = b"k") -> bytes:
    """As in a keytab: the number of parts without the realm, the realm, the parts, and what belongs to the key."""
    texts = b"".join(struct.pack(">H", len(p)) + p.encode() for p in (REALM, *parts))
    body = struct.pack(">H", len(parts)) + texts + key
    return struct.pack(">i", len(body)) + body


KAFKA, APP = entry("kafka", "localhost"), entry("app", key=b"another")
KEYTAB = b"\x05\x02" + KAFKA + APP


def test_entries_are_found_by_principal():
    assert list(keytab_entries(KEYTAB)) == [("kafka/localhost", KAFKA), ("app", APP)]


@pytest.mark.parametrize("length", range(len(KEYTAB)))
def test_a_file_that_is_still_written_gives_whole_entries_only(length):
    found = [name for name, _ in keytab_entries(KEYTAB[:length])]
    assert found == (["kafka/localhost"] if length >= 2 + len(KAFKA) else [])


def test_it_is_not_ready_before_its_keys_are(tmp_path):
    assert not KdcService(tmp_path).is_ready(f"127.0.0.1:{free_port()}")


def test_names(tmp_path):
    service = KdcService(tmp_path)
    assert service.principal("app") == "app@HEADRACE.TEST"
    assert service.keytab("kafka/localhost").name == "kafka_localhost.keytab"
    assert service.service_principal.startswith("kafka/")
    login = service.login("app")
    assert f'keyTab="{tmp_path / "app.keytab"}" principal="app@HEADRACE.TEST";' in login


def test_the_port_may_be_chosen(tmp_path):
    wanted = free_port()
    assert KdcService(tmp_path, port=wanted).choose_ports({}) == {"main": wanted}


@pytest.mark.services
def test_everybody_gets_a_keytab_that_nobody_else_reads(secure_broker):
    kdc = secure_broker.kdc
    assert f"kdc = localhost:{kdc.address.rpartition(':')[2]}" in kdc.configuration.read_text()
    for name in (kdc.service_principal, "app"):
        file = kdc.keytab(name)
        assert {found for found, _ in keytab_entries(file.read_bytes())} == {name}
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(kdc.folder.stat().st_mode) == 0o700
