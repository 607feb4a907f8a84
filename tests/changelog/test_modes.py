import pytest

from headrace.changelog import ChangelogMode, RowKind

APPEND, UPSERT, RETRACT = ChangelogMode.append(), ChangelogMode.upsert(), ChangelogMode.retract()
UPDATES = ChangelogMode.of([RowKind.INSERT, RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER])
DELETES = ChangelogMode.of([RowKind.INSERT, RowKind.DELETE])


@pytest.mark.parametrize(
    ("mode", "is_append", "is_upsert", "is_retract"),
    [
        (APPEND, True, False, False),
        (UPSERT, False, True, False),
        (RETRACT, False, False, True),
        (UPDATES, False, False, True),
        (DELETES, False, True, False),
    ],
)
def test_a_mode_is_one_of_three(mode, is_append, is_upsert, is_retract):
    assert mode.is_append is is_append
    assert mode.is_upsert is is_upsert
    assert mode.is_retract is is_retract


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        (APPEND, "[I]"),
        (UPSERT, "[I,UA,D]"),
        (RETRACT, "[I,UB,UA,D]"),
        (UPDATES, "[I,UB,UA]"),
        (ChangelogMode.of([]), "[]"),
    ],
)
def test_text_is_flinks(mode, text):
    assert str(mode) == text


@pytest.mark.parametrize(
    ("taker", "produced", "accepted"),
    [
        (APPEND, APPEND, True),
        (APPEND, UPSERT, False),
        (UPSERT, APPEND, True),
        (UPSERT, RETRACT, False),
        (RETRACT, UPSERT, True),
        (UPSERT, DELETES, True),
    ],
)
def test_accepts(taker, produced, accepted):
    assert taker.accepts(produced) is accepted


def test_union_has_the_kinds_of_both():
    assert UPSERT.union(UPDATES) == RETRACT
    assert APPEND.union(APPEND) == APPEND


def test_row_kinds_are_what_flink_prints():
    assert [str(kind) for kind in RowKind] == ["+I", "-U", "+U", "-D"]
    assert [kind.short for kind in RowKind] == ["I", "UB", "UA", "D"]
    assert [kind.adds for kind in RowKind] == [True, False, True, False]
    assert RowKind("-D") is RowKind.DELETE
