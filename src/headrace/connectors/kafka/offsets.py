"""The text form of offsets in options: `partition:0,offset:42;partition:1,offset:300`."""

from __future__ import annotations

import re

_ENTRY = re.compile(r"\s*partition:(\d+)\s*,\s*offset:(\d+)\s*")
FORM = "partition:0,offset:42;partition:1,offset:300"


def parse_offsets(text: str) -> dict[int, int]:
    """Offsets by partition; ValueError for anything but the form above."""
    offsets: dict[int, int] = {}
    for entry in text.removesuffix(";").split(";"):
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise ValueError(FORM)
        offsets[int(match[1])] = int(match[2])
    return offsets
