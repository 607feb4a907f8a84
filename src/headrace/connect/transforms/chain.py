"""The transforms of a connector, in their order, each applied to the records that its predicate selects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from headrace.connect.configdef import ConfigKey, InvalidConfig
from headrace.connect.data.config import Config, ConfigType, invalid, parse, value_of
from headrace.connect.data.records import Records
from headrace.connect.predicates.base import Predicate
from headrace.connect.predicates.registry import PREDICATES
from headrace.connect.transforms.base import Transform, passing_nulls
from headrace.connect.transforms.python import build_python, is_python
from headrace.connect.transforms.registry import TRANSFORMS

_STATE = ("topic", "partition", "key", "value", "headers", "timestamp", "key_typed", "value_typed")
_SELECTED = "__selected"


def _aliases_key(kind: str) -> ConfigKey:
    return ConfigKey(
        kind, ConfigType.LIST, documentation=f"Names of the {kind}, in their order.", default=[]
    )


@dataclass(frozen=True, slots=True)
class Stage:
    """A transform, and the predicate that selects its records; without one it takes all."""

    alias: str
    transform: Transform
    predicate: Predicate | None = None
    negate: bool = False

    def apply(self, records: Records) -> tuple[Records, ...]:
        if self.predicate is None:
            return tuple(_settled(batch) for batch in self._transformed(records))
        selected = ~self.predicate() if self.negate else self.predicate()
        marked = records.changed({_SELECTED: selected})
        kept = {f"__kept_{name}": marked.frame[name] for name in (*_STATE, "dropped", "error")}
        changed, *others = self._transformed(marked.changed(kept))
        if others or (changed.key, changed.value) != (records.key, records.value):
            return self._apart(marked)
        return (_settled(_merged(changed)),)

    def _transformed(self, records: Records) -> tuple[Records, ...]:
        changed = self.transform(records)
        return changed if isinstance(changed, tuple) else (changed,)

    def _apart(self, marked: Records) -> tuple[Records, ...]:
        """Records of two schemas are two batches from here on."""
        from pyspark.sql import functions as sf

        chosen = sf.col(_SELECTED)
        parts = [
            *self._transformed(replace(marked, frame=marked.frame.filter(chosen))),
            replace(marked, frame=marked.frame.filter(~chosen)),
        ]
        return tuple(_settled(replace(part, frame=part.frame.drop(_SELECTED))) for part in parts)


def _merged(changed: Records) -> Records:
    """The columns of the records that were selected, and what the others had before."""
    from pyspark.sql import functions as sf

    chosen = sf.col(_SELECTED)
    kept = {name: f"__kept_{name}" for name in (*_STATE, "dropped", "error")}
    columns = {
        name: sf.when(chosen, sf.col(name)).otherwise(sf.col(before))
        for name, before in kept.items()
    }
    merged = changed.frame.withColumns(columns).drop(_SELECTED, *kept.values())
    return replace(changed, frame=merged)


def _settled(records: Records) -> Records:
    """Without what was dropped; a record that failed stays, to be reported."""
    from pyspark.sql import functions as sf

    left = records.frame.filter(~sf.col("dropped") | sf.col("error").isNotNull())
    return replace(records, frame=left)


@dataclass(frozen=True, slots=True)
class Chain:
    stages: tuple[Stage, ...] = ()

    def apply(self, records: Records) -> tuple[Records, ...]:
        """One batch, or several where predicates leave records of several schemas."""
        batches: tuple[Records, ...] = (records,)
        for stage in self.stages:
            parts = (part for batch in batches for part in stage.apply(batch))
            batches = tuple(part.staged(f"TRANSFORMATION/{stage.alias}") for part in parts)
        return batches


def parse_chain(config: Mapping[str, str]) -> Chain:
    """The chain that a connector's configuration describes; raises InvalidConfig, in Connect's words."""
    predicates = _aliases(config, "predicates")
    for alias in predicates:
        _predicate(config, alias)
    return Chain(
        tuple(_stage(config, alias, predicates) for alias in _aliases(config, "transforms"))
    )


def _aliases(config: Mapping[str, str], kind: str) -> list[str]:
    aliases: list[str] = value_of(_aliases_key(kind), config)
    if len(set(aliases)) < len(aliases):
        raise invalid(kind, aliases, "Duplicate alias provided.")
    return aliases


def _stage(config: Mapping[str, str], alias: str, predicates: list[str]) -> Stage:
    prefix = f"transforms.{alias}."
    named, negate = f"{prefix}predicate", f"{prefix}negate"
    if negate in config and named not in config:
        raise InvalidConfig(
            f"Invalid value {config.get(f'{prefix}type')} for configuration {prefix}type: Config"
            f" '{negate}' was provided but there is no config '{named}' defining a predicate to be"
            " negated."
        )
    transform = _transform(config, prefix)
    if named not in config:
        return Stage(alias, transform)
    predicate = _predicate(config, config[named].strip(), known=predicates)
    negated = value_of(
        ConfigKey("negate", ConfigType.BOOLEAN, documentation="", default=False), config, prefix
    )
    return Stage(alias, transform, predicate, negated)


def _transform(config: Mapping[str, str], prefix: str) -> Transform:
    option = f"{prefix}type"
    name = value_of(ConfigKey("type", ConfigType.STRING, documentation=""), config, prefix)
    if is_python(name):
        return build_python(option, name, _under(config, prefix))
    if name not in TRANSFORMS:
        raise invalid(option, name, f"Class {name} could not be found.")
    plugin, part = TRANSFORMS[name]
    settings: Config = parse(plugin.keys, _stripped(config, prefix))
    transform = plugin.build(settings, part)
    return passing_nulls(transform, part) if plugin.passes_nulls else transform


def _predicate(config: Mapping[str, str], alias: str, known: list[str] | None = None) -> Predicate:
    prefix = f"predicates.{alias}."
    if known is not None and alias not in known:
        raise InvalidConfig(f"Unknown configuration '{prefix}type'", condition="MISSING_OPTION")
    option = f"{prefix}type"
    name = value_of(ConfigKey("type", ConfigType.STRING, documentation=""), config, prefix)
    if name not in PREDICATES:
        raise invalid(option, name, f"Class {name} could not be found.")
    plugin = PREDICATES[name]
    return plugin.build(parse(plugin.keys, _stripped(config, prefix)))


def _under(config: Mapping[str, str], prefix: str) -> dict[str, str]:
    """A transform's own options."""
    own = _stripped(config, prefix)
    return {n: v for n, v in own.items() if n not in ("type", "predicate", "negate")}


def _stripped(config: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {n.removeprefix(prefix): v for n, v in config.items() if n.startswith(prefix)}
