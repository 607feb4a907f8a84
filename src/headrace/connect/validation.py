"""Checking a whole connector configuration: the common options, transformations, predicates, and the plugin's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from headrace.connect import common
from headrace.connect.clients import converters
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


def validate(
    plugins: Plugins,
    connector: type[Connector],
    config: Config,
    worker: Mapping[str, str] | None = None,
) -> Verdict:
    """Every option of the connector with its faults. Unknown options are allowed, as in Connect; `worker` has the
    settings whose converters count where the connector names none."""
    is_sink = connector.kind is Kind.SINK
    base = common.sink(plugins) if is_sink else common.source(plugins)
    chosen = base.plus(_chosen(plugins, connector, base, config, worker or {}))
    framework = chosen.plus(step for kind in STEPS for step in kind.options(plugins, config))
    values = framework.validate(config)
    (common.judge_sink if is_sink else common.judge_source)(config, values)
    for name, value in config.items():
        if value is None:
            values.setdefault(name, ConfigValue(name)).errors.append(NULL_VALUE)
    own = connector.config()
    # What the connector says of its options is all that is said of them, also where one is null.
    values.update(own.validate(config))
    converting = ConfigDef(_converter_options(plugins, config))
    values.update(converting.validate({**config, **_PARTS}))
    if None not in config.values():
        _add(values, connector.validate({name: text or "" for name, text in config.items()}))
    keys = framework.plus(own).plus(converting)
    groups = list(dict.fromkeys([*framework.groups, *own.groups]))
    return Verdict(config.get("connector.class") or "", groups, keys, values)


def _chosen(
    plugins: Plugins,
    connector: type[Connector],
    base: ConfigDef,
    config: Config,
    worker: Mapping[str, str],
) -> Iterable[ConfigKey]:
    """Converters and versions as they are when nothing is said of them."""
    usual = converters(worker, {})
    yield common.of_version(base.keys["connector.plugin.version"], connector)
    for option in ("key.converter", "value.converter", "header.converter"):
        yield _of_worker(base.keys[option], usual[option])
        plugin = plugins.names.get((config.get(option, usual[option]) or "").strip())
        version = common.of_version(base.keys[f"{option}.plugin.version"], plugin)
        yield version if plugin is not None else replace(version, visible=_never)


def _of_worker(key: ConfigKey, usual: str) -> ConfigKey:
    """A converter with the worker's as the default, which was judged when the worker started."""

    def judge(value: Any) -> str | None:
        return None if value == usual or key.validator is None else key.validator(value)

    return replace(key, default=usual, validator=judge)


def _never(config: Config) -> bool:
    return False


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
        plugin = self._plugin(plugins, config.get(f"{prefix}type"))
        version = common.version_key(
            prefix, Importance.HIGH, group, 1, Width.LONG, f"{self.display} version for {alias}"
        )
        yield common.of_version(version, plugin)
        if plugin is None and not is_python(config.get(f"{prefix}type") or ""):
            return
        own = [] if plugin is None else list(plugin.config())
        conditions = _CONDITION if self.kind is Kind.TRANSFORMATION else ()
        ordered = sorted([*own, *conditions], key=lambda key: key.name)
        for order, key in enumerate(ConfigDef(ordered).prefixed(prefix, group), start=2):
            yield replace(key, order=order)

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
                told = [_PART] if plugin.class_name.startswith("org.apache.kafka.") else []
                yield from ConfigDef([*told, *plugin.config()]).prefixed(f"{option}.")


# When a transformation is applied.
_CONDITION = (
    ConfigKey(
        "predicate",
        Type.STRING,
        None,
        Importance.MEDIUM,
        "Alias of the predicate that decides whether a record is transformed.",
    ),
    ConfigKey(
        "negate",
        Type.BOOLEAN,
        False,
        Importance.MEDIUM,
        "Whether records are transformed that the predicate does not match.",
    ),
)

# Converters are told by the worker what they convert.
_PARTS = {
    "key.converter.converter.type": "key",
    "value.converter.converter.type": "value",
}
_PART = ConfigKey("converter.type", Type.STRING, importance=Importance.LOW)

STEPS = (
    Steps("transforms", Kind.TRANSFORMATION, common.TRANSFORMS, "Transformation"),
    Steps("predicates", Kind.PREDICATE, common.PREDICATES, "Predicate"),
)
