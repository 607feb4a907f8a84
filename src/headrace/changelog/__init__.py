"""The vocabulary every stage shares: row kinds, changelog modes and weights."""

from headrace.changelog.modes import ChangelogMode, RowKind
from headrace.changelog.weights import WEIGHT, Change, consolidate, to_row_kinds

__all__ = ["WEIGHT", "Change", "ChangelogMode", "RowKind", "consolidate", "to_row_kinds"]
