import pytest

from headrace.cli.demo.pagila.districts import (
    TOPIC,
    ChangedCount,
    DistrictQuery,
    changed_counts,
    counted,
    table_of,
)
from headrace.cli.demo.pagila.topics import Message
from headrace.sql.statements import Insert


def rows(**counts):
    return {name: {"district": name, "addresses": count} for name, count in counts.items()}


def test_counts_are_those_of_the_rows(world):
    addresses = world.after.tables["address"]
    addresses[101] = {**addresses[101], "district": "West"}
    assert counted(addresses) == rows(East=3, West=1)


def test_a_tombstone_deletes_a_district():
    east, west = ({"district": name} for name in ("East", "West"))
    messages = [Message(east, {**east, "addresses": n}) for n in (2, 1)]
    assert table_of([*messages, Message(west, {**west, "addresses": 1}), Message(west, None)]) == (
        rows(East=1)
    )


def test_districts_that_appear_or_disappear_have_changed():
    before, after = rows(East=2, North=1, West=1), rows(East=2, South=1, West=2)
    assert changed_counts(before, after, rows(East=2, South=1, West=1)) == [
        ChangedCount("North", 1, 0, 0),
        ChangedCount("South", 0, 1, 1),
        ChangedCount("West", 1, 2, 1),
    ]


def test_the_script_writes_to_the_topic_that_is_compared(tmp_path):
    query = DistrictQuery("broker:9092", tmp_path)
    *tables, insert = query._statements
    options = {entry.key: entry.value for entry in tables[-1].options}
    assert isinstance(insert, Insert)
    assert (options["topic"], options["properties.bootstrap.servers"]) == (TOPIC, "broker:9092")
    assert query.text.startswith("INSERT INTO addresses_per_district")


@pytest.mark.parametrize("count", [3, 5])
def test_a_wrong_count_is_a_difference(world, count):
    from headrace.cli.demo.pagila.run import count_check

    messages = world.messages()
    assert count_check(world.after, messages).equal
    messages[TOPIC].append(Message({"district": "East"}, {"district": "East", "addresses": count}))
    assert count_check(world.after, messages).different == 1
