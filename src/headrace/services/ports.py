"""TCP ports of this machine: free ones, taken ones, and who holds them."""

from __future__ import annotations

import contextlib
import socket

from headrace.errors import EnvironmentFault

HOST = "127.0.0.1"

# Where clients that are told "localhost" may look first: a port is not free while another server answers there.
HOST_VERSION_6 = "::1"


def free_port() -> int:
    """A port that nothing listens on at this moment, chosen by the operating system."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(port: int) -> bool:
    """Returns whether a server can listen on the port of this machine's loopback address."""
    return _can_listen(port) and not any(
        accepts_connections(port, host) for host in (HOST, HOST_VERSION_6)
    )


def _can_listen(port: int) -> bool:
    with socket.socket() as probe:
        # As servers do. Otherwise connections of the previous owner in TIME_WAIT would count as an obstacle.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            # With SO_REUSEADDR two sockets can be bound to one port; only one of them can listen. macOS even lets
            # 127.0.0.1 listen beside 0.0.0.0, which is why `is_free` also tries to connect.
            probe.listen()
        except OSError:
            return False
        return True


def choose_port(
    wanted: int | None, remembered: int | None = None, preferred: int | None = None
) -> int:
    """Returns the wanted port, or raises if it is taken. Without one: the preferred, the remembered, or any free port."""
    if wanted is not None:
        require_free(wanted)
        return wanted
    candidates = (port for port in (preferred, remembered) if port is not None)
    return next(filter(is_free, candidates), None) or free_port()


def require_free(port: int) -> None:
    if not is_free(port):
        raise EnvironmentFault(
            f"port {port} is taken",
            condition="PORT_TAKEN",
            where=f"{HOST}:{port}",
            found=holder_of(port),
            cure=f"stop that process, or choose another port than {port}",
        )


def accepts_connections(port: int, host: str = HOST) -> bool:
    try:
        # A local listener answers at once; a second is for machines that swap.
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False


def holder_of(port: int) -> str:
    """Name and pid of the process that listens on a port, as far as this user may know."""
    import psutil

    with contextlib.suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            found = connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            if found and connection.pid is not None:
                return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
    return "a process of another user"
