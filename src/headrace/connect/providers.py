"""References in configurations, `${provider:path:key}`, and what they stand for when a connector starts.

Stored and shown is always the reference. `env`, `file` and `directory` are there without being declared;
`config.providers` gives them other names, or `env` an allowlist, as in Connect.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headrace.connect.regex.translation import compiled
from headrace.errors import InvalidOption

REFERENCE = re.compile(r"\$\{([^}:]+):(?:([^}:]*):)?([^}]*)\}")

# Shorter texts occur by chance: hiding every "1" of a trace would hide the trace.
_SHORTEST_SECRET = 4

Lookup = Callable[[str, str], str | None]

CLASSES = {
    "org.apache.kafka.common.config.provider.EnvVarConfigProvider": "env",
    "org.apache.kafka.common.config.provider.FileConfigProvider": "file",
    "org.apache.kafka.common.config.provider.DirectoryConfigProvider": "directory",
}


@dataclass(slots=True)
class Providers:
    """Lookups by name, and the values they have given, which are secrets from then on."""

    lookups: dict[str, Lookup] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)

    def resolve(self, config: Mapping[str, str]) -> dict[str, str]:
        return {name: self._text(name, text) for name, text in config.items()}

    def hide(self, text: str) -> str:
        """The text without any value that a reference stood for."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, "[hidden]")
        return text

    def _text(self, option: str, text: str) -> str:
        return REFERENCE.sub(lambda found: self._value(option, found), text)

    def _value(self, option: str, found: re.Match[str]) -> str:
        provider, path, key = found[1], found[2] or "", found[3]
        lookup = self.lookups.get(provider)
        # As in Connect: what no provider answers to is text, such as ${topic} formats.
        if lookup is None:
            return found[0]
        value = lookup(path, key)
        if value is None:
            raise InvalidOption(
                f"option '{option}' refers to a value that is not there",
                where=found[0],
                cure=f"set it where the provider '{provider}' looks, or correct the reference",
            )
        if len(value) >= _SHORTEST_SECRET:
            self.secrets.add(value)
        return value


def has_reference(text: str) -> bool:
    return REFERENCE.search(text) is not None


def configured(settings: Mapping[str, str]) -> Providers:
    """The providers of a worker: the usual three, and those of `config.providers`."""
    lookups = {name: _lookup(kind, {}) for name, kind in _USUAL.items()}
    for name in filter(None, re.split(r"\s*,\s*", settings.get("config.providers", "").strip())):
        prefix = f"config.providers.{name}."
        class_name = settings.get(f"{prefix}class", "")
        kind = CLASSES.get(class_name)
        if kind is None:
            raise InvalidOption(
                f"config provider '{name}' has a class that is not known",
                found=f"'{class_name}'",
                expected=", ".join(CLASSES),
            )
        params = f"{prefix}param."
        lookups[name] = _lookup(
            kind, {key.removeprefix(params): v for key, v in settings.items() if params in key}
        )
    return Providers(lookups)


_USUAL = {"env": "env", "file": "file", "dir": "directory", "directory": "directory"}


def _lookup(kind: str, params: Mapping[str, str]) -> Lookup:
    if kind == "env":
        return _environment(_allowed(params.get("allowlist.pattern", ".*")))
    allowed = [Path(path).resolve() for path in params.get("allowed.paths", "").split(",") if path]
    return _file(allowed) if kind == "file" else _directory(allowed)


def _allowed(expression: str) -> re.Pattern[str]:
    try:
        return compiled(expression)
    except ValueError as refused:
        raise InvalidOption(
            "allowlist.pattern of a config provider is no regular expression",
            found=f"'{expression}': {refused}",
        ) from None


def _environment(allowed: re.Pattern[str]) -> Lookup:
    return lambda path, key: os.environ.get(key) if allowed.fullmatch(key) else None


def _file(allowed: list[Path]) -> Lookup:
    def look(path: str, key: str) -> str | None:
        file = Path(path)
        if not _within(file, allowed) or not file.is_file():
            return None
        return properties(file.read_text(encoding="utf-8")).get(key)

    return look


def _directory(allowed: list[Path]) -> Lookup:
    def look(path: str, key: str) -> str | None:
        folder, file = Path(path), Path(path) / key
        # A key is a file's name; with separators in it, it would reach beyond the folder.
        if Path(key).name != key or not _within(folder, allowed) or not file.is_file():
            return None
        return file.read_text(encoding="utf-8")

    return look


def _within(path: Path, allowed: list[Path]) -> bool:
    resolved = path.resolve()
    return not allowed or any(resolved.is_relative_to(folder) for folder in allowed)


def properties(text: str) -> dict[str, str]:
    """Java's properties: `key = value`, `key: value` or `key value`, # and ! comments, \\ escapes and continuations."""
    logical = re.sub(r"(?<!\\)((?:\\\\)*)\\\r?\n[ \t\f]*", r"\1", text)
    pairs = {}
    for line in logical.splitlines():
        stripped = line.lstrip(" \t\f")
        if not stripped or stripped[0] in "#!":
            continue
        found = re.match(r"((?:\\.|[^\\=: \t\f])*)[ \t\f]*[=:]?[ \t\f]*(.*)", stripped, re.DOTALL)
        assert found is not None
        pairs[_unescaped(found[1])] = _unescaped(found[2])
    return pairs


_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        mark: str = found[1]
        return chr(int(mark[1:], 16)) if len(mark) == 5 else _ESCAPES.get(mark, mark)

    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", one, text)
