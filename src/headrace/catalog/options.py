"""Options as declarations: name, type, default, doc. Validation, defaults and the reference all come from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from headrace.errors import InvalidOption, Position, nearest
from headrace.sql.lexer import TokenKind, tokenize


class OptionType(StrEnum):
    STRING = "String"
    INT = "Integer"
    LONG = "Long"
    DOUBLE = "Double"
    BOOLEAN = "Boolean"
    DURATION = "Duration"
    ENUM = "Enum"
    LIST = "List<String>"


@dataclass(frozen=True, slots=True)
class Option:
    """`default` is text, as a user would write it. `choices` are matched ignoring case. A `secret` is masked
    wherever options are shown. A trailing `*` in the name declares a whole prefix (`properties.*`), and `#` stands
    for one field name (`fields.#.kind`). `aliases` are older names, read where the name itself is not given."""

    name: str
    type: OptionType
    doc: str
    default: str | None = None
    required: bool = False
    choices: tuple[str, ...] = ()
    since: str = ""
    secret: bool = False
    aliases: tuple[str, ...] = ()

    def matches(self, key: str) -> bool:
        if self.name.endswith("*"):
            return key.startswith(self.name[:-1]) and len(key) > len(self.name) - 1
        if "#" in self.name:
            head, tail = self.name.split("#")
            return key.startswith(head) and key.endswith(tail) and len(key) > len(head) + len(tail)
        return key == self.name

    def parse(self, text: str, key: str | None = None) -> Any:
        try:
            return PARSERS[self.type](self, text)
        except ValueError as error:
            raise InvalidOption(
                f"invalid value for option '{key or self.name}'",
                found=f"'{text}'",
                expected=str(error) or f"a value of type {self.type}",
                cure=_cure(key or self.name, self, text),
            ) from None


def _cure(key: str, option: Option, text: str) -> str | None:
    value = nearest(text, option.choices) or option.default
    return f"'{key}' = '{value}'" if value is not None else None


def _parse_boolean(_: Option, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("true or false")
    return text.lower() == "true"


def _parse_enum(option: Option, text: str) -> str:
    for choice in option.choices:
        if choice.lower() == text.lower():
            return choice
    raise ValueError("one of " + ", ".join(option.choices))


def _whole(bits: int) -> Callable[[Option, str], int]:
    least, most = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1

    def parse(_: Option, text: str) -> int:
        # int() alone would also take 1_000 and the digits of other scripts.
        if re.fullmatch(r"[+-]?[0-9]+", text) is None:
            raise ValueError("a whole number")
        if not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return parse


def _parse_double(_: Option, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("a number") from None


# Flink's labels of each unit; a bare number is milliseconds.
DURATION_UNITS: dict[str, timedelta] = {
    label: unit
    for labels, unit in (
        (("d", "day", "days"), timedelta(days=1)),
        (("h", "hour", "hours"), timedelta(hours=1)),
        (("m", "min", "minute", "minutes"), timedelta(minutes=1)),
        (("s", "sec", "secs", "second", "seconds"), timedelta(seconds=1)),
        (("", "ms", "milli", "millis", "millisecond", "milliseconds"), timedelta(milliseconds=1)),
        (("us", "µs", "micro", "micros", "microsecond", "microseconds"), timedelta(microseconds=1)),
    )
    for label in labels
}


_DURATION_FORMS = "a duration such as '5 min', '1 s', '500 ms' or 'PT1M30S'"


def parse_duration(text: str) -> timedelta:
    """`5 min`, `1s`, `500` (milliseconds), as Flink writes durations, or as ISO 8601 does: `PT1M30S`."""
    if text.strip().lower().startswith("p"):
        return _parse_iso_duration(text.strip())
    match = re.fullmatch(r"\s*([0-9]+)\s*([A-Za-zµ]*)\s*", text)
    if match is None or match[2].lower() not in DURATION_UNITS:
        raise ValueError(_DURATION_FORMS)
    try:
        return int(match[1]) * DURATION_UNITS[match[2].lower()]
    except OverflowError:
        raise ValueError(f"a duration of at most {timedelta.max.days} days") from None


# As Java reads it: days, then hours, minutes and seconds, of which one at least is there.
_ISO_DURATION = re.compile(
    r"P(?=[0-9T])(?:(?P<days>[0-9]+)D)?"
    r"(?:T(?=[0-9])(?:(?P<hours>[0-9]+)H)?(?:(?P<minutes>[0-9]+)M)?(?:(?P<seconds>[0-9]+(?:[.,][0-9]{0,9})?)S)?)?",
    re.IGNORECASE,
)


def _parse_iso_duration(text: str) -> timedelta:
    match = _ISO_DURATION.fullmatch(text)
    if match is None:
        raise ValueError(_DURATION_FORMS)
    parts = {unit: float(count.replace(",", ".")) for unit, count in match.groupdict("0").items()}
    try:
        return timedelta(**parts)
    except OverflowError:
        raise ValueError(f"a duration of at most {timedelta.max.days} days") from None


PARSERS: dict[OptionType, Callable[[Option, str], Any]] = {
    OptionType.STRING: lambda _, text: text,
    OptionType.INT: _whole(32),
    OptionType.LONG: _whole(64),
    OptionType.DOUBLE: _parse_double,
    OptionType.BOOLEAN: _parse_boolean,
    OptionType.DURATION: lambda _, text: parse_duration(text),
    OptionType.ENUM: _parse_enum,
    OptionType.LIST: lambda _, text: [item.strip() for item in text.split(";") if item.strip()],
}


@dataclass(frozen=True, slots=True)
class ParsedOptions:
    """Option values by name, defaults filled in; `prefixed('properties.')` gives a prefix's own map."""

    values: Mapping[str, Any]
    raw: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def get(self, name: str, default: Any = None) -> Any:
        value = self.values.get(name)
        return default if value is None else value

    def is_set(self, name: str) -> bool:
        return name in self.raw

    def prefixed(self, prefix: str) -> dict[str, str]:
        return {k[len(prefix) :]: v for k, v in self.raw.items() if k.startswith(prefix)}


