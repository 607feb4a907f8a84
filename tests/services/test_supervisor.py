from __future__ import annotations

import json
import os
import socket
import threading

import psutil
import pytest

from headrace.errors import EnvironmentFault
from headrace.services import supervisor
from headrace.services.ports import free_port
from headrace.services.processes import Launch
from headrace.toolchain.progress import ProgressEvent, Reporter
from tests.services.conftest import Echo


def test_a_service_never_started_is_stopped(echo):
    status = echo.status()
    assert (status.state, status.address, status.pid) == ("stopped", None, None)


def test_start_returns_when_it_can_be_used(echo):
    status = echo.start()
    host, port = status.address.split(":")
    socket.create_connection((host, int(port)), timeout=5).close()
    assert status.state == "running"
    assert psutil.pid_exists(status.pid)
    assert status.started.endswith("+00:00")


def test_a_start_without_its_packages_is_answered_with_the_pip_line(echo, monkeypatch):
    monkeypatch.setattr(Echo, "packages", ("psutil", "no_such_module"))
    with pytest.raises(EnvironmentFault, match=r"pip install 'headrace\[services\]'") as caught:
        echo.start()
    assert caught.value.found == "missing: no_such_module"
    assert echo.prepared == 0


def test_a_second_start_changes_nothing(echo):
    assert echo.start() == echo.start()
    assert echo.prepared == 1


def test_another_handle_sees_and_stops_the_same_service(echo):
    started = echo.start()
    other = type(echo)(echo.folder)
    assert other.status() == started
    assert other.stop().state == "stopped"
    assert echo.status().state == "stopped"


def test_stop_ends_the_process_and_is_repeatable(echo):
    pid = echo.start().pid
    assert echo.stop().state == "stopped"
    assert not psutil.pid_exists(pid)
    assert echo.stop().state == "stopped"


def test_stop_without_a_start_creates_nothing(echo):
    echo.stop()
    assert not echo.folder.exists()


def test_the_next_start_uses_the_same_port(echo):
    first = echo.start().address
    echo.stop()
    assert echo.start().address == first


def test_a_taken_port_that_was_asked_for_is_an_error(echo):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        echo.wanted_port = server.getsockname()[1]
        with pytest.raises(EnvironmentFault, match=f"port {echo.wanted_port} is taken"):
            echo.start()
    assert echo.status().state == "stopped"


def test_the_context_bounds_the_life_of_the_process(echo):
    with echo as service:
        pid = service.status().pid
        assert psutil.pid_exists(pid)
    assert not psutil.pid_exists(pid)


def test_the_process_ends_when_the_block_fails(echo):
    with pytest.raises(ZeroDivisionError), echo:
        _ = 1 / 0
    assert echo.status().state == "stopped"


def test_a_killed_process_is_stale_and_can_be_started_again(echo, kill):
    pid = echo.start().pid
    kill(pid)
    status = echo.status()
    assert (status.state, status.address, status.pid) == ("stale", None, pid)
    assert echo.start().state == "running"


def test_a_pid_file_whose_pid_now_belongs_to_another_is_stale_and_spares_it(echo):
    echo.folder.mkdir()
    record = {
        "ports": {},
        "address": "127.0.0.1:1",
        "pid": os.getpid(),
        "created": 1.0,
        "started": None,
    }
    (echo.folder / "state.json").write_text(json.dumps(record))
    assert echo.status().state == "stale"
    assert echo.stop().state == "stopped"


def test_a_failed_start_tells_the_line_that_matters(failing):
    with pytest.raises(EnvironmentFault) as caught:
        failing.start()
    error = caught.value
    assert error.condition == "SERVICE_NOT_STARTED"
    assert error.found == "FATAL: the disk is full"
    assert error.where == str(failing.log)
    assert len(error.render().splitlines()) <= 5
    assert failing.status().state == "stopped"


def test_old_log_lines_are_not_blamed(failing):
    failing.folder.mkdir()
    failing.log.write_text("ERROR of last week\n")
    failing.program = "print('only this')"
    with pytest.raises(EnvironmentFault) as caught:
        failing.start()
    assert caught.value.found == "only this"


