"""What the formats of changes share: where metadata is found, what stands around a row, and what is refused."""

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import UserError
from headrace.formats import format_named
from headrace.formats.changelog import (
    ChangelogFormat,
    Envelope,
    before_and_after,
    instant_key,
    text_key,
    value_key,
)
from headrace.formats.codec import part_spec

CHANGES = ("debezium-json", "canal-json", "maxwell-json", "ogg-json")
SHARED = (
    "ignore-parse-errors",
    "timestamp-format.standard",
    "map-null-key.mode",
    "map-null-key.literal",
    "encode.decimal-as-plain-number",
    "encode.ignore-null-fields",
)
ROW = {"id": t.INT.not_null(), "name": t.STRING}


def options(name, **given):
    named = {key.replace("__", ".").replace("_", "-"): text for key, text in given.items()}
    return parse_options(format_named(name).declared, named, owner=f"format '{name}'")


def envelope(name, **given):
    format = format_named(name)
    assert isinstance(format, ChangelogFormat)
    return format.envelope(options(name, **given))


@pytest.mark.parametrize("name", CHANGES)
def test_all_take_the_options_of_json(name):
    declared = {option.name for option in format_named(name).declared}
    assert declared >= set(SHARED)
    assert "fail-on-missing-field" not in declared


@pytest.mark.parametrize("name", CHANGES)
def test_options_without_a_value_are_told_as_nothing(name):
    spec = format_named(name).spec(options(name))
    assert spec["ignore-parse-errors"] is False
    assert spec.get("table.include") is None


@pytest.mark.parametrize("name", CHANGES)
def test_map_keys_must_be_text(name):
    with pytest.raises(UserError, match=f"format '{name}' cannot carry column 'm'"):
        format_named(name).validate(t.row(m=t.map_of(t.INT, t.INT)), options(name), "value")


def test_a_name_of_the_origin_is_the_same_in_all_changes_of_a_row():
    key = text_key("source", "Table of the row.", "table", "collection")
    assert (key.type, key.constant, key.writable) == (t.STRING, True, False)
    assert key.spec(4) == {
        "cell": 4,
        "field": "source",
        "inside": ["table", "collection"],
        "outside": False,
        "type": {"kind": "STRING", "nullable": True},
        "as": "value",
    }


def test_an_instant_is_counted_in_the_message_and_a_timestamp_in_the_table():
    key = instant_key("ts", "When.", reading="seconds")
    assert (key.type, key.constant) == (t.timestamp_ltz(3), False)
    assert key.spec(0)["type"]["kind"] == "BIGINT"
    assert key.spec(0)["as"] == "seconds"


def test_other_values_are_read_as_what_they_are():
    key = value_key(t.array(t.STRING), "pkNames", "Key columns.")
    assert key.written == key.type == t.array(t.STRING)
    assert key.spec(1)["as"] == "value"


@pytest.mark.parametrize("name", CHANGES)
def test_every_key_is_explained_nullable_and_read_only(name):
    for key in format_named(name).metadata(options(name)).values():
        assert key.doc.endswith(".")
        assert key.type.nullable
        assert not key.writable


@pytest.mark.parametrize(
    ("without_nulls", "added", "removed"),
    [
        (False, '{"before":null,"after":ROW,"op":"c"}', '{"before":ROW,"after":null,"op":"d"}'),
        (True, '{"after":ROW,"op":"c"}', '{"before":ROW,"op":"d"}'),
    ],
)
def test_both_rows_or_the_one_that_is_there(without_nulls, added, removed):
    made = before_and_after("op", "c", "d", without_nulls)
    assert "ROW".join(made.added) == added
    assert "ROW".join(made.removed) == removed


def test_the_specification_tells_what_stands_around_a_row(use):
    spec = part_spec(use("maxwell-json", ROW), "value")
    assert (
        spec["envelope"]
        == Envelope(('{"data":', ',"type":"insert"}'), ('{"data":', ',"type":"delete"}')).spec()
    )
    assert "envelope" not in part_spec(use("json", ROW), "value")


