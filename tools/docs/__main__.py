"""`python -m tools.docs`: writes the pages; with --check only says which of them are out of date."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from tools.docs import cli, compatibility, errors, transforms
from tools.docs.proofs import ROOT

PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": cli.render,
    "compatibility.md": compatibility.render,
    "errors.md": errors.render,
    "transforms.md": transforms.render,
}


def main(arguments: Sequence[str]) -> int:
    stale = outdated()
    if "--check" in arguments:
        sys.stderr.writelines(f"docs/{name} is out of date: run make docs\n" for name in stale)
        return 1 if stale else 0
    for name in stale:
        (ROOT / "docs" / name).write_text(PAGES[name]())
        sys.stdout.write(f"wrote docs/{name}\n")
    return 0


def outdated() -> list[str]:
    """Pages that differ from what the code says now, or are not there."""
    return [name for name, render in PAGES.items() if _stored(name) != render()]


def _stored(name: str) -> str | None:
    file = ROOT / "docs" / name
    return file.read_text() if file.is_file() else None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
