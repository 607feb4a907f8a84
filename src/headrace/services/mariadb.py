"""MariaDB from the distribution's packages, unpacked and not installed; or a server that a URL names.

HEADRACE_MARIADB_URL   jdbc:mariadb://host:port/database?user=…&password=…: use that server, start and stop nothing
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import ClassVar

from headrace.errors import EnvironmentFault
from headrace.services.database import DatabaseService
from headrace.services.packages import unpacked
from headrace.services.ports import HOST
from headrace.services.processes import Launch
from headrace.services.supervisor import telling_line
from headrace.toolchain.progress import ProgressEvent, Reporter

URL_VARIABLE = "HEADRACE_MARIADB_URL"
USER = "headrace"
PASSWORD = "headrace-development"  # noqa: S105
DATABASE = "headrace"
DEFAULT_PORT = 3306

PACKAGES = ("mariadb-server-core", "libaio1", "liburing2")

_PROBE_SECONDS = 5.0

# The first byte of the greeting that follows the four of its packet: version 10 of the protocol.
_GREETING = b"\x0a"

_SETTINGS = (
    f"--bind-address={HOST}",
    # Clients are of this machine, and asking for its name may take seconds.
    "--skip-name-resolve",
    "--character-set-server=utf8mb4",
    "--default-time-zone=+00:00",
    # 128 MB would be kept for pages of tables that have a few thousand rows.
    "--innodb-buffer-pool-size=32M",
    "--innodb-log-file-size=16M",
    "--innodb-flush-log-at-trx-commit=2",
)


class MariaDbService(DatabaseService):
    name: ClassVar[str] = "mariadb"
    title: ClassVar[str] = "MariaDB"
    url_variable: ClassVar[str] = URL_VARIABLE
    well_known_port: ClassVar[int | None] = DEFAULT_PORT

    @property
    def url(self) -> str:
        """A JDBC address with user and password."""
        own = f"jdbc:mariadb://{self.address}/{DATABASE}?user={USER}&password={PASSWORD}"
        return self._external or own

    def variables(self) -> dict[str, str]:
        return {"MARIADB_JDBC_URL": self.url}

    @staticmethod
    def place_of(url: str) -> tuple[str, int]:
        found = re.match(r"jdbc:(?:mariadb|mysql)://([^:/?]+)(?::(\d+))?", url)
        return (found[1], int(found[2] or DEFAULT_PORT)) if found else (HOST, DEFAULT_PORT)

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        root = unpacked(self.name, PACKAGES, progress)
        if not (self.data / "mysql").exists():
            progress(ProgressEvent(self.name, f"creating {self.data}", 0, 1))
            self._initialise(root)
        first = self.folder / "first.sql"
        first.write_text(_first_statements(), encoding="utf-8")
        command = [
            *_server(root, self.data),
            f"--port={ports['main']}",
            # Relative to the data, where the process stands: the whole path may be too long for a socket.
            "--socket=server.sock",
            f"--pid-file={self.folder / 'server.pid'}",
            f"--init-file={first}",
            *_SETTINGS,
        ]
        return Launch(command, self.data, self.log, _environment(root))

    def is_ready(self, address: str) -> bool:
        """Whether it greets; the first statements have run by then."""
        try:
            with socket.create_connection(
                (HOST, int(address.rpartition(":")[2])), _PROBE_SECONDS
            ) as asked:
                return asked.recv(5)[4:] == _GREETING
        except OSError:
            return False

    def _initialise(self, root: Path) -> None:
        """System tables from the server's own statements; a failed attempt leaves nothing."""
        self.data.mkdir(mode=0o700, exist_ok=True)
        done = subprocess.run(
            [*_server(root, self.data), "--bootstrap", "--skip-grant-tables", "--log-warnings=0"],
            input=_system_statements(root),
            capture_output=True,
            text=True,
            cwd=self.data,
            env={**os.environ, **_environment(root)},
            check=False,
        )
        if done.returncode != 0:
            shutil.rmtree(self.data)
            raise EnvironmentFault(
                "the data folder of MariaDB cannot be created",
                condition="SERVICE_NOT_STARTED",
                where=str(self.data),
                found=telling_line(done.stderr),
                cure=f"make sure that {self.folder} can be written to",
            )


def _server(root: Path, data: Path) -> list[str]:
    """It refuses to run as root unless it is told to."""
    account = ["--user=root"] if os.geteuid() == 0 else []
    program = str(root / "usr/sbin/mariadbd")
    share = root / "usr/share/mysql"
    return [program, "--no-defaults", *account, f"--datadir={data}", f"--lc-messages-dir={share}",
            f"--character-sets-dir={share / 'charsets'}"]  # fmt: skip


def _environment(root: Path) -> dict[str, str]:
    triple = f"{platform.machine()}-linux-gnu"
    folders = [root / "usr/lib" / triple, root / "lib" / triple]
    return {"LD_LIBRARY_PATH": os.pathsep.join(map(str, folders))}


def _system_statements(root: Path) -> str:
    share = root / "usr/share/mysql"
    files = (
        "mysql_system_tables.sql",
        "mysql_performance_tables.sql",
        "mysql_system_tables_data.sql",
    )
    begin = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n"
    return begin + "\n".join((share / file).read_text(encoding="utf-8") for file in files)


def _first_statements() -> str:
    """Run with every start, one statement a line."""
    return (
        f"CREATE DATABASE IF NOT EXISTS {DATABASE};\n"
        f"CREATE USER IF NOT EXISTS '{USER}'@'%' IDENTIFIED BY '{PASSWORD}';\n"
        f"GRANT ALL PRIVILEGES ON *.* TO '{USER}'@'%';\n"
    )
