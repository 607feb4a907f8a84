"""Keys and certificates as PEM, from files of PEM and from keystores of Java's, which Java itself is asked to read."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from headrace.errors import InvalidOption
from headrace.toolchain.java import find_java, utf8_locale
from headrace.toolchain.operators import operator_jar

_READER = "headrace.connect.KeystorePem"
_BEGIN = b"-----BEGIN "
# A JVM and a file; a machine that needs longer is not working.
_PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Store:
    """`type` None: by what the file holds. `password` opens the store, `key_password` the key in it if it has its own."""

    location: str
    type: str | None = None
    password: str | None = None
    key_password: str | None = None

    def pem(self) -> str:
        content = _content(Path(self.location))
        is_pem = _BEGIN in content
        if self.type is not None and is_pem != (self.type.upper() == "PEM"):
            raise unusable(self.location, "a PEM file" if is_pem else "no PEM", self.type)
        return content.decode() if is_pem else _of_java(self, hashlib.sha256(content).hexdigest())

    @property
    def pem_password(self) -> str:
        """Of the key in `pem()`; one that Java has read is under none, where a password does no harm."""
        return self.key_password or ""


@lru_cache
def _of_java(store: Store, digest: str) -> str:
    """Asked once for what a file holds: every client of a worker needs it, and a JVM takes a second."""
    done = subprocess.run(
        [str(find_java().executable), "-cp", str(operator_jar()), _READER, store.location],
        input=f"{store.password or ''}\n{store.key_password or ''}\n",
        capture_output=True,
        text=True,
        env=os.environ | utf8_locale(),
        timeout=_PATIENCE_SECONDS,
    )
    if done.returncode != 0:
        raise unusable(store.location, done.stderr.strip(), "JKS or PKCS12, and its password")
    return done.stdout


@contextmanager
def pem_file(store: Store) -> Iterator[str]:
    """A file of PEM for as long as it takes to read it: Python's TLS takes keys from files only."""
    text = store.pem()
    descriptor, name = tempfile.mkstemp(suffix=".pem")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        yield name
    finally:
        os.unlink(name)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise unusable(str(file), error.strerror) from None


def unusable(location: str, found: str | None, expected: str | None = None) -> InvalidOption:
    return InvalidOption(
        "a file with certificates or a key cannot be used",
        where=location,
        found=found,
        expected=expected or "PEM, JKS or PKCS12: key and certificates, and those of authorities",
    )
