import json

import pytest

from headrace.cli.demo.pagila.places import LOG
from headrace.cli.demo.pagila.topics import Message, TopicReader, latest, payload, replayed
from headrace.testing.topics import create_topic, produce


def test_only_the_payload_counts():
    assert payload(b'{"schema": {"type": "int32"}, "payload": 100}') == 100
    assert payload(b'{"schema": null, "payload": null}') is None
    assert payload(b'{"district": "East"}') == {"district": "East"}
    assert payload(None) is None


def test_the_last_row_of_a_key_wins():
    rows = [{"id": 1, "n": 1}, {"id": 2, "n": 1}, {"id": 1, "n": 2}]
    messages = [*(Message(None, row) for row in rows), Message(1, None)]
    assert latest(messages, "id") == {1: rows[2], 2: rows[1]}


def test_a_log_makes_the_table_it_comes_from(world):
    table, deleted = replayed(world.messages()[LOG], "address_id")
    assert table == world.after.tables["address"]
    assert deleted == {104}


def test_a_row_that_came_back_is_not_deleted():
    events = [
        {"op": "c", "before": None, "after": {"id": 1}},
        {"op": "d", "before": {"id": 1}, "after": None},
        {"op": "c", "before": None, "after": {"id": 1}},
    ]
    assert replayed([Message(1, event) for event in events], "id") == ({1: {"id": 1}}, set())


@pytest.mark.services
def test_topics_are_read_to_their_end_again_and_again(kafka_broker):
    servers = kafka_broker.bootstrap_servers
    reader = TopicReader(servers)
    try:
        assert reader.ends(["pagila-reader"]) == {"pagila-reader": 0}
        create_topic(servers, "pagila-reader")
        create_topic(servers, "pagila-other")
        assert reader.read(["pagila-reader", "nowhere"]) == {"pagila-reader": [], "nowhere": []}
        records = [(json.dumps({"payload": n}), json.dumps({"payload": {"id": n}})) for n in (1, 2)]
        produce(servers, "pagila-reader", [*records, (records[0][0], None)])
        produce(servers, "pagila-other", records[1:])
        assert reader.ends(["pagila-reader"]) == {"pagila-reader": 3}
        for _ in range(2):
            assert reader.read(["pagila-reader", "pagila-other"]) == {
                "pagila-reader": [Message(1, {"id": 1}), Message(2, {"id": 2}), Message(1, None)],
                "pagila-other": [Message(2, {"id": 2})],
            }
    finally:
        reader.close()
