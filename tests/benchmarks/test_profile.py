from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks import profile as profiling
from benchmarks.profile import ELSEWHERE, area_of, profile, read_samples, render
from headrace.errors import EnvironmentFault
from headrace.toolchain.java import find_java

TASK = "Executor task launch worker for task 0.0 in stage 1.0 (TID 1)"


def sample(*frames: str, thread: str = TASK) -> dict[str, Any]:
    split = [frame.rpartition(".") for frame in frames]
    stack = [{"method": {"type": {"name": owner}, "name": name}} for owner, _, name in split]
    return {"sampledThread": {"javaName": thread}, "stackTrace": {"frames": stack}}


@pytest.mark.parametrize(
    ("frames", "area"),
    [
        (["headrace/formats/JsonRecordReader.read"], "decode and encode JSON"),
        (["com/fasterxml/jackson/core/JsonParser.nextToken"], "decode and encode JSON"),
        (["org/rocksdb/RocksDB.get"], "state store"),
        (["org/apache/kafka/clients/consumer/KafkaConsumer.poll"], "read from Kafka"),
        (["headrace/kafka/KafkaBatchWriter.call"], "write to Kafka"),
        (["org/apache/spark/sql/execution/SortExec.foo"], "sort"),
        (["org/example/Other.run"], ELSEWHERE),
    ],
)
def test_a_frame_names_its_area(frames: list[str], area: str):
    assert area_of(frames) == area


def test_time_in_the_jdk_is_its_callers():
    frames = ["java/util/HashMap.merge", "headrace/operators/PartialAggregate.add"]
    assert area_of(frames) == "operators"


def test_the_innermost_known_frame_decides():
    frames = ["org/rocksdb/RocksDB.put", "headrace/operators/Aggregate.handle"]
    assert area_of(frames) == "state store"
    assert area_of(frames[::-1]) == "operators"


def test_samples_of_tasks_are_counted_by_area_and_method():
    get, put = "org/rocksdb/RocksDB.get", "org/rocksdb/RocksDB.put"
    areas, methods = profile([sample(get), sample(put), sample(get), sample("a/B.c")])
    assert areas == {"state store": 3, ELSEWHERE: 1}
    assert methods == {get: 2, put: 1, "a/B.c": 1}


def test_other_threads_and_empty_stacks_do_not_count():
    planning = sample("org/rocksdb/RocksDB.get", thread="stream execution thread for q3")
    nameless: dict[str, Any] = {"sampledThread": None, "stackTrace": None}
    assert profile([planning, sample(), nameless])[0] == {}


def test_shares_are_of_all_that_was_counted():
    areas, _ = profile([sample("org/rocksdb/R.get")] * 3 + [sample("a/B.c")])
    assert render(areas, 1) == " 75.0%  state store"
    assert render(areas, 9).splitlines() == [" 75.0%  state store", " 25.0%  other"]


def test_nothing_counted_is_nothing_shown():
    assert render(profile([])[0], 5) == ""


def test_what_is_no_recording_is_refused(tmp_path: Path):
    broken = tmp_path / "broken.jfr"
    broken.write_text("no recording")
    with pytest.raises(EnvironmentFault, match="cannot be read"):
        read_samples(broken)


BUSY = """
class Busy {
  public static void main(String[] arguments) {
    long end = System.nanoTime() + 1_500_000_000L, sum = 0;
    while (System.nanoTime() < end) sum += Long.toString(sum).hashCode();
    System.out.println(sum);
  }
}
"""


def test_a_real_recording_has_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, recording = tmp_path / "Busy.java", tmp_path / "busy.jfr"
    source.write_text(BUSY)
    option = f"-XX:StartFlightRecording=filename={recording},settings=profile"
    command = [str(find_java().executable), option, str(source)]
    subprocess.run(command, check=True, capture_output=True)
    samples = read_samples(recording)
    assert any("Busy.main" in frame for s in samples for frame in profiling._frames(s))
    assert profiling.main([str(recording)]) == 0
    assert capsys.readouterr().out.startswith("0 samples of tasks")
