"""The order in which Java's hash maps give their keys, which is that of some of Connect's answers."""

from __future__ import annotations

from collections.abc import Iterable

_SMALLEST_TABLE = 16


def java_order(names: Iterable[str], table: int = _SMALLEST_TABLE) -> list[str]:
    """Names as a HashMap that they were put into goes through them; `table` is the size that it had at first."""
    known = list(dict.fromkeys(names))
    size = table
    while len(known) * 4 > size * 3:
        size *= 2
    return sorted(known, key=lambda name: _spread(java_hash(name)) & (size - 1))


def table_of_copy(size: int) -> int:
    """The table of a HashMap that is made of a map with so many keys."""
    wanted = int(size / 0.75 + 1)
    return 1 << (wanted - 1).bit_length()


def java_hash(text: str) -> int:
    """String.hashCode, without its sign."""
    units = text.encode("utf-16-be")
    found = 0
    for at in range(0, len(units), 2):
        found = (31 * found + (units[at] << 8 | units[at + 1])) & 0xFFFFFFFF
    return found


def _spread(found: int) -> int:
    return found ^ found >> 16
