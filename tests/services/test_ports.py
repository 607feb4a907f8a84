from __future__ import annotations

import os
import socket

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


def test_the_holder_of_a_free_port_is_nobody():
    assert ports.holder_of(ports.free_port()) is None


def test_accepts_connections_tells_listeners_from_silence(taken):
    assert ports.accepts_connections(taken)
    assert not ports.accepts_connections(ports.free_port())
