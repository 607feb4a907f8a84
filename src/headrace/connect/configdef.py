"""Declared options of a plugin, and Kafka's rules for checking values against them.

A ConfigDef is a table of ConfigKeys in order. `validate` gives every declared option its value, its faults and the
values it could take, and never raises: what is wrong is part of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Any

from headrace.errors import InvalidOption

Config = Mapping[str, str | None]

# Says what is wrong with a parsed value (None where it could not be parsed), or None; raises InvalidConfig to say all of
# the message.
Validator = Callable[[Any], str | None]


class InvalidConfig(InvalidOption):
    """Worded as Connect words it, since its messages are what REST clients show."""


class UnfitClass(InvalidConfig):
    """There is such a class, and it is none of those that would do."""


class Type(StrEnum):
    BOOLEAN = "BOOLEAN"
    STRING = "STRING"
    INT = "INT"
    SHORT = "SHORT"
    LONG = "LONG"
    DOUBLE = "DOUBLE"
    LIST = "LIST"
    CLASS = "CLASS"
    PASSWORD = "PASSWORD"  # noqa: S105


class Importance(StrEnum):
    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class Width(StrEnum):
    NONE = "NONE"
    SHORT = "SHORT"
    MEDIUM = "MEDIUM"
    LONG = "LONG"


class Required(Enum):
    """The default of an option that has none."""

    REQUIRED = "required"


REQUIRED = Required.REQUIRED

_BITS = {Type.SHORT: 16, Type.INT: 32, Type.LONG: 64}


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One declared option. `recommend` and `visible` look at the whole configuration."""

    name: str
    type: Type
    default: Any = REQUIRED
    importance: Importance = Importance.MEDIUM
    documentation: str = ""
    group: str | None = None
    order: int = -1
    width: Width = Width.NONE
    display_name: str | None = None
    dependents: tuple[str, ...] = ()
    validator: Validator | None = None
    recommend: Callable[[Config], Sequence[Any]] | None = None
    visible: Callable[[Config], bool] | None = None
    # Whether REST shows it; spellings of long ago are taken and not offered.
    listed: bool = True
    # What the validator calls it: options of transformations do not know the prefix they are given.
    judged_as: str | None = None

    def to_json(self) -> dict[str, Any]:
        required = self.default is REQUIRED
        return {
            "name": self.name,
            "type": self.type.value,
            "required": required,
            "default_value": None if required else as_text(self.default, self.type),
            "importance": self.importance.value,
            "documentation": self.documentation,
            "group": self.group,
            "width": self.width.value,
            "display_name": self.name if self.display_name is None else self.display_name,
            "dependents": list(self.dependents),
            "order": self.order,
        }


@dataclass(slots=True)
class ConfigValue:
    """What an option comes to in a configuration."""

    name: str
    value: Any = None
    recommended: Sequence[Any] = ()
    errors: list[str] = field(default_factory=list)
    visible: bool = True

    def to_json(self, type: Type | None) -> dict[str, Any]:
        # Of a list the single values are recommended, not lists.
        single = Type.STRING if type is Type.LIST else type
        return {
            "name": self.name,
            "value": as_text(self.value, type),
            "recommended_values": [as_text(value, single) for value in self.recommended],
            "errors": self.errors,
            "visible": self.visible,
        }


class ConfigDef:
    """Options in the order of their definition."""

    def __init__(self, keys: Iterable[ConfigKey] = ()) -> None:
        self.keys = {key.name: key for key in keys}

    def __iter__(self) -> Iterator[ConfigKey]:
        return iter(self.keys.values())

    @property
    def groups(self) -> list[str]:
        return list(dict.fromkeys(key.group for key in self if key.group is not None))

    def plus(self, other: Iterable[ConfigKey]) -> ConfigDef:
        """These and the others; of equal names the other's."""
        return ConfigDef([*self, *other])

    def prefixed(self, prefix: str, group: str | None = None) -> ConfigDef:
        """The same options as part of another configuration."""
        return ConfigDef(
            replace(
                key,
                name=prefix + key.name,
                group=key.group if group is None else group,
                display_name=key.display_name or key.name,
                dependents=tuple(prefix + name for name in key.dependents),
                judged_as=key.name,
            )
            for key in self
        )

    def validate(self, config: Config) -> dict[str, ConfigValue]:
        return {key.name: check(key, config) for key in self}

    def defaults(self, config: Config) -> dict[str, Any]:
        """Parsed values of a configuration that is known to be valid."""
        return {name: value.value for name, value in self.validate(config).items()}


