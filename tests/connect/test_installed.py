from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from headrace.connect import installed as module
from headrace.connect.installed import installed, of_records
from headrace.connect.plugins import Kind, Plugins
from headrace.connect.validation import validate
from headrace.testing.connect_worker import SOURCE, CollectingSink, CountingSource

KAFKA = "org.apache.kafka.connect"


@pytest.fixture(scope="module")
def plugins():
    return Plugins([*of_records(), CountingSource, CollectingSink])


def faults(plugins, connector, **config: str) -> dict[str, list[str]]:
    given = {name.replace("__", "."): text for name, text in config.items()}
    base = {"name": "c", "connector.class": SOURCE, "topic": "t", "topics": "t"}
    verdict = validate(plugins, connector, {**base, **given})
    values = [*verdict.values.values(), *(value for _, value in verdict.passed_on)]
    return {value.name: value.errors for value in values if value.errors}


def test_every_kind_that_works_on_records(plugins):
    found = {kind: [p.class_name for p in plugins.of_kind(kind)] for kind in Kind}
    assert f"{KAFKA}.transforms.ValueToKey" in found[Kind.TRANSFORMATION]
    assert f"{KAFKA}.transforms.InsertField$Value" in found[Kind.TRANSFORMATION]
    assert f"{KAFKA}.transforms.predicates.TopicNameMatches" in found[Kind.PREDICATE]
    assert f"{KAFKA}.json.JsonConverter" in found[Kind.CONVERTER]


def test_connectors_of_headrace():
    names = [plugin.class_name for plugin in installed().of_kind(Kind.SINK, Kind.SOURCE)]
    assert f"{KAFKA}.file.FileStreamSinkConnector" in names
    assert f"{KAFKA}.file.FileStreamSourceConnector" in names


def test_packages_bring_plugins(monkeypatch):
    place = "headrace.testing.connect_worker:CountingSource"
    point = EntryPoint("counting", place, module.ENTRY_POINTS)
    monkeypatch.setattr(module, "entry_points", lambda group: [point])
    assert installed().connector("CountingSource") is CountingSource


def test_the_test_connectors_are_not_installed():
    assert SOURCE not in installed().names


def test_the_walk_through_s_transforms_are_valid(plugins):
    """Those of its second source and its third sink."""
    kind = f"{KAFKA}.transforms"
    source = {
        "transforms": "createKey,extractInt,InsertTopic,InsertSourceDetails",
        "transforms.createKey.type": f"{kind}.ValueToKey",
        "transforms.createKey.fields": "address_id",
        "transforms.extractInt.type": f"{kind}.ExtractField$Key",
        "transforms.extractInt.field": "address_id",
        "transforms.InsertTopic.type": f"{kind}.InsertField$Value",
        "transforms.InsertTopic.topic.field": "message_topic",
        "transforms.InsertSourceDetails.type": f"{kind}.InsertField$Value",
        "transforms.InsertSourceDetails.static.field": "message_source",
        "transforms.InsertSourceDetails.static.value": "pagila",
    }
    assert faults(plugins, CountingSource, **source) == {}
    sink = {
        "transforms": "RenameField, insertStaticField1",
        "transforms.RenameField.type": f"{kind}.ReplaceField$Value",
        "transforms.RenameField.renames": "district:state_province",
        "transforms.insertStaticField1.type": f"{kind}.InsertField$Value",
        "transforms.insertStaticField1.static.field": "environment",
        "transforms.insertStaticField1.static.value": "development",
    }
    assert faults(plugins, CollectingSink, **sink) == {}


def test_options_of_transforms_are_checked(plugins):
    config = {"transforms": "m", "transforms.m.type": f"{KAFKA}.transforms.MaskField$Value"}
    missing = faults(plugins, CountingSource, **config)
    assert list(missing) == ["transforms.m.fields"]
    empty = faults(plugins, CountingSource, **config, **{"transforms.m.fields": ""})
    assert empty == {
        "transforms.m.fields": ["Invalid value [] for configuration fields: Empty list"]
    }


def test_options_of_converters_are_checked(plugins):
    config = {"value__converter": f"{KAFKA}.json.JsonConverter"}
    assert faults(plugins, CountingSource, **config) == {}
    wrong = faults(plugins, CountingSource, **config, value__converter__schemas__enable="perhaps")
    # A converter does not know by which prefix it is called.
    assert wrong["value.converter.schemas.enable"] == [
        "Invalid value perhaps for configuration schemas.enable: Expected value to be either true or false"
    ]


def test_kafkas_converters_declare_which_part_they_convert(plugins):
    for name in ("json.JsonConverter", "converters.LongConverter"):
        assert next(iter(plugins.find(f"{KAFKA}.{name}").config())).name == "converter.type"
    others = plugins.find("io.confluent.connect.avro.AvroConverter").config()
    assert "converter.type" not in others.keys


def test_spellings_of_long_ago_are_not_offered(plugins):
    options = plugins.find(f"{KAFKA}.transforms.ReplaceField$Value").config().keys
    assert list(options) == ["exclude", "include", "renames", "replace.null.with.default"]


def test_a_class_that_is_another_kind_of_plugin(plugins):
    found = faults(plugins, CountingSource, value__converter=f"{KAFKA}.transforms.Filter")
    assert found["value.converter"] == [
        f"Class class {KAFKA}.transforms.Filter does not implement the Converter interface"
    ]


def test_a_class_that_has_a_side_for_keys_and_one_for_values(plugins):
    config = {"transforms": "c", "transforms.c.type": f"{KAFKA}.transforms.Cast"}
    (error,) = faults(plugins, CountingSource, **config)["transforms.c.type"]
    assert error == (
        "This class is abstract and cannot be created. Did you mean "
        f"{KAFKA}.transforms.Cast$Key, {KAFKA}.transforms.Cast$Value?"
    )


def test_an_unknown_converter_is_refused(plugins):
    name = "io.example.UnknownConverter"
    assert list(faults(plugins, CountingSource, key__converter=name)) == ["key.converter"]


def test_definitions_are_served(make_api, plugins, monkeypatch):
    api = make_api()
    monkeypatch.setattr(api.worker.herder, "plugins", plugins)
    options = api.ok("GET", f"/connector-plugins/{KAFKA}.transforms.MaskField$Value/config")
    assert [(one["name"], one["required"]) for one in options[:2]] == [
        ("fields", True),
        ("replacement", False),
    ]
