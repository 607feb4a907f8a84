import pytest

from headrace.connectors.registry import CONNECTORS, connector_named
from headrace.errors import UnknownName


def test_every_connector_declares_its_own_name_as_required():
    for connector in CONNECTORS.values():
        declared = {option.name: option for option in connector.options({})}
        assert declared["connector"].required


def test_an_unknown_connector_names_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'upsert-kafka'") as caught:
        connector_named("upsert_kafka")
    assert caught.value.condition == "UNKNOWN_CONNECTOR"
