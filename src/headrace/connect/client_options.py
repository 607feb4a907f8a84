"""What Kafka's clients call their options: `producer.override.*` and its like are judged and shown by it.

client_options.tsv: a line for an option with the initials of the clients that have it, its name, type, importance and
default, as the clients of Kafka 4.1 declare them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from headrace.connect.configdef import (
    REQUIRED,
    Config,
    ConfigKey,
    ConfigValue,
    Importance,
    Type,
    invalid,
    parse,
)
from headrace.connect.java_order import java_order

Shown = tuple[ConfigKey | None, ConfigValue]


class WrongOverride(ValueError):
    """A value that no client could be given."""


def overrides(config: Config, *, is_sink: bool) -> Iterator[Shown]:
    """The options for those clients that a connector will have; raises WrongOverride."""
    for client in _clients(config, is_sink=is_sink):
        prefix = f"{client}.override."
        given = {n.removeprefix(prefix): text for n, text in config.items() if n.startswith(prefix)}
        for name in java_order(given):
            yield _shown(client, name, given[name])


def _clients(config: Config, *, is_sink: bool) -> list[str]:
    if not is_sink:
        creates = any(name.startswith("topic.creation.") for name in config)
        return ["producer", "admin"] if creates else ["producer"]
    letters = config.get("errors.deadletterqueue.topic.name")
    return ["producer", "consumer", "admin"] if letters else ["consumer"]


def _shown(client: str, name: str, text: str | None) -> Shown:
    key = declared(client).get(name)
    value = ConfigValue(f"{client}.override.{name}", text)
    if key is None:
        return None, value
    try:
        value.value = parse(key.type, text)
    except ValueError as error:
        raise WrongOverride(invalid(name, text, str(error))) from None
    return key, value


@cache
def declared(client: str) -> dict[str, ConfigKey]:
    """The options of a client by their names, as they are called in a connector's configuration."""
    lines = files(__package__).joinpath("client_options.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in lines.splitlines()]
    return {row[1]: _key(client, *row[1:]) for row in rows if client[0] in row[0]}


def _key(client: str, name: str, type: str, importance: str, default: str = "") -> ConfigKey:
    usual = {"@required": REQUIRED, "@null": None}.get(default, default)
    return ConfigKey(
        f"{client}.override.{name}",
        Type(type),
        usual,
        Importance(importance),
        f"{name} of the connector's {client}.",
        display_name=name,
    )
