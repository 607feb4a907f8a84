"""Kafka's own Connect worker as a child of ours: started when it is needed, watched, started again, ended with us.

HEADRACE_HOME/connect/<group>-java/worker.log   what it prints
                                  /plugins-…/   the bundled plugins, each a folder of links to its jars
KAFKA_HEAP_OPTS                                 its memory, as for Connect's own scripts
"""

from __future__ import annotations

import base64
import hashlib
import logging
import os
import re
import secrets
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from headrace.connect.answers import REBALANCE, Refusal
from headrace.connect.java.properties import HOST, SUFFIX, java_properties
from headrace.connect.rest.forwarding import FORWARD_SECONDS, send_to
from headrace.connect.rest.messages import Request, Response
from headrace.connect.settings import Settings
from headrace.connectors.kafka.jaas import TOKEN_ENDPOINT
from headrace.connectors.kafka.login_modules import JAR_SETS, login_sets
from headrace.connectors.kafka.refusals import ALLOWED_URLS
from headrace.errors import EnvironmentFault, HeadraceError
from headrace.services.certificates import write_private
from headrace.services.ports import free_port
from headrace.services.supervisor import printed_since, telling_line
from headrace.toolchain.coordinates import (
    AVRO_CONVERTER_SET,
    CONNECT_SET,
    DEBEZIUM_SET,
    jar_set,
)
from headrace.toolchain.jars import installed, missing
from headrace.toolchain.java import find_java, utf8_locale
from headrace.toolchain.locking import create_once
from headrace.toolchain.operators import operator_jar
from headrace.toolchain.paths import fault_of_folder, home_folder
from headrace.toolchain.properties import render

logger = logging.getLogger("headrace.connect.java")

# Connect's scripts allow 2 GB; snapshots and batches of Debezium fit in half of it, beside a Spark on the same machine.
_HEAP = "-Xmx1g"

# Between two looks at the child: short beside its start, long beside the cost of a look.
_POLL_SECONDS = 0.2

# A worker that cannot start is not started over and over without a pause.
_PAUSE_SECONDS = 5.0

# What the child gives itself to end, and a little more.
_END_SECONDS = 25.0

_USER = "headrace"

# Jar sets that are plugins of Kafka's worker.
BUNDLED_PLUGINS = (DEBEZIUM_SET.name, AVRO_CONVERTER_SET.name)

# Kafka's worker stops in a shutdown hook; a logger that stopped in another one would miss what it says.
_LOGGING = """\
status = warn
shutdownHook = disable
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = ${sys:headrace.log}
appender.file.filePattern = ${sys:headrace.log}.%i
appender.file.filePermissions = rw-------
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{ISO8601} %-5p %c{1}: %m%n
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 20MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 3
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
"""

Ask = Callable[[Request], Response]


class JavaWorker(Protocol):
    """The worker for Java connectors, as those see it who need its answers."""

    def require_jars(self, sets: Sequence[str]) -> None:
        """Raises JARS_NOT_INSTALLED if its own jars or those of the sets are missing."""

    def begin(self, on_ready: Callable[[Ask], None]) -> None:
        """Start it unless that is done; `on_ready` is called each time before it answers others."""

    def ask(self, request: Request) -> Response:
        """Its answer, as soon as it runs."""

    def runs(self) -> bool: ...

    def stop(self) -> None: ...


