"""Which classes are connectors of the Java worker: Debezium's, and those in the jars of `plugin.path`.

Jars are looked into without a Java: what they declare for Java's service loader, and which classes they hold.
"""

from __future__ import annotations

import functools
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from headrace.connect.converters.apicurio_converter import NAME as APICURIO_CONVERTER
from headrace.connect.plugins import Kind, spellings
from headrace.connectors.kafka.login_modules import login_sets
from headrace.toolchain.coordinates import AVRO_CONVERTER_SET, DEBEZIUM, DEBEZIUM_SET, MSK_IAM_SET

_SERVICES = {
    "META-INF/services/org.apache.kafka.connect.sink.SinkConnector": Kind.SINK,
    "META-INF/services/org.apache.kafka.connect.source.SourceConnector": Kind.SOURCE,
}
_MANIFEST = "META-INF/MANIFEST.MF"

# Options that name converters; only these accept Apicurio's converter.
CONVERTERS = ("key.converter", "value.converter")

# A class of each set that `plugin.path` may hold as well.
_CLASSES = {
    AVRO_CONVERTER_SET.name: APICURIO_CONVERTER,
    MSK_IAM_SET.name: "software.amazon.msk.auth.iam.IAMLoginModule",
}


@dataclass(frozen=True, slots=True)
class JavaPlugin:
    class_name: str
    kind: Kind
    version: str | None = None
    jar_set: str | None = None

    def to_json(self) -> dict[str, str]:
        shown = {"class": self.class_name, "type": self.kind.value}
        return shown if self.version is None else {**shown, "version": self.version}


# Its jars are downloaded when a worker starts.
BUNDLED = (
    JavaPlugin(
        "io.debezium.connector.postgresql.PostgresConnector",
        Kind.SOURCE,
        DEBEZIUM,
        DEBEZIUM_SET.name,
    ),
)


class JavaPlugins:
    """What the folders of `plugin.path` offer, looked up once: the Java worker too reads them only at its start."""

    def __init__(self, path: str | None = None) -> None:
        self.folders = [Path(part.strip()) for part in (path or "").split(",") if part.strip()]

    @functools.cached_property
    def jars(self) -> list[Path]:
        return sorted(dict.fromkeys(jar for folder in self.folders for jar in _jars(folder)))

    @functools.cached_property
    def connectors(self) -> list[JavaPlugin]:
        """By class name; of two versions the first counts, and the bundled one before any other."""
        found = [*BUNDLED, *(plugin for jar in self.jars for plugin in _declared(jar))]
        return list({plugin.class_name: plugin for plugin in reversed(found)}.values())[::-1]

    @functools.cached_property
    def names(self) -> set[str]:
        return {
            name for plugin in self.connectors for name in spellings(plugin.class_name, plugin.kind)
        }

    def has(self, name: str) -> bool:
        """Whether a connector answers to the name. Older jars declare nothing; what is no connector in them is for
        the Java worker to say."""
        return name in self.names or (name.endswith("Connector") and name in self._classes)

    def jar_sets(self, config: Mapping[str, str]) -> list[str]:
        """Returns the jar sets of Headrace that the connector needs beside the Java worker's own.

        A set whose classes are in the jars of `plugin.path` is not needed.
        """
        name = config.get("connector.class", "")
        sets = [
            plugin.jar_set
            for plugin in self.connectors
            if plugin.jar_set is not None and name in spellings(plugin.class_name, plugin.kind)
        ]
        if any(config.get(option) == APICURIO_CONVERTER for option in CONVERTERS):
            sets.append(AVRO_CONVERTER_SET.name)
        sets += login_sets(config)
        return [name for name in sets if _CLASSES.get(name) not in self._classes]

    @functools.cached_property
    def _classes(self) -> set[str]:
        return {name for jar in self.jars for name in _class_names(jar)}


def _jars(folder: Path) -> Iterable[Path]:
    return [folder] if folder.suffix == ".jar" else folder.rglob("*.jar")


def _declared(jar: Path) -> Iterator[JavaPlugin]:
    with zipfile.ZipFile(jar) as archive:
        inside = set(archive.namelist())
        version = _version(archive) if _MANIFEST in inside else None
        for service, kind in _SERVICES.items():
            if service in inside:
                text = archive.read(service).decode()
                lines = (line.partition("#")[0].strip() for line in text.splitlines())
                yield from (JavaPlugin(line, kind, version) for line in lines if line)


def _version(archive: zipfile.ZipFile) -> str | None:
    lines = archive.read(_MANIFEST).decode("utf-8", "replace").splitlines()
    found = (line.partition(": ") for line in lines)
    return next((text for name, _, text in found if name == "Implementation-Version"), None)


def _class_names(jar: Path) -> Iterator[str]:
    with zipfile.ZipFile(jar) as archive:
        for entry in archive.namelist():
            if entry.endswith(".class"):
                yield entry.removesuffix(".class").replace("/", ".")
