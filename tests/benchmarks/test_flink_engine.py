from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import flink_engine
from benchmarks.flink_engine import VARIANTS, command, settings
from benchmarks.flink_setup import Flink
from benchmarks.measure import HEAP, Measurement
from headrace.toolchain.java import Java

FLINK = Flink(Path("/cache/flink"), Java(Path("/opt/java"), "17.0.1", has_compiler=True))


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_variant_runs_locally_with_as_many_tasks_as_partitions(variant: str, tmp_path: Path):
    chosen = settings(variant, tmp_path)
    assert chosen["execution.target"] == "local"
    assert chosen["parallelism.default"] == "2"


def test_plain_is_flink_as_it_comes(tmp_path: Path):
    assert not [key for key in settings("plain", tmp_path) if "mini" in key or "state" in key]


def test_mini_groups_changes(tmp_path: Path):
    chosen = settings("mini", tmp_path)
    assert chosen["table.exec.mini-batch.enabled"] == "true"
    assert chosen["table.exec.mini-batch.size"] == "20000"
    assert "execution.checkpointing.interval" not in chosen


def test_rocks_is_durable(tmp_path: Path):
    chosen = settings("rocks", tmp_path)
    assert chosen["state.backend.type"] == "rocksdb"
    assert chosen["execution.checkpointing.interval"] == "10 s"
    assert chosen["execution.checkpointing.dir"] == (tmp_path / "checkpoints").as_uri()


def test_the_command_ends_with_the_statements():
    line = command(FLINK, ["CREATE …", "INSERT …"], Path("/s/f.properties"), Path("/s/l"), None)
    assert line[0] == "/opt/java/bin/java"
    assert f"-Xmx{HEAP}" in line
    assert line[-6:] == [
        "-cp",
        FLINK.class_path,
        "FlinkJob",
        "/s/f.properties",
        "CREATE …",
        "INSERT …",
    ]
    assert not [argument for argument in line if "FlightRecording" in argument]


def test_a_recording_is_asked_of_the_jvm():
    line = command(FLINK, ["INSERT …"], Path("/s/f"), Path("/s/l"), Path("/r/q3.jfr"))
    (recording,) = [argument for argument in line if "FlightRecording" in argument]
    assert "filename=/r/q3.jfr" in recording
    assert line.index(recording) < line.index("FlinkJob")


def test_a_run_writes_its_settings_where_flink_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen: dict[str, Any] = {}

    def measure(line: list[str], log: Path, **options: Any) -> Measurement:
        seen.update(line=line, log=log, **options)
        return Measurement({"seconds": 1.0})

    monkeypatch.setattr(flink_engine, "ensure_flink", lambda: FLINK)
    monkeypatch.setattr(flink_engine, "measure", measure)
    flink_engine.run(["INSERT …"], "rocks", tmp_path, neighbours=[7])
    properties = Path(seen["line"][-2])
    stored = dict(line.split("=", 1) for line in properties.read_text().splitlines())
    assert stored == settings("rocks", tmp_path)
    assert seen["neighbours"] == [7]
    assert (tmp_path / "log4j2.properties").is_file()
