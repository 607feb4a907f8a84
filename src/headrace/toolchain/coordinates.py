"""Every Maven coordinate that Headrace asks for, in named sets, with the reason of each exclusion."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from headrace.errors import UnknownName

SPARK = "4.1.1"
SCALA = "2.13"
KAFKA_BROKER = "4.1.1"

# The runtime of Flink's format, which takes classes that protoc generated from 3.x on.
PROTOBUF = "4.32.1"


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
    """A Maven coordinate. Its exclusions apply only to the dependencies that it brings in itself.

    A classifier selects one file of several. A file that is not a jar is downloaded without dependencies. A file
    with a `platform` is downloaded on that platform only.
    """

    group: str
    module: str
    version: str
    reason: str
    exclusions: tuple[Exclusion, ...] = ()
    classifier: str | None = None
    extension: str = "jar"
    platform: str | None = None

    def __str__(self) -> str:
        return f"{self.group}:{self.module}:{self.version}"

    @property
    def path(self) -> str:
        """Where a Maven repository keeps the file."""
        folder = f"{self.group.replace('.', '/')}/{self.module}/{self.version}"
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{folder}/{self.module}-{self.version}{suffix}.{self.extension}"

    @property
    def file(self) -> str:
        """What tells it from other files of the same coordinate."""
        return f"{self.classifier or ''}.{self.extension}"


@dataclass(frozen=True, slots=True)
class JarSet:
    """Jars that are resolved together and used together; `exclusions` apply to all artifacts.

    A set that is `on_demand` is not part of an installation; the command that needs it fetches it first.
    """

    name: str
    purpose: str
    artifacts: tuple[Artifact, ...]
    exclusions: tuple[Exclusion, ...] = ()
    on_demand: bool = False

    @property
    def digest(self) -> str:
        """Changes whenever resolution could give other jars; reasons and purposes do not count."""
        lines = [
            f"{artifact} -{' -'.join(map(str, artifact.exclusions))}" for artifact in self.artifacts
        ]
        lines += [a.file for a in self.artifacts if a.file != ".jar"]
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
    "Kafka source and Avro functions of Spark, protobuf",
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
        Artifact(
            "com.google.protobuf", "protobuf-java", PROTOBUF, "reads and writes protobuf messages"
        ),
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
            "org.frgaal",
            "compiler",
            "24.0.0",
            "OpenJDK's javac as one jar for any runtime; ecj rejects correct calls of Scala's collections",
        ),
    ),
    # Only a clone on a machine without a JDK compiles with it.
    on_demand=True,
)


def protoc_platform(system: str, machine: str) -> str:
    """Returns the name that protobuf's releases use for a platform."""
    name = "osx" if system == "Darwin" else system.lower()
    return f"{name}-{'aarch_64' if machine in ('arm64', 'aarch64') else machine}"


REGISTRY_SET = JarSet(
    "registry",
    "a schema registry for development and tests",
    (
        Artifact(
            "io.apicurio",
            "apicurio-registry-app",
            "3.0.9",
            "speaks the protocol of Confluent's registry; the whole server in one archive",
            classifier="all",
            extension="tar.gz",
        ),
    ),
    # 109 MB that few need.
    on_demand=True,
)

PLATFORM = protoc_platform(platform.system(), platform.machine())

PROTOC_SET = JarSet(
    "protoc",
    "the compiler of protobuf, for tests",
    (
        *(
            Artifact(
                "com.google.protobuf",
                "protoc",
                PROTOBUF,
                "descriptors, classes, and an encoder that is not ours",
                classifier=name,
                extension="exe",
                platform=name,
            )
            for name in ("linux-x86_64", "linux-aarch_64", "osx-x86_64", "osx-aarch_64")
        ),
    ),
    on_demand=True,
)

DEBEZIUM = "3.5.0.Final"
APICURIO = "2.6.13.Final"

