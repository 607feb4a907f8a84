from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from headrace.errors import TransientFault
from headrace.services.ports import free_port
from headrace.toolchain.coordinates import Artifact, Exclusion, JarSet
from headrace.toolchain.java import find_java
from headrace.toolchain.spark_home import spark_jars_folder
from tools.jars.ivy import Resolution, ResolutionFailed, failure, module_xml, settings_xml

UNWANTED = Exclusion("org.example", "unwanted", "for the test")
EXAMPLE = JarSet(
    "example",
    "a test",
    (Artifact("org.example", "main", "1.0", "r", (Exclusion("org.example", "old", "r"),)),),
    (UNWANTED, Exclusion("org.heavy", "*", "r")),
)


class MavenRepository:
    """A repository of one-class jars in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def add(self, module: str, version: str, *needs: str, packaging: str = "jar") -> None:
        folder = self.root / "org" / "example" / module / version
        folder.mkdir(parents=True)
        dependencies = "".join(
            f"<dependency><groupId>org.example</groupId><artifactId>{need}</artifactId><version>1.0</version></dependency>"
            for need in needs
        )
        (folder / f"{module}-{version}.pom").write_text(
            f"<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>{module}</artifactId>"
            f"<version>{version}</version><packaging>{packaging}</packaging>"
            f"<dependencies>{dependencies}</dependencies></project>"
        )
        with zipfile.ZipFile(folder / f"{module}-{version}.jar", "w") as jar:
            jar.writestr("content", module)

    def add_file(self, name: str, module: str, version: str) -> None:
        folder = self.root / "org" / "example" / module / version
        folder.mkdir(parents=True)
        (folder / name).write_text(module)


@pytest.fixture
def repository(tmp_path) -> MavenRepository:
    return MavenRepository(tmp_path / "repository")


def resolve(repository: MavenRepository, tmp_path: Path, wanted: JarSet = EXAMPLE) -> set[str]:
    destination = tmp_path / "out"
    destination.mkdir()
    java = [str(find_java().executable), "-cp", str(spark_jars_folder() / "*")]
    Resolution(wanted, tmp_path / "ivy", destination, repository.root.as_uri()).run(java)
    return {
        str(file.relative_to(destination)) for file in destination.rglob("*.*") if file.is_file()
    }


def test_the_module_depends_on_each_artifact_with_its_exclusions():
    root = ElementTree.fromstring(module_xml(EXAMPLE))
    (dependency,) = root.iter("dependency")
    assert dependency.attrib == {
        "org": "org.example",
        "name": "main",
        "rev": "1.0",
        "conf": "default->master,compile,runtime",
    }
    assert [e.get("module") for e in dependency.iter("exclude")] == ["old"]
    assert [e.get("module") for e in root.findall("dependencies/exclude")] == ["unwanted", "*"]


def test_central_is_asked_unless_a_repository_is_named():
    assert ElementTree.fromstring(settings_xml(None)).find("resolvers/ibiblio").get("root") is None
    named = ElementTree.fromstring(settings_xml("https://mirror.example/maven"))
    assert named.find("resolvers/ibiblio").get("root") == "https://mirror.example/maven/"


def test_text_in_a_repository_name_cannot_break_the_settings():
    root = ElementTree.fromstring(settings_xml('https://mirror.example/"a"&b'))
    assert root.find("resolvers/ibiblio").get("root") == 'https://mirror.example/"a"&b/'


def test_failure_names_each_missing_coordinate_once():
    output = [
        ":: org.example#gone;1.0: not found",
        ":: org.example#gone;1.0: not found",
        "[FAILED     ] org.example#torn;2.0!torn.jar:  (0ms)",
    ]
    error = failure(EXAMPLE, output, None)
    assert error.found == "missing: org.example:gone:1.0, org.example:torn:2.0"
    assert error.where == "Maven Central"
    assert len(error.render().splitlines()) <= 5


def test_failure_of_everything_may_be_the_network():
    error = failure(EXAMPLE, [":: org.example#main;1.0: not found"], None)
    assert error.found == "no answer, or none of org.example:main:1.0"


def test_a_failure_may_be_tried_again():
    assert isinstance(failure(EXAMPLE, [], None), TransientFault)


def test_credentials_of_a_repository_are_not_shown():
    assert "secret" not in failure(EXAMPLE, [], "https://me:secret@mirror.example/maven").render()


def test_failure_of_another_kind_shows_the_last_words():
    assert failure(EXAMPLE, ["Error: out of memory", ""], None).found == "Error: out of memory"
    assert failure(EXAMPLE, [], None).found == "Ivy printed nothing"


def test_a_program_that_resolves_nothing_is_a_failure(tmp_path):
    with pytest.raises(ResolutionFailed):
        Resolution(EXAMPLE, tmp_path / "ivy", tmp_path).run(["true"])


@pytest.mark.spark
def test_dependencies_arrive_and_exclusions_stay_away(repository, tmp_path):
    repository.add("main", "1.0", "needed", "unwanted", "old")
    repository.add("needed", "1.0")
    repository.add("unwanted", "1.0")
    repository.add("old", "1.0")
    assert resolve(repository, tmp_path) == {
        "org.example/main/1.0/main-1.0.jar",
        "org.example/needed/1.0/needed-1.0.jar",
    }


@pytest.mark.spark
def test_a_bundle_is_a_jar_too(repository, tmp_path):
    repository.add("main", "1.0", "packed")
    repository.add("packed", "1.0", packaging="bundle")
    assert "org.example/packed/1.0/packed-1.0.jar" in resolve(repository, tmp_path)


@pytest.mark.spark
def test_an_exclusion_of_one_artifact_leaves_the_replacement_of_another(repository, tmp_path):
    repository.add("main", "1.0", "old")
    repository.add("old", "1.0")
    repository.add("old", "0.9")
    wanted = JarSet(
        "example", "a test", (*EXAMPLE.artifacts, Artifact("org.example", "old", "0.9", "r"))
    )
    assert resolve(repository, tmp_path, wanted) == {
        "org.example/main/1.0/main-1.0.jar",
        "org.example/old/0.9/old-0.9.jar",
    }


@pytest.mark.spark
def test_a_missing_dependency_is_named(repository, tmp_path):
    repository.add("main", "1.0", "gone")
    with pytest.raises(ResolutionFailed, match=r"org\.example:gone:1\.0"):
        resolve(repository, tmp_path)


@pytest.mark.spark
def test_a_repository_that_does_not_answer_is_named(tmp_path):
    java = [str(find_java().executable), "-cp", str(spark_jars_folder() / "*")]
    silent_host = f"http://127.0.0.1:{free_port()}/maven"
    with pytest.raises(ResolutionFailed) as caught:
        Resolution(EXAMPLE, tmp_path / "ivy", tmp_path / "out", silent_host).run(java)
    assert caught.value.where == silent_host
    assert caught.value.found == "no answer, or none of org.example:main:1.0"


ARCHIVE = JarSet(
    "archive",
    "a test",
    (Artifact("org.example", "app", "1.0", "r", classifier="all", extension="tar.gz"),),
)


def test_a_file_with_a_classifier_comes_alone_and_needs_no_description(repository, tmp_path):
    repository.add_file("app-1.0-all.tar.gz", "app", "1.0")
    assert resolve(repository, tmp_path, ARCHIVE) == {"org.example/app/1.0/app-1.0-all.tar.gz"}


def test_what_the_repository_tells_of_a_file_is_not_asked():
    assert (
        ElementTree.fromstring(settings_xml(None, described=False)).find(".//ibiblio[@usepoms]")
        is not None
    )
    assert ElementTree.fromstring(settings_xml(None)).find(".//ibiblio[@usepoms]") is None
