from __future__ import annotations

from headrace.connect.regex.faults import MalformedRegex, UntranslatableRegex


def test_one_except_catches_both_and_neither_is_the_other():
    assert issubclass(MalformedRegex, ValueError)
    assert issubclass(UntranslatableRegex, ValueError)
    assert not issubclass(UntranslatableRegex, MalformedRegex)
