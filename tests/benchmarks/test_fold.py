from __future__ import annotations

from benchmarks.fold import Comparison, compare, fold
from benchmarks.queries import query_named

Q2, Q3 = query_named("q2"), query_named("q3")


def test_rows_are_read_by_the_names_of_the_columns():
    values: dict[bytes, bytes | None] = {
        b'{"customer_id":7}': b'{"total":30,"customer_id":7,"cnt":2}',
        b'{"customer_id":8}': b'{"customer_id":8,"cnt":1,"total":5}',
    }
    assert fold(Q3, values) == {"7": [2, 30], "8": [1, 5]}


def test_tombstones_leave_no_row():
    assert fold(Q3, {b'{"customer_id":7}': None}) == {}


def test_text_stays_text():
    value = b'{"order_id":1,"customer_id":2,"amount":60,"status":"PAID"}'
    assert fold(Q2, {b'{"order_id":1}': value}) == {"1": [2, 60, "PAID"]}


def test_a_column_that_was_not_written_is_a_difference():
    found = fold(Q3, {b'{"customer_id":7}': b'{"customer_id":7,"cnt":2}'})
    assert found == {"7": [2, None]}
    assert compare({"7": [2, 30]}, found).different == 1


def test_equal_tables_are_exact():
    comparison = compare({"a": [1], "b": [2]}, {"b": [2], "a": [1]})
    assert comparison == Comparison(0, 0, 0, None)
    assert comparison.exact
    assert str(comparison) == "exact"


def test_missing_unexpected_and_different_rows_are_counted_apart():
    comparison = compare({"a": [1], "b": [2], "c": [3]}, {"b": [2], "c": [4], "d": [5], "e": [6]})
    assert (comparison.missing, comparison.unexpected, comparison.different) == (1, 2, 1)
    assert not comparison.exact


def test_an_example_shows_what_was_found_and_what_should_have_been():
    assert compare({"a": [1]}, {"a": [2]}).example == "a: [2] and not [1]"
    assert compare({"a": [1]}, {}).example == "a: None and not [1]"
    text = str(compare({"a": [1]}, {"a": [1], "b": [9]}))
    assert text == "0 missing, 1 unexpected, 0 different; e.g. b: [9] and not None"


def test_numbers_written_as_text_are_not_the_answer():
    assert not compare({"7": [2, 30]}, {"7": ["2", "30"]}).exact
