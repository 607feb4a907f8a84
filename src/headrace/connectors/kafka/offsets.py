"""The text form of offsets in options: `partition:0,offset:42;partition:1,offset:300`."""

from __future__ import annotations

import re

_ENTRY = re.compile(r"partition:([+-]?[0-9]+),offset:([+-]?[0-9]+)")
FORM = "partition:0,offset:42;partition:1,offset:300"

# What Java can hold in the two numbers.
_LAST_PARTITION, _LAST_OFFSET = 2**31 - 1, 2**63 - 1


def parse_offsets(text: str) -> dict[int, int]:
    """Offsets by partition; ValueError for anything but the form above, blanks included."""
    offsets: dict[int, int] = {}
    for entry in text.removesuffix(";").split(";"):
        match = _ENTRY.fullmatch(entry)
        if match is None or int(match[1]) > _LAST_PARTITION or int(match[2]) > _LAST_OFFSET:
            raise ValueError(FORM)
        offsets[int(match[1])] = int(match[2])
    return offsets
