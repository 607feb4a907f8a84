"""How records of one batch are told apart by their schemas."""

from headrace.connect.converters.batches import groups


def test_nulls_go_with_a_schema_that_agrees():
    found = [("k", None), (None, None), ("k", "v"), ("k", "w"), ("l", None)]
    assert groups(found) == {
        ("k", "v"): [("k", "v"), ("k", None), (None, None)],
        ("k", "w"): [("k", "w")],
        ("l", None): [("l", None)],
    }


def test_tombstones_alone_are_a_batch():
    assert groups([(None, None)]) == {(None, None): [(None, None)]}
    assert groups([]) == {}
