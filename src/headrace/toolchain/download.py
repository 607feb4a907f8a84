"""Downloads files of a Maven repository: several at a time, verified, retried, and visible only when complete.

HEADRACE_MAVEN_REPOSITORY   a repository to use instead of Maven Central; `https://user:password@host/…` logs in
HTTPS_PROXY, NO_PROXY       the proxy, as for other programs; SSL_CERT_FILE names certificates of your own
"""

from __future__ import annotations

import base64
import errno
import hashlib
import http.client
import os
import re
import shutil
import ssl
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

import certifi

from headrace.errors import EnvironmentFault, TransientFault
from headrace.toolchain.lock_file import LockedFile
from headrace.toolchain.paths import CACHE_VARIABLE
from headrace.toolchain.progress import ProgressEvent, Reporter
from headrace.toolchain.spark_home import spark_jars_folder

REPOSITORY_VARIABLE = "HEADRACE_MAVEN_REPOSITORY"

# Where Ivy, which pyspark ships, keeps the address of Maven Central.
_IVY_DEFAULTS = "org/apache/ivy/core/settings/repository.properties"
_IVY_CENTRAL = re.compile(r"^ivy\.ibiblio\.default\.artifact\.root *= *(\S+)", re.MULTILINE)

# Small jars spend most of their time waiting for an answer; more connections than this gain nothing.
CONNECTIONS = 8

# Pauses before the second and third attempt.
PAUSES_SECONDS = (0.5, 3.0)

# Without a byte for this long, a connection is dead.
SILENCE_SECONDS = 15.0

# The names of files whose download has not ended.
DRAFTS = ".*.draft"

_CHUNK_BYTES = 256 * 1024

# Answers that another attempt does not change.
_FINAL_STATUSES = range(400, 500)
_PASSING_STATUSES = (408, 425, 429)


class DownloadFailed(EnvironmentFault, TransientFault):
    condition = "JARS_NOT_DOWNLOADED"


