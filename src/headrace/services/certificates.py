"""A certificate authority of one's own: certificates for this machine, in the forms that Java and other clients read."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from headrace.services.ports import HOST

# Long enough that a development folder outlives it rarely, short enough that a lost key does not matter for ever.
VALIDITY = timedelta(days=365)

# Clocks of this machine and of its virtual machines differ a little.
CLOCK_TOLERANCE = timedelta(minutes=5)

CA_NAME = "headrace-development"


@dataclass(frozen=True, slots=True)
class Authority:
    """Signs certificates; `folder` gets ca.pem and truststore.p12 for those who trust it."""

    folder: Path
    key: Any
    certificate: Any

    @property
    def pem(self) -> Path:
        return self.folder / "ca.pem"

    @property
    def truststore(self) -> Path:
        return self.folder / "truststore.p12"

    def issue(self, name: str, password: str, *, valid: timedelta = VALIDITY) -> Path:
        """`name`.pem (key and chain) and `name`.p12, for servers of this machine and for clients; returns the former.
        A negative `valid` makes one that has expired."""
        from cryptography.hazmat.primitives.serialization import (
            BestAvailableEncryption,
            pkcs12,
        )

        key = _new_key()
        certificate = _signed(name, key, self.key, self.certificate.subject, valid=valid)
        write_private(self.folder / f"{name}.pem", _pem(key) + _pem(certificate))
        store = pkcs12.serialize_key_and_certificates(
            name.encode(),
            key,
            certificate,
            [self.certificate],
            BestAvailableEncryption(password.encode()),
        )
        write_private(self.folder / f"{name}.p12", store)
        return self.folder / f"{name}.pem"


def new_authority(folder: Path, password: str) -> Authority:
    """An authority whose key is never written: it lasts as long as this process."""
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12

    folder.mkdir(parents=True, exist_ok=True)
    key = _new_key()
    certificate = _signed(CA_NAME, key, key, None)
    authority = Authority(folder, key, certificate)
    authority.pem.write_bytes(_pem(certificate))
    trusted = pkcs12.PKCS12Certificate(certificate, CA_NAME.encode())
    encryption = BestAvailableEncryption(password.encode())
    write_private(authority.truststore, pkcs12.serialize_java_truststore([trusted], encryption))
    return authority


def write_private(file: Path, content: bytes) -> None:
    """A file that only its owner reads, from its first byte on."""
    file.unlink(missing_ok=True)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)


def _new_key() -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _signed(
    name: str, key: Any, issuer_key: Any, issuer: Any | None, *, valid: timedelta = VALIDITY
) -> Any:
    """Without an issuer, an authority that signs itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes

    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    end = datetime.now(UTC) + valid
    begin = min(datetime.now(UTC), end) - CLOCK_TOLERANCE
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if issuer is not None:
        builder = builder.add_extension(_names_of_this_machine(), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def _names_of_this_machine() -> Any:
    from cryptography import x509

    address = x509.IPAddress(ipaddress.ip_address(HOST))
    return x509.SubjectAlternativeName([x509.DNSName("localhost"), address])


def _pem(item: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    if hasattr(item, "private_bytes"):
        content: bytes = item.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    else:
        content = item.public_bytes(Encoding.PEM)
    return content
