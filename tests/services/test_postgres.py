from __future__ import annotations

import importlib.util
import os
import stat

import psutil
import psycopg
import pytest

from headrace.errors import EnvironmentFault
from headrace.services import postgres
from headrace.services.ports import free_port
from headrace.services.postgres import URL_VARIABLE, PostgresService, jdbc_url


@pytest.mark.services
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("wal_level", "logical"),
        ("TimeZone", "UTC"),
        ("server_encoding", "UTF8"),
        ("max_replication_slots", "16"),
    ],
)
def test_the_server_is_set_up_for_change_capture(postgres_server, setting, value):
    with psycopg.connect(postgres_server.url) as connection:
        assert connection.execute(f"SHOW {setting}").fetchone() == (value,)


@pytest.mark.services
def test_logical_decoding_works(postgres_server):
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE postgres_test_decoding (id int PRIMARY KEY)")
        connection.execute("SELECT pg_create_logical_replication_slot('postgres_test', 'pgoutput')")
        connection.execute("CREATE PUBLICATION postgres_test FOR TABLE postgres_test_decoding")
        connection.execute("INSERT INTO postgres_test_decoding VALUES (1)")
        changes = connection.execute(
            "SELECT count(*) FROM pg_logical_slot_get_binary_changes('postgres_test', NULL, NULL, "
            "'proto_version', '1', 'publication_names', 'postgres_test')"
        ).fetchone()
        connection.execute("SELECT pg_drop_replication_slot('postgres_test')")
    assert changes[0] >= 3


@pytest.mark.services
def test_rows_and_port_survive_a_restart_even_with_a_client_connected(open_folder):
    service = PostgresService(open_folder)
    service.owned = True
    service.start()
    address, pid = service.address, service.status().pid
    with psycopg.connect(service.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        assert service.stop().state == "stopped"
    assert not psutil.pid_exists(pid)
    with service:
        assert service.address == address
        with psycopg.connect(service.url) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


@pytest.mark.services
def test_it_never_runs_as_root(postgres_server):
    pid = postgres_server.status().pid
    assert psutil.Process(pid).uids().effective != 0


@pytest.mark.services
def test_a_data_folder_with_foreign_files_is_an_error_naming_it(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "holiday.jpg").touch()
    with pytest.raises(EnvironmentFault) as caught:
        PostgresService(tmp_path).start()
    assert caught.value.where == str(tmp_path / "data")
    assert caught.value.found


def test_a_named_server_is_not_started_or_stopped(monkeypatch, tmp_path):
    port = free_port()
    monkeypatch.setenv("HEADRACE_POSTGRES_URL", f"postgresql://me:secret@127.0.0.1:{port}/shop")
    service = PostgresService(tmp_path / "absent")
    assert service.stop().state == "stopped"
    with pytest.raises(EnvironmentFault) as caught:
        service.start()
    assert caught.value.where == f"127.0.0.1:{port}"
    assert "secret" not in caught.value.render()
    assert not (tmp_path / "absent").exists()


def test_one_of_ones_own_is_not_that_of_the_url(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_POSTGRES_URL", "postgresql://me:secret@127.0.0.1:1/shop")
    assert PostgresService(tmp_path, own=True).status().address is None
    assert PostgresService(tmp_path).status().address == "127.0.0.1:1"


@pytest.mark.services
def test_a_named_server_that_answers_is_running(monkeypatch, tmp_path, postgres_server):
    monkeypatch.setenv("HEADRACE_POSTGRES_URL", postgres_server.url)
    named = PostgresService(tmp_path)
    with named as service:
        assert service.url == postgres_server.url
        assert service.status().pid is None
        assert service.status().address == postgres_server.address
    assert postgres_server.status().state == "running"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://db.example:6000/x", ("db.example", 6000)),
        ("postgresql://user:p%40ss@db.example/x", ("db.example", 5432)),
        ("postgresql:///x", ("127.0.0.1", 5432)),
    ],
)
def test_host_and_port_of_a_url(url, expected):
    assert postgres.PostgresService.place_of(url) == expected


def test_a_url_that_cannot_be_taken_apart_is_reported_without_its_password():
    with pytest.raises(EnvironmentFault) as caught:
        postgres.PostgresService.place_of("postgresql://user:hunter/2@db.example/x")
    assert caught.value.condition == "INVALID_SERVICE_URL"
    assert "hunter" not in caught.value.render()


def test_the_newest_binaries_are_chosen(monkeypatch, tmp_path):
    for name in ("pginstall", "pginstall18", "pginstall9x"):
        (tmp_path / name / "bin").mkdir(parents=True)
    for name in ("pginstall", "pginstall18"):
        (tmp_path / name / "bin" / "postgres").touch()

    class Spec:
        origin = str(tmp_path / "__init__.py")

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: Spec)
    assert postgres._binaries() == tmp_path / "pginstall18" / "bin"


def test_an_ordinary_user_runs_it_as_himself(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert postgres._account() is None


def test_root_is_told_to_create_the_account_that_cannot_be_created(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(postgres, "_ACCOUNT_FOR_ROOT", "headrace-nobody")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(EnvironmentFault, match="'headrace-nobody' cannot be created") as caught:
        postgres._account()
    assert "useradd" in caught.value.found
    assert "run Headrace as another user" in caught.value.cure


def test_folders_on_the_way_can_be_passed_but_not_listed(tmp_path):
    private = tmp_path / "private"
    (private / "inner").mkdir(parents=True)
    private.chmod(0o700)
    assert private in postgres._let_traverse(private / "inner" / "file")
    assert postgres._let_traverse(private / "inner" / "file") == []
    assert stat.S_IMODE(private.stat().st_mode) == 0o701


def test_a_named_server_needs_no_packages(monkeypatch, tmp_path):
    monkeypatch.setattr(PostgresService, "packages", ("no_such_module",))
    with pytest.raises(EnvironmentFault, match="no_such_module"):
        PostgresService(tmp_path, own=True).require_packages()
    monkeypatch.setenv("HEADRACE_POSTGRES_URL", "postgresql://db.example/shop")
    PostgresService(tmp_path).require_packages()


def test_other_accounts_may_read_what_a_strict_umask_kept_from_them(tmp_path):
    program, text = tmp_path / "bin" / "initdb", tmp_path / "share" / "sample"
    for file, mode in ((program, 0o700), (text, 0o600)):
        file.parent.mkdir(mode=0o700)
        file.touch(mode)
    tmp_path.chmod(0o701)
    assert postgres._let_read(tmp_path) == [tmp_path]
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (program.parent, program, text)]
    assert modes == [0o705, 0o705, 0o604]
    assert postgres._let_read(tmp_path) == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://postgres@127.0.0.1:5432/db", "127.0.0.1:5432/db?user=postgres"),
        ("postgresql://me:a%26b@host/db?ssl=true", "host/db?user=me&password=a%26b&ssl=true"),
        ("postgresql://host/db", "host/db"),
    ],
)
def test_the_same_address_for_jdbc(url, expected):
    assert jdbc_url(url) == f"jdbc:postgresql://{expected}"


def test_variables_of_a_named_server(monkeypatch, tmp_path):
    monkeypatch.setenv(URL_VARIABLE, "postgresql://me:secret@db.example/shop")
    assert PostgresService(tmp_path).variables() == {
        "POSTGRES_URL": "postgresql://me:secret@db.example/shop",
        "POSTGRES_JDBC_URL": "jdbc:postgresql://db.example/shop?user=me&password=secret",
        "POSTGRES_HOST": "db.example",
        "POSTGRES_PORT": "5432",
    }
