from __future__ import annotations

import errno
import http.client
import os
import socket
import ssl
import threading
from pathlib import Path

import pytest

from headrace.errors import EnvironmentFault
from headrace.toolchain import download
from headrace.toolchain.download import (
    CONNECTIONS,
    Download,
    DownloadFailed,
    maven_central,
    without_credentials,
)
from headrace.toolchain.progress import ProgressEvent, silent
from tests.toolchain.conftest import Repository

PATH = "org/example/a/1.0/a-1.0.jar"
CONTENT = b"x" * 600_000
NO_PAUSE = (0.0, 0.0)


@pytest.fixture
def wanted(repository):
    return repository.add(PATH, CONTENT)


def run(root: Path, *files, pauses=NO_PAUSE, repository=None) -> list[ProgressEvent]:
    events: list[ProgressEvent] = []
    Download(root, repository, pauses).run(files, "jars", "headrace dev fetch a", events.append)
    return events


def left_over(root: Path) -> list[str]:
    return [file.name for file in root.rglob(".*") if file.is_file()]


@pytest.mark.parametrize("wrong", [500, 503, 429, 408, b"another file", CONTENT[:-1]])
def test_what_may_pass_is_tried_again(repository, wanted, tmp_path, wrong):
    repository.broken[PATH] = [wrong, wrong]
    run(tmp_path, wanted)
    assert (tmp_path / PATH).read_bytes() == CONTENT
    assert repository.requests[PATH] == 3
    assert left_over(tmp_path) == []


def test_another_file_under_the_name_is_never_kept(repository, wanted, tmp_path):
    repository.broken[PATH] = [b"y" * len(CONTENT)] * 4
    with pytest.raises(DownloadFailed) as caught:
        run(tmp_path, wanted)
    assert "600,000 bytes with SHA-256" in caught.value.found
    assert len(caught.value.render().splitlines()) <= 5
    assert not (tmp_path / PATH).exists()
    assert left_over(tmp_path) == []


