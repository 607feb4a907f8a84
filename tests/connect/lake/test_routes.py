"""Topics whose files would have the same names."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.connect.lake.routes import FilesCollide, Routes


def report(topic: str, partition: int, *names: str) -> dict[str, Any]:
    return {"topic": topic, "partition": partition, "names": list(names)}


def test_a_name_belongs_to_the_first(tmp_path):
    routes = Routes(tmp_path, "topics")
    routes.claim([report("a", 0, "all"), report("b", 1, "all"), report("c", 0, "c", "d")])
    routes.claim([report("a", 0, "all"), report("c", 0)])
    with pytest.raises(FilesCollide) as raised:
        routes.claim([report("b", 0, "all")])
    assert raised.value.render().splitlines() == [
        "[FILES_COLLIDE] two topics write files of the same names under topics/all",
        "  at: partition 0 of topic b",
        "  found: records of topic a are there already",
        "  expected: for each topic a name of its own after transforms",
        "  cure: route the topics to different names, or write one with a connector of its own to another topics.dir",
    ]


def test_also_within_a_round_and_after_a_start(tmp_path):
    with pytest.raises(FilesCollide):
        Routes(tmp_path, "").claim([report("a", 0, "all"), report("all", 0, "all")])
    assert not list(tmp_path.iterdir())
    Routes(tmp_path, "").claim([report("a", 0, "all")])
    with pytest.raises(FilesCollide):
        Routes(tmp_path, "").claim([report("b", 0, "all")])


def test_another_folder_is_another_name(tmp_path):
    Routes(tmp_path, "one").claim([report("a", 0, "all")])
    Routes(tmp_path, "two").claim([report("b", 0, "all")])
