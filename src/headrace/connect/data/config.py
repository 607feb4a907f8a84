"""Configuration as Connect declares, reads and refuses it, for what works on records."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from headrace.connect.regex.faults import MalformedRegex, UntranslatableRegex
from headrace.connect.regex.translation import compiled
from headrace.errors import InvalidOption

Config = Mapping[str, Any]
Check = Callable[[str, Any], None]


class ConfigType(StrEnum):
    BOOLEAN = "BOOLEAN"
    INT = "INT"
    LIST = "LIST"
    STRING = "STRING"


class Importance(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class InvalidConfig(InvalidOption):
    """Worded as Connect words it, since its messages are what REST clients show."""


class _Required:
    """The default of a key that has none, where None is a value as good as any."""


REQUIRED: Final = _Required()


@dataclass(frozen=True, slots=True)
class ConfigKey:
    name: str
    type: ConfigType
    documentation: str
    default: Any = REQUIRED
    importance: Importance = Importance.MEDIUM
    check: Check | None = None


REPLACE_NULL = ConfigKey(
    "replace.null.with.default",
    ConfigType.BOOLEAN,
    "Whether null in a field that has a default value becomes that value.",
    default=True,
)


def parse(keys: Sequence[ConfigKey], given: Mapping[str, str], prefix: str = "") -> dict[str, Any]:
    """Values of the keys under `prefix`, with defaults; keys that nobody declared are let be, as Connect does."""
    return {key.name: value_of(key, given, prefix) for key in keys}


def value_of(key: ConfigKey, given: Mapping[str, str], prefix: str = "") -> Any:
    name = prefix + key.name
    if name not in given:
        if key.default is REQUIRED:
            raise InvalidConfig(
                f'Missing required configuration "{name}" which has no default value.',
                condition="MISSING_OPTION",
            )
        return key.default
    value = _read(name, key.type, given[name])
    if key.check is not None:
        key.check(name, value)
    return value


def _read(name: str, type: ConfigType, text: str) -> Any:
    trimmed = text.strip()
    match type:
        case ConfigType.BOOLEAN:
            return _boolean(name, trimmed)
        case ConfigType.INT:
            if not re.fullmatch(r"[+-]?\d+", trimmed):
                raise invalid(name, trimmed, "Not a number of type INT")
            return int(trimmed)
        case ConfigType.LIST:
            return re.split(r"\s*,\s*", trimmed) if trimmed else []
        case ConfigType.STRING:
            return trimmed


def _boolean(name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise invalid(name, text, "Expected value to be either true or false")
    return text.lower() == "true"


def invalid(name: str, value: Any, message: str) -> InvalidConfig:
    return InvalidConfig(f"Invalid value {shown(value)} for configuration {name}: {message}")


def shown(value: Any) -> str:
    """As Java writes it."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    return "null" if value is None else str(value)


def one_of(*choices: str, ignore_case: bool = False) -> Check:
    def check(name: str, value: Any) -> None:
        known = {choice.upper() for choice in choices} if ignore_case else set(choices)
        if (value.upper() if ignore_case else value) not in known:
            kind = " (case insensitive)" if ignore_case else ""
            raise invalid(name, value, f"String must be one of{kind}: {', '.join(choices)}")

    return check


def non_empty_list(name: str, value: Any) -> None:
    if not value:
        raise invalid(name, value, "Empty list")


def non_empty_string(name: str, value: Any) -> None:
    if value == "":
        raise invalid(name, value, "String must be non-empty")


def regex(name: str, value: Any) -> None:
    """Of Java's, which runs it itself: what Python has no counterpart for is judged with the first batch."""
    try:
        compiled(value)
    except MalformedRegex as malformed:
        raise invalid(name, value, f"Invalid regex: {malformed}") from None
    except UntranslatableRegex:
        return


_DATE_LETTERS = frozenset("GyYMLwWDdFEuaHkKhmsSzZX")


def is_date_pattern(pattern: str) -> bool:
    """Whether SimpleDateFormat takes it: letters that it knows, and others between quotes that are closed."""
    parts = pattern.split("'")
    letters = "".join(parts[::2])
    known = all(c in _DATE_LETTERS for c in letters if c.isascii() and c.isalpha())
    return known and len(parts) % 2 == 1


def date_pattern(name: str, value: Any) -> None:
    if not is_date_pattern(value):
        raise invalid(name, value, "Illegal pattern of SimpleDateFormat")


def pairs(option: str, mappings: Sequence[str]) -> dict[str, str]:
    """`a:b` each."""
    result = {}
    for mapping in mappings:
        parts = mapping.split(":")
        if len(parts) != 2 or not parts[1]:
            raise invalid(option, list(mappings), f"Invalid rename mapping: {mapping}")
        result[parts[0]] = parts[1]
    return result