def test_a_connection_that_ends_early_is_a_fault_of_the_network(wanted, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            for _ in range(3):
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(
                        b"HTTP/1.1 200 OK\r\nContent-Length: 600000\r\n\r\n" + b"x" * 1000
                    )

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(DownloadFailed) as caught:
            run(tmp_path, wanted, repository=f"http://127.0.0.1:{server.getsockname()[1]}/maven")
        thread.join()
    assert caught.value.found == "the connection ended 599,000 bytes too early"
    assert caught.value.cure.startswith("check the network")
    assert left_over(tmp_path) == []


def test_a_longer_file_is_not_read_to_its_end(wanted, tmp_path, monkeypatch):
    given: list[int] = []

    def received(*_):
        for number in range(100):
            given.append(number)
            yield CONTENT

    monkeypatch.setattr(Download, "_received", received)
    with pytest.raises(DownloadFailed) as caught:
        run(tmp_path, wanted)
    assert given == [0, 1] * 3
    assert caught.value.found.startswith("more bytes; locked are 600,000 bytes")
    assert left_over(tmp_path) == []


def test_a_repository_that_nothing_answers_for_is_asked_once(wanted, tmp_path, monkeypatch):
    """As behind a firewall: with the usual attempts a worker would start three times as late."""
    monkeypatch.setattr(download, "SILENCE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent_server:
        with pytest.raises(DownloadFailed) as caught:
            run(
                tmp_path,
                wanted,
                # The server accepts the connection and never begins with TLS.
                repository=f"https://127.0.0.1:{silent_server.getsockname()[1]}/maven",
            )
        silent_server.setblocking(False)
        silent_server.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent_server.accept()
    assert "check the network" in caught.value.cure


@pytest.mark.parametrize(
    "broken",
    [
        ConnectionResetError("reset"),
        TimeoutError("timed out"),
        http.client.RemoteDisconnected("closed"),
        ssl.SSLError("bad record"),
    ],
)
def test_a_connection_that_breaks_before_the_answer_is_tried_again(
    repository, wanted, tmp_path, monkeypatch, broken
):
    answer, errors = http.client.HTTPConnection.getresponse, [broken, broken]

    def getresponse(connection):
        if errors:
            raise errors.pop()
        return answer(connection)

    monkeypatch.setattr(http.client.HTTPConnection, "getresponse", getresponse)
    run(tmp_path, wanted)
    assert (tmp_path / PATH).read_bytes() == CONTENT
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_answer_that_is_final_is_not_asked_for_twice(repository, wanted, tmp_path, status):
    repository.broken[PATH] = [status] * 4
    with pytest.raises(DownloadFailed) as caught:
        run(tmp_path, wanted)
    assert repository.requests[PATH] == 1
    assert caught.value.found.startswith(f"status {status}")
    assert "HEADRACE_MAVEN_REPOSITORY" in caught.value.cure
    assert ("user:password@" in caught.value.cure) == (status == 401)
    assert caught.value.where == f"{repository.url}/{PATH}"


def test_without_network_the_error_names_artifact_repository_and_cure(wanted, tmp_path):
    with pytest.raises(DownloadFailed) as caught:
        run(tmp_path, wanted, repository="http://127.0.0.1:1/maven")
    error = caught.value
    assert error.summary == "org.example:a:1.0 could not be downloaded"
    assert error.where == f"http://127.0.0.1:1/maven/{PATH}"
    assert "refused" in error.found
    assert error.cure.endswith("then run: headrace dev fetch a")


def test_one_missing_file_ends_the_others(repository, wanted, tmp_path):
    gone = [repository.add(f"org/example/b{n}/1/b{n}-1.jar", b"b") for n in range(30)]
    repository.files = {}
    with pytest.raises(DownloadFailed):
        run(tmp_path, wanted, *gone)
    assert list(tmp_path.rglob("*.jar")) == []
    assert sum(repository.requests.values()) <= CONNECTIONS


def test_a_missing_small_file_does_not_wait_for_a_large_one(repository, tmp_path, monkeypatch):
    """The largest is asked for first."""
    large, small = repository.add(PATH, CONTENT), repository.add("a/b/1/b-1.jar", b"b")
    seen = threading.Event()
    answer = repository.answer

    def slowly(path):
        # The large file comes when the error about the small one is reported, or else far too late.
        if path == PATH:
            seen.wait(30)
        return answer(path) if path == PATH else (404, b"")

    monkeypatch.setattr(repository, "answer", slowly)
    failed = Download._failure

    def failure(*arguments):
        seen.set()
        return failed(*arguments)

    monkeypatch.setattr(Download, "_failure", failure)
    with pytest.raises(DownloadFailed, match="a:b:1"):
        run(tmp_path, large, small)
    assert not (tmp_path / PATH).exists()
    assert left_over(tmp_path) == []


@pytest.mark.parametrize(
    "address",
    [
        "me:secret@mirror.example/maven",
        "https://me:se/cret@mirror.example/maven",
        "mirror.example/maven",
        "/srv/maven",
        "https:///maven",
        "https://mirror..example/maven",
        "file:srv/maven",
        "https://mirror.example\\maven",
        "ftp://mirror.example/maven",
        "https://[mirror.example/maven",
        "https://me:secret@mirror.example/mäven",
        "https://me:secret@mirror.example/our maven",
    ],
)
def test_an_address_that_cannot_be_used_is_rejected_without_its_password(tmp_path, address):
    with pytest.raises(EnvironmentFault) as caught:
        Download(tmp_path, address)
    assert caught.value.condition == "INVALID_REPOSITORY"
    assert "secret" not in caught.value.render()
    assert "cret@" not in caught.value.render()
    assert "HEADRACE_MAVEN_REPOSITORY" in caught.value.render()


def test_a_connection_that_breaks_is_an_error_of_the_network(
    repository, wanted, tmp_path, monkeypatch
):
    def unreachable(response, count):
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    monkeypatch.setattr(http.client.HTTPResponse, "read1", unreachable)
    with pytest.raises(DownloadFailed) as caught:
        run(tmp_path, wanted)
    assert "No route to host" in caught.value.found
    assert repository.requests[PATH] == 3


def test_two_downloads_at_once_do_not_disturb_each_other(repository, tmp_path):
    files = [repository.add(f"org/example/b{n}/1/b{n}-1.jar", b"%d" % n * 50_000) for n in range(8)]
    threads = [threading.Thread(target=run, args=(tmp_path, *files)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [(tmp_path / file.path).stat().st_size for file in files] == [50_000] * 8
    assert left_over(tmp_path) == []


def test_progress_counts_bytes_and_never_more_than_all(repository, wanted, tmp_path, monkeypatch):
    monkeypatch.setattr(download._Meter, "_PAUSE_SECONDS", -1.0)
    repository.broken[PATH] = [b"z" * len(CONTENT)]
    events = run(tmp_path, wanted)
    assert {event.unit for event in events} == {"bytes"}
    assert all(0 <= event.done <= len(CONTENT) for event in events)
    assert [event.finished for event in events].count(True) == 1
    assert events[-1].detail == f"1 files from {repository.url}"


def test_a_login_in_the_address_is_sent_and_not_shown(repository, wanted, tmp_path):
    address = repository.url.replace("://", "://me:p%40ss@")
    assert run(tmp_path, wanted, repository=address)[-1].detail.endswith(repository.url)
    assert repository.logins == {"Basic bWU6cEBzcw=="}
    repository.files = {}
    with pytest.raises(DownloadFailed) as caught:
        run(tmp_path / "other", wanted, repository=address)
    assert "p%40ss" not in caught.value.render()


def test_a_redirect_takes_no_login_along(repository, wanted, tmp_path):
    store = Repository()
    thread = threading.Thread(target=store.server.serve_forever, args=(0.01,))
    thread.start()
    try:
        store.add(PATH, CONTENT)
        repository.redirects[PATH] = f"{store.url}/{PATH}"
        run(tmp_path, wanted, repository=repository.url.replace("://", "://me:word@"))
    finally:
        store.server.shutdown()
        thread.join()
        store.server.server_close()
    assert (tmp_path / PATH).read_bytes() == CONTENT
    assert repository.logins == {"Basic bWU6d29yZA=="}
    assert store.logins == {None}


def test_a_folder_that_cannot_be_written_to_is_no_fault_of_the_network(
    repository, wanted, tmp_path
):
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(EnvironmentFault) as caught:
        run(tmp_path / "cache" / "jars", wanted)
    assert caught.value.condition == "CACHE_NOT_WRITABLE"
    assert "HEADRACE_CACHE" in caught.value.cure
    assert not repository.requests


def test_a_file_that_a_folder_lacks_is_not_looked_for_again(tmp_path, wanted):
    with pytest.raises(DownloadFailed) as caught:
        # A second attempt would wait longer than any test may.
        run(tmp_path, wanted, repository=(tmp_path / "empty").as_uri(), pauses=(10_000.0,))
    assert "HEADRACE_MAVEN_REPOSITORY" in caught.value.cure
    assert "network" not in caught.value.cure


def test_a_folder_can_be_the_repository(tmp_path, wanted):
    source = tmp_path / "maven repository" / PATH
    source.parent.mkdir(parents=True)
    source.write_bytes(CONTENT)
    run(tmp_path / "cache", wanted, repository=(tmp_path / "maven repository").as_uri())
    assert (tmp_path / "cache" / PATH).read_bytes() == CONTENT


def test_a_full_disk_is_reported_before_the_first_byte(repository, wanted, tmp_path, monkeypatch):
    monkeypatch.setattr(download.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 9}))
    with pytest.raises(EnvironmentFault, match="no room") as caught:
        run(tmp_path, wanted)
    assert caught.value.condition == "NO_DISK_SPACE"
    assert not repository.requests


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fills_up_meanwhile_is_called_full(
    repository, wanted, tmp_path, monkeypatch, number
):
    def full(handle):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(download.os, "fsync", full)
    with pytest.raises(EnvironmentFault) as caught:
        run(tmp_path, wanted)
    assert caught.value.condition == "NO_DISK_SPACE"
    assert caught.value.found == os.strerror(number)
    assert left_over(tmp_path) == []


def test_files_are_readable_for_others(repository, wanted, tmp_path):
    Download(tmp_path).run([wanted], "jars", "", silent)
    assert (tmp_path / PATH).stat().st_mode & 0o777 == 0o644


def test_the_default_repository_is_that_of_spark():
    assert maven_central().startswith("https://")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:secret@mirror.example:8443/maven", "https://mirror.example:8443/maven"),
        ("https://token@mirror.example", "https://mirror.example"),
        ("https://mirror.example/a@b", "https://mirror.example/a@b"),
        ("file:///srv/maven", "file:///srv/maven"),
    ],
)
def test_credentials_of_a_repository_are_not_shown(url, shown):
    assert without_credentials(url) == shown
