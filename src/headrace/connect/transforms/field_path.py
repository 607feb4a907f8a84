"""Paths to fields: a name as it is (V1), or names with dots between them, in backticks where they contain dots (V2)."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey, Importance, InvalidConfig, one_of
from headrace.connect.data.config import ConfigType

SYNTAX = ConfigKey(
    "field.syntax.version",
    ConfigType.STRING,
    documentation="V1 uses a name unchanged; V2 reads dots as separators of nested fields.",
    default="V1",
    importance=Importance.HIGH,
    validator=one_of("V1", "V2", ignore_case=True),
)


def parse_path(text: str, version: str) -> tuple[str, ...]:
    if version.upper() == "V1":
        return (text,)
    steps: list[str] = []
    at = 0
    while at < len(text):
        name, at = _quoted(text, at) if text[at] == "`" else _plain(text, at)
        steps.append(name)
    if text.endswith("."):
        steps.append("")
    return tuple(steps)


def _plain(text: str, start: int) -> tuple[str, int]:
    dot = text.find(".", start)
    return (text[start:], len(text)) if dot < 0 else (text[start:dot], dot + 1)


def _quoted(text: str, opening: int) -> tuple[str, int]:
    """A backtick closes a name at the end of the path or before a dot, unless a backslash is before it."""
    name, start, at = "", opening + 1, opening + 1
    while (at := text.find("`", at)) >= 0:
        escaped = text[at - 1] == "\\"
        if at == len(text) - 1:
            if escaped:
                break
            return name + text[start:at], at + 1
        if text[at + 1] != ".":
            at += 1
        elif escaped:
            name, start, at = name + text[start : at - 1] + "`", at + 1, at + 1
        else:
            return name + text[start:at], at + 2
    raise InvalidConfig(
        f"Incomplete backtick pair in path: [{text}], consider adding a backslash before backtick"
        f" at position {opening} to escape it"
    )
