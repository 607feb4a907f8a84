import json
import re

import pytest

from headrace.connectors.kafka import reconcile
from headrace.connectors.kafka.settings import settings_of
from headrace.types import BIGINT, STRING

# First and next offset of each partition.
TOPICS = {"orders": ({0: 2, 1: 0}, {0: 5, 1: 0}), "empty": ({0: 3}, {0: 3})}


class Admin:
    """A broker that knows the offsets it is told."""

    def __init__(self, session, properties):
        self.servers = properties["bootstrap.servers"]

    def topics(self, pattern):
        return [topic for topic in sorted(TOPICS) if re.fullmatch(pattern, topic)]

    def earliest_offsets(self, topics):
        return {topic: TOPICS[topic][0] for topic in topics}

    def latest_offsets(self, topics):
        return {topic: TOPICS[topic][1] for topic in topics}


@pytest.fixture(autouse=True)
def broker(monkeypatch):
    monkeypatch.setattr(reconcile, "KafkaAdmin", Admin)


def test_ends_are_those_of_all_partitions_of_a_topic_with_records(upsert_table):
    found = reconcile.existing(None, settings_of(upsert_table({"topic": "orders"})))
    assert found == {"0": 5, "1": 0}
    assert json.loads(json.dumps(found)) == found


def test_a_topic_whose_records_are_all_gone_holds_nothing(upsert_table):
    assert reconcile.existing(None, settings_of(upsert_table({"topic": "empty"}))) == {}


def test_a_table_may_say_to_leave_its_rows_alone(upsert_table):
    options = {"topic": "orders", "headrace.sink.reconcile": "false"}
    assert reconcile.existing(None, settings_of(upsert_table(options))) == {}


def test_topics_that_rows_choose_are_left_alone(upsert_table):
    for options in ({"topic": "orders;empty"}, {"topic": None, "topic-pattern": "o.*"}):
        assert reconcile.existing(None, settings_of(upsert_table(options))) == {}


@pytest.mark.parametrize(
    ("options", "empty"),
    [
        ({"topic": "empty"}, True),
        ({"topic": "orders"}, False),
        ({"topic": "empty;orders"}, False),
        ({"topic": None, "topic-pattern": "e.*"}, True),
        ({"topic": None, "topic-pattern": ".*"}, False),
    ],
)
def test_a_source_is_empty_when_all_its_topics_are(kafka_table, options, empty):
    assert reconcile.is_empty(None, settings_of(kafka_table(options))) is empty


@pytest.mark.parametrize(
    ("mode", "replayed"),
    [("earliest-offset", True), ("latest-offset", False), ("timestamp", False)],
)
def test_a_source_is_replayed_when_it_starts_at_the_first_record(kafka_table, mode, replayed):
    options = {"scan.startup.mode": mode, "scan.startup.timestamp-millis": "1"}
    assert reconcile.is_replayed(settings_of(kafka_table(options))) is replayed


def test_an_upsert_topic_is_always_replayed(upsert_table):
    assert reconcile.is_replayed(settings_of(upsert_table()))


def test_the_writer_is_told_the_topic_its_end_and_the_form_of_its_keys(upsert_table):
    table = upsert_table(
        {"properties.sasl.mechanism": "PLAIN", "key.fields-prefix": "k_"},
        {"name": STRING, "k_id": BIGINT, "k_kind": STRING},
        primary_key=["k_kind", "k_id"],
    )
    spec = json.loads(reconcile.specification(settings_of(table), {"0": 5}))
    options = spec["options"]
    assert options["subscribe"] == "orders"
    assert json.loads(options["endingOffsets"]) == {"orders": {"0": 5}}
    assert options["startingOffsets"] == "earliest"
    assert options["kafka.sasl.mechanism"] == "PLAIN"
    fields = spec["key"]["fields"]
    # In the key's own order, under the names inside the format, each with a cell to be read into.
    assert [(field["name"], field["cell"]) for field in fields] == [
        (name, cell) for cell, name in enumerate(name.removeprefix("k_") for name in keys_of(table))
    ]


def keys_of(table):
    return [name for name, _, _ in settings_of(table).key.columns]


def test_only_what_was_found_is_told(upsert_table):
    class Writer:
        def __init__(self, strange=0, deleted=0):
            self.found = (strange, deleted)

        def takeStrangeKeys(self):
            return self.found[0]

        def takeDeletedKeys(self):
            return self.found[1]

    settings = settings_of(upsert_table())
    assert list(reconcile.notices(settings, Writer())) == []
    (line,) = reconcile.notices(settings, Writer(deleted=1))
    assert line == (
        "deleted 1 key of topic 'orders' that the answer lacks; 'headrace.sink.reconcile' = 'false' keeps such keys"
    )
    (line, _) = reconcile.notices(settings, Writer(12, 2))
    assert line.startswith("topic 'orders' holds 12 keys that this table cannot have")