# A plugin's class loader never takes these from the plugin's own folder.
_WORKERS_OWN = "the worker has it; a plugin's copy is never loaded"
_OF_THE_WORKER = (
    Exclusion("org.apache.kafka", "*", _WORKERS_OWN),
    Exclusion("org.slf4j", "*", _WORKERS_OWN),
)

CONNECT_SET = JarSet(
    "connect",
    "Kafka's own Connect worker, for connectors written in Java",
    (
        Artifact("org.apache.kafka", "connect-runtime", KAFKA_BROKER, "the worker"),
        Artifact("org.apache.kafka", "connect-json", KAFKA_BROKER, "its JSON converter"),
        Artifact("org.apache.kafka", "connect-transforms", KAFKA_BROKER, "its transformations"),
        Artifact("org.apache.kafka", "connect-file", KAFKA_BROKER, "its connectors of files"),
        Artifact(
            "org.apache.kafka",
            "connect-basic-auth-extension",
            KAFKA_BROKER,
            "a login, for nobody but the worker that supervises it",
        ),
        Artifact(
            "org.apache.logging.log4j",
            "log4j-slf4j-impl",
            "2.24.3",
            "it logs through SLF4J 1.7 and brings no backend of its own",
        ),
    ),
    on_demand=True,
)

DEBEZIUM_SET = JarSet(
    "debezium",
    "Debezium's connector of PostgreSQL",
    (
        Artifact(
            "io.debezium",
            "debezium-connector-postgres",
            DEBEZIUM,
            "captures changes from the write-ahead log",
            _OF_THE_WORKER,
        ),
    ),
    on_demand=True,
)

AVRO_CONVERTER_SET = JarSet(
    "avro-converter",
    "Apicurio's Avro converter for Kafka's own Connect worker",
    (
        Artifact(
            "io.apicurio",
            "apicurio-registry-utils-converter",
            APICURIO,
            "keeps schemas in the registry that the development services start",
            _OF_THE_WORKER,
        ),
    ),
    on_demand=True,
)

KDC_SET = JarSet(
    "kdc",
    "a Kerberos key distribution centre for development and tests",
    (
        Artifact(
            "org.apache.hadoop",
            "hadoop-minikdc",
            "3.4.1",
            "starts Apache Kerby's server from a command line, and needs no rights on the machine",
            (Exclusion("junit", "*", "for its own tests"),),
        ),
    ),
    on_demand=True,
)

MSK_IAM_SET = JarSet(
    "msk-iam",
    "logins to Amazon MSK by IAM",
    (
        Artifact(
            "software.amazon.msk",
            "aws-msk-iam-auth",
            "2.3.2",
            "login module and callback handler; this file has all they need inside",
            classifier="all",
        ),
    ),
    # 14 MB for the clusters of one vendor.
    on_demand=True,
)

JDBC_SET = JarSet(
    "jdbc",
    "JDBC drivers",
    (
        Artifact("org.postgresql", "postgresql", "42.7.8", "PostgreSQL"),
        Artifact(
            "org.mariadb.jdbc",
            "mariadb-java-client",
            "3.5.6",
            "MariaDB, and MySQL without the licence of its own driver",
        ),
    ),
    (Exclusion("org.checkerframework", "checker-qual", "annotations that nothing reads"),),
    # Connectors of databases fetch them.
    on_demand=True,
)

SETS: Mapping[str, JarSet] = MappingProxyType(
    {
        jar_set.name: jar_set
        for jar_set in (
            SPARK_SET,
            BROKER_SET,
            COMPILER_SET,
            REGISTRY_SET,
            PROTOC_SET,
            CONNECT_SET,
            DEBEZIUM_SET,
            AVRO_CONVERTER_SET,
            KDC_SET,
            MSK_IAM_SET,
            JDBC_SET,
        )
    }
)


def jar_set(name: str) -> JarSet:
    """The set called `name`; an unknown name is answered with the known ones."""
    if name not in SETS:
        raise UnknownName("jar set", name, SETS)
    return SETS[name]