def check(key: ConfigKey, config: Config) -> ConfigValue:
    """The value of one option and what is wrong with it; a validator also judges what could not be parsed."""
    result = ConfigValue(key.name)
    if key.name in config:
        try:
            result.value = parse(key.type, config[key.name])
        except ValueError as error:
            result.errors.append(invalid(key.name, config[key.name], str(error)))
    elif key.default is REQUIRED:
        result.errors.append(
            f'Missing required configuration "{key.name}" which has no default value.'
        )
    else:
        result.value = key.default
    _judge(key, result)
    result.recommended = key.recommend(config) if key.recommend else ()
    result.visible = key.visible(config) if key.visible else True
    return result


def _judge(key: ConfigKey, result: ConfigValue) -> None:
    try:
        fault = key.validator(result.value) if key.validator else None
    except UnfitClass as refused:
        result.errors.append(refused.summary)
        return
    except InvalidConfig as refused:
        result.errors.append(refused.summary)
    else:
        if fault is None:
            return
        name = key.judged_as or key.name
        result.errors.append(invalid(name, result.value, fault, key.type))
    if key.type is Type.CLASS:
        # Connect has no object for the name then, and shows none.
        result.value = None


def invalid(name: str, value: Any, fault: str, type: Type | None = None) -> str:
    """Kafka's words for a value that does not do. A password is not repeated."""
    shown = "null" if value is None else as_text(value, type)
    if isinstance(value, list):
        shown = f"[{', '.join(value)}]"
    return f"Invalid value {shown} for configuration {name}: {fault}"


def parse(type: Type, text: str | None) -> Any:
    """The value that a text stands for; ValueError says why it stands for none."""
    if text is None:
        return None
    # Blanks around a password belong to it.
    trimmed = text if type is Type.PASSWORD else text.strip()
    match type:
        case Type.BOOLEAN:
            if trimmed.lower() not in ("true", "false"):
                raise ValueError("Expected value to be either true or false")
            return trimmed.lower() == "true"
        case Type.SHORT | Type.INT | Type.LONG:
            return _whole(type, trimmed)
        case Type.DOUBLE:
            try:
                return float(trimmed)
            except ValueError:
                raise ValueError(f"Not a number of type {type}") from None
        case Type.LIST:
            return re.split(r"\s*,\s*", trimmed) if trimmed else []
        case _:
            return trimmed


def _whole(type: Type, text: str) -> int:
    bound = 2 ** (_BITS[type] - 1)
    if not re.fullmatch(r"[+-]?[0-9]+", text) or not -bound <= int(text) < bound:
        raise ValueError(f"Not a number of type {type}")
    return int(text)


def as_text(value: Any, type: Type | None) -> str | None:
    """How REST shows a value."""
    if value is None:
        return None
    if type is Type.PASSWORD:
        return "[hidden]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


def at_least(least: int) -> Validator:
    return between(least, None)


def between(least: int, most: int | None) -> Validator:
    def judge(value: Any) -> str | None:
        if value is None:
            return "Value must be non-null"
        if value < least:
            return f"Value must be at least {least}"
        return f"Value must be no more than {most}" if most is not None and value > most else None

    return judge


def one_of(*texts: str, ignore_case: bool = False) -> Validator:
    hint = " (case insensitive)" if ignore_case else ""

    def judge(value: Any) -> str | None:
        spelled = value.upper() if ignore_case and value is not None else value
        allowed = [text.upper() for text in texts] if ignore_case else texts
        return None if spelled in allowed else f"String must be one of{hint}: {', '.join(texts)}"

    return judge


def non_null(value: Any) -> str | None:
    return "entry must be non null" if value is None else None


def non_empty(value: Any) -> str | None:
    return "String must be non-empty" if value == "" else None


def non_empty_list(value: Any) -> str | None:
    return None if value else "Empty list"


def optional(validator: Validator) -> Validator:
    """The same where there is a value."""
    return lambda value: None if value in (None, "") else validator(value)


def without_control_characters(value: Any) -> str | None:
    """For names: not empty, and nothing that a log or a URL could trip over."""
    if value is None:
        return None
    if not value:
        return "String may not be empty"
    found = [
        str(ord(character)) for character in value if character.isascii() and ord(character) < 32
    ]
    return (
        f"String may not contain control sequences but had the following ASCII chars: {', '.join(found)}"
        if found
        else None
    )


def unique(value: Any) -> str | None:
    """For lists of aliases."""
    if value is None:
        return "entry must be non null"
    return "Duplicate alias provided." if len(value) > len(set(value)) else None
