"""Start, wait, stop and status: what every service does alike.

HEADRACE_HOME/services/<name>/state.json   pid, address, ports, start time (ports are kept after a stop)
                             /service.log  what the process printed
                             /data/        what it stores, reused by the next start
"""

from __future__ import annotations

import json
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Literal, Self

from headrace.errors import EnvironmentFault
from headrace.services.extras import require_packages
from headrace.services.guard import guard
from headrace.services.ports import HOST, choose_port, is_free
from headrace.services.processes import Identity, Launch, launch, listens, terminate
from headrace.toolchain.locking import exclusive
from headrace.toolchain.paths import services_folder
from headrace.toolchain.progress import ProgressEvent, Reporter, silent

State = Literal["running", "stopped", "stale"]

# The slowest (the broker, cold, beside other work on two cores) needs 15 s; then something is wrong.
READY_SECONDS = 120.0

# Between two looks at a starting service: short beside any start, long beside the cost of a look.
_POLL_SECONDS = 0.1

# How often a start tries other ports after a process took one between the choice and the start.
_ATTEMPTS = 3

_ERROR_WORDS = ("FATAL", "ERROR", "Exception", "Error:", "error:")

# Messages with whole configurations inside exist; this much still fits on a few terminal lines.
_LONGEST_QUOTE = 300


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """What is known of a service. `stale`: recorded as running, but its process is gone."""

    name: str
    state: State
    address: str | None = None
    pid: int | None = None
    data: Path | None = None
    log: Path | None = None
    started: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            key: str(value) if isinstance(value, Path) else value
            for key, value in asdict(self).items()
        }


@dataclass(slots=True)
class Record:
    """The state file."""

    ports: dict[str, int] = field(default_factory=dict)
    address: str | None = None
    pid: int | None = None
    created: float = 0.0
    started: str | None = None

    @property
    def identity(self) -> Identity | None:
        return None if self.pid is None else Identity(self.pid, self.created)


