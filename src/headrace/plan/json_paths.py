"""JSON paths as they are written, in the steps that `headrace.functions.JsonPaths` takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from headrace.errors import UnsupportedSql

_QUOTED = r"""\s*(?:'[^'\t\n]*'|"[^"\t\n]*")\s*"""
_STEP = re.compile(
    rf"""\.(?P<call>\w+)\(\s*\) | \.\.(?P<deep>\w+|\*) | \.(?P<name>[\w-]+) | \.?\[(?P<quoted>{_QUOTED}(?:,{_QUOTED})*)\]
    | \[\s*(?P<index>-?\d+(?:\s*,\s*-?\d+)*)\s*\] | \[\s*(?P<slice>(?:-?\d+)?:(?:-?\d+)?)\s*\] | (?P<all>\.\*|\[\s*\*\s*\])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Path:
    """`text` has a step per line; `several` says that it may find more than one value."""

    text: str
    mode: str
    several: bool

    @property
    def fault(self) -> str:
        """The clause that says what is given where nothing is found: only a lax path calls that empty."""
        return "ON EMPTY" if self.mode == "lax" else "ON ERROR"


def read_path(written: str) -> Path:
    """`lax $.a['b'][0]`, with wildcards, lists and parts of arrays; filters and most functions do not run."""
    mode, dollar, rest = written.strip().partition("$")
    mode = mode.strip().lower()
    if not dollar or mode not in ("", "lax", "strict"):
        raise _unsupported(written)
    steps, place = [], 0
    while place < len(rest):
        step = _STEP.match(rest, place)
        if step is None or step["call"] not in (None, *_CALLS):
            raise _unsupported(written)
        steps.append(_READERS[step.lastgroup or ""](step[step.lastgroup or ""]))
        place = step.end()
    several = any(_finds_several(step) for step in steps)
    if several and "(" in steps:
        raise _unsupported(written)
    return Path("\n".join(steps), mode, several)


def _texts(quoted: str) -> str:
    return "." + "\t".join(part.strip()[1:-1] for part in re.findall(_QUOTED, quoted))


_CALLS = {"length": "(", "size": "(", "first": "#0", "last": "#-1"}
# What each kind of step is in a line of its own.
_READERS: dict[str, Callable[[str], str]] = {
    "call": lambda name: _CALLS[name],
    "deep": lambda name: "^" + name.replace("*", ""),
    "name": lambda name: "." + name,
    "quoted": _texts,
    "index": lambda places: "#" + "\t".join(re.findall(r"-?\d+", places)),
    "slice": lambda ends: ":" + ends,
    "all": lambda _star: "*",
}


def _finds_several(step: str) -> bool:
    return step[0] in "*^:" or "\t" in step


def _unsupported(written: str) -> UnsupportedSql:
    return UnsupportedSql(
        "this JSON path is not supported",
        found=f"'{written}'",
        expected="[lax | strict] $ followed by .name, ['name'], [index], [*], .*, ..name, [from:to] and .length()",
    )
