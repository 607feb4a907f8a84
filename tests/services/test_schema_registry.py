from __future__ import annotations

import json
import tarfile
import urllib.request

import pytest

from headrace.services import schema_registry as module
from headrace.services.ports import free_port
from headrace.services.schema_registry import PATH, SchemaRegistryService
from headrace.toolchain.progress import silent

CONTENT = {"Content-Type": "application/vnd.schemaregistry.v1+json"}


def call(url: str, body: object = None) -> object:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, CONTENT), timeout=30) as answer:
        return json.load(answer)


@pytest.mark.services
def test_a_registered_schema_is_found_by_its_id_and_by_its_subject(schema_registry):
    schema = '{"type":"record","name":"r","fields":[{"name":"x","type":"int"}]}'
    subject = f"{schema_registry.url}/subjects/service-test-value/versions"
    id = call(subject, {"schema": schema})["id"]
    assert json.loads(call(f"{schema_registry.url}/schemas/ids/{id}")["schema"]) == json.loads(
        schema
    )
    assert call(subject) == [1]
    assert call(subject, {"schema": schema})["id"] == id


@pytest.mark.services
def test_its_url_is_the_address_with_the_path_of_the_protocol(schema_registry):
    assert schema_registry.url == f"http://{schema_registry.address}{PATH}"


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """An archive of the wanted form in place of the real one."""
    (tmp_path / "app-1-runner.jar").write_text("program")
    file = tmp_path / "app-1-all.tar.gz"
    with tarfile.open(file, "w:gz") as tar:
        tar.add(tmp_path / "app-1-runner.jar", "./app-1-runner.jar")
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "ensure", lambda name, progress: [file])
    return file


@pytest.mark.usefixtures("archive")
def test_it_listens_on_the_wanted_port_of_the_loopback_address(tmp_path):
    port = free_port()
    service = SchemaRegistryService(tmp_path, port=port)
    assert service.choose_ports({"main": 1}) == {"main": port}
    command = service.prepare({"main": port}, silent).command
    assert f"-Dquarkus.http.port={port}" in command
    assert "-Dquarkus.http.host=127.0.0.1" in command


@pytest.mark.usefixtures("archive")
def test_the_archive_is_unpacked_once(tmp_path):
    events = []
    first, second = (
        SchemaRegistryService(tmp_path).prepare({"main": 1}, events.append).command[-1]
        for _ in range(2)
    )
    assert first == second
    assert (tmp_path / "cache" / "registry") in module.Path(first).parents
    assert [event.detail for event in events] == ["unpacking app-1-all.tar.gz"]


def test_a_port_without_a_server_is_not_ready(tmp_path):
    assert not SchemaRegistryService(tmp_path).is_ready(f"127.0.0.1:{free_port()}")
