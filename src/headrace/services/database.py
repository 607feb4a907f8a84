"""A database of Headrace's own, or the server that a variable of the environment names, which is neither started nor stopped."""

from __future__ import annotations

import os
from abc import abstractmethod
from pathlib import Path
from typing import ClassVar

from headrace.errors import EnvironmentFault
from headrace.services.ports import accepts_connections
from headrace.services.supervisor import Service, ServiceStatus
from headrace.toolchain.progress import Reporter, silent


class DatabaseService(Service):
    """`title` is the product's name, `url_variable` the variable that may name a server."""

    title: ClassVar[str]
    url_variable: ClassVar[str]

    def __init__(
        self, folder: Path | None = None, *, port: int | None = None, own: bool = False
    ) -> None:
        """`own`: never the server of the URL, for who would leave something behind there."""
        super().__init__(folder, port=port)
        self._external = None if own else os.environ.get(self.url_variable) or None

    @staticmethod
    @abstractmethod
    def place_of(url: str) -> tuple[str, int]:
        """Host and port in a URL."""

    def status(self) -> ServiceStatus:
        if self._external is None:
            return super().status()
        host, port = self.place_of(self._external)
        reachable = accepts_connections(port, host)
        return ServiceStatus(self.name, "running" if reachable else "stopped", f"{host}:{port}")

    def require_packages(self) -> None:
        if self._external is None:
            super().require_packages()

    def start(self, progress: Reporter = silent) -> ServiceStatus:
        if self._external is None:
            return super().start(progress)
        status = self.status()
        if status.state != "running":
            raise EnvironmentFault(
                f"the {self.title} server does not answer",
                condition="SERVICE_NOT_STARTED",
                where=status.address,
                cure=f"start it, or unset {self.url_variable} to use one of Headrace's own",
            )
        return status

    def stop(self, progress: Reporter = silent) -> ServiceStatus:
        return super().stop(progress) if self._external is None else self.status()
