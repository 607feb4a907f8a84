"""One run of Apache Ivy: its two input files, and its failure as an error."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from headrace.errors import EnvironmentFault, TransientFault
from headrace.toolchain.coordinates import Artifact, Exclusion, JarSet
from headrace.toolchain.download import without_credentials

# Ivy's name for "the artifact itself and all it needs to compile against and to run".
_CONFIGURATION = "default->master,compile,runtime"

# The name space of what Ivy takes from Maven.
_MAVEN = "http://ant.apache.org/ivy/maven"

# A Maven repository's own layout, but for the dots in a group's name.
_LAYOUT = "[organisation]/[module]/[revision]/[artifact]-[revision](-[classifier]).[ext]"

# OSGi-minded projects (Snappy, SnakeYAML, HdrHistogram) declare their jar as a bundle.
_JAR_TYPES = ("jar", "bundle", "eclipse-plugin")


class ResolutionFailed(EnvironmentFault, TransientFault):
    condition = "JARS_NOT_RESOLVED"


@dataclass(frozen=True, slots=True)
class Resolution:
    """Resolves a jar set from a repository into `destination`, in a Maven repository's layout."""

    wanted: JarSet
    cache: Path
    destination: Path
    repository: str | None = None

    def run(self, java: list[str]) -> None:
        """Calls Ivy with `java`: the runtime and a class path with Ivy. Raises if a file is missing."""
        with tempfile.TemporaryDirectory(prefix="headrace-ivy-") as scratch:
            done = subprocess.run(
                [*java, *self._arguments(Path(scratch))],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
            )
        if done.returncode != 0 or not any(self.destination.iterdir()):
            raise failure(self.wanted, done.stdout.splitlines(), self.repository)

    def _arguments(self, scratch: Path) -> list[str]:
        module, settings = scratch / "ivy.xml", scratch / "ivysettings.xml"
        module.write_text(module_xml(self.wanted), encoding="utf-8")
        described = any(artifact.extension == "jar" for artifact in self.wanted.artifacts)
        settings.write_text(settings_xml(self.repository, described=described), encoding="utf-8")
        return [
            "org.apache.ivy.Main",
            *("-settings", str(settings)),
            *("-ivy", str(module)),
            *("-cache", str(self.cache)),
            *("-confs", "default"),
            *("-retrieve", f"{self.destination}/{_LAYOUT}"),
            *("-types", *_JAR_TYPES, *(artifact.extension for artifact in self.wanted.artifacts)),
        ]


def module_xml(wanted: JarSet) -> str:
    """Ivy's description of the set as a module that depends on each artifact."""
    root = ElementTree.Element("ivy-module", version="2.0")
    ElementTree.SubElement(root, "info", organisation="headrace", module=wanted.name)
    ElementTree.SubElement(ElementTree.SubElement(root, "configurations"), "conf", name="default")
    dependencies = ElementTree.SubElement(root, "dependencies")
    for artifact in wanted.artifacts:
        _add_dependency(dependencies, artifact)
    for exclusion in wanted.exclusions:
        _add_exclusion(dependencies, exclusion)
    return ElementTree.tostring(root, encoding="unicode")


def settings_xml(repository: str | None, *, described: bool = True) -> str:
    """One Maven repository: Central, which Ivy knows by itself, or the one that is named. A file that comes alone
    needs no description, whose parents may be missing there."""
    root = ElementTree.Element("ivysettings")
    ElementTree.SubElement(root, "settings", defaultResolver="maven")
    resolver = ElementTree.SubElement(
        ElementTree.SubElement(root, "resolvers"), "ibiblio", name="maven", m2compatible="true"
    )
    if not described:
        resolver.set("usepoms", "false")
    if repository is not None:
        resolver.set("root", repository.rstrip("/") + "/")
    return ElementTree.tostring(root, encoding="unicode")


def failure(wanted: JarSet, output: list[str], repository: str | None) -> ResolutionFailed:
    """The error for a failed run: the coordinates that could not be had, and what to do."""
    return ResolutionFailed(
        f"the jars of set '{wanted.name}' could not be resolved",
        where="Maven Central" if repository is None else without_credentials(repository),
        found=_what_is_missing(wanted, output),
        cure="check the network (proxy: JAVA_TOOL_OPTIONS=-Dhttps.proxyHost=…), or set "
        "HEADRACE_MAVEN_REPOSITORY to a mirror, then try again",
    )


def _what_is_missing(wanted: JarSet, output: list[str]) -> str:
    text = "\n".join(output)
    found = re.findall(r":: (\S+)#(\S+);(\S+?)(?:!\S+)?: (?:not found|.*problem)", text)
    found += re.findall(r"\[FAILED\s*\] (\S+)#(\S+);(\S+?)!", text)
    missing = list(dict.fromkeys(":".join(coordinate) for coordinate in found))
    if not missing:
        return next(
            (line.strip() for line in reversed(output) if line.strip()), "Ivy printed nothing"
        )
    # Ivy does not tell a silent host from one that lacks the files, except that the former lacks all of them.
    if {str(artifact) for artifact in wanted.artifacts} <= set(missing):
        return f"no answer, or none of {', '.join(missing)}"
    return f"missing: {', '.join(missing)}"


def _add_dependency(parent: ElementTree.Element, artifact: Artifact) -> None:
    dependency = ElementTree.SubElement(
        parent,
        "dependency",
        org=artifact.group,
        name=artifact.module,
        rev=artifact.version,
        conf=_CONFIGURATION,
    )
    if artifact.file != ".jar":
        _choose_file(dependency, artifact)
    for exclusion in artifact.exclusions:
        _add_exclusion(dependency, exclusion)


def _choose_file(dependency: ElementTree.Element, artifact: Artifact) -> None:
    dependency.attrib |= {"transitive": "false", "conf": "default->default"}
    file = {"name": artifact.module, "type": artifact.extension, "ext": artifact.extension}
    if artifact.classifier is not None:
        file[f"{{{_MAVEN}}}classifier"] = artifact.classifier
    ElementTree.SubElement(dependency, "artifact", file)


def _add_exclusion(parent: ElementTree.Element, exclusion: Exclusion) -> None:
    ElementTree.SubElement(parent, "exclude", org=exclusion.group, module=exclusion.module)