class Download:
    """Fetches files from one repository into `root`, which keeps the repository's layout."""

    def __init__(
        self,
        root: Path,
        repository: str | None = None,
        pauses: Sequence[float] | None = None,
    ) -> None:
        address = repository or os.environ.get(REPOSITORY_VARIABLE) or maven_central()
        _require_usable(address)
        self._root = root
        self._pauses = PAUSES_SECONDS if pauses is None else pauses
        self.repository = without_credentials(address).rstrip("/")
        self._login = _login(address)
        self._opener = _opener()
        self._stopped = threading.Event()

    def run(self, files: Sequence[LockedFile], task: str, cure: str, progress: Reporter) -> None:
        """Downloads all files; the first failure ends the others and names `cure`."""
        total = sum(file.size for file in files)
        self._check_space(total)
        meter = _Meter(task, total, progress)
        # The largest first: one that begins last would keep all other connections idle.
        by_size = sorted(files, key=lambda file: -file.size)
        with ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="download") as pool:
            try:
                futures = [pool.submit(self._fetch, file, meter, cure) for file in by_size]
                for future in futures:
                    future.result()
            except BaseException:
                self._stopped.set()
                pool.shutdown(cancel_futures=True)
                raise
        meter.finish(f"{len(files)} files from {self.repository}")

    def _check_space(self, needed: int) -> None:
        try:
            self._root.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self._root).free
        except OSError as error:
            raise not_writable(self._root, error) from None
        if free < needed:
            raise _disk_full(self._root, f"{free / 10**6:.0f} MB free", f"{needed / 10**6:.0f} MB")

    def _fetch(self, file: LockedFile, meter: _Meter, cure: str) -> None:
        target = self._root / file.path
        for pause in (*self._pauses, None):
            if self._stopped.is_set():
                return
            try:
                self._attempt(file, target, meter)
                return
            except _NETWORK_ERRORS as error:
                if pause is None or _is_missing(error) or _is_silent(error):
                    self._stopped.set()
                    raise self._failure(file, error, cure) from None
            except OSError as error:
                self._stopped.set()
                raise not_writable(self._root, error) from None
            self._stopped.wait(pause)

    def _attempt(self, file: LockedFile, target: Path, meter: _Meter) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        address = f"{self.repository}/{file.path}"
        # The user may name a folder as repository, with file: in front.
        request = urllib.request.Request(address)  # noqa: S310
        if self._login is not None:
            # Mirrors redirect to stores that must not see the login, and that reject a request with a second one.
            request.add_unredirected_header("Authorization", self._login)
        received, digest = 0, hashlib.sha256()
        handle, draft = tempfile.mkstemp(".draft", f".{file.name}-", target.parent)
        try:
            with os.fdopen(handle, "wb") as output, closing(self._received(request)) as chunks:
                for chunk in chunks:
                    if self._stopped.is_set():
                        return
                    output.write(chunk)
                    digest.update(chunk)
                    received += len(chunk)
                    meter.add(len(chunk), file.name)
                    if received > file.size:
                        break
                # A power cut must not leave a file of the right size without its content.
                output.flush()
                os.fsync(output.fileno())
            if received != file.size or digest.hexdigest() != file.sha256:
                raise _Damaged(file, received, digest.hexdigest())
            # mkstemp makes files private; a group of users may share the cache.
            os.chmod(draft, 0o644)
            os.replace(draft, target)
        except BaseException:
            meter.add(-received, file.name)
            raise
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)

    def _received(self, request: urllib.request.Request) -> Generator[bytes]:
        """Raises a URLError for whatever breaks the connection, since the local disk raises OSErrors too."""
        try:
            with self._opener(request, SILENCE_SECONDS) as response:
                while chunk := response.read1(_CHUNK_BYTES):
                    yield chunk
                # read1() ends without an error when the connection does. Files of a folder have no such length.
                if left := getattr(response, "length", None):
                    raise _Broken(f"the connection ended {left:,} bytes too early")
        except urllib.error.URLError:
            raise
        except OSError as error:
            raise _Broken(error) from error

    def _failure(self, file: LockedFile, error: Exception, cure: str) -> DownloadFailed:
        local = self.repository.startswith("file:")
        network = not local and not isinstance(error, _Damaged) and not _is_missing(error)
        proxy = f"check the network (proxy: HTTPS_PROXY; mirror: {REPOSITORY_VARIABLE})"
        mirror = f"set {REPOSITORY_VARIABLE} to a complete repository"
        if isinstance(error, urllib.error.HTTPError) and error.code == http.client.UNAUTHORIZED:
            mirror = f"log in with {REPOSITORY_VARIABLE}=https://user:password@host/path"
        return DownloadFailed(
            f"{file.coordinate} could not be downloaded",
            where=f"{self.repository}/{file.path}",
            found=_reason(error),
            cure=f"{proxy if network else mirror}, then run: {cure}",
        )


class _Broken(urllib.error.URLError):
    """The connection broke after it was established."""


class _Damaged(Exception):
    """The file that arrived is not the locked one."""

    def __init__(self, file: LockedFile, size: int, sha256: str) -> None:
        found = f"{size:,} bytes with SHA-256 {sha256[:12]}…" if size <= file.size else "more bytes"
        super().__init__(f"{found}; locked are {file.size:,} bytes with {file.sha256[:12]}…")


# URLError is an OSError. Any other OSError comes from the local disk.
_NETWORK_ERRORS = (urllib.error.URLError, http.client.HTTPException, _Damaged)


