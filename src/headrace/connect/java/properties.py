"""What the Java worker is configured with: the settings of ours, but for its own group, topics and address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from headrace.connect.clients import converters
from headrace.connect.settings import BASIC_AUTH, Settings
from headrace.connect.topics import Store

# Keeps what is of the Java worker apart from what is ours in the same cluster.
SUFFIX = "-java"

HOST = "127.0.0.1"

# Of our listeners, which callers reach; the Java worker has one of its own for us alone.
_LISTENING = re.compile(r"(listeners|admin\.listeners|rest\.|java\.security\.|plugin\.path).*")

_PROVIDERS = "org.apache.kafka.common.config.provider."
_USUAL = {
    "env": f"{_PROVIDERS}EnvVarConfigProvider",
    "file": f"{_PROVIDERS}FileConfigProvider",
    "dir": f"{_PROVIDERS}DirectoryConfigProvider",
    "directory": f"{_PROVIDERS}DirectoryConfigProvider",
}


def java_properties(settings: Settings, port: int, plugin_path: Iterable[Path]) -> dict[str, str]:
    inherited = {
        name: text for name, text in settings.raw.items() if not _LISTENING.fullmatch(name)
    }
    return {
        # The only member: what it ran is free at once when it comes back, instead of after five minutes.
        "scheduled.rebalance.max.delay.ms": "0",
        **inherited,
        **_providers(settings),
        **converters(settings.raw, {}),
        **_stores(settings),
        "group.id": settings.values["group.id"] + SUFFIX,
        "listeners": f"http://{HOST}:{port}",
        "rest.advertised.host.name": HOST,
        "rest.advertised.port": str(port),
        "rest.extension.classes": BASIC_AUTH,
        "plugin.path": ",".join(map(str, plugin_path)),
    }


def _stores(settings: Settings) -> dict[str, str]:
    found = {}
    for store in Store:
        topic = settings.topics[store]
        found[f"{store}.storage.topic"] = topic.name + SUFFIX
        found[f"{store}.storage.replication.factor"] = str(topic.replication)
        if store is not Store.CONFIG:
            found[f"{store}.storage.partitions"] = str(topic.partitions)
    return found


def _providers(settings: Settings) -> dict[str, str]:
    """Those that ours has without being told, beside the declared ones."""
    declared = settings.values["config.providers"]
    usual = [name for name in _USUAL if name not in declared]
    return {
        "config.providers": ",".join([*declared, *usual]),
        **{f"config.providers.{name}.class": _USUAL[name] for name in usual},
    }
