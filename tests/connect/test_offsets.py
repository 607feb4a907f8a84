from __future__ import annotations

import pytest

from headrace.connect import offsets as module
from headrace.connect.answers import Refusal
from headrace.connect.offsets import UnknownPlace
from headrace.connect.state import canonical
from headrace.errors import EnvironmentFault
from headrace.testing.connect_worker import MemoryGroups
from headrace.testing.topics import eventually

HEDGED = "The Connect framework-managed offsets for this connector have been"
DEFINITE = "The offsets for this connector have been"


@pytest.fixture
def groups():
    return MemoryGroups()


@pytest.fixture
def api(make_api, groups):
    return make_api(groups=groups)


@pytest.fixture
def sink(api, groups):
    """A stopped sink that has read two partitions."""
    groups.groups["connect-collector"] = {("a", 1): 20, ("a", 0): 10}
    api.sink()
    api.ok("PUT", "/connectors/collector/stop")
    return api.worker.offsets


def change(offset: object, topic: object = "a", partition: object = 0):
    return {"kafka_topic": topic, "kafka_partition": partition}, offset


class TestSink:
    def test_the_group_s_offsets_are_shown(self, sink):
        assert sink.read("collector") == {
            "offsets": [
                {"partition": change(0)[0], "offset": {"kafka_offset": 10}},
                {"partition": change(0, partition=1)[0], "offset": {"kafka_offset": 20}},
            ]
        }

    def test_alter_one_and_reset_another(self, sink, groups):
        answer = sink.alter("collector", [change({"kafka_offset": 5}), change(None, partition=1)])
        assert answer["message"].startswith(HEDGED)
        assert groups.groups["connect-collector"] == {("a", 0): 5}

    def test_numbers_may_be_text(self, sink, groups):
        sink.alter("collector", [change({"kafka_offset": "7"}, partition="1")])
        assert groups.groups["connect-collector"] == {("a", 0): 10, ("a", 1): 7}

    def test_reset(self, sink, groups):
        assert "reset successfully" in sink.reset("collector")["message"]
        assert groups.groups["connect-collector"] == {}

    def test_a_group_of_one_s_own(self, api, groups):
        groups.groups["mine"] = {("b", 0): 1}
        api.sink("other", **{"consumer.override.group.id": "mine"})
        shown = api.worker.offsets.read("other")["offsets"]
        assert shown == [{"partition": change(0, "b")[0], "offset": {"kafka_offset": 1}}]

    @pytest.mark.parametrize(
        ("partition", "offset", "message"),
        [
            (None, {}, "cannot be null or missing"),
            ({"kafka_topic": "a"}, {}, "must contain the keys"),
            (change(0, topic=None)[0], {}, "topic names must be valid strings"),
            (change(0, partition=None)[0], {}, "partitions must be valid numbers"),
            (change(0, partition="x")[0], {}, "Kafka partition value in the provided offsets: 'x'"),
            (change(0)[0], {"offset": 1}, "contain the key 'kafka_offset'"),
            (
                change(0)[0],
                {"kafka_offset": "y"},
                "Kafka offset value in the provided offsets: 'y'",
            ),
        ],
    )
    def test_what_is_no_offset(self, sink, groups, partition, offset, message):
        with pytest.raises(Refusal, match=message) as refused:
            sink.alter("collector", [(partition, offset)])
        assert refused.value.status == 400
        assert groups.groups["connect-collector"] == {("a", 1): 20, ("a", 0): 10}