class _Meter:
    """Adds up what all connections received."""

    # Redrawing more often than a terminal shows would only cost time.
    _PAUSE_SECONDS = 0.1

    def __init__(self, task: str, total: int, progress: Reporter) -> None:
        self._task = task
        self._total = total
        self._progress = progress
        self._done = 0
        self._lock = threading.Lock()
        self._reported = 0.0
        progress(ProgressEvent(task, "", 0, total, unit="bytes"))

    def add(self, count: int, name: str) -> None:
        with self._lock:
            self._done += count
            now = time.monotonic()
            # The end is reported once, by finish().
            if self._done < self._total and now - self._reported > self._PAUSE_SECONDS:
                self._reported = now
                self._progress(
                    ProgressEvent(self._task, name, self._done, self._total, unit="bytes")
                )

    def finish(self, detail: str) -> None:
        self._progress(ProgressEvent(self._task, detail, self._total, self._total, unit="bytes"))


def maven_central() -> str:
    """Returns the address that Spark's own `spark.jars.packages` downloads from by default."""
    with zipfile.ZipFile(next(spark_jars_folder().glob("ivy-*.jar"))) as ivy:
        found = _IVY_CENTRAL.search(ivy.read(_IVY_DEFAULTS).decode())
    assert found is not None
    return found[1]


def without_credentials(url: str) -> str:
    """Returns the address without user and password, which addresses of mirrors often contain."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _login(url: str) -> str | None:
    parts = urlsplit(url)
    if parts.username is None:
        return None
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return f"Basic {base64.b64encode(login.encode()).decode()}"


def _opener() -> Callable[[urllib.request.Request, float], http.client.HTTPResponse]:
    """The system's certificates and certifi's: some installations of Python come without any."""
    context = ssl.create_default_context()
    if not os.environ.get("SSL_CERT_FILE"):
        context.load_verify_locations(certifi.where())
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context))
    return lambda request, timeout: opener.open(request, timeout=timeout)


def _require_usable(address: str) -> None:
    """The error does not repeat the address, which may hold a password in the wrong place."""
    try:
        address.encode("ascii")
        parts = urlsplit(address)
        # The port raises if it is not a number, as after a password that contains a slash.
        host = (parts.hostname or "").encode("idna") if parts.port != 0 else b""
        usable = bool(host) if parts.scheme in ("http", "https") else address.startswith("file:///")
        usable = usable and not set(" \\") & set(address)
    except ValueError:
        usable = False
    if not usable:
        raise EnvironmentFault(
            f"the address in {REPOSITORY_VARIABLE} is not usable",
            condition="INVALID_REPOSITORY",
            expected="https://host/path, https://user:password@host/path or file:///folder",
            cure="correct the variable; write special characters as %xx: / as %2F, : as %3A, @ as %40, a space as %20",
        )


def _is_missing(error: Exception) -> bool:
    """Returns whether the repository answered that it does not give out the file."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code in _FINAL_STATUSES and error.code not in _PASSING_STATUSES
    return isinstance(error, urllib.error.URLError) and isinstance(error.reason, FileNotFoundError)


def _is_silent(error: Exception) -> bool:
    """Returns whether nothing accepted the connection, as behind a firewall. TCP has repeated its request by then."""
    if isinstance(error, _Broken) or not isinstance(error, urllib.error.URLError):
        return False
    return isinstance(error.reason, TimeoutError)


def not_writable(folder: Path, error: OSError) -> EnvironmentFault:
    """Returns the fault for an error of the local disk, which may also be full."""
    found = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _disk_full(folder, found)
    return EnvironmentFault(
        "the jars cannot be written to the cache",
        condition="CACHE_NOT_WRITABLE",
        where=str(folder),
        found=found,
        cure=f"make the folder writable, or export {CACHE_VARIABLE}=/another/folder",
    )


def _disk_full(folder: Path, found: str, expected: str | None = None) -> EnvironmentFault:
    return EnvironmentFault(
        "the disk has no room for the jars",
        condition="NO_DISK_SPACE",
        where=str(folder),
        found=found,
        expected=expected,
        cure=f"make room, or export {CACHE_VARIABLE}=/a/larger/disk",
    )


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"status {error.code} {' '.join(error.reason.split())}"
    if isinstance(error, urllib.error.URLError):
        return " ".join(str(error.reason).split())
    return " ".join(str(error).split()) or type(error).__name__
