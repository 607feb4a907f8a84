"""Converters as configurations name them."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.converters.byte_array_converter import ByteArrayConverter
from headrace.connect.converters.json_converter import JsonConverter
from headrace.connect.converters.number_converters import NumberConverter
from headrace.connect.converters.registry import parse_converter

PACKAGE = "org.apache.kafka.connect"


def test_options_lie_under_the_converters_own():
    config = {
        "key.converter": f"{PACKAGE}.converters.LongConverter",
        "value.converter": f"{PACKAGE}.json.JsonConverter",
        "value.converter.schemas.enable": "false",
        "key.converter.schemas.enable": "true",
    }
    assert parse_converter(config, "key.converter") == NumberConverter("long")
    assert parse_converter(config, "value.converter") == JsonConverter(schemas=False)
    plain = {"value.converter": f"{PACKAGE}.converters.ByteArrayConverter"}
    assert parse_converter(plain, "value.converter") == ByteArrayConverter()


def test_classes_that_are_not_known():
    with pytest.raises(InvalidConfig) as refused:
        parse_converter({"key.converter": "org.Nope"}, "key.converter")
    assert (
        refused.value.summary
        == "Invalid value org.Nope for configuration key.converter: Class org.Nope could not be found."
    )
    with pytest.raises(InvalidConfig, match=r'Missing required configuration "value\.converter"'):
        parse_converter({}, "value.converter")
