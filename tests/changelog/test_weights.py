from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from headrace.changelog import WEIGHT, Change, RowKind, consolidate, to_row_kinds

rows = st.tuples(st.integers(0, 3), st.sampled_from("abc"))
changes = st.lists(st.builds(Change, rows, st.integers(-2, 2)), max_size=12)


def z_set(items):
    total = Counter()
    for row, weight in items:
        total[row] += weight
    return {row: weight for row, weight in total.items() if weight}


def folded(kinds):
    return z_set((row, 1 if kind.adds else -1) for kind, row in kinds)


@given(changes)
def test_consolidate_is_the_z_set_sum(batch):
    net = consolidate(batch)
    assert dict(net) == z_set(batch)
    assert len(net) == len({change.row for change in net})
    assert all(change.weight for change in net)


@given(changes)
def test_consolidate_twice_changes_nothing_more(batch):
    assert consolidate(consolidate(batch)) == consolidate(batch)


@given(changes, changes)
def test_batches_commute(one, other):
    assert z_set(consolidate([*one, *other])) == z_set(consolidate([*other, *one]))
    assert dict(consolidate([*consolidate(one), *other])) == z_set([*one, *other])


def test_consolidate_keeps_the_order_of_first_appearance():
    batch = [Change((2,), 1), Change((1,), 1), Change((2,), 1), Change((3,), -1)]
    assert consolidate(batch) == [Change((2,), 2), Change((1,), 1), Change((3,), -1)]


@given(changes)
def test_row_kinds_without_a_key_fold_back(batch):
    assert folded(to_row_kinds(batch, None)) == z_set(batch)


@given(changes)
def test_without_a_key_there_are_no_updates_and_removals_come_first(batch):
    kinds = [kind for kind, _ in to_row_kinds(batch, None)]
    assert set(kinds) <= {RowKind.INSERT, RowKind.DELETE}
    assert kinds == sorted(kinds, key=lambda kind: kind is RowKind.INSERT)


tables = st.dictionaries(st.integers(0, 5), st.sampled_from("abc"))


@given(tables, tables)
def test_row_kinds_by_key_lead_from_the_old_table_to_the_new(old, new):
    batch = [Change(row, -1) for row in old.items()] + [Change(row, 1) for row in new.items()]
    held = dict(old)
    for kind, (key, value) in to_row_kinds(batch, (0,)):
        if kind.adds:
            assert (kind is RowKind.UPDATE_AFTER) == (key in old)
            held[key] = value
        else:
            assert (kind is RowKind.UPDATE_BEFORE) == (key in new)
            assert held[key] == value
            if kind is RowKind.DELETE:
                del held[key]
    assert held == new


@given(tables, tables)
def test_rows_that_stay_are_not_told(old, new):
    batch = [Change(row, -1) for row in old.items()] + [Change(row, 1) for row in new.items()]
    told = {key for _, (key, _) in to_row_kinds(batch, (0,))}
    assert told == {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}


def test_an_update_is_a_pair_side_by_side():
    batch = [
        Change((2, "x"), 1),
        Change((1, "new"), 1),
        Change((3, "gone"), -1),
        Change((1, "old"), -1),
    ]
    assert list(to_row_kinds(batch, (0,))) == [
        (RowKind.INSERT, (2, "x")),
        (RowKind.UPDATE_BEFORE, (1, "old")),
        (RowKind.UPDATE_AFTER, (1, "new")),
        (RowKind.DELETE, (3, "gone")),
    ]


def test_the_empty_key_is_a_table_of_one_row():
    batch = [Change((7,), 1), Change((6,), -1)]
    assert list(to_row_kinds(batch, ())) == [
        (RowKind.UPDATE_BEFORE, (6,)),
        (RowKind.UPDATE_AFTER, (7,)),
    ]


def test_multiplicities_are_repeated():
    assert list(to_row_kinds([Change(("a",), 2), Change(("b",), -3)], None)) == [
        *[(RowKind.DELETE, ("b",))] * 3,
        *[(RowKind.INSERT, ("a",))] * 2,
    ]


def test_the_weight_column_is_the_one_the_operators_know():
    assert WEIGHT == "__weight"
