"""Checking a whole connector configuration: the common options, transformations, predicates, and the plugin's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headrace.connect import common
from headrace.connect.client_options import Shown, overrides
from headrace.connect.clients import converters
from headrace.connect.configdef import (
    REQUIRED,
    Config,
    ConfigDef,
    ConfigKey,
    ConfigValue,
    Importance,
    Type,
    Width,
    parse,
)
from headrace.connect.java_order import java_order
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
    # What goes to others: to the connector's Kafka clients, and to its converters.
    passed_on: Sequence[Shown] = ()

    @property
    def errors(self) -> list[str]:
        values = [*self._in_order(), *(value for _, value in self.passed_on)]
        return [error for value in values for error in value.errors]

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "error_count": len(self.errors),
            "groups": self.groups,
            "configs": [
                *(self._config(value) for value in self._in_order()),
                *(_shown(*pair) for pair in self.passed_on),
            ],
        }

    def _in_order(self) -> list[ConfigValue]:
        """What nobody declares comes first, then the options in the order of their definition."""
        undeclared = [value for name, value in self.values.items() if name not in self.keys.keys]
        return undeclared + [self.values[key.name] for key in self.keys if key.name in self.values]

    def _config(self, value: ConfigValue) -> dict[str, Any]:
        return _shown(self.keys.keys.get(value.name), value)


def _shown(key: ConfigKey | None, value: ConfigValue) -> dict[str, Any]:
    definition = None if key is None else key.to_json()
    return {"definition": definition, "value": value.to_json(None if key is None else key.type)}


def validate(
    plugins: Plugins,
    connector: type[Connector],
    config: Config,
    worker: Mapping[str, str] | None = None,
) -> Verdict:
    """Every option of the connector with its faults. Unknown options are allowed, as in Connect; `worker` has the
    settings whose converters count where the connector names none. Raises WrongOverride."""
    is_sink = connector.kind is Kind.SINK
    base = common.sink(plugins) if is_sink else common.source(plugins)
    chosen = base.plus(_chosen(plugins, connector, base, config, worker or {}))
    framework = chosen.plus(step for kind in STEPS for step in kind.options(plugins, config))
    values = framework.validate(config)
    _name_classes(plugins, framework, values)
    for kind in STEPS:
        kind.judge(config, values)
    if is_sink:
        common.judge_sink(config, values)
    else:
        common.judge_source(config, values, worker or {})
    for name, value in config.items():
        if value is None:
            values.setdefault(name, ConfigValue(name)).errors.append(NULL_VALUE)
    own = connector.config()
    # What the connector says of its options is all that is said of them, also where one is null.
    values.update(own.validate(config))
    if None not in config.values():
        _add(values, connector.validate({name: text or "" for name, text in config.items()}))
    passed_on = [*overrides(config, is_sink=is_sink), *_of_converters(plugins, config)]
    theirs = [key.group for key, _ in passed_on if key is not None and key.group]
    groups = list(dict.fromkeys([*framework.groups, *own.groups, *theirs]))
    name = config.get("connector.class") or ""
    return Verdict(name, groups, framework.plus(own), values, passed_on)


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
    for option, kind in _CONVERTERS.items():
        yield _of_worker(base.keys[option], usual[option])
        name = (config.get(option, usual[option]) or "").strip()
        plugin = next((one for one in plugins.of_kind(kind) if name in names(one)), None)
        version = common.of_version(base.keys[f"{option}.plugin.version"], plugin)
        yield version if name in plugins.names else replace(version, visible=_never)


def _of_worker(key: ConfigKey, usual: str) -> ConfigKey:
    """A converter with the worker's as the default, which was judged when the worker started."""

    def judge(value: Any) -> str | None:
        return None if value == usual or key.validator is None else key.validator(value)

    return replace(key, default=usual, validator=judge)


def _never(config: Config) -> bool:
    return False


def _name_classes(plugins: Plugins, keys: ConfigDef, values: Mapping[str, ConfigValue]) -> None:
    """A class may be called by a shorter name; shown is its own."""
    for key in keys:
        value = values[key.name]
        if key.type is Type.CLASS and value.value in plugins.names:
            value.value = plugins.names[value.value].class_name


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
        ordered = sorted([*own, *conditions], key=_rank)
        for order, key in enumerate(ConfigDef(ordered).prefixed(prefix, group), start=2):
            yield replace(key, order=order)

    def judge(self, config: Config, values: Mapping[str, ConfigValue]) -> None:
        """A condition that is turned round must be there."""
        for alias in parse(Type.LIST, config.get(self.option)) or []:
            prefix = f"{self.option}.{alias}."
            lone = config.get(f"{prefix}negate") is not None and f"{prefix}predicate" not in config
            if self.kind is Kind.TRANSFORMATION and lone:
                values[f"{prefix}type"].errors.append(
                    f"Config '{prefix}negate' was provided but there is no config '{prefix}predicate' "
                    "defining a predicate to be negated."
                )

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
        return common.unfit(plugins, self.kind, name) if found is None else None


def _rank(key: ConfigKey) -> tuple[int, bool, int, str]:
    """Kafka's order of options within a group: what must be given first, then by importance."""
    return key.order, key.default is not REQUIRED, list(Importance).index(key.importance), key.name


def _of_converters(plugins: Plugins, config: Config) -> Iterable[Shown]:
    """Options of converters that the connector names itself."""
    for option, kind in _CONVERTERS.items():
        name = (config.get(option) or "").strip()
        for plugin in plugins.of_kind(kind):
            if name in names(plugin):
                own = plugin.config().keys
                ordered = ConfigDef(own[known] for known in java_order(own))
                yield from _of_converter(f"{option}.", ordered, config)


def _of_converter(prefix: str, keys: ConfigDef, config: Config) -> Iterable[Shown]:
    """A converter judges its options without knowing where in the configuration they are."""
    given = {n.removeprefix(prefix): text for n, text in config.items() if n.startswith(prefix)}
    # The worker tells it what it converts.
    found = keys.validate({**given, "converter.type": prefix.partition(".")[0]})
    for key, value in zip(keys.prefixed(prefix), found.values(), strict=True):
        yield key, replace(value, name=key.name)


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

_CONVERTERS = {
    "header.converter": Kind.HEADER_CONVERTER,
    "key.converter": Kind.CONVERTER,
    "value.converter": Kind.CONVERTER,
}

STEPS = (
    Steps("transforms", Kind.TRANSFORMATION, common.TRANSFORMS, "Transformation"),
    Steps("predicates", Kind.PREDICATE, common.PREDICATES, "Predicate"),
)
