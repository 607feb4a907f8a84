from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl

import pytest

from headrace.connect.rest.messages import Request, Response
from headrace.connect.rest.security import BasicLogin
from headrace.connect.rest.server import Server
from headrace.connect.settings import Listener
from headrace.errors import EnvironmentFault


def echo(request: Request) -> Response:
    return Response(
        200,
        {
            "method": request.method,
            "path": request.path,
            "query": dict(request.query),
            "body": request.body.decode(),
            "base": request.headers["x-base-url"],
        },
    )


@pytest.fixture
def serve():
    started = []

    def start(answer=echo, login=None, context=None) -> Server:
        scheme = "http" if context is None else "https"
        server = Server(Listener(scheme, "127.0.0.1", 0), context)
        server.start(answer, login)
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def connect():
    opened = []

    def to(server: Server) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        opened.append(connection)
        return connection

    yield to
    for connection in opened:
        connection.close()


def ask(connection, method="GET", path="/", body=None, headers=None):
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    return answer, answer.read()


def test_a_request_arrives_whole(serve, connect):
    server = serve()
    answer, text = ask(connect(server), "PATCH", "/a%2Fb?x=1&x=2&y=", "böse".encode())
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert json.loads(text) == {
        "method": "PATCH",
        "path": "/a%2Fb",
        "query": {"x": ["1", "2"], "y": [""]},
        "body": "böse",
        "base": server.url,
    }


def test_a_body_in_chunks(serve, connect):
    connection = connect(serve())
    for _ in range(2):
        connection.request("PUT", "/", iter([b'{"a":', b" 1}"]), encode_chunked=True)
        assert json.loads(connection.getresponse().read())["body"] == '{"a": 1}'


def test_a_connection_serves_many_requests(serve, connect):
    connection = connect(serve(lambda request: Response(204)))
    for _ in range(3):
        answer, text = ask(connection, "DELETE")
        assert (answer.status, text, answer.headers["Content-Length"]) == (204, b"", None)


def test_an_answer_without_a_body_says_so(serve, connect):
    answer, text = ask(connect(serve(lambda request: Response(202))), "PUT")
    assert (answer.status, text, answer.headers["Content-Length"]) == (202, b"", "0")
    assert answer.headers["Content-Type"] is None


def test_head_is_get_without_the_body(serve, connect):
    answer, text = ask(connect(serve()), "HEAD", "/x")
    assert (answer.status, text) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0


def test_headers_of_the_answer_are_sent(serve, connect):
    server = serve(lambda request: Response(201, {}, {"Location": "http://x/y"}))
    answer, _ = ask(connect(server))
    assert answer.headers["Location"] == "http://x/y"
    assert "Python" not in answer.headers["Server"]


def test_without_a_login_it_is_401(serve, connect):
    connection = connect(serve(login=BasicLogin({"anna": "pw"})))
    answer, text = ask(connection)
    assert (answer.status, text) == (401, b"User cannot access the resource.")
    assert answer.headers["WWW-Authenticate"] == "Basic"
    assert answer.headers["Content-Type"] == "text/plain"
    login = base64.b64encode(b"anna:pw").decode()
    answer, _ = ask(connection, headers={"Authorization": f"Basic {login}"})
    assert answer.status == 200


def test_https(serve, certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = serve(context=context)
    trusting = ssl.create_default_context(cafile=str(certificate))
    connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=30, context=trusting)
    answer, text = ask(connection)
    connection.close()
    assert answer.status == 200
    assert json.loads(text)["base"] == f"https://127.0.0.1:{server.port}"


def test_a_caller_without_tls_holds_up_nobody(serve, certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = serve(context=context)
    with socket.create_connection(("127.0.0.1", server.port)):
        trusting = ssl.create_default_context(cafile=str(certificate))
        connection = http.client.HTTPSConnection(
            "127.0.0.1", server.port, timeout=30, context=trusting
        )
        assert ask(connection)[0].status == 200
        connection.close()


def test_a_taken_port_is_named(serve):
    server = serve()
    with pytest.raises(EnvironmentFault, match=f"cannot listen on 127.0.0.1:{server.port}"):
        Server(Listener("http", "127.0.0.1", server.port))


def test_an_address_of_another_machine_is_not_a_taken_port():
    # TEST-NET-1, which no machine has.
    with pytest.raises(EnvironmentFault, match=r"cannot listen on 192\.0\.2\.1:0") as caught:
        Server(Listener("http", "192.0.2.1", 0))
    assert caught.value.condition == "ADDRESS_NOT_USABLE"
    assert "stop that process" not in caught.value.cure