def parse_options(
    declared: Iterable[Option],
    given: Mapping[str, str],
    *,
    owner: str,
    positions: Mapping[str, Position] | None = None,
) -> ParsedOptions:
    """Checks `given` against the declarations as Flink does: required, known, well-formed; then fills defaults."""
    declarations = tuple(declared)
    names = _canonical(declarations, given)
    given = {names[key]: text for key, text in given.items() if key in names}
    places = {names.get(key, key): place for key, place in (positions or {}).items()}
    _reject_missing(declarations, given, owner)
    values: dict[str, Any] = {}
    for key, text in given.items():
        option = next((item for item in declarations if item.matches(key)), None)
        if option is None:
            raise _unknown(key, declarations, owner, places.get(key))
        try:
            values[key] = option.parse(text, key)
        except InvalidOption as error:
            raise error.at(places[key]) if key in places else error from None
    for option in declarations:
        if option.name not in values and option.default is not None:
            values[option.name] = option.parse(option.default)
    return ParsedOptions(values, dict(given))


def _canonical(declared: tuple[Option, ...], given: Mapping[str, str]) -> dict[str, str]:
    """The name of each given key; an alias of something that is also given by its name is left out."""
    names = {alias: option.name for option in declared for alias in option.aliases}
    return {key: names.get(key, key) for key in given if names.get(key) not in given}


def _reject_missing(declared: tuple[Option, ...], given: Mapping[str, str], owner: str) -> None:
    missing = [option.name for option in declared if option.required and option.name not in given]
    if missing:
        raise InvalidOption(
            f"{owner} needs options that are not set: {', '.join(missing)}",
            condition="MISSING_OPTION",
            found="options " + (", ".join(sorted(given)) or "(none)"),
            cure=", ".join(f"'{name}' = '…'" for name in missing),
        )


def _unknown(
    key: str, declared: tuple[Option, ...], owner: str, where: Position | None
) -> InvalidOption:
    names = [option.name for option in declared]
    close = nearest(key, names)
    shown = ([close] if close else []) + [name for name in names if name != close]
    more = f", … ({len(shown)} in all)" if len(shown) > SHOWN_OPTIONS else ""
    return InvalidOption(
        f"{owner} does not support the option '{key}'",
        condition="UNKNOWN_OPTION",
        where=where,
        found=f"'{key}'",
        expected=", ".join(shown[:SHOWN_OPTIONS]) + more,
        cure=f"did you mean '{close}'?" if close else f"remove '{key}'",
    )


# A connector has dozens; the nearest comes first and the rest only hints at the family.
SHOWN_OPTIONS = 8

SECRET_WORDS = (
    "password",
    "secret",
    "jaas",
    "token",
    "credential",
    "private",
    "ssl.keystore.key",
    "user-info",
    "user.info",
)

_TEXT_KINDS = {TokenKind.STRING, TokenKind.DOUBLE_QUOTED}

# Name and password of an address, as in https://name:password@host.
_IN_ADDRESS = re.compile(r"(?<=://)[^/@\s]*@")


def is_secret(key: str) -> bool:
    return any(word in key.lower() for word in SECRET_WORDS)


def masked(options: Mapping[str, str]) -> dict[str, str]:
    """Options fit to be shown: values of secret keys replaced."""
    return {key: masked_value(key, value) for key, value in options.items()}


def masked_value(key: str, value: str) -> str:
    return "******" if is_secret(key) else without_credentials(value)


def masked_sql(sql: str) -> str:
    """Returns the statement with the values of secret options masked, in WITH as well as in hints."""
    tokens = tokenize(sql)
    for key, equals, value in reversed(list(zip(tokens, tokens[1:], tokens[2:], strict=False))):
        if equals.key == "=" and {key.kind, value.kind} <= _TEXT_KINDS:
            shown = masked_value(key.text, value.text)
            if shown != value.text:
                sql = f"{sql[: value.start]}'{shown}'{sql[value.end :]}"
    return sql


def without_credentials(address: str) -> str:
    """An address without the name and password that may stand in it."""
    return _IN_ADDRESS.sub("******@", address)
