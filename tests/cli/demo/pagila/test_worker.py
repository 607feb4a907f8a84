import sys

import pytest

from headrace.cli.demo.pagila.worker import WorkerService
from headrace.connect.client import Client
from headrace.errors import EnvironmentFault
from headrace.toolchain.progress import silent


@pytest.fixture
def service(tmp_path):
    return WorkerService(tmp_path, "b:1", {"PAGILA_USER": "u"})


def test_it_is_the_command_that_people_type(service, tmp_path):
    wanted = service.prepare({"main": 8083}, silent)
    assert wanted.command == [
        *(sys.executable, "-m", "headrace.cli.main", "connect"),
        *("--bootstrap-servers", "b:1", "--port", "8083"),
    ]
    assert wanted.environment == {"PAGILA_USER": "u", "HEADRACE_HOME": str(tmp_path / "home")}
    assert wanted.folder == tmp_path


def test_it_has_a_port_of_its_own(service):
    assert service.choose_ports({})["main"] > 0


def test_it_is_not_ready_while_nobody_answers(service):
    port = service.choose_ports({})["main"]
    assert service.is_ready(f"127.0.0.1:{port}") is False


@pytest.mark.parametrize(
    ("answer", "ready"), [({"status": "healthy"}, True), ({"status": "starting"}, False)]
)
def test_it_is_ready_when_it_says_so(service, monkeypatch, answer, ready):
    monkeypatch.setattr("headrace.cli.demo.pagila.worker.accepts_connections", lambda *_: True)
    monkeypatch.setattr(Client, "get", lambda self, path: answer)
    assert service.is_ready("127.0.0.1:1") is ready


def test_a_refusal_is_not_an_answer(service, monkeypatch):
    def refuse(self, path):
        raise EnvironmentFault("status 503")

    monkeypatch.setattr("headrace.cli.demo.pagila.worker.accepts_connections", lambda *_: True)
    monkeypatch.setattr(Client, "get", refuse)
    assert service.is_ready("127.0.0.1:1") is False


def test_its_client_needs_it_to_run(service):
    with pytest.raises(EnvironmentFault, match="connect is not running"):
        _ = service.client
