"""A Kerberos key distribution centre in Java: principals in its memory, made anew with every start, one keytab for each."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from headrace.services.certificates import write_private
from headrace.services.ports import HOST, accepts_connections
from headrace.services.processes import Launch
from headrace.services.supervisor import Service
from headrace.toolchain.coordinates import KDC_SET
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import find_java
from headrace.toolchain.progress import Reporter

ORGANISATION, DOMAIN = "HEADRACE", "TEST"
REALM = f"{ORGANISATION}.{DOMAIN}"

# A few principals; the default is a quarter of the machine.
HEAP = "64m"

# The version that all implementations write.
_KEYTAB_VERSION = b"\x05\x02"


class KdcService(Service):
    name: ClassVar[str] = "kdc"
    jar_sets: ClassVar[tuple[str, ...]] = (KDC_SET.name,)

    def __init__(
        self,
        folder: Path | None = None,
        *,
        users: Sequence[str] = ("app",),
        port: int | None = None,
    ) -> None:
        super().__init__(folder, port=port)
        self.users = tuple(users)

    @property
    def configuration(self) -> Path:
        """For KRB5_CONFIG, or Java's property java.security.krb5.conf."""
        return self.folder / "krb5.conf"

    @property
    def service_principal(self) -> str:
        """Of brokers of this machine: clients make it from the name that the address resolves to."""
        return f"kafka/{socket.getnameinfo((HOST, 0), 0)[0]}"

    def principal(self, user: str) -> str:
        return f"{user}@{REALM}"

    def keytab(self, user: str) -> Path:
        return self.folder / f"{user.replace('/', '_')}.keytab"

    def login(self, user: str) -> str:
        """What goes into 'sasl.jaas.config'."""
        return (
            "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true "
            f'keyTab="{self.keytab(user)}" principal="{self.principal(user)}";'
        )

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        classpath = os.pathsep.join(map(str, ensure(KDC_SET.name, progress)))
        # The server writes the keys of all into one file that everybody could read.
        self.folder.chmod(0o700)
        self._all_keys.unlink(missing_ok=True)
        settings = self.folder / "kdc.properties"
        settings.write_text(
            f"org.name={ORGANISATION}\norg.domain={DOMAIN}\ntransport=TCP\n"
            f"kdc.bind.address={HOST}\nkdc.port={ports['main']}\n",
            encoding="utf-8",
        )
        command = [
            *(str(find_java().executable), f"-Xmx{HEAP}", "-XX:TieredStopAtLevel=1"),
            *("-cp", classpath, "org.apache.hadoop.minikdc.MiniKdc"),
            *(str(self.folder), str(settings), str(self._all_keys)),
            *(self.service_principal, *self.users),
        ]
        return Launch(command, self.folder, self.log)

    def is_ready(self, address: str) -> bool:
        """Whether it answers and every principal has its keytab."""
        if not accepts_connections(int(address.rpartition(":")[2])) or not self._all_keys.exists():
            return False
        entries = list(keytab_entries(self._all_keys.read_bytes()))
        wanted = {self.service_principal, *self.users}
        if {name for name, _ in entries} != wanted:
            return False
        for user in wanted:
            own = b"".join(entry for name, entry in entries if name == user)
            write_private(self.keytab(user), _KEYTAB_VERSION + own)
        return True

    @property
    def _all_keys(self) -> Path:
        return self.folder / "all.keytab"


def keytab_entries(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Principals (without their realm) and their entries as they stand in the file; one that is cut off is left out."""
    place = len(_KEYTAB_VERSION)
    while place + 4 <= len(content):
        (length,) = struct.unpack_from(">i", content, place)
        entry = content[place : place + 4 + length]
        if len(entry) < 4 + length:
            return
        yield _principal(entry[4:]), entry
        place += len(entry)


def _principal(entry: bytes) -> str:
    (count,) = struct.unpack_from(">H", entry)
    parts: list[bytes] = []
    place = 2
    for _ in range(count + 1):  # the realm comes first and does not count
        (length,) = struct.unpack_from(">H", entry, place)
        parts.append(entry[place + 2 : place + 2 + length])
        place += 2 + length
    return b"/".join(parts[1:]).decode()
