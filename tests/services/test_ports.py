from __future__ import annotations

import os
import socket

import psutil
import pytest

from headrace.errors import EnvironmentFault
from headrace.services import ports


@pytest.fixture
def taken():
    with socket.socket() as server:
        server.bind((ports.HOST, 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_free_port_can_be_bound():
    port = ports.free_port()
    with socket.socket() as server:
        server.bind((ports.HOST, port))


def test_a_port_with_a_listener_is_not_free(taken):
    assert not ports.is_free(taken)


def test_the_wanted_port_is_taken_as_it_is():
    port = ports.free_port()
    assert ports.choose_port(port, remembered=1) == port


def test_a_remembered_port_is_used_again_when_free():
    port = ports.free_port()
    assert ports.choose_port(None, port) == port


def test_a_remembered_port_that_is_taken_gives_way(taken):
    assert ports.choose_port(None, taken) != taken


def test_a_wanted_port_that_is_taken_is_an_error_naming_port_and_holder(taken):
    with pytest.raises(EnvironmentFault) as caught:
        ports.choose_port(taken)
    error = caught.value
    assert error.condition == "PORT_TAKEN"
    assert str(taken) in error.summary
    assert f"(pid {os.getpid()})" in error.found


def test_accepts_connections_tells_listeners_from_silence(taken):
    assert ports.accepts_connections(taken)
    assert not ports.accepts_connections(ports.free_port())


def test_free_ports_are_above_the_privileged_ones():
    assert ports.free_port() >= 1024


def test_a_port_is_free_again_after_its_listener_left():
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((ports.HOST, 0))
        server.listen()
        port = server.getsockname()[1]
        client = socket.create_connection((ports.HOST, port))
        server.accept()[0].close()
        client.close()
    assert ports.is_free(port)


def test_the_error_of_a_taken_port_has_a_cure(taken):
    with pytest.raises(EnvironmentFault) as caught:
        ports.require_free(taken)
    assert str(taken) in caught.value.cure
    assert caught.value.where == f"127.0.0.1:{taken}"
    assert caught.value.exit_code == 3


def test_a_system_that_hides_its_connections_is_no_error(taken, monkeypatch):
    def denied(kind: str) -> list[object]:
        raise psutil.AccessDenied

    monkeypatch.setattr(psutil, "net_connections", denied)
    assert ports.holder_of(taken) == "a process of another user"


def listening(family: socket.AddressFamily, host: str) -> socket.socket:
    server = socket.socket(family)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((host, 0))
    server.listen()
    return server


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "::1"])
def test_a_server_at_any_address_of_the_machine_takes_the_port(host):
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server = listening(family, host)
    except OSError:
        pytest.skip("no IPv6 on this machine")
    with server:
        assert not ports.is_free(server.getsockname()[1])


def test_a_server_that_is_only_bound_takes_the_port():
    with socket.socket() as server:
        server.bind((ports.HOST, 0))
        assert not ports.is_free(server.getsockname()[1])


def test_the_preferred_port_comes_before_the_remembered_one(taken):
    remembered, preferred = ports.free_port(), ports.free_port()
    assert ports.choose_port(None, remembered, preferred) == preferred
    assert ports.choose_port(None, remembered, taken) == remembered
    assert ports.choose_port(None, None, preferred) == preferred
    assert ports.choose_port(None, taken, taken) not in (taken, remembered, preferred)
