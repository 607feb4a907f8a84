"""docs/connect.md: its examples are valid, and its connector runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from headrace.cli.connect import verbs
from headrace.connect.installed import installed
from headrace.connect.plugins import Plugins
from headrace.connect.providers import configured, properties
from headrace.connect.settings import WORKER
from headrace.connect.topics import Entry, Store
from headrace.connect.validation import validate
from headrace.testing.connect_worker import MemoryLog, memory_worker
from headrace.testing.topics import eventually

PAGE = (Path(__file__).parents[2] / "docs" / "connect.md").read_text()


def block(language: str) -> str:
    found: str = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[0]
    return found


def test_the_configuration_is_valid():
    plugins, config = installed(), {"name": "app-log", **json.loads(block("json"))}
    assert validate(plugins, plugins.connector(config["connector.class"]), config).errors == []


def test_every_verb_is_shown():
    for verb in verbs.ALL:
        assert re.search(rf"`(headrace connect )?{verb.name}\b", PAGE), verb.name


def test_settings_exist():
    named = properties(block("properties"))
    assert set(named) <= set(WORKER.keys)
    values = WORKER.validate({"bootstrap.servers": "b:1", **named})
    assert [value.errors for value in values.values() if value.errors] == []


@pytest.mark.parametrize("reference", re.findall(r"\| `(\$\{.*?\})`", PAGE))
def test_references_have_a_provider(reference):
    provider = reference[2:].partition(":")[0]
    assert provider in configured({}).lookups


def test_the_connector_runs():
    scope: dict[str, object] = {}
    exec(block("python"), scope)
    clock = scope["Clock"]
    config = {"connector.class": "Clock", "name": "clock", "every.ms": "1"}
    log = MemoryLog([Entry(Store.CONFIG, "connector-clock", {"properties": config})])
    worker = memory_worker(log=log)
    for part in (worker, worker.runner, worker.herder):
        part.plugins = Plugins([clock])
    worker.start()
    try:
        eventually(
            lambda: worker.state.offset("clock", {"clock": "main"}),
            lambda seen: seen is not None and seen["ticks"] > 2,
        )
        assert worker.herder.status("clock")["connector"]["version"] == "1.0"
    finally:
        worker.stop()


def test_the_configuration_of_the_jdbc_source_is_valid():
    text = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[1]
    plugins, given = installed(), {"name": "shop", **json.loads(text)}
    config = {name: str(value) for name, value in given.items()}
    assert validate(plugins, plugins.connector(config["connector.class"]), config).errors == []
