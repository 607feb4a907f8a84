from __future__ import annotations

import itertools

import pytest

from headrace.connectors.kafka.read import read
from headrace.connectors.kafka.settings import settings_of
from headrace.connectors.kafka.startup import end_place, require_topics, start_place, topics_of
from headrace.errors import EnvironmentFault
from headrace.runtime.faults import translate
from headrace.testing.topics import eventually


class Cluster:
    """Answers of a cluster with topics `orders` (3 partitions) and `other` (1)."""

    servers = "broker:9092"

    def topics(self, pattern=".*"):
        return [name for name in ("orders", "other") if pattern in (".*", name)]

    def partitions(self, topics):
        return {name: count for name, count in {"orders": 3, "other": 1}.items() if name in topics}


def start(table):
    return start_place(settings_of(table))


def end(table):
    return end_place(settings_of(table))


def test_the_places_that_need_nothing_else(kafka_table, upsert_table):
    assert start(kafka_table()) == {"at": "earliest"}
    assert start(upsert_table()) == {"at": "earliest"}
    for make in (kafka_table, upsert_table):
        assert start(make({"scan.startup.mode": "latest-offset"})) == {"at": "latest"}
        assert end(make({"scan.bounded.mode": "latest-offset"})) == {"at": "latest"}
        assert end(make()) is None
        assert end(make({"scan.bounded.mode": "unbounded"})) is None


@pytest.mark.parametrize(("kind", "place"), [("startup", start), ("bounded", end)])
def test_a_time(kafka_table, upsert_table, kind, place):
    options = {f"scan.{kind}.mode": "timestamp", f"scan.{kind}.timestamp-millis": "1234"}
    for make in (kafka_table, upsert_table):
        assert place(make(options)) == {"at": "timestamp", "millis": 1234}


@pytest.mark.parametrize("group", [None, "g"])
@pytest.mark.parametrize(("kind", "place"), [("startup", start), ("bounded", end)])
def test_offsets_and_whose_commits_count_for_the_rest(
    kafka_table, upsert_table, kind, place, group
):
    options = {
        f"scan.{kind}.mode": "specific-offsets",
        f"scan.{kind}.specific-offsets": "partition:0,offset:42;partition:2,offset:7",
        "properties.group.id": group,
    }
    for make in (kafka_table, upsert_table):
        assert place(make(options)) == {"at": "offsets", "offsets": {0: 42, 2: 7}, "group": group}


GROUP = {"scan.startup.mode": "group-offsets", "properties.group.id": "g"}


@pytest.mark.parametrize(
    ("reset", "otherwise"),
    [("earliest", "earliest"), ("LATEST", "latest"), ("none", "none"), (None, "none")],
)
def test_a_group_and_what_stands_in_for_its_commit(kafka_table, upsert_table, reset, otherwise):
    for make in (kafka_table, upsert_table):
        made = make(GROUP | {"properties.auto.offset.reset": reset})
        assert start(made) == {"at": "committed", "group": "g", "otherwise": otherwise}


def test_an_end_at_the_groups_offsets_has_no_stand_in(kafka_table):
    options = {
        "scan.bounded.mode": "group-offsets",
        "properties.group.id": "g",
        "properties.auto.offset.reset": "earliest",
    }
    assert end(kafka_table(options)) == {"at": "committed", "group": "g", "otherwise": "none"}


def test_a_missing_topic_is_named(kafka_table):
    for topic in ("ordres", "orders;ordres"):
        with pytest.raises(EnvironmentFault, match="topic 'ordres' does not exist") as caught:
            require_topics(settings_of(kafka_table({"topic": topic})), Cluster())
        assert caught.value.where == "broker:9092"
        assert caught.value.cure == "did you mean 'orders'?"
    require_topics(settings_of(kafka_table({"topic": "orders;other"})), Cluster())


def test_a_pattern_is_left_to_the_cluster_and_may_match_nothing_yet(kafka_table):
    made = settings_of(kafka_table({"topic": None, "topic-pattern": "orders"}))
    assert topics_of(made, Cluster()) == ["orders"]
    nothing = settings_of(kafka_table({"topic": None, "topic-pattern": "x.*"}))
    require_topics(nothing, Cluster())
    assert topics_of(nothing, Cluster()) == []
    listed = settings_of(kafka_table({"topic": "other; orders"}))
    assert topics_of(listed, Cluster()) == ["other", "orders"]


