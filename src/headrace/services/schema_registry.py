"""A schema registry: Apicurio Registry, which answers as Confluent's does. Schemas live in its memory and end with it."""

from __future__ import annotations

import tarfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import ClassVar

from headrace.services.ports import HOST, accepts_connections
from headrace.services.processes import Launch
from headrace.services.supervisor import Service
from headrace.toolchain.coordinates import REGISTRY_SET
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import find_java
from headrace.toolchain.locking import create_once
from headrace.toolchain.paths import cache_folder
from headrace.toolchain.progress import ProgressEvent, Reporter

# Where it speaks the protocol that formats use.
PATH = "/apis/ccompat/v7"

# Some thousand schemas fit; the default is a quarter of the machine.
HEAP = "256m"

_PROBE_SECONDS = 5.0


class SchemaRegistryService(Service):
    name: ClassVar[str] = "registry"
    jar_sets: ClassVar[tuple[str, ...]] = (REGISTRY_SET.name,)
    well_known_port: ClassVar[int | None] = 8081

    @property
    def url(self) -> str:
        """What goes into option `url` of a format."""
        return f"http://{self.address}{PATH}"

    def variables(self) -> dict[str, str]:
        return {"SCHEMA_REGISTRY_URL": self.url}

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        program = _unpacked(progress)
        command = [
            str(find_java().executable),
            f"-Xmx{HEAP}",
            # It runs for minutes, not days: the second compiler would cost the start more than it saves.
            "-XX:TieredStopAtLevel=1",
            f"-Dquarkus.http.host={HOST}",
            f"-Dquarkus.http.port={ports['main']}",
            *("-jar", str(program)),
        ]
        return Launch(command, self.folder, self.log)

    def is_ready(self, address: str) -> bool:
        if not accepts_connections(int(address.rpartition(":")[2])):
            return False
        try:
            with urllib.request.urlopen(
                f"http://{address}{PATH}/subjects", timeout=_PROBE_SECONDS
            ) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def _unpacked(progress: Reporter) -> Path:
    """The server's jar, with the archive around it unpacked once into the cache."""
    (archive,) = ensure(REGISTRY_SET.name, progress)

    def unpack(draft: Path) -> None:
        progress(ProgressEvent("registry", f"unpacking {archive.name}"))
        with tarfile.open(archive) as files:
            # Python 3.11.2, which Debian 12 has, lacks filters. The archive is that of jars.lock.
            files.extraction_filter = getattr(tarfile, "data_filter", None)
            files.extractall(draft)  # noqa: S202

    folder = create_once(cache_folder("registry", REGISTRY_SET.digest), unpack)
    (program,) = folder.glob("*-runner.jar")
    return program