class TestNowhere:
    @pytest.mark.parametrize(
        ("partition", "offset", "message"),
        [
            (0, -1, "Failed to modify offsets for sink connector collector"),
            (-1, 1, "Failed to alter consumer group offsets for connector collector"),
        ],
    )
    def test_numbers_that_no_client_would_send(self, sink, groups, partition, offset, message):
        wanted = change({"kafka_offset": offset}, partition=partition)
        with pytest.raises(Refusal, match=message) as refused:
            sink.alter("collector", [wanted])
        assert refused.value.status == 500
        assert groups.groups["connect-collector"] == {("a", 1): 20, ("a", 0): 10}

    def test_a_partition_that_there_is_not(self, sink, groups, monkeypatch):
        def replace(group, positions):
            raise UnknownPlace(group)

        monkeypatch.setattr(groups, "replace", replace)
        with pytest.raises(Refusal, match="Failed to alter consumer group offsets") as refused:
            sink.alter("collector", [change({"kafka_offset": 1})])
        assert refused.value.status == 500

    @pytest.mark.parametrize(
        ("partition", "offset", "shown"),
        [
            (0, None, "offset value in the provided offsets: 'null'"),
            (2**31, 1, f"partition value in the provided offsets: '{2**31}'"),
            (0, 2**63, f"offset value in the provided offsets: '{2**63}'"),
            (0, 1.5, "offset value in the provided offsets: '1.5'"),
        ],
    )
    def test_numbers_beyond_java_s(self, sink, partition, offset, shown):
        with pytest.raises(Refusal, match=shown) as refused:
            sink.alter("collector", [change({"kafka_offset": offset}, partition=partition)])
        assert refused.value.status == 400


class TestOwnOffsets:
    def test_a_connector_may_take_care_itself(self, api):
        api.sink(offsets="own")
        api.ok("PUT", "/connectors/collector/stop")
        answer = api.worker.offsets.reset("collector")
        assert answer == {"message": f"{DEFINITE} reset successfully"}

    def test_or_refuse(self, api):
        api.sink(offsets="refused")
        api.ok("PUT", "/connectors/collector/stop")
        with pytest.raises(Refusal, match="cannot be taken"):
            api.worker.offsets.reset("collector")


class TestSource:
    @pytest.fixture
    def source(self, api):
        api.source(count=3)
        state = api.worker.state
        eventually(lambda: state.offsets_of("counter"), bool)
        api.ok("PUT", "/connectors/counter/stop")
        return api.worker.offsets

    def test_one_partition_is_reset(self, source):
        source.alter("counter", [({"part": "1"}, {"at": 1})])
        source.alter("counter", [({"part": "0"}, None)])
        assert source.read("counter") == {
            "offsets": [{"partition": {"part": "1"}, "offset": {"at": 1}}]
        }

    def test_the_connector_goes_on_from_there(self, source, api):
        source.alter("counter", [({"part": "0"}, {"at": 100})])
        api.ok("PUT", "/connectors/counter/resume")
        eventually(
            lambda: api.worker.state.offset("counter", {"part": "0"}),
            lambda seen: seen == {"at": 103},
        )

    def test_nothing_to_alter(self, source):
        with pytest.raises(Refusal, match="need to be provided"):
            source.alter("counter", [])

    def test_tasks_that_do_not_stop_are_told(self, source, api, monkeypatch):
        monkeypatch.setattr(api.worker.runner, "settled", lambda timeout: False)
        with pytest.raises(Refusal, match="have not stopped yet") as refused:
            source.reset("counter")
        assert refused.value.status == 500


@pytest.mark.parametrize("word", ["resume", "pause"])
def test_only_of_stopped_connectors(api, word):
    api.source()
    api.ok("PUT", f"/connectors/counter/{word}")
    with pytest.raises(Refusal, match="must be in the STOPPED state") as refused:
        api.worker.offsets.reset("counter")
    assert refused.value.status == 400
    assert "/connectors/counter/stop" in refused.value.message


def test_of_an_unknown_connector(api):
    with pytest.raises(Refusal, match="Connector x not found"):
        api.worker.offsets.reset("x")


def test_names_of_a_sink_s_offsets_are_connects():
    assert (module.TOPIC, module.PARTITION, module.OFFSET) == (
        "kafka_topic",
        "kafka_partition",
        "kafka_offset",
    )


