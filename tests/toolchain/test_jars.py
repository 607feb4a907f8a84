from __future__ import annotations

import threading

import pytest

from headrace.errors import EnvironmentFault, UnknownName
from headrace.toolchain import jars
from headrace.toolchain.download import DownloadFailed
from headrace.toolchain.locking import exclusive
from headrace.toolchain.progress import ProgressEvent
from tests.toolchain.conftest import SETS, SHARED


def test_a_set_is_downloaded_in_the_layout_of_a_repository(cache, locked):
    found = jars.ensure("small")
    assert found == [cache / "jars" / SETS["small"].artifacts[0].path, cache / "jars" / SHARED]
    assert found[0].read_bytes() == b"small" * 1000


def test_a_second_call_needs_no_network(locked, monkeypatch):
    first = jars.ensure("small")
    monkeypatch.setenv("HEADRACE_MAVEN_REPOSITORY", "http://127.0.0.1:1/nobody")
    assert jars.ensure("small") == first == jars.installed("small")


def test_sets_share_files(locked):
    jars.fetch(["small"])
    jars.fetch(["small", "large", "large"])
    assert set(locked.requests.values()) == {1}
    assert jars.missing(*SETS.values()) == []


def test_only_a_deleted_file_is_downloaded_again(locked):
    kept, deleted = jars.ensure("small")
    deleted.unlink()
    assert [file.path for file in jars.missing(SETS["small"])] == [SHARED]
    assert jars.ensure("small") == [kept, deleted]
    assert locked.requests[SHARED] == 2
    assert locked.requests[SETS["small"].artifacts[0].path] == 1


def test_a_truncated_file_is_replaced(locked):
    first, _ = jars.ensure("small")
    first.write_bytes(b"cut")
    assert jars.ensure("small")[0].read_bytes() == b"small" * 1000


def test_a_damaged_file_of_the_right_size_is_found_and_replaced(locked):
    first, _ = jars.ensure("small")
    first.write_bytes(bytes(len(b"small") * 1000))
    assert jars.missing(SETS["small"]) == []
    assert [file.name for file in jars.missing(SETS["small"], verify=True)] == [first.name]
    jars.fetch(["small"], verify=True)
    assert first.read_bytes() == b"small" * 1000
    assert locked.requests[SHARED] == 1


def test_what_a_killed_download_left_behind_is_removed(cache, locked):
    draft = cache / "jars" / SETS["small"].artifacts[0].path
    draft = draft.with_name(f".{draft.name}-x1.draft")
    draft.parent.mkdir(parents=True)
    draft.write_bytes(b"half")
    jars.fetch(["small"])
    assert not draft.exists()


def test_code_that_must_not_wait_gets_the_command_that_downloads(locked):
    with pytest.raises(EnvironmentFault) as caught:
        jars.installed("large")
    assert caught.value.condition == "JARS_NOT_INSTALLED"
    assert caught.value.cure == "run: headrace dev fetch large"
    assert not locked.requests


def test_one_task_counts_the_bytes_of_all_sets(locked):
    events: list[ProgressEvent] = []
    jars.fetch(SETS, events.append)
    assert {event.task for event in events} == {"jars"}
    assert (events[0].done, events[0].total) == (0, 10_006)
    assert events[-1].finished
    assert sum(event.finished for event in events) == 1
    assert "3 files" in events[-1].detail


def test_nothing_is_reported_without_a_missing_file(locked):
    jars.fetch(SETS)
    events: list[ProgressEvent] = []
    jars.fetch(SETS, events.append)
    assert events == []


def test_a_failure_names_the_command_that_tries_again(locked):
    del locked.files[SHARED]
    with pytest.raises(DownloadFailed) as caught:
        jars.fetch(["small", "large"])
    assert caught.value.summary == "org.example:shared:2.0 could not be downloaded"
    assert caught.value.cure.endswith("then run: headrace dev fetch small large")


def test_an_unknown_set_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'spark'"):
        jars.ensure("sparc")


def test_processes_that_start_at_once_download_every_file_once(locked):
    threads = [threading.Thread(target=jars.fetch, args=(SETS,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert set(locked.requests.values()) == {1}


def test_who_waits_for_another_download_says_so(locked, cache):
    events: list[ProgressEvent] = []
    held, released = threading.Event(), threading.Event()

    def hold() -> None:
        with exclusive(cache / "jars" / "lock"):
            held.set()
            released.wait(30)

    def report(event: ProgressEvent) -> None:
        events.append(event)
        released.set()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    jars.fetch(["small"], report)
    thread.join(30)
    assert "waiting" in events[0].detail
    assert events[-1].finished
