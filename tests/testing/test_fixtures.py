from __future__ import annotations

import signal

import psutil
import pytest

from headrace.testing.topics import eventually

KILLED = """
    import os, signal
    pytest_plugins = ["headrace.testing.fixtures"]

    def test_killed(s3_endpoint):
        print("SERVICE", s3_endpoint.status().pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""

LIFETIME = """
    import pytest
    pytest_plugins = ["headrace.testing.fixtures"]

    def test_first(s3_endpoint):
        print("FIRST", s3_endpoint.status().pid)

    def test_second(s3_endpoint):
        print("SECOND", s3_endpoint.status().pid)
"""


@pytest.mark.services
def test_a_service_is_shared_by_the_session_and_ends_with_it(pytester):
    pytester.makepyfile(LIFETIME)
    result = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)
    pids = [line.split()[-1] for line in result.outlines if "FIRST" in line or "SECOND" in line]
    assert len(pids) == 2
    assert len(set(pids)) == 1
    assert not psutil.pid_exists(int(pids[0]))


@pytest.mark.services
def test_a_killed_run_leaves_no_service_behind(pytester):
    pytester.makepyfile(KILLED)
    result = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider")
    assert result.ret == -signal.SIGKILL
    (pid,) = [int(line.split()[-1]) for line in result.outlines if "SERVICE" in line]
    eventually(lambda: psutil.pid_exists(pid), lambda exists: not exists)
