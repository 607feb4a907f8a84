from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.threads import COLLECTING, COMPILING, overhead
from headrace.toolchain.java import find_java

TICKS = os.sysconf("SC_CLK_TCK")


def thread(proc: Path, pid: int, number: int, name: str, user: int, system: int) -> None:
    folder = proc / str(pid) / "task" / str(number)
    folder.mkdir(parents=True)
    (folder / "comm").write_text(f"{name}\n")
    before = "S 1 2 3 0 -1 4 5 6 7 8"
    (folder / "stat").write_text(f"{number} ({name}) {before} {user} {system} 0 0 20 0\n")


def test_compiler_and_collector_threads_are_added_up(tmp_path: Path):
    thread(tmp_path, 10, 1, "C2 CompilerThre", 3 * TICKS, TICKS)
    thread(tmp_path, 10, 2, "C1 CompilerThre", TICKS, 0)
    thread(tmp_path, 10, 3, "GC Thread#0", TICKS, TICKS)
    thread(tmp_path, 10, 4, "G1 Conc#0", TICKS, 0)
    thread(tmp_path, 10, 5, "VM Thread", 0, TICKS)
    assert overhead([10], tmp_path) == {COMPILING: 5.0, COLLECTING: 4.0}


def test_threads_that_work_do_not_count(tmp_path: Path):
    thread(tmp_path, 10, 1, "Executor task l", 9 * TICKS, 0)
    assert overhead([10], tmp_path) == {}


def test_names_with_brackets_are_read(tmp_path: Path):
    thread(tmp_path, 10, 1, "GC Thread) x (", TICKS, 0)
    assert overhead([10], tmp_path) == {COLLECTING: 1.0}


def test_all_processes_count_and_those_that_are_gone_do_not(tmp_path: Path):
    thread(tmp_path, 10, 1, "GC Thread#0", TICKS, 0)
    thread(tmp_path, 11, 1, "GC Thread#0", TICKS, 0)
    assert overhead([10, 11, 12], tmp_path) == {COLLECTING: 2.0}


def test_a_thread_that_ends_while_it_is_read_is_left_out(tmp_path: Path):
    thread(tmp_path, 10, 1, "GC Thread#0", TICKS, 0)
    (tmp_path / "10" / "task" / "2").mkdir()
    assert overhead([10], tmp_path) == {COLLECTING: 1.0}


BUSY = """
class Busy {
  public static void main(String[] arguments) throws Exception {
    var texts = new java.util.ArrayDeque<String>();
    for (int i = 0; i < 5_000_000; i++) {
      texts.add(Integer.toString(i));
      if (texts.size() > 100_000) texts.remove();
    }
    System.out.println("done");
    System.in.read();
  }
}
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux names threads so")
def test_a_real_jvm_has_such_threads(tmp_path: Path):
    source = tmp_path / "Busy.java"
    source.write_text(BUSY)
    java = str(find_java().executable)
    with subprocess.Popen(
        # A small heap is collected often.
        [java, "-XX:+UseG1GC", "-Xmx64m", str(source)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as jvm:
        assert jvm.stdin is not None
        assert jvm.stdout is not None
        assert jvm.stdout.readline() == b"done\n"
        seen = overhead([jvm.pid])
        jvm.stdin.close()
    assert seen[COMPILING] > 0
    assert seen[COLLECTING] > 0
