from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from headrace.toolchain import jars, lock_file
from headrace.toolchain.coordinates import Artifact, JarSet
from headrace.toolchain.lock_file import LockedFile, render


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    """An empty HEADRACE_CACHE."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("HEADRACE_CACHE", str(folder))
    return folder


class Repository:
    """A Maven repository over HTTP. `broken` has the next answers for a path, before the file itself."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.broken: dict[str, list[int | bytes]] = {}
        self.redirects: dict[str, str] = {}
        self.requests: Counter[str] = Counter()
        self.logins: set[str | None] = set()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        # A client that breaks a connection is part of some tests.
        self.server.handle_error = lambda request, client: None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/maven"

    def add(self, path: str, content: bytes) -> LockedFile:
        self.files[path] = content
        return LockedFile(path, len(content), hashlib.sha256(content).hexdigest())

    def answer(self, path: str) -> tuple[int, bytes]:
        self.requests[path] += 1
        if self.broken.get(path):
            wrong = self.broken[path].pop(0)
            return (wrong, b"") if isinstance(wrong, int) else (200, wrong)
        return (200, self.files[path]) if path in self.files else (404, b"")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        repository = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                repository.logins.add(self.headers.get("Authorization"))
                path = self.path.removeprefix("/maven/")
                status, content = repository.answer(path)
                if path in repository.redirects:
                    status, content = 302, b""
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", repository.redirects[path])
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments: object) -> None:
                """Nobody reads the log of this server."""

        return Handler


@pytest.fixture
def repository(monkeypatch) -> Iterator[Repository]:
    found = Repository()
    thread = threading.Thread(target=found.server.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setenv("HEADRACE_MAVEN_REPOSITORY", found.url)
    yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


SETS = {
    name: JarSet(name, f"the {name}", (Artifact("org.example", name, "1.0", "for the test"),))
    for name in ("small", "large")
}
SHARED = "org/example/shared/2.0/shared-2.0.jar"


@pytest.fixture
def locked(monkeypatch, tmp_path, cache, repository) -> Repository:
    """Two jar sets with a lock file of their own: each has a jar, and both have another."""
    shared = repository.add(SHARED, b"shared")
    files = {
        wanted: [repository.add(wanted.artifacts[0].path, name.encode() * 1000), shared]
        for name, wanted in SETS.items()
    }
    lock = tmp_path / "jars.lock"
    lock.write_text(render(files))
    monkeypatch.setattr(lock_file, "LOCK_FILE", lock)
    monkeypatch.setattr(jars, "jar_set", SETS.__getitem__)
    return repository