def test_a_service_that_never_becomes_ready_is_stopped(echo, monkeypatch):
    monkeypatch.setattr(supervisor, "READY_SECONDS", 0.3)
    monkeypatch.setattr(type(echo), "is_ready", lambda self, address: False)
    with pytest.raises(EnvironmentFault, match="not ready after"):
        echo.start()
    assert echo.status().state == "stopped"


def test_an_interrupted_start_leaves_no_process(echo, monkeypatch):
    pids: list[int] = []

    def interrupt(self: supervisor.Service, address: str) -> bool:
        pids.append(self.status().pid or 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(echo), "is_ready", interrupt)
    with pytest.raises(KeyboardInterrupt):
        echo.start()
    assert pids
    assert not psutil.pid_exists(pids[0])
    assert echo.status().state == "stopped"


def test_what_ignores_sigterm_is_killed_in_the_end(stubborn):
    pid = stubborn.start().pid
    assert stubborn.stop().state == "stopped"
    assert not psutil.pid_exists(pid)


def test_concurrent_starts_start_one_process(echo):
    threads = [threading.Thread(target=echo.start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert echo.prepared == 1


def test_progress_says_starting_ready_stopping_stopped(echo):
    events: list[ProgressEvent] = []
    echo.start(events.append)
    echo.stop(events.append)
    assert [event.detail.split(" at")[0] for event in events] == [
        "starting",
        "ready",
        "stopping",
        "stopped",
    ]
    assert [event.finished for event in events] == [False, True, False, True]


def test_a_damaged_state_file_is_named(echo):
    echo.folder.mkdir()
    (echo.folder / "state.json").write_text("{")
    with pytest.raises(EnvironmentFault, match=r"state\.json"):
        echo.status()
    (echo.folder / "state.json").unlink()


def test_the_address_of_a_stopped_service_is_an_error_with_the_command_to_start_it(echo):
    with pytest.raises(EnvironmentFault, match="headrace dev up echo"):
        _ = echo.address


def test_the_default_folder_is_below_the_home(monkeypatch, tmp_path, echo):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "home"))
    assert type(echo)(None).folder == tmp_path / "home" / "services" / "echo"


def test_a_status_as_a_dictionary_holds_plain_values(echo):
    facts = echo.status().to_dict()
    assert list(facts) == ["name", "state", "address", "pid", "data", "log", "started"]
    assert json.loads(json.dumps(facts)) == facts


def test_a_wanted_port_is_the_address(echo):
    echo.wanted_port = free_port()
    assert echo.start().address == f"127.0.0.1:{echo.wanted_port}"


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        ("a\nERROR b\nc\n", "ERROR b"),
        ("java.lang.Exception: full\n\tat a.b(C.java:1)\n", "java.lang.Exception: full"),
        ("a\n\nb\n", "b"),
        ("", "it printed nothing"),
        ("ERROR " + "x" * 1000, "ERROR " + "x" * 294),
    ],
)
def test_the_telling_line_of_a_log(printed, line):
    assert supervisor.telling_line(printed) == line


def test_stopping_a_stale_service_clears_its_record(echo, kill):
    pid = echo.start().pid
    kill(pid)
    assert echo.stop() == echo.status()
    assert (echo.status().state, echo.status().pid) == ("stopped", None)


def test_a_stale_service_starts_again_at_its_port(echo, kill):
    first = echo.start()
    kill(first.pid)
    second = echo.start()
    assert second.address == first.address
    assert echo.prepared == 2


def test_services_in_different_folders_do_not_meet(echo, tmp_path):
    with type(echo)(tmp_path / "other") as other, echo:
        assert echo.address != other.address
        other.stop()
        assert echo.status().state == "running"


def test_an_error_of_the_readiness_probe_stops_the_process(echo, monkeypatch):
    def broken(self: supervisor.Service, address: str) -> bool:
        raise RuntimeError("probe is broken")

    monkeypatch.setattr(type(echo), "is_ready", broken)
    with pytest.raises(RuntimeError, match="probe is broken"):
        echo.start()
    assert echo.status().state == "stopped"


