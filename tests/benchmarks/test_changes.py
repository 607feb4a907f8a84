from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.changes import ChangeLog, draw


def log_of(*changes: tuple[int, bool]) -> ChangeLog:
    keys = np.array([key for key, _ in changes], dtype=np.int64)
    first = np.array([key not in keys[:i].tolist() for i, key in enumerate(keys.tolist())])
    return ChangeLog(keys, np.array([deletes for _, deletes in changes]), first)


@pytest.fixture(scope="module")
def drawn() -> ChangeLog:
    return draw(np.random.default_rng(7), 20_000, 5_000, delete_share=0.05)


def test_every_key_occurs(drawn: ChangeLog):
    assert len(drawn) == 20_000
    assert set(drawn.keys.tolist()) == set(range(5_000))


def test_the_first_change_of_a_key_is_marked_once(drawn: ChangeLog):
    assert drawn.first.sum() == 5_000
    seen: set[int] = set()
    for key, first in zip(drawn.keys.tolist(), drawn.first.tolist(), strict=True):
        assert first == (key not in seen)
        seen.add(key)


def test_first_changes_never_delete(drawn: ChangeLog):
    assert not (drawn.first & drawn.deletes).any()


def test_the_share_of_deletes_is_of_all_changes(drawn: ChangeLog):
    # Four standard deviations of 15,000 draws.
    assert abs(drawn.deletes.mean() - 0.05) < 0.0075


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 9), st.booleans()), min_size=1
    )
)
def test_folds_agree_with_a_dictionary(changes: list[tuple[int, bool, int, bool]]):
    log = log_of(*((key, deletes) for key, deletes, _, _ in changes))
    values = np.array([value for _, _, value, _ in changes])
    renewed = np.array([flag for _, _, _, flag in changes])
    last: dict[int, tuple[int, bool]] = {}
    kept: dict[int, int] = {}
    carried = []
    for position, (key, deletes, value, flag) in enumerate(changes):
        last[key] = (position, deletes)
        kept[key] = value if flag or key not in kept else kept[key]
        carried.append(kept[key])
    assert log.live().tolist() == sorted(p for p, deletes in last.values() if not deletes)
    assert log.carried(values, renewed).tolist() == carried
