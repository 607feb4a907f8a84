"""Java's properties format, which JVMs read as ISO 8859-1 whatever the locale is."""

from __future__ import annotations

import re
from collections.abc import Mapping


def render(properties: Mapping[str, str]) -> str:
    """Returns a file's text in ASCII; names and values may contain any character."""
    return "".join(f"{_escaped(name)}={_escaped(text)}\n" for name, text in properties.items())


def _escaped(text: str) -> str:
    marked = re.sub(r"[\\=:#! ]", lambda found: f"\\{found[0]}", text)
    marked = marked.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return "".join(mark if mark.isascii() else _units(mark) for mark in marked)


def _units(mark: str) -> str:
    """UTF-16, as Java counts characters."""
    encoded = mark.encode("utf-16-be")
    return "".join(f"\\u{encoded[at]:02x}{encoded[at + 1]:02x}" for at in range(0, len(encoded), 2))
