"""Options that Debezium has renamed: configurations written for 1.x still run, with a warning in the log.

The old option stays in the configuration, where it does nothing, so that it can be told from what was sent.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping

logger = logging.getLogger("headrace.connect")

Config = Mapping[str, str | None]

_UNWRAP = "io.debezium.transforms.ExtractNewRecordState"
_DELETES = "delete.tombstone.handling.mode"

_RENAMED = {
    "database.server.name": "topic.prefix",
    "slot.drop_on_stop": "slot.drop.on.stop",
    "toasted.value.placeholder": "unavailable.value.placeholder",
}
_LISTS = re.compile(r"(schema|table|column|database)\.(whitelist|blacklist)")
_HISTORY = "database.history"

# What 1.x did by delete.handling.mode, where it dropped tombstones and where it kept them.
_DELETE_MODES = {
    "drop": ("drop", "tombstone"),
    "rewrite": ("rewrite", "rewrite-with-tombstone"),
    "none": ("delete-to-tombstone", "delete-to-tombstone"),
}


def modern(connector: str, config: Config) -> dict[str, str | None]:
    """The configuration of a Debezium connector with the options that its old ones stand for."""
    if not (config.get("connector.class") or "").startswith("io.debezium."):
        return dict(config)
    added = {**_renamed(config), **_deletes(config)}
    new = {name: text for name, (_, text) in added.items() if name not in config}
    for name in new:
        logger.warning(
            "%s: option '%s' is called '%s' in this Debezium; it is taken as that",
            connector,
            added[name][0],
            name,
        )
    return {**config, **new}


def _renamed(config: Config) -> dict[str, tuple[str, str | None]]:
    """New names with the old one and the value."""
    return {new: (old, text) for old, text in config.items() if (new := _new_name(old)) is not None}


def _new_name(old: str) -> str | None:
    listed = _LISTS.fullmatch(old)
    if listed is not None:
        return f"{listed[1]}.{'include' if listed[2] == 'whitelist' else 'exclude'}.list"
    if old == _HISTORY or old.startswith(f"{_HISTORY}."):
        return f"schema.history.internal{old.removeprefix(_HISTORY)}"
    return _RENAMED.get(old)


def _deletes(config: Config) -> dict[str, tuple[str, str | None]]:
    found: dict[str, tuple[str, str | None]] = {}
    for alias in re.split(r"\s*,\s*", (config.get("transforms") or "").strip()):
        prefix = f"transforms.{alias}."
        mode, drop = f"{prefix}delete.handling.mode", f"{prefix}drop.tombstones"
        if config.get(f"{prefix}type") != _UNWRAP or not {mode, drop} & set(config):
            continue
        kept = (config.get(drop) or "true").lower() == "false"
        chosen = _DELETE_MODES.get((config.get(mode) or "drop").lower())
        if chosen is not None:
            found[prefix + _DELETES] = (mode if mode in config else drop, chosen[kept])
    return found
