from __future__ import annotations

import time

import psutil
import pytest

from headrace.testing.topics import eventually
from tests.docs.walk import Step, absent, run


def test_lines_come_in_their_order_with_others_between_them():
    assert absent(["a", "c"], ["a", "b", "c "]) == []
    assert absent(["a", "c"], ["c", "a"]) == ["c"]


def test_what_is_not_printed_is_told(tmp_path):
    (wrong,) = run([Step("echo a", ["b"])], tmp_path, {}, at_exit="true", seconds=60)
    assert "lacks ['b']" in wrong


@pytest.mark.parametrize("command", ["false", "echo $UNSET_NAME"])
def test_a_command_that_fails_ends_the_walk(tmp_path, command):
    steps = [Step(command), Step("touch later")]
    (wrong,) = run(steps, tmp_path, {}, at_exit="touch end", seconds=60)
    assert wrong.startswith("exit code 1")
    assert not (tmp_path / "later").exists()
    assert (tmp_path / "end").exists()


def has_ended(pid):
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_command_that_hangs_is_ended_with_the_walk(tmp_path):
    began = time.monotonic()
    step = Step("sleep 600 & echo $! > pid; wait")
    (wrong,) = run([step], tmp_path, {}, at_exit="touch end", seconds=1)
    assert wrong.startswith("exit code -15")
    assert (tmp_path / "end").exists()
    assert time.monotonic() - began < 60
    eventually(lambda: has_ended(int((tmp_path / "pid").read_text())), bool)


def test_an_interrupted_command_has_printed_its_last_line(tmp_path):
    command = "sh -c 'trap \"exit 0\" INT; echo a; echo b; while :; do sleep 0.1; done'"
    step = Step(command, ["a", "b"], is_interrupted=True)
    assert run([step], tmp_path, {}, at_exit="true", seconds=60) == []