def test_the_record_is_there_before_the_service_is_ready(echo, monkeypatch):
    seen: list[str] = []

    def look(self: supervisor.Service, address: str) -> bool:
        seen.append(type(echo)(self.folder).status().state)
        return True

    monkeypatch.setattr(type(echo), "is_ready", look)
    echo.start()
    assert seen == ["running"]


def test_the_log_holds_every_run(echo):
    for _ in range(2):
        with echo:
            pass
    assert echo.log.read_text().count("listening") == 2


def test_the_record_survives_in_one_piece(echo):
    with echo:
        record = json.loads((echo.folder / "state.json").read_text())
        assert record["address"] == echo.address
        assert record["ports"] == {"main": int(echo.address.rpartition(":")[2])}
    assert {entry.name for entry in echo.folder.iterdir()} == {"state.json", "service.log", "lock"}


def test_after_a_stop_only_the_ports_are_remembered(echo):
    with echo:
        port = int(echo.address.rpartition(":")[2])
    record = json.loads((echo.folder / "state.json").read_text())
    assert record["ports"] == {"main": port}
    assert (record["pid"], record["address"], record["started"]) == (None, None, None)


def test_a_stop_waits_for_a_start_that_is_under_way(echo, monkeypatch):
    probing, go_on = threading.Event(), threading.Event()

    def hold(self: supervisor.Service, address: str) -> bool:
        probing.set()
        return go_on.wait(30)

    monkeypatch.setattr(type(echo), "is_ready", hold)
    starter = threading.Thread(target=echo.start)
    starter.start()
    assert probing.wait(30)
    states: list[str] = []
    stopper = threading.Thread(target=lambda: states.append(echo.stop().state))
    stopper.start()
    assert stopper.is_alive()
    go_on.set()
    starter.join(30)
    stopper.join(30)
    assert states == ["stopped"]


def test_a_record_with_unknown_fields_is_called_damaged(echo):
    echo.folder.mkdir()
    (echo.folder / "state.json").write_text('{"colour": "red"}')
    with pytest.raises(EnvironmentFault) as caught:
        echo.status()
    assert caught.value.condition == "SERVICE_STATE_DAMAGED"
    (echo.folder / "state.json").unlink()


def test_a_start_prefers_the_preferred_port_and_then_that_of_the_last_start(echo):
    """A port that was taken once must not keep the service away from its well-known one."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        echo.preferred_port = preferred = other.getsockname()[1]
        with echo:
            last = echo.address
        with echo:
            assert echo.address == last
    with echo:
        assert echo.address == f"127.0.0.1:{preferred}"


def test_a_port_that_another_server_takes_meanwhile_gives_way(echo, monkeypatch):
    """The other server would answer the readiness probe in place of the service."""
    echo.preferred_port = taken = free_port()
    prepare = type(echo).prepare
    with socket.socket() as other:

        def late(self: supervisor.Service, ports: dict[str, int], progress: Reporter) -> Launch:
            if self.prepared == 0:
                other.bind(("127.0.0.1", taken))
                other.listen()
            return prepare(self, ports, progress)

        monkeypatch.setattr(type(echo), "prepare", late)
        events: list[ProgressEvent] = []
        address = echo.start(events.append).address
    assert echo.prepared == 2
    assert address != f"127.0.0.1:{taken}"
    assert "taken meanwhile" in events[1].detail
    assert echo.status().address == address


def test_a_wanted_port_that_is_lost_to_another_server_is_an_error(echo, monkeypatch):
    echo.wanted_port = free_port()
    prepare = type(echo).prepare
    with socket.socket() as other:

        def late(self: supervisor.Service, ports: dict[str, int], progress: Reporter) -> Launch:
            other.bind(("127.0.0.1", ports["main"]))
            other.listen()
            return prepare(self, ports, progress)

        monkeypatch.setattr(type(echo), "prepare", late)
        with pytest.raises(EnvironmentFault, match=f"port {echo.wanted_port} is taken"):
            echo.start()
    assert echo.status().state == "stopped"
