from __future__ import annotations

import pytest

from headrace.errors import UnknownName
from headrace.services.registry import SERVICES, services

NAMES = ["kafka", "postgres", "s3", "registry"]


def test_no_name_means_all_in_start_order():
    assert [service.name for service in services()] == NAMES
    assert list(SERVICES) == NAMES


def test_named_services_keep_the_start_order():
    assert [service.name for service in services(["s3", "kafka"])] == ["kafka", "s3"]


def test_a_name_twice_is_one_service():
    assert len(services(["s3", "s3"])) == 1


def test_a_misspelled_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'postgres'") as caught:
        services(["kafka", "postgers"])
    assert caught.value.condition == "UNKNOWN_SERVICE"


def test_folders_differ(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    assert {service.folder for service in services()} == {
        tmp_path / "services" / name for name in SERVICES
    }
