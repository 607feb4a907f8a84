import inspect

import pytest

from headrace.catalog.connector import Connector, MetadataKey
from headrace.connectors.registry import CONNECTORS
from headrace.types import BIGINT

METHODS = [
    member
    for member, value in inspect.getmembers(Connector, inspect.isfunction)
    if not member.startswith("_")
]
FACTS = ("name", "is_source", "is_sink")


def parameters(function) -> list[tuple[str, inspect._ParameterKind]]:
    signature = inspect.signature(function)
    return [(item.name, item.kind) for item in signature.parameters.values() if item.name != "self"]


def test_the_protocol_covers_reading_writing_and_inference():
    assert {"options", "validate", "scan_mode", "sink_mode", "read", "writer"} <= set(METHODS)


@pytest.mark.parametrize("connector", CONNECTORS.values(), ids=list(CONNECTORS))
def test_every_connector_has_what_the_planner_asks(connector):
    assert [fact for fact in FACTS if not hasattr(connector, fact)] == []
    assert connector.is_source or connector.is_sink


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("connector", CONNECTORS.values(), ids=list(CONNECTORS))
def test_every_method_takes_what_the_protocol_says(connector, method):
    expected = parameters(getattr(Connector, method))
    given = parameters(getattr(connector, method))
    assert [name for name, _ in given] == [name for name, _ in expected]


@pytest.mark.parametrize("connector", CONNECTORS.values(), ids=list(CONNECTORS))
def test_metadata_keys_say_which_way_they_go(connector):
    for key in connector.metadata({}).values():
        assert key.readable or key.writable


def test_a_metadata_key_is_read_only_unless_told():
    key = MetadataKey(BIGINT)
    assert key.readable
    assert not key.writable