@pytest.mark.spark
@pytest.mark.services
class TestOnARealBroker:
    """Of three partitions the first holds the ids 0 to 9, the second 100 to 104, the last nothing; the n-th record of
    each is of n seconds after the beginning of time. Group `some` has come to 6 and 4, group `all` also to 0."""

    FIRST, SECOND = list(range(10)), list(range(100, 105))

    @pytest.fixture
    def ids(
        self,
        spark,
        kafka_table,
        upsert_table,
        served,
        topic,
        create_topic,
        produce,
        run_to_end,
        commit,
    ):
        create_topic(
            topic, 3, retention_ms="-1"
        )  # the records are older than any other would allow
        for number, names in enumerate((self.FIRST, self.SECOND)):
            records = (
                {
                    "key": f'{{"id": {name}}}',
                    "value": f'{{"id": {name}}}',
                    "timestamp": 1000 * (place + 1),
                    "partition": number,
                }
                for place, name in enumerate(names)
            )
            produce(topic, *records)
        commit(f"some-{topic}", topic, {0: 6, 1: 4})
        commit(f"all-{topic}", topic, {0: 6, 1: 4, 2: 0})
        commit(f"wrong-{topic}", topic, {0: 99, 1: 4, 2: 0})
        runs = itertools.count()

        def read_ids(options, make=kafka_table):
            if "properties.group.id" in options:
                options = options | {
                    "properties.group.id": f"{options['properties.group.id']}-{topic}",
                    "properties.commit.offsets.on.checkpoint": "false",
                }
            rows = run_to_end(read(spark, make(served | options), ["id"]), f"run-{next(runs)}")
            return sorted(row["id"] for row in rows)

        read_ids.upsert = upsert_table
        return read_ids

    def test_every_way_to_start(self, ids):
        def start(mode, value=None, **more):
            names = {"timestamp": "timestamp-millis", "specific-offsets": "specific-offsets"}
            given = {} if value is None else {f"scan.startup.{names[mode]}": value}
            properties = {f"properties.{key.replace('_', '.')}": v for key, v in more.items()}
            return {"scan.startup.mode": mode} | given | properties

        first, second = self.FIRST, self.SECOND
        cases = [
            (start("earliest-offset"), first + second),
            (start("latest-offset"), []),
            (start("timestamp", "4500"), first[4:] + second[4:]),
            (start("timestamp", "99999"), []),
            (start("specific-offsets", "partition:0,offset:8"), first[8:] + second),
            (
                start("specific-offsets", "partition:0,offset:8", group_id="some"),
                first[8:] + second[4:],
            ),
            # An offset that the topic does not hold is its beginning.
            (
                start("specific-offsets", "partition:0,offset:99;partition:1,offset:4"),
                first + second[4:],
            ),
            (start("group-offsets", group_id="all"), first[6:] + second[4:]),
            (
                start("group-offsets", group_id="some", auto_offset_reset="latest"),
                first[6:] + second[4:],
            ),
            (
                start("group-offsets", group_id="none", auto_offset_reset="earliest"),
                first + second,
            ),
            (start("group-offsets", group_id="none", auto_offset_reset="latest"), []),
            # A commit that the topic does not hold is none.
            (
                start("group-offsets", group_id="wrong", auto_offset_reset="earliest"),
                first + second[4:],
            ),
        ]
        for options, expected in cases:
            assert ids(options) == expected, options
        for options, expected in (cases[1], cases[3], cases[5]):
            assert ids(options, ids.upsert) == expected, options

    def test_every_way_to_end(self, ids):
        def end(mode, value=None, **more):
            names = {"timestamp": "timestamp-millis", "specific-offsets": "specific-offsets"}
            given = {} if value is None else {f"scan.bounded.{names[mode]}": value}
            return {"scan.bounded.mode": mode} | given | more

        first, second = self.FIRST, self.SECOND
        late = {
            "scan.startup.mode": "specific-offsets",
            "scan.startup.specific-offsets": "partition:0,offset:99;partition:1,offset:3",
        }
        cases = [
            (end("latest-offset"), first + second),
            (end("timestamp", "3500"), first[:3] + second[:3]),
            (end("timestamp", "99999"), first + second),
            (end("group-offsets", **{"properties.group.id": "all"}), first[:6] + second[:4]),
            (end("specific-offsets", "partition:0,offset:3"), first[:3]),
            (
                end(
                    "specific-offsets",
                    "partition:0,offset:3",
                    **{"properties.group.id": "some"},
                ),
                first[:3] + second[:4],
            ),
            # A start after the end is an empty answer.
            (end("specific-offsets", "partition:0,offset:3;partition:1,offset:2", **late), []),
            (end("specific-offsets", "partition:1,offset:4", **late), second[3:4]),
        ]
        for options, expected in cases:
            assert ids(options) == expected, options
        for options, expected in (cases[1], cases[3], cases[7]):
            assert ids(options, ids.upsert) == expected, options

    @pytest.mark.parametrize("kind", ["startup", "bounded"])
    def test_a_group_without_a_commit_is_named(self, ids, topic, kind):
        with pytest.raises(Exception, match="NEVER_COMMITTED") as caught:
            ids({f"scan.{kind}.mode": "group-offsets", "properties.group.id": "some"})
        fault = translate(caught.value)
        assert fault.condition == "NO_COMMITTED_OFFSET"
        assert f"group 'some-{topic}'" in fault.summary
        assert f"topic '{topic}', partition 2" in fault.summary

    def test_an_end_is_kept_over_restarts(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(topic, {"value": '{"id": 1}'})
        made = kafka_table(served | {"scan.bounded.mode": "latest-offset"})
        assert run_to_end(read(spark, made, ["id"])) == [(1, 1)]
        produce(topic, {"value": '{"id": 2}'})
        assert run_to_end(read(spark, made, ["id"])) == []

    def test_an_end_that_is_yet_to_come_is_waited_for(
        self, spark, kafka_table, served, topic, create_topic, produce, running
    ):
        create_topic(topic)
        produce(topic, {"value": '{"id": 1}'})
        ends = {
            "scan.bounded.mode": "specific-offsets",
            "scan.bounded.specific-offsets": "partition:0,offset:2",
        }
        query, rows = running(read(spark, kafka_table(served | ends), ["id"]), availableNow=True)
        eventually(lambda: len(rows), lambda count: count == 1)
        produce(topic, {"value": '{"id": 2}'}, {"value": '{"id": 3}'})
        assert query.awaitTermination(60)
        assert rows == [(1, 1), (2, 1)]

    def test_a_job_that_waits_for_its_end_can_be_stopped(
        self, spark, kafka_table, served, topic, create_topic, running
    ):
        create_topic(topic)
        ends = {
            "scan.bounded.mode": "specific-offsets",
            "scan.bounded.specific-offsets": "partition:0,offset:2",
        }
        query, _ = running(read(spark, kafka_table(served | ends), ["id"]), availableNow=True)
        query.stop()
        assert query.exception() is None
