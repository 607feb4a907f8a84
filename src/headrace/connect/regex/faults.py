"""Why an expression is not understood."""

from __future__ import annotations


class MalformedRegex(ValueError):
    """No expression of Java's."""


class UntranslatableRegex(ValueError):
    """Java has it, `re` has nothing that means the same."""
