"""Configuration as Connect declares, reads and refuses it, for what works on records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from headrace.connect import configdef
from headrace.connect.configdef import ConfigKey, InvalidConfig
from headrace.connect.regex.faults import MalformedRegex, UntranslatableRegex
from headrace.connect.regex.translation import compiled, in_java

Config = Mapping[str, Any]

# Beside the types of schemas, which are called so too.
ConfigType = configdef.Type

REPLACE_NULL = ConfigKey(
    "replace.null.with.default",
    ConfigType.BOOLEAN,
    True,
    documentation="Whether null in a field that has a default value becomes that value.",
)


def parse(keys: Sequence[ConfigKey], given: Mapping[str, str], prefix: str = "") -> dict[str, Any]:
    """Values of the keys under `prefix`, with defaults; keys that nobody declared are let be, as Connect does."""
    return {key.name: value_of(key, given, prefix) for key in keys}


def value_of(key: ConfigKey, given: Mapping[str, str], prefix: str = "") -> Any:
    name = prefix + key.name
    found = configdef.check(replace(key, name=name), given)
    if found.errors:
        missing = name not in given
        raise InvalidConfig(found.errors[0], condition="MISSING_OPTION" if missing else None)
    return found.value


def invalid(name: str, value: Any, message: str) -> InvalidConfig:
    return InvalidConfig(f"Invalid value {shown(value)} for configuration {name}: {message}")


def shown(value: Any) -> str:
    """As Java writes it."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    return "null" if value is None else str(value)


def regex(value: Any) -> str | None:
    """Of Java's, which runs it itself: what Python has no counterpart for is judged with the first batch."""
    if value is None:
        return 'Invalid regex: Cannot invoke "String.isEmpty()" because "this.pattern" is null'
    try:
        compiled(value)
    except MalformedRegex as malformed:
        return f"Invalid regex: {in_java(malformed, value)}"
    except UntranslatableRegex:
        return None
    return None


_DATE_LETTERS = frozenset("GyYMLwWDdFEuaHkKhmsSzZX")


def date_pattern_fault(pattern: str) -> str | None:
    """Why SimpleDateFormat does not take it: letters that it does not know, or a quote that nothing closes."""
    parts = pattern.split("'")
    letters = (c for c in "".join(parts[::2]) if c.isascii() and c.isalpha())
    unknown = next((c for c in letters if c not in _DATE_LETTERS), None)
    if unknown is not None:
        return f"Illegal pattern character '{unknown}'"
    return None if len(parts) % 2 == 1 else "Unterminated quote"


def date_pattern(value: Any) -> str | None:
    return date_pattern_fault(value or "") and "Illegal pattern of SimpleDateFormat"


def pairs(option: str, mappings: Sequence[str]) -> dict[str, str]:
    """`a:b` each."""
    result = {}
    for mapping in mappings:
        parts = mapping.split(":")
        if len(parts) != 2 or not parts[1]:
            raise invalid(option, list(mappings), f"Invalid rename mapping: {mapping}")
        result[parts[0]] = parts[1]
    return result
