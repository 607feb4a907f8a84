"""Every Maven coordinate that Headrace asks for, in named sets, with the reason of each exclusion."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from headrace.errors import UnknownName

SPARK = "4.1.1"
SCALA = "2.13"
KAFKA_BROKER = "4.1.1"


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A transitive dependency left out; module "*" stands for the whole group."""

    group: str
    module: str
    reason: str

    def __str__(self) -> str:
        return f"{self.group}:{self.module}"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A coordinate; its own exclusions hold for what it alone brings in."""

    group: str
    module: str
    version: str
    reason: str
    exclusions: tuple[Exclusion, ...] = ()

    def __str__(self) -> str:
        return f"{self.group}:{self.module}:{self.version}"


@dataclass(frozen=True, slots=True)
class JarSet:
    """Jars that are resolved together and used together; `exclusions` hold for all artifacts."""

    name: str
    purpose: str
    artifacts: tuple[Artifact, ...]
    exclusions: tuple[Exclusion, ...] = ()

    @property
    def digest(self) -> str:
        """Changes whenever resolution could give other jars; reasons and purposes do not count."""
        lines = [
            f"{artifact} -{' -'.join(map(str, artifact.exclusions))}" for artifact in self.artifacts
        ]
        lines += [f"-{exclusion}" for exclusion in self.exclusions]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]

    @property
    def all_exclusions(self) -> tuple[Exclusion, ...]:
        own = tuple(exclusion for artifact in self.artifacts for exclusion in artifact.exclusions)
        return own + self.exclusions


_SHIPPED = "pyspark ships it; a second copy on the class path could win over Spark's"

# What the artifacts of the `spark` set bring in although pyspark has it already.
SHIPPED_WITH_PYSPARK = tuple(
    Exclusion(group, module, _SHIPPED)
    for group, module in (
        ("org.apache.hadoop", "*"),
        ("org.scala-lang", "*"),
        ("org.scala-lang.modules", "*"),
        ("org.apache.spark", f"spark-tags_{SCALA}"),
        ("org.slf4j", "*"),
        ("org.lz4", "lz4-java"),
        ("org.xerial.snappy", "snappy-java"),
        ("com.github.luben", "zstd-jni"),
        ("org.tukaani", "xz"),
        ("com.google.code.findbugs", "jsr305"),
    )
)

_TOKEN_PROVIDER = f"spark-token-provider-kafka-0-10_{SCALA}"

SPARK_SET = JarSet(
    "spark",
    "Kafka source and Avro functions of Spark",
    (
        Artifact(
            "org.apache.spark",
            f"spark-sql-kafka-0-10_{SCALA}",
            SPARK,
            "reads and writes Kafka topics",
            (
                Exclusion(
                    "org.apache.spark",
                    _TOKEN_PROVIDER,
                    f"{SPARK} of it cannot be had from every repository; 4.0.0 has the same classes",
                ),
            ),
        ),
        Artifact(
            "org.apache.spark", _TOKEN_PROVIDER, "4.0.0", "stands in for the excluded release"
        ),
        Artifact("org.apache.spark", f"spark-avro_{SCALA}", SPARK, "from_avro and to_avro"),
    ),
    SHIPPED_WITH_PYSPARK,
)

BROKER_SET = JarSet(
    "broker",
    "a Kafka broker for development and tests",
    (
        Artifact("org.apache.kafka", f"kafka_{SCALA}", KAFKA_BROKER, "the broker (KRaft)"),
        Artifact(
            "org.apache.logging.log4j",
            "log4j-slf4j-impl",
            "2.24.3",
            "the broker logs through SLF4J 1.7 and brings no backend of its own",
        ),
    ),
)

COMPILER_SET = JarSet(
    "compiler",
    "a Java compiler for machines with a runtime only",
    (
        Artifact(
            "org.eclipse.jdt",
            "ecj",
            "3.38.0",
            "compiles the operators; one jar that a Java 17 runtime can start",
        ),
    ),
)

SETS: Mapping[str, JarSet] = MappingProxyType(
    {jar_set.name: jar_set for jar_set in (SPARK_SET, BROKER_SET, COMPILER_SET)}
)


def jar_set(name: str) -> JarSet:
    """The set called `name`; an unknown name is answered with the known ones."""
    if name not in SETS:
        raise UnknownName("jar set", name, SETS)
    return SETS[name]
