from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from headrace.errors import EnvironmentFault
from headrace.toolchain import operators
from headrace.toolchain.compiler import compile_sources
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import find_java
from headrace.toolchain.progress import ProgressEvent
from headrace.toolchain.spark_home import spark_jars

OPERATOR = """package demo;
public final class Twice implements org.apache.spark.api.java.function.MapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;
    @Override public Long call(Long value) { return 2 * value; }
}
"""
CLONE_SOURCES = Path(__file__).parents[2] / "jvm" / "src" / "main"


@pytest.fixture
def root(tmp_path) -> Path:
    (tmp_path / "main" / "java" / "demo").mkdir(parents=True)
    (tmp_path / "main" / "java" / "demo" / "Twice.java").write_text(OPERATOR)
    services = tmp_path / "main" / "resources" / "META-INF" / "services"
    services.mkdir(parents=True)
    (services / "demo.Service").write_text("demo.Twice\n")
    return tmp_path / "main"


@pytest.fixture
def own_folder(monkeypatch, tmp_path) -> Path:
    """Compiled operators go to a folder of the test, while resolved jars stay shared."""
    folder = tmp_path / "operators"
    monkeypatch.setattr(operators, "operators_folder", lambda: folder)
    return folder


@pytest.mark.spark
def test_sources_and_resources_become_one_jar(root, own_folder):
    jar = operators.build_from_sources(root)
    assert jar == own_folder / operators.digest_of(root) / "headrace-operators.jar"
    with zipfile.ZipFile(jar) as content:
        assert content.namelist() == [
            "META-INF/MANIFEST.MF",
            "META-INF/services/demo.Service",
            "demo/Twice.class",
        ]
    assert [entry.name for entry in jar.parent.iterdir()] == ["headrace-operators.jar"]


@pytest.mark.spark
def test_a_damaged_jar_is_compiled_again(root, own_folder):
    jar = operators.build_from_sources(root)
    content = jar.read_bytes()
    jar.write_bytes(content[:-100])
    assert operators.build_from_sources(root).read_bytes() == content
    middle = content.index(b"demo/Twice.class") + 20
    jar.write_bytes(content[:middle] + bytes(20) + content[middle + 20 :])
    assert operators.is_whole(jar)
    assert operators.build_from_sources(root, verify=True).read_bytes() == content


@pytest.mark.spark
def test_the_same_sources_are_compiled_once(root, own_folder, monkeypatch):
    jar = operators.build_from_sources(root)
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setenv("PATH", "")
    assert operators.build_from_sources(root) == jar


@pytest.mark.parametrize("has_compiler", [True, False])
def test_what_a_compilation_needs_is_downloaded_with_the_rest(monkeypatch, has_compiler):
    found = replace(find_java(), has_compiler=has_compiler)
    monkeypatch.setattr(operators, "find_java", lambda: found)
    monkeypatch.setattr(operators, "existing_jar", lambda: None)
    assert operators.sets_to_compile() == ["spark", "compiler"][: 1 if has_compiler else 2]
    monkeypatch.setattr(operators, "existing_jar", lambda: Path("operators.jar"))
    assert operators.sets_to_compile() == []


@pytest.mark.spark
def test_a_runtime_without_a_compiler_downloads_one(root, own_folder, monkeypatch):
    found = find_java()
    monkeypatch.setattr(operators, "find_java", lambda: replace(found, has_compiler=False))
    events: list[ProgressEvent] = []
    with zipfile.ZipFile(operators.build_from_sources(root, events.append)) as content:
        assert "demo/Twice.class" in content.namelist()
    assert [event.done for event in events if event.task == "operators"] == [0, 1]


@pytest.mark.spark
def test_a_source_that_does_not_compile_leaves_no_jar(root, own_folder):
    (root / "java" / "demo" / "Twice.java").write_text(
        "package demo; class Twice { int x = nothing; }"
    )
    with pytest.raises(EnvironmentFault, match="nothing"):
        operators.build_from_sources(root)
    assert list(own_folder.rglob("*.jar")) == []


@pytest.mark.spark
def test_a_runtime_alone_compiles_the_operators_of_this_project_without_a_warning(tmp_path):
    sources = sorted((CLONE_SOURCES / "java").rglob("*.java"))
    classpath = [*spark_jars(), *ensure("spark")]
    compiler_jar = ensure("compiler")[0]
    warnings = compile_sources(find_java(), sources, classpath, tmp_path, compiler_jar=compiler_jar)
    assert warnings == ""


def test_the_digest_follows_content_names_and_spark(root, monkeypatch):
    first = operators.digest_of(root)
    source = root / "java" / "demo" / "Twice.java"
    source.write_text(OPERATOR + "// more\n")
    changed = operators.digest_of(root)
    source.rename(source.with_name("Thrice.java"))
    renamed = operators.digest_of(root)
    monkeypatch.setattr(operators, "spark_version", lambda: "9.9.9")
    assert len({first, changed, renamed, operators.digest_of(root)}) == 4


def test_a_resource_counts_in_the_digest(root):
    before = operators.digest_of(root)
    (root / "resources" / "extra").write_text("x")
    assert operators.digest_of(root) != before


def test_no_sources_and_no_jar_is_explained(tmp_path):
    with pytest.raises(EnvironmentFault) as caught:
        operators.build_from_sources(tmp_path)
    assert caught.value.condition == "OPERATORS_NOT_FOUND"
    assert str(tmp_path / "java") in caught.value.expected


def test_the_jar_inside_the_package_is_found_first(tmp_path, monkeypatch):
    packaged = tmp_path / "_jvm" / "headrace-operators.jar"
    packaged.parent.mkdir()
    zipfile.ZipFile(packaged, "w").close()
    monkeypatch.setattr(operators, "_PACKAGE", tmp_path)
    assert operators.operator_jar() == packaged


def test_a_clone_compiles_its_own_sources(tmp_path, monkeypatch):
    monkeypatch.setattr(operators, "_PACKAGE", tmp_path / "src" / "headrace")
    monkeypatch.setattr(operators, "_CLONE", tmp_path)
    with pytest.raises(EnvironmentFault, match="jvm/src/main/java"):
        operators.operator_jar()


@pytest.mark.spark
def test_a_compiled_jar_exists_until_its_sources_change(root, own_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(operators, "_PACKAGE", tmp_path / "src" / "headrace")
    monkeypatch.setattr(operators, "_sources_of_clone", lambda: root)
    assert operators.existing_jar() is None
    jar = operators.operator_jar()
    assert operators.existing_jar() == jar
    (root / "resources" / "more").touch()
    assert operators.existing_jar() is None