@pytest.mark.parametrize(
    ("name", "added", "removed"),
    [
        ("debezium-json", '{"before":null,"after":R,"op":"c"}', '{"before":R,"after":null,"op":"d"}'),
        ("canal-json", '{"data":[R],"type":"INSERT"}', '{"data":[R],"type":"DELETE"}'),
        ("maxwell-json", '{"data":R,"type":"insert"}', '{"data":R,"type":"delete"}'),
        ("ogg-json", '{"before":null,"after":R,"op_type":"I"}', '{"before":R,"after":null,"op_type":"D"}'),
    ],
)  # fmt: skip
def test_messages_are_flinks(name, added, removed):
    made = envelope(name)
    assert "R".join(made.added) == added
    assert "R".join(made.removed) == removed


@pytest.mark.parametrize("name", ["canal-json", "maxwell-json"])
def test_messages_without_nulls_of_their_own_stay_as_they_are(name):
    assert envelope(name, encode__ignore_null_fields="true") == envelope(name)


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.spark
class TestAnyFormat:
    def test_no_value_and_no_bytes_are_no_change(self, bench, use, name):
        assert bench.changes(use(name, ROW), None, b"") == []
        assert bench.changes(use(name, ROW), None, b"", keyed=["id"]) == []

    def test_what_is_no_message_is_an_error_or_passed_by(self, bench, use, name):
        ignoring = use(name, ROW, {"ignore-parse-errors": "true"})
        texts = ["null", "7", "[]", "{}", '{"data"', "not json"]
        assert bench.changes(ignoring, *texts) == []
        assert "a message is a JSON object, not null" in bench.failure(use(name, ROW), "null").found
        assert "not an array" in bench.failure(use(name, ROW), "[]").found
        assert bench.failure(use(name, ROW), "{}").found == "the field is missing"


# What is done to the row of a key: it gets this name, or goes. The key may change with the name.
steps = st.lists(
    st.tuples(
        st.integers(1, 4), st.none() | st.sampled_from(["a", "b", None, "é"]), st.integers(1, 4)
    ),
    max_size=25,
)


def history(steps):
    """The (before, after) rows of a table's changes, and the table at their end."""
    table, changes = {}, []
    for key, name, moved in steps:
        before = table.pop(key, None)
        if name is None and before is not None:
            changes.append((before, None))
            continue
        free = moved if before is not None and moved not in table else key
        after = {"id": free, "name": name}
        table[free] = after
        changes.append((before, after))
    return changes, Counter((row["id"], row["name"]) for row in table.values())


def what_changed(before, after):
    return {name: value for name, value in before.items() if after[name] != value}


def both_rows(field, words):
    def message(before, after):
        word = words[0 if before is None else 2 if after is None else 1]
        return {field: word, "before": before, "after": after}

    return message


def old_values(words, several):
    def message(before, after):
        word = words[0 if before is None else 2 if after is None else 1]
        told = {"type": word, "data": after or before}
        if before and after:
            told["old"] = what_changed(before, after)
        return told | {name: [told[name]] for name in ("data", "old") if several and name in told}

    return message


MESSAGES = {
    "debezium-json": both_rows("op", "cud"),
    "ogg-json": both_rows("op_type", "IUD"),
    "canal-json": old_values(("INSERT", "UPDATE", "DELETE"), several=True),
    "maxwell-json": old_values(("insert", "update", "delete"), several=False),
}


def rows_of(decoder, messages):
    for message in messages:
        for row in decoder.rows(None, json.dumps(message).encode()):
            name = None if row.isNullAt(1) else row.getUTF8String(1).toString()
            yield row.getInt(0), name, row.getLong(2)


@given(steps)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@pytest.mark.spark
def test_any_history_adds_up_to_the_table_in_every_format(bench, use, steps):
    changes, table = history(steps)
    for name, message in MESSAGES.items():
        messages = [message(before, after) for before, after in changes]
        total = Counter()
        for *row, weight in rows_of(bench.decoder(use(name, ROW)), messages):
            total[tuple(row)] += weight
        assert {row: count for row, count in total.items() if count} == table
        keyed, by_key = bench.decoder(use(name, ROW), keyed=["id"]), {}
        for number, name_now, weight in rows_of(keyed, messages):
            by_key.pop(number, None)
            if weight > 0:
                by_key[number] = name_now
        assert Counter(by_key.items()) == table