class JavaProcess:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.folder = home_folder("connect", settings.values["group.id"] + SUFFIX)
        self.ready = threading.Event()
        self.stopping = threading.Event()
        # Set to end the pause before the next attempt to start.
        self.retry = threading.Event()
        self.thread: threading.Thread | None = None
        self.failure: HeadraceError | None = None
        # Jar sets that the running process has beside its own; it looks for them only when it starts.
        self.loaded: list[str] = []
        self.url = ""
        self.login = ""
        self.changing = threading.Lock()

    def require_jars(self, sets: Sequence[str]) -> None:
        installed(*self._own_sets(), *sets)
        # The supervisor may change it at any time.
        failure = self.failure
        if failure is not None and failure.condition == "JARS_NOT_INSTALLED":
            # They were downloaded since its last attempt to start.
            self.failure = None
            self.retry.set()
        late = [name for name in sets if self.ready.is_set() and name not in self.loaded]
        if late:
            raise EnvironmentFault(
                f"the worker for Java connectors runs without the jars of {', '.join(late)}",
                condition="JARS_NOT_INSTALLED",
                found="they were downloaded after it started",
                cure="restart the Connect worker",
            )

    def begin(self, on_ready: Callable[[Ask], None]) -> None:
        with self.changing:
            if self.thread is not None:
                return
            self.stopping.clear()
            self.retry.clear()
            self.failure = None
            self.thread = threading.Thread(
                target=self._supervise, args=(on_ready,), name="connect-java", daemon=True
            )
            self.thread.start()

    def stop(self) -> None:
        with self.changing:
            self.stopping.set()
            self.retry.set()
            if self.thread is not None:
                self.thread.join()
                self.thread = None

    def runs(self) -> bool:
        return self.ready.is_set()

    def ask(self, request: Request) -> Response:
        deadline = time.monotonic() + FORWARD_SECONDS
        while not self.ready.wait(_POLL_SECONDS):
            if self.failure is not None:
                raise self.failure
            if time.monotonic() > deadline or self.stopping.is_set():
                raise Refusal(500, f"The worker for Java connectors is not ready; see {self.log}")
        return self._send(request)

    @property
    def log(self) -> Path:
        return self.folder / "worker.log"

    def _send(self, request: Request) -> Response:
        headers = {**request.headers, "authorization": self.login}
        try:
            response = send_to(None)(self.url, replace(request, headers=headers))
        except OSError as error:
            raise Refusal(500, f"The worker for Java connectors does not answer: {error}") from None
        if response.status == 401:
            # One that is ending still leads its group, and has another login.
            raise Refusal(409, REBALANCE)
        return response

    def _supervise(self, on_ready: Callable[[Ask], None]) -> None:
        reported = ""
        while not self.stopping.is_set():
            try:
                self._run_once(on_ready)
            except Exception as error:
                failure = self._fault_of(error)
                self.failure = failure
                # Once, not at every attempt: a missing jar stays missing until somebody downloads it.
                if failure.render() != reported:
                    reported = failure.render()
                    logger.error("the worker for Java connectors does not start: %s", reported)
            else:
                reported = ""
            self.retry.wait(_PAUSE_SECONDS)
            self.retry.clear()
            if not (self.stopping.is_set() or reported):
                logger.warning("the worker for Java connectors starts again; see %s", self.log)

    def _fault_of(self, error: Exception) -> HeadraceError:
        """Returns the error in the form that callers see: a full disk is an OSError, for example."""
        if isinstance(error, HeadraceError):
            return error
        fault = fault_of_folder(error) if isinstance(error, OSError) else None
        return fault or EnvironmentFault(
            "the worker for Java connectors cannot be started",
            condition="SERVICE_NOT_STARTED",
            where=str(self.folder),
            found=f"{type(error).__name__}: {error}",
            cure="correct what is named above; it is tried again",
        )

    def _run_once(self, on_ready: Callable[[Ask], None]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        # Secrets of the settings lie in files only until it has read them.
        with tempfile.TemporaryDirectory(prefix="headrace-connect-") as private:
            log_start = self.log.stat().st_size if self.log.exists() else 0
            process = self._launched(Path(private))
            self.failure = None
            try:
                self._wait_until_ready(process, log_start, on_ready)
            except BaseException:
                _end(process)
                raise
        try:
            while process.poll() is None and not self.stopping.wait(_POLL_SECONDS):
                pass
        finally:
            self.ready.clear()
            _end(process)

    def _wait_until_ready(
        self, process: subprocess.Popen[bytes], log_start: int, on_ready: Callable[[Ask], None]
    ) -> None:
        while process.poll() is None and not self.stopping.wait(_POLL_SECONDS):
            with suppress(Refusal):
                if self._send(Request("GET", "/health")).status == 200:
                    on_ready(self._send)
                    self.ready.set()
                    return
        if not self.stopping.is_set():
            raise EnvironmentFault(
                "the worker for Java connectors ended before it was ready",
                condition="SERVICE_NOT_STARTED",
                where=str(self.log),
                found=telling_line(printed_since(self.log, log_start)),
                cure="read the log named above; it is tried again",
            )

    def _launched(self, private: Path) -> subprocess.Popen[bytes]:
        port = free_port()
        command = self._command(private, port)
        self.url = f"http://{HOST}:{port}"
        with os.fdopen(
            os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab"
        ) as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | utf8_locale(),
                # Ctrl-C in the terminal is for us, who end it in order.
                start_new_session=True,
            )

    def _command(self, private: Path, port: int) -> list[str]:
        # First, so that the error comes before anything is written.
        class_path = [*installed(*self._own_sets()), operator_jar()]
        properties = java_properties(self.settings, port, self._plugin_path())
        # Kafka's clients look for login modules on the class path, also for a connector that overrides the login.
        logins = [name for name in JAR_SETS.values() if not missing(jar_set(name))]
        self.loaded += logins
        class_path += [jar for jar in installed(*logins) if jar not in class_path]
        write_private(private / "worker.properties", render(properties).encode())
        (private / "log4j2.properties").write_text(_LOGGING, encoding="utf-8")
        return [
            str(find_java().executable),
            *(os.environ.get("KAFKA_HEAP_OPTS") or _HEAP).split(),
            f"-Dlog4j2.configurationFile={private / 'log4j2.properties'}",
            f"-Dheadrace.log={self.log}",
            f"-Djava.security.auth.login.config={self._new_login(private)}",
            f"-D{ALLOWED_URLS}={','.join(token_endpoints(self.settings.raw))}",
            *("-cp", os.pathsep.join(map(str, class_path))),
            "headrace.connect.OwnedProcess",
            "org.apache.kafka.connect.cli.ConnectDistributed",
            str(private / "worker.properties"),
        ]

    def _own_sets(self) -> tuple[str, ...]:
        return (CONNECT_SET.name, *login_sets(self.settings.raw))

    def _new_login(self, private: Path) -> Path:
        """Its port is open to every account of this machine; what it answers is for us alone."""
        password = secrets.token_urlsafe(32)
        self.login = f"Basic {base64.b64encode(f'{_USER}:{password}'.encode()).decode()}"
        write_private(private / "users", f"{_USER}={password}\n".encode())
        jaas = private / "jaas.conf"
        module = "org.apache.kafka.connect.rest.basic.auth.extension.PropertyFileLoginModule"
        write_private(
            jaas, f'KafkaConnect {{ {module} required file="{private / "users"}"; }};\n'.encode()
        )
        return jaas

    def _plugin_path(self) -> list[Path]:
        """Returns the user's folders and one with the installed bundled plugins. A plugin is a folder in one of these."""
        self.loaded = [name for name in BUNDLED_PLUGINS if not missing(jar_set(name))]
        jars = {name: installed(name) for name in self.loaded}

        def link(draft: Path) -> None:
            for name, files in jars.items():
                (draft / name).mkdir()
                for jar in files:
                    (draft / name / jar.name).symlink_to(jar)

        # Another set of jars gets another folder: other workers of this machine may be reading this one.
        digest = hashlib.sha256(repr(jars).encode()).hexdigest()[:12]
        bundled = create_once(self.folder / f"plugins-{digest}", link)
        return [*map(Path, _listed(self.settings.raw)), bundled]


def token_endpoints(settings: Mapping[str, str]) -> list[str]:
    """Kafka's clients ask no address that the JVM was not told of."""
    named = {text for name, text in settings.items() if name.endswith(TOKEN_ENDPOINT)}
    return sorted(named)


def _listed(settings: Mapping[str, str]) -> list[str]:
    return [part for part in re.split(r"\s*,\s*", settings.get("plugin.path", "").strip()) if part]


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
