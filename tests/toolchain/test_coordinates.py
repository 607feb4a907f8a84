from __future__ import annotations

import re

import pytest

from headrace.errors import UnknownName
from headrace.toolchain.coordinates import (
    SETS,
    SHIPPED_WITH_PYSPARK,
    Artifact,
    Exclusion,
    JarSet,
    jar_set,
    protoc_platform,
)
from headrace.toolchain.spark_home import spark_jars, spark_version


def test_a_misspelled_set_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'broker'"):
        jar_set("brokr")


def test_spark_artifacts_match_the_installed_spark():
    kafka = SETS["spark"].artifacts[0]
    assert str(kafka) == f"org.apache.spark:spark-sql-kafka-0-10_2.13:{spark_version()}"


@pytest.mark.parametrize("exclusion", [e for e in SHIPPED_WITH_PYSPARK if e.module != "*"], ids=str)
def test_what_is_called_shipped_is_shipped(exclusion):
    assert any(re.match(rf"{re.escape(exclusion.module)}-\d", jar.name) for jar in spark_jars())


@pytest.mark.parametrize(
    "name", ["hadoop-client-api", "scala-library", "scala-parallel-collections_2.13", "slf4j-api"]
)
def test_groups_excluded_as_a_whole_are_shipped(name):
    assert any(jar.name.startswith(name) for jar in spark_jars())


def test_the_excluded_token_provider_is_replaced_in_the_same_set():
    spark = SETS["spark"]
    excluded = {e.module for e in spark.artifacts[0].exclusions}
    assert excluded <= {artifact.module for artifact in spark.artifacts}


def example(version: str = "1", reason: str = "r", *exclusions: Exclusion) -> JarSet:
    return JarSet("s", "p", (Artifact("g", "m", version, reason),), exclusions)


def test_the_digest_follows_versions_and_exclusions():
    assert example("1").digest != example("2").digest
    assert example().digest != example("1", "r", Exclusion("a", "b", "c")).digest


def test_the_digest_ignores_prose():
    assert example("1", "one reason").digest == example("1", "another").digest


def test_an_exclusion_of_an_artifact_and_one_of_the_set_differ():
    exclusion = Exclusion("a", "b", "c")
    own = JarSet("s", "p", (Artifact("g", "m", "1", "r", (exclusion,)),))
    assert own.digest != example("1", "r", exclusion).digest
    assert own.all_exclusions == (exclusion,)


def test_the_digest_follows_the_chosen_file_of_a_coordinate():
    plain, whole = (
        JarSet("s", "p", (Artifact("g", "m", "1", "r", classifier=classifier),)).digest
        for classifier in (None, "all")
    )
    assert plain != whole


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("Linux", "x86_64", "linux-x86_64"),
        ("Linux", "aarch64", "linux-aarch_64"),
        ("Darwin", "arm64", "osx-aarch_64"),
    ],
)
def test_platforms_are_called_as_protobuf_does(system, machine, name):
    assert protoc_platform(system, machine) == name
