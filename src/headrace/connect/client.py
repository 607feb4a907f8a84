"""A caller of Connect's REST API, of this worker or of Kafka's own."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from headrace.connect.answers import NO_LEADER, REBALANCE
from headrace.errors import EnvironmentFault, InvalidOption, UserError

# Connect gives a request up after this time.
_SECONDS = 90.0

# Between two attempts while the group of workers elects a leader.
_PAUSE_SECONDS = 0.5


class ConnectRefused(UserError):
    """The worker rejected a request."""

    condition = "CONNECT_REFUSED"

    def __init__(self, summary: str, status: int, where: str, details: Sequence[str] = ()) -> None:
        found = "; ".join([f"status {status}", *details])
        super().__init__(summary, where=where, found=found)
        self.status = status


class Client:
    """`url` is the worker's address, `login` user:password where it asks for one. Requests that the worker rejects because
    its group has no leader yet are repeated for `patience` seconds."""

    def __init__(self, url: str, login: str | None = None, *, patience: float = 0.0) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise InvalidOption(
                "the worker has no usable address", found=f"'{url}'", expected="http://host:port"
            )
        self.url = url.rstrip("/")
        self.login = login
        self.patience = patience

    def get(self, path: str, **query: str | list[str]) -> Any:
        return self.call("GET", path, query=query)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Mapping[str, str | list[str]] | None = None,
    ) -> Any:
        """What the worker answers; a refusal is raised with the worker's words."""
        target = f"{self.url}{path}" + (f"?{urlencode(query, doseq=True)}" if query else "")
        payload = None if body is None else json.dumps(body).encode()
        request = Request(target, payload, self._headers(), method=method)  # noqa: S310
        deadline = time.monotonic() + self.patience
        while True:
            try:
                with urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
                    text = answer.read()
                    return json.loads(text) if text else None
            except HTTPError as error:
                refused = self._refused(error, method, path)
            except (URLError, OSError) as error:
                raise self._unreachable(error) from None
            passes = refused.summary in (NO_LEADER, REBALANCE)
            if not passes or time.monotonic() >= deadline:
                raise refused
            time.sleep(_PAUSE_SECONDS)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.login is not None:
            headers["Authorization"] = f"Basic {base64.b64encode(self.login.encode()).decode()}"
        return headers

    def _refused(self, error: HTTPError, method: str, path: str) -> ConnectRefused:
        text = error.read().decode(errors="replace")
        error.close()
        try:
            message = str(json.loads(text)["message"])
        except (ValueError, KeyError, TypeError):
            message = text or error.reason
        first, _, rest = message.partition("\n")
        lines = [line for line in rest.splitlines() if not line.startswith("You can also find")]
        return ConnectRefused(first, error.code, f"{method} {self.url}{path}", lines)

    def _unreachable(self, error: OSError) -> EnvironmentFault:
        reason = getattr(error, "reason", error)
        return EnvironmentFault(
            "the Connect worker does not answer",
            condition="CONNECT_UNREACHABLE",
            where=self.url,
            found=str(reason),
            cure="start one with `headrace connect --bootstrap-servers HOST:PORT`, or name another with --url",
        )


def path(name: str, *parts: str) -> str:
    return "/".join(["/connectors", quote(name, safe=""), *parts])


def read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidOption(
            "the file cannot be read",
            where=str(file),
            found=error.strerror,
            cure="check the path and its permissions",
        ) from None
    except ValueError as error:
        raise InvalidOption(
            "the file is not valid JSON",
            where=str(file),
            found=str(error),
            cure="correct the file at the place named above",
        ) from None


def read_config(file: Path) -> tuple[str, dict[str, Any]]:
    """Name and configuration in a file: {"name", "config"}, or a bare configuration named by itself or by the file."""
    body = read_json(file)
    if not isinstance(body, dict):
        raise InvalidOption(
            "the connector file contains no configuration",
            where=str(file),
            expected="a JSON object",
            cure='write {"name": …, "config": {…}}, or only the configuration',
        )
    wrapped = isinstance(body.get("config"), dict)
    config = body["config"] if wrapped else body
    name = str(body.get("name") or config.get("name") or file.stem)
    return name, {**config, "name": name}
