"""The listeners: HTTP in, HTTP out."""

from __future__ import annotations

import errno
import logging
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from headrace.connect.rest.messages import Request, Response
from headrace.connect.rest.security import BasicLogin
from headrace.connect.settings import Listener
from headrace.errors import EnvironmentFault
from headrace.services.ports import holder_of

logger = logging.getLogger("headrace.connect.rest")

# A connection that is kept open and says nothing is closed after this time.
_IDLE_SECONDS = 60.0

Answer = Callable[[Request], Response]


class Server:
    """One listener. The port is known when it is made, requests are answered from `start` on."""

    def __init__(self, listener: Listener, context: ssl.SSLContext | None = None) -> None:
        self.scheme = listener.scheme
        self.answer: Answer | None = None
        self.login: BasicLogin | None = None
        try:
            self.http = _Http((listener.host, listener.port), self._handler())
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            raise EnvironmentFault(
                f"the REST API cannot listen on {listener.host}:{listener.port}",
                condition="PORT_TAKEN" if taken else "ADDRESS_NOT_USABLE",
                found=holder_of(listener.port) if taken else error.strerror,
                expected=None if taken else "an address of this machine, and a port you may use",
                cure="stop that process, or choose another port: headrace connect --port PORT"
                if taken
                else "choose another address: headrace connect --host HOST --port PORT",
            ) from None
        if context is not None:
            # The handshake is made by the connection's own thread, so that a slow caller holds up nobody.
            self.http.socket = context.wrap_socket(
                self.http.socket, server_side=True, do_handshake_on_connect=False
            )
        self.host = listener.host
        self.port: int = self.http.server_address[1]
        self.thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"

    def start(self, answer: Answer, login: BasicLogin | None = None) -> None:
        self.answer, self.login = answer, login
        self.thread = threading.Thread(
            target=self.http.serve_forever, args=(0.1,), name="connect-rest", daemon=True
        )
        self.thread.start()

    def stop(self) -> None:
        if self.thread is not None:
            self.http.shutdown()
            self.thread.join()
        self.http.server_close()

    def respond(self, request: Request) -> Response:
        if self.login is not None and not self.login.admits(request.headers.get("authorization")):
            return Response(401, "User cannot access the resource.", {"WWW-Authenticate": "Basic"})
        assert self.answer is not None
        return self.answer(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(_Handler):
            owner = server

        return Handler


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    # Connections that callers keep open would hold up the worker's end.
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        logger.debug("a connection from %s broke", client_address, exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    owner: Server
    protocol_version = "HTTP/1.1"
    server_version = "headrace"
    sys_version = ""
    timeout = _IDLE_SECONDS

    def handle_one_request(self) -> None:
        # Every method is answered alike; which there are is the routes' affair.
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        response = self.owner.respond(self._request())
        self._send(response)

    def _request(self) -> Request:
        parts = urlsplit(self.path)
        body = self._body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        headers["x-base-url"] = f"{self.owner.scheme}://{headers.get('host', '')}"
        method = "GET" if self.command == "HEAD" else self.command
        query = parse_qs(parts.query, keep_blank_values=True)
        return Request(method, parts.path, query, body, headers)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return b"".join(self._chunks())
        length = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(length) if length else b""

    def _chunks(self) -> Iterator[bytes]:
        """A body of unknown length: pieces with their size in hexadecimal before them, the last one empty."""
        while size := int(self.rfile.readline(65537).partition(b";")[0], 16):
            yield self.rfile.read(size)
            self.rfile.readline(65537)
        while self.rfile.readline(65537).strip():
            """Trailers say nothing that is needed here."""

    def _send(self, response: Response) -> None:
        payload = response.payload()
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if response.status != 204:
            if payload:
                self.send_header("Content-Type", response.content_type)
            self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        if self.command != "HEAD" and payload:
            self.wfile.write(payload)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        logger.info("%s %s", self.address_string(), format % args)
