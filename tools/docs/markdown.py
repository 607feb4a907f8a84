"""Small pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Written by `make docs` from the code and {sources}; edit those, not this page. -->"


def notice(*sources: str) -> str:
    return NOTICE.format(sources=" and ".join(sources))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_line(header), _line(["---"] * len(header))]
    lines.extend(_line(row) for row in rows)
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def code(text: str) -> str:
    """Inline code; empty stays empty."""
    return f"`{text}`" if text else ""


def fenced(text: str, language: str = "text") -> str:
    return f"```{language}\n{text.strip(chr(10))}\n```"


def page(*blocks: str) -> str:
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"
