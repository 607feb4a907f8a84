from __future__ import annotations

import pytest

from headrace.connect.topics import Entry, Fenced, Store
from headrace.testing.connect_worker import (
    PLUGINS,
    SINK,
    SOURCE,
    MemoryGroups,
    MemoryLog,
    SoleLeadership,
    memory_worker,
)

ENTRY = Entry(Store.CONFIG, "k", {"v": 1})


def test_a_log_applies_what_is_there_and_what_comes():
    log = MemoryLog([ENTRY])
    seen = []
    log.start(seen.append)
    log.lead()
    log.write([Entry(Store.STATUS, "s", None)])
    assert [entry.key for entry in seen] == ["k", "s"]


def test_a_stopped_log_applies_no_more():
    log = MemoryLog()
    seen = []
    log.start(seen.append)
    log.stop()
    log.write([Entry(Store.STATUS, "s", None)])
    assert seen == []


def test_only_a_leader_writes_configs():
    log = MemoryLog()
    with pytest.raises(Fenced):
        log.write([ENTRY])
    log.write([Entry(Store.STATUS, "s", None)])
    log.lead()
    log.write([ENTRY])
    assert log.entries[-1] == ENTRY
    log.resign()
    with pytest.raises(Fenced):
        log.write([ENTRY])


@pytest.mark.parametrize("leads", [True, False])
def test_leadership_is_as_told(leads):
    told = []
    SoleLeadership("http://x/", leads=leads).join(
        lambda: told.append(1), lambda: None, lambda: True
    )
    assert bool(told) is leads


def test_groups_hand_out_copies():
    groups = MemoryGroups()
    groups.replace("g", {("t", 0): 1})
    groups.read("g")[("t", 1)] = 2
    assert groups.read("g") == {("t", 0): 1}


def test_both_kinds_of_connectors_are_there():
    assert PLUGINS.connector(SOURCE).kind == "source"
    assert PLUGINS.connector(SINK).kind == "sink"


def test_settings_of_a_worker():
    worker = memory_worker(topic_tracking_enable="false")
    assert worker.settings.values["topic.tracking.enable"] is False
