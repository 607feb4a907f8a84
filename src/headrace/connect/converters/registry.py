"""The converters by their classes, and the one that a configuration names."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.connect.configdef import ConfigKey
from headrace.connect.converters import (
    apicurio_converter,
    avro_converter,
    byte_array_converter,
    json_converter,
    string_converter,
)
from headrace.connect.converters.base import Converter, ConverterPlugin
from headrace.connect.converters.number_converters import PLUGINS
from headrace.connect.data.config import ConfigType, invalid, parse, value_of
from headrace.connect.data.records import Part

CONVERTERS: Mapping[str, ConverterPlugin] = {
    plugin.name: plugin
    for plugin in (
        apicurio_converter.PLUGIN,
        avro_converter.PLUGIN,
        byte_array_converter.PLUGIN,
        json_converter.PLUGIN,
        string_converter.PLUGIN,
        *PLUGINS,
    )
}


def parse_converter(config: Mapping[str, str], option: str) -> Converter:
    """The converter under `key.converter` or `value.converter`; raises InvalidConfig, in Connect's words."""
    return build_converter(CONVERTERS, config, option)


def build_converter(
    known: Mapping[str, ConverterPlugin], config: Mapping[str, str], option: str
) -> Converter:
    """The one of those known that an option names, with the options below it."""
    name = value_of(ConfigKey(option, ConfigType.STRING), config)
    if name not in known:
        raise invalid(option, name, f"Class {name} could not be found.")
    plugin = known[name]
    prefix = f"{option}."
    own = {n.removeprefix(prefix): v for n, v in config.items() if n.startswith(prefix)}
    part: Part = "key" if option.startswith("key.") else "value"
    return plugin.build(parse(plugin.keys, own), part)
