"""Flink as an engine of the benchmark, in three variants.

plain   Flink's defaults: state on the heap, no checkpoints, every change sent on at once
mini    mini-batches of a second or 20,000 rows: fewer changes sent on; state as in plain
rocks   state in RocksDB, an incremental checkpoint every ten seconds: the nearest to Headrace,
        whose state is durable after every batch
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.flink_setup import MAIN_CLASS, Flink, ensure_flink
from benchmarks.headrace_engine import flight_recorder
from benchmarks.measure import HEAP, Measurement, measure
from benchmarks.topics import PARTITIONS

NAME = "flink"

_COMMON: Mapping[str, str] = {
    "execution.target": "local",
    "execution.runtime-mode": "streaming",
    "parallelism.default": str(PARTITIONS),
}

VARIANTS: Mapping[str, Mapping[str, str]] = {
    "plain": {},
    "mini": {
        "table.exec.mini-batch.enabled": "true",
        "table.exec.mini-batch.allow-latency": "1 s",
        "table.exec.mini-batch.size": "20000",
    },
    "rocks": {
        "state.backend.type": "rocksdb",
        "execution.checkpointing.interval": "10 s",
        "execution.checkpointing.incremental": "true",
    },
}

# Packages whose private fields Flink's serializers read.
_OPENED = ("java.lang", "java.nio", "java.time", "java.util", "java.util.concurrent")

_LOGGING = """\
rootLogger.level = warn
rootLogger.appenderRef.errors.ref = errors
appender.errors.type = Console
appender.errors.name = errors
appender.errors.target = SYSTEM_ERR
appender.errors.layout.type = PatternLayout
appender.errors.layout.pattern = %d %p %c{1}: %m%n
"""


def settings(variant: str, scratch: Path) -> dict[str, str]:
    chosen = {**_COMMON, **VARIANTS[variant]}
    if "execution.checkpointing.interval" in chosen:
        chosen["execution.checkpointing.dir"] = (scratch / "checkpoints").as_uri()
    return chosen


def command(
    flink: Flink,
    statements: Sequence[str],
    properties: Path,
    logging: Path,
    recording: Path | None,
) -> list[str]:
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED]
    return [
        str(flink.java.executable),
        f"-Xmx{HEAP}",
        f"-Dlog4j2.configurationFile={logging.as_uri()}",
        *([] if recording is None else [flight_recorder(recording)]),
        *opened,
        *("-cp", flink.class_path),
        MAIN_CLASS,
        str(properties),
        *statements,
    ]


def run(
    statements: Sequence[str],
    variant: str,
    scratch: Path,
    *,
    neighbours: Sequence[int],
    recording: Path | None = None,
) -> Measurement:
    properties, logging = scratch / "flink.properties", scratch / "log4j2.properties"
    lines = [f"{key}={value}\n" for key, value in settings(variant, scratch).items()]
    properties.write_text("".join(lines), encoding="utf-8")
    logging.write_text(_LOGGING, encoding="utf-8")
    java = command(ensure_flink(), statements, properties, logging, recording)
    return measure(java, scratch / "flink.log", neighbours=neighbours)
