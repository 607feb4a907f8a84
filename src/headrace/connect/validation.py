"""Checking a whole connector configuration: the common options, transformations, predicates, and the plugin's own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from headrace.connect import common
from headrace.connect.configdef import (
    Config,
    ConfigDef,
    ConfigKey,
    ConfigValue,
    Importance,
    Type,
    Width,
    parse,
)
from headrace.connect.plugins import Connector, Kind, Plugin, Plugins, UnknownPlugin, names
from headrace.connect.transforms.python import fault_of, is_python

NULL_VALUE = "Null value can not be supplied as the configuration value."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What PUT …/config/validate answers."""

    name: str
    groups: list[str]
    keys: ConfigDef
    values: dict[str, ConfigValue]

    @property
    def errors(self) -> list[str]:
        return [error for value in self._in_order() for error in value.errors]

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "error_count": len(self.errors),
            "groups": self.groups,
            "configs": [self._config(value) for value in self._in_order()],
        }

    def _in_order(self) -> list[ConfigValue]:
        """What nobody declares comes first, then the options in the order of their definition."""
        undeclared = [value for name, value in self.values.items() if name not in self.keys.keys]
        return undeclared + [self.values[key.name] for key in self.keys if key.name in self.values]

    def _config(self, value: ConfigValue) -> dict[str, Any]:
        key = self.keys.keys.get(value.name)
        definition = None if key is None else key.to_json()
        return {"definition": definition, "value": value.to_json(None if key is None else key.type)}


def validate(plugins: Plugins, connector: type[Connector], config: Config) -> Verdict:
    """Every option of the connector with its faults. Unknown options are allowed, as in Connect."""
    is_sink = connector.kind is Kind.SINK
    base = common.sink(plugins) if is_sink else common.source(plugins)
    steps = base.plus(step for kind in STEPS for step in kind.options(plugins, config))
    framework = steps.plus(_converter_options(plugins, config))
    values = framework.validate(config)
    (common.judge_sink if is_sink else common.judge_source)(config, values)
    own = connector.config()
    values.update(own.validate(config))
    for name, value in config.items():
        if value is None:
            values.setdefault(name, ConfigValue(name)).errors.append(NULL_VALUE)
    if None not in config.values():
        _add(values, connector.validate({name: text or "" for name, text in config.items()}))
    keys = framework.plus(own)
    groups = list(dict.fromkeys([*framework.groups, *own.groups]))
    return Verdict(config.get("connector.class") or "", groups, keys, values)


def _add(values: dict[str, ConfigValue], faults: Any) -> None:
    for name, errors in faults.items():
        values.setdefault(name, ConfigValue(name)).errors.extend(errors)


@dataclass(frozen=True, slots=True)
class Steps:
    """Transformations or predicates: a list of aliases, each with a type and the options of that type."""

    option: str
    kind: Kind
    group: str
    display: str

    def options(self, plugins: Plugins, config: Config) -> Iterable[ConfigKey]:
        for alias in dict.fromkeys(parse(Type.LIST, config.get(self.option)) or []):
            yield from self._of_alias(plugins, config, alias)

    def _of_alias(self, plugins: Plugins, config: Config, alias: str) -> Iterable[ConfigKey]:
        prefix = f"{self.option}.{alias}."
        group = f"{self.group}: {alias}"
        known = plugins.of_kind(self.kind)
        yield ConfigKey(
            f"{prefix}type",
            Type.CLASS,
            importance=Importance.HIGH,
            documentation=f"Class of the {self.kind} '{alias}'.",
            group=group,
            order=0,
            width=Width.LONG,
            display_name=f"{self.display} type for {alias}",
            validator=lambda value: None if value is None else self._judge_class(plugins, value),
            recommend=lambda _: [plugin.class_name for plugin in known],
        )
        if self.kind is Kind.TRANSFORMATION:
            yield from _condition(prefix, group)
        plugin = self._plugin(plugins, config.get(f"{prefix}type"))
        if plugin is not None:
            yield from plugin.config().prefixed(prefix, group)

    def _plugin(self, plugins: Plugins, name: str | None) -> type[Plugin] | None:
        try:
            plugin = plugins.find((name or "").strip())
        except UnknownPlugin:
            return None
        return plugin if plugin.kind is self.kind else None

    def _judge_class(self, plugins: Plugins, name: str) -> str | None:
        if self.kind is Kind.TRANSFORMATION and is_python(name):
            return fault_of(name)
        found = self._plugin(plugins, name)
        return f"Class {name} could not be found." if found is None else None


def _converter_options(plugins: Plugins, config: Config) -> Iterable[ConfigKey]:
    """Options of converters that the connector names itself."""
    for option in ("key.converter", "value.converter"):
        name = (config.get(option) or "").strip()
        for plugin in plugins.of_kind(Kind.CONVERTER):
            if name in names(plugin):
                yield from plugin.config().prefixed(f"{option}.")


def _condition(prefix: str, group: str) -> Iterable[ConfigKey]:
    """When a transformation is applied."""
    yield ConfigKey(
        f"{prefix}predicate",
        Type.STRING,
        None,
        Importance.MEDIUM,
        "Alias of the predicate that decides whether a record is transformed.",
        group,
        1,
        Width.MEDIUM,
        "Predicate",
    )
    yield ConfigKey(
        f"{prefix}negate",
        Type.BOOLEAN,
        False,
        Importance.MEDIUM,
        "Whether records are transformed that the predicate does not match.",
        group,
        2,
        Width.SHORT,
        "Negate",
    )


STEPS = (
    Steps("transforms", Kind.TRANSFORMATION, common.TRANSFORMS, "Transformation"),
    Steps("predicates", Kind.PREDICATE, common.PREDICATES, "Predicate"),
)