class TestNotes:
    """What a source keeps beside its offsets is nobody else's."""

    PARTITION = {"table": "t"}  # noqa: RUF012
    NOTE = {"table": "t", "headrace.marks": "1"}  # noqa: RUF012

    @pytest.fixture
    def source(self, api):
        api.source()
        eventually(lambda: api.worker.offsets.read("counter")["offsets"], bool)
        api.worker.runner.running["counter"].offsets.write(
            [(self.PARTITION, {"at": 1}), (self.NOTE, {"next": 5})]
        )
        api.ok("PUT", "/connectors/counter/stop")
        api.settle()
        return api.worker

    def shown(self, worker):
        return [entry["partition"] for entry in worker.offsets.read("counter")["offsets"]]

    def test_they_are_not_shown(self, source):
        assert self.PARTITION in self.shown(source)
        assert self.NOTE not in self.shown(source)
        assert source.state.offset("counter", self.NOTE) == {"next": 5}

    def test_an_altered_offset_forgets_its_own(self, source):
        source.offsets.alter("counter", [({"part": "0"}, {"at": 9})])
        assert source.state.offset("counter", self.NOTE) == {"next": 5}
        source.offsets.alter("counter", [(self.PARTITION, {"at": 9})])
        assert source.state.offset("counter", self.NOTE) is None
        assert source.state.offset("counter", self.PARTITION) == {"at": 9}

    def test_a_reset_forgets_all(self, source):
        source.offsets.reset("counter")
        assert source.state.offset("counter", self.NOTE) is None


class Own:
    """A connector's own topic, in memory."""

    def __init__(self) -> None:
        self.found = {}

    def write(self, changes):
        for partition, offset in changes:
            self.found[canonical(partition)] = (partition, offset)
            if offset is None:
                del self.found[canonical(partition)]


class TestOwnTopic:
    @pytest.fixture
    def own(self, api):
        own = Own()
        api.worker.runner.stores.own = lambda name, config: own if "own" in config else None
        return own

    def test_offsets_are_in_both_topics(self, api, own):
        api.source(own="1")
        eventually(
            lambda: list(own.found.values()), lambda seen: seen == [({"part": "0"}, {"at": 3})]
        )
        eventually(
            lambda: api.worker.state.offset("counter", {"part": "0"}), lambda s: s == {"at": 3}
        )

    def test_they_are_shown_altered_and_reset_in_both(self, api, own):
        api.source(own="1")
        eventually(
            lambda: api.worker.state.offset("counter", {"part": "0"}), lambda s: s == {"at": 3}
        )
        api.ok("PUT", "/connectors/counter/stop")
        offsets, state = api.worker.offsets, api.worker.state
        offsets.alter("counter", [({"part": "0"}, {"at": 7})])
        assert offsets.read("counter")["offsets"][0]["offset"] == {"at": 7}
        assert state.offset("counter", {"part": "0"}) == {"at": 7}
        offsets.reset("counter")
        assert (own.found, state.offsets_of("counter")) == ({}, [])
        assert offsets.read("counter") == {"offsets": []}

    def test_a_source_that_gets_one_goes_on_from_the_worker_s(self, api, own):
        api.source(count=5)
        eventually(
            lambda: api.worker.state.offset("counter", {"part": "0"}), lambda s: s == {"at": 5}
        )
        api.source(count=2, own="1")
        eventually(
            lambda: list(own.found.values()), lambda seen: seen == [({"part": "0"}, {"at": 7})]
        )

    def test_a_topic_that_cannot_be_used_fails_the_connector(self, api):
        def refuse(name, config):
            raise EnvironmentFault("no such luck", condition="CONNECT_TOPIC")

        api.worker.runner.stores.own = refuse
        api.source()
        api.until("counter", "FAILED", [])
        assert "no such luck" in api.ok("GET", "/connectors/counter/status")["connector"]["trace"]
        assert api.refused("GET", "/connectors/counter/offsets") == (
            500,
            "Failed to retrieve offsets for source connector counter",
        )
