from __future__ import annotations

import stat

import pytest

from headrace.errors import EnvironmentFault
from headrace.services import mariadb
from headrace.services.mariadb import URL_VARIABLE, MariaDbService
from headrace.services.ports import accepts_connections, free_port


@pytest.fixture(autouse=True)
def none_of_the_users(monkeypatch):
    monkeypatch.delenv(URL_VARIABLE, raising=False)


def test_the_port_may_be_chosen(tmp_path):
    wanted = free_port()
    assert MariaDbService(tmp_path, port=wanted).choose_ports({}) == {"main": wanted}


def test_it_is_not_ready_before_it_listens(tmp_path):
    assert not MariaDbService(tmp_path).is_ready(f"127.0.0.1:{free_port()}")


def test_a_server_of_the_users_own(tmp_path, monkeypatch):
    port = free_port()
    url = f"jdbc:mariadb://127.0.0.1:{port}/db?user=u&password=secret"
    monkeypatch.setenv(URL_VARIABLE, url)
    service = MariaDbService(tmp_path)
    assert service.url == url
    assert service.status().state == "stopped"
    with pytest.raises(EnvironmentFault) as refused:
        service.start()
    assert refused.value.condition == "SERVICE_NOT_STARTED"
    assert refused.value.where == f"127.0.0.1:{port}"
    assert "secret" not in refused.value.render()
    assert service.stop().state == "stopped"


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("jdbc:mariadb://db:3307/x", ("db", 3307)),
        ("jdbc:mysql://db/x", ("db", 3306)),
        ("nonsense", ("127.0.0.1", 3306)),
    ],
)
def test_where_a_server_is(url, found):
    assert mariadb.MariaDbService.place_of(url) == found


def test_what_it_cannot_make_it_takes_away_again(tmp_path, monkeypatch):
    server = tmp_path / "root/usr/sbin/mariadbd"
    share = tmp_path / "root/usr/share/mysql"
    for folder in (server.parent, share):
        folder.mkdir(parents=True)
    server.write_text("#!/bin/sh\necho 'ERROR: no space' >&2\nexit 1\n")
    server.chmod(0o755)
    for name in ("system_tables", "performance_tables", "system_tables_data"):
        (share / f"mysql_{name}.sql").touch()
    monkeypatch.setattr(mariadb, "unpacked", lambda *given: tmp_path / "root")
    service = MariaDbService(tmp_path / "service")
    service.folder.mkdir()
    with pytest.raises(EnvironmentFault, match="no space"):
        service.prepare({"main": free_port()}, lambda event: None)
    assert not service.data.exists()


@pytest.mark.services
def test_it_greets_and_keeps_its_data_to_itself(mariadb_server):
    status = mariadb_server.status()
    assert status.state == "running"
    assert accepts_connections(int(status.address.rpartition(":")[2]))
    assert mariadb_server.is_ready(status.address)
    assert stat.S_IMODE(mariadb_server.data.stat().st_mode) == 0o700