class Service(ABC):
    """A service of this machine. As a context manager it runs for the length of the block, and no longer than this
    process, even if that is killed."""

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    # How long an orderly stop may take before the process is killed.
    stop_seconds: ClassVar[float] = 20.0

    # What a start needs. `headrace dev up` checks the packages and downloads the jars before the first service starts.
    packages: ClassVar[tuple[str, ...]] = ()
    jar_sets: ClassVar[tuple[str, ...]] = ()

    # The port on which clients look for such a server; None if there is no such convention.
    well_known_port: ClassVar[int | None] = None

    def __init__(self, folder: Path | None = None, *, port: int | None = None) -> None:
        self.folder = services_folder() / self.name if folder is None else folder
        # The only port that clients may find the service on. None: the service chooses one.
        self.wanted_port = port
        # The well-known port, used whenever it is free. None: any free port.
        self.preferred_port: int | None = None
        # Whether a start binds the service to this process: it ends when the process does, even by SIGKILL.
        self.owned = False

    @abstractmethod
    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        """Write configuration, create the data folder; returns what to run."""

    @abstractmethod
    def is_ready(self, address: str) -> bool:
        """Whether a client can work with it now."""

    def variables(self) -> dict[str, str]:
        """Names and values that lead clients to the running service, for `headrace dev env`."""
        return {}

    def choose_ports(self, remembered: Mapping[str, int]) -> dict[str, int]:
        """Ports by role. Clients use the role "main": the wanted port, the preferred one, that of the last start, or any."""
        return {"main": choose_port(self.wanted_port, remembered.get("main"), self.preferred_port)}

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "service.log"

    @property
    def address(self) -> str:
        """Host and port of the running service."""
        address = self.status().address
        if address is None:
            raise EnvironmentFault(
                f"{self.name} is not running",
                condition="SERVICE_NOT_RUNNING",
                cure=f"headrace dev up {self.name}",
            )
        return address

    def status(self) -> ServiceStatus:
        record = self._read()
        identity = record.identity
        if identity is None:
            return ServiceStatus(self.name, "stopped", data=self.data, log=self.log)
        return ServiceStatus(
            self.name,
            "running" if identity.is_running() else "stale",
            record.address if identity.is_running() else None,
            record.pid,
            self.data,
            self.log,
            record.started,
        )

    def start(self, progress: Reporter = silent) -> ServiceStatus:
        """Start it unless it runs, and return when a client can use it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with exclusive(self.folder / "lock"):
            if self.status().state != "running":
                self._start(progress)
        return self.status()

    def stop(self, progress: Reporter = silent) -> ServiceStatus:
        """Stop it if it runs; data and ports stay for the next start."""
        if not self.folder.exists():
            return self.status()
        with exclusive(self.folder / "lock"):
            record = self._read()
            if record.identity is not None:
                progress(ProgressEvent(self.name, "stopping", 0, 1))
                terminate(record.identity, self.stop_signal, self.stop_seconds)
                self._write(Record(record.ports))
                progress(ProgressEvent(self.name, "stopped", 1, 1))
        return self.status()

    def __enter__(self) -> Self:
        self.owned = True
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def require_packages(self) -> None:
        """Raises SERVICE_NOT_INSTALLED if Python packages are missing."""
        require_packages(self.name, *self.packages)

    def _start(self, progress: Reporter) -> None:
        self.require_packages()
        progress(ProgressEvent(self.name, "starting", 0, 1))
        for attempt in range(1, _ATTEMPTS + 1):
            ports = self.choose_ports(self._read().ports)
            try:
                self._run(ports, progress)
                return
            except EnvironmentFault:
                if attempt == _ATTEMPTS or all(map(is_free, ports.values())):
                    raise
                # Another process was faster. The next attempt chooses other ports.
                progress(
                    ProgressEvent(self.name, "a port was taken meanwhile; trying others", 0, 1)
                )

    def _run(self, ports: dict[str, int], progress: Reporter) -> None:
        address = f"{HOST}:{ports['main']}"
        wanted = self.prepare(ports, progress)
        log_start = self.log.stat().st_size if self.log.exists() else 0
        # Started first: a kill can leave the service behind only between the next two calls.
        bound_by = guard() if self.owned else None
        identity = launch(wanted)
        try:
            if bound_by is not None:
                bound_by.add(identity, self.stop_signal, self.stop_seconds)
            # Recorded before it is ready: a start that is interrupted leaves something `dev down` can find.
            started = datetime.now(UTC).isoformat(timespec="seconds")
            self._write(Record(ports, address, identity.pid, identity.created, started))
            self._wait_until_ready(identity, address, log_start)
        except BaseException:
            terminate(identity, self.stop_signal, self.stop_seconds)
            self._write(Record(ports))
            raise
        progress(ProgressEvent(self.name, f"ready at {address}", 1, 1))

    def _wait_until_ready(self, identity: Identity, address: str, log_start: int) -> None:
        deadline = time.monotonic() + READY_SECONDS
        port = int(address.rpartition(":")[2])
        while time.monotonic() < deadline:
            if not identity.is_running():
                raise self._failed("ended before it was ready", log_start)
            # Another server may have taken the port between the choice and the start. It must not be asked.
            if listens(identity, port) and self.is_ready(address):
                return
            time.sleep(_POLL_SECONDS)
        raise self._failed(f"was not ready after {READY_SECONDS:.0f} s", log_start)

    def _failed(self, what: str, log_start: int) -> EnvironmentFault:
        return EnvironmentFault(
            f"{self.name} {what}",
            condition="SERVICE_NOT_STARTED",
            where=str(self.log),
            found=telling_line(printed_since(self.log, log_start)),
            cure=f"read the log named above; to begin with empty data, delete {self.data}",
        )

    def _read(self) -> Record:
        try:
            return Record(**json.loads((self.folder / "state.json").read_text(encoding="utf-8")))
        except (FileNotFoundError, NotADirectoryError):
            return Record()
        except (ValueError, TypeError):
            raise EnvironmentFault(
                f"the state file of {self.name} cannot be read",
                condition="SERVICE_STATE_DAMAGED",
                where=str(self.folder / "state.json"),
                cure="delete that file; a process it named has to be stopped by hand",
            ) from None

    def _write(self, record: Record) -> None:
        draft = self.folder / "state.json.new"
        draft.write_text(json.dumps(asdict(record)), encoding="utf-8")
        os.replace(draft, self.folder / "state.json")


def telling_line(printed: str) -> str:
    """The last line that speaks of an error, else the last line; frames of a stack trace tell nothing."""
    lines = [
        line.strip()
        for line in printed.splitlines()
        if line.strip() and not line.lstrip().startswith("at ")
    ]
    errors = [line for line in lines if any(word in line for word in _ERROR_WORDS)]
    return (errors or lines or ["it printed nothing"])[-1][:_LONGEST_QUOTE]


def printed_since(log: Path, start: int) -> str:
    with log.open("rb") as stream:
        stream.seek(start)
        return stream.read().decode("utf-8", "replace")
