from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from headrace.errors import EnvironmentFault
from headrace.services.database import DatabaseService
from headrace.services.ports import HOST, free_port
from headrace.services.processes import Launch
from headrace.toolchain.progress import Reporter

VARIABLE = "HEADRACE_TEST_DATABASE_URL"


class Things(DatabaseService):
    name: ClassVar[str] = "things"
    title: ClassVar[str] = "Things"
    url_variable: ClassVar[str] = VARIABLE

    @staticmethod
    def place_of(url: str) -> tuple[str, int]:
        host, _, port = url.partition(":")
        return host, int(port)

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        raise AssertionError("nothing is started for a server that is named")

    def is_ready(self, address: str) -> bool:
        return True


@pytest.fixture
def named(monkeypatch) -> int:
    """The port of a server that is named and not there."""
    port = free_port()
    monkeypatch.setenv(VARIABLE, f"{HOST}:{port}")
    return port


def test_a_named_server_that_is_away_is_told_with_the_cure(named, tmp_path):
    with pytest.raises(EnvironmentFault) as caught:
        Things(tmp_path).start()
    assert caught.value.summary == "the Things server does not answer"
    assert caught.value.where == f"{HOST}:{named}"
    assert VARIABLE in str(caught.value.cure)


def test_a_named_server_is_not_stopped(named, tmp_path):
    status = Things(tmp_path).stop()
    assert (status.state, status.address) == ("stopped", f"{HOST}:{named}")


@pytest.mark.parametrize("own", [True, False])
def test_one_of_its_own_is_asked_for_beside_a_named_one(named, tmp_path, own):
    assert (Things(tmp_path, own=own).status().address is None) == own


def test_a_port_that_is_wanted_is_taken(tmp_path: Path):
    port = free_port()
    assert Things(tmp_path, port=port).choose_ports({}) == {"main": port}
