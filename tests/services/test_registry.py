from __future__ import annotations

import pytest

from headrace.errors import UnknownName
from headrace.services.registry import (
    SECURE_SERVICES,
    SERVICES,
    present_services,
    services,
    with_secure_kafka,
)

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


SECURE = ["kdc", "tokens", "kafka-secure"]


def test_the_secure_broker_is_started_only_when_asked_for():
    assert list(SECURE_SERVICES) == SECURE
    assert [service.name for service in services(["kafka-secure", "s3"])] == ["s3", "kafka-secure"]


def test_it_takes_the_place_of_the_plain_one():
    assert with_secure_kafka(["kafka"]) == SECURE
    assert with_secure_kafka(["postgres", "kafka"]) == ["postgres", *SECURE]
    assert with_secure_kafka([]) == [*NAMES[1:], *SECURE]


def test_what_was_never_started_is_not_listed(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    assert [service.name for service in present_services()] == NAMES
    (tmp_path / "services" / "kdc").mkdir(parents=True)
    assert [service.name for service in present_services()] == [*NAMES, "kdc"]
    assert [service.name for service in present_services(["s3"])] == ["s3"]
    (tmp_path / "services" / "mariadb").mkdir()
    assert [service.name for service in present_services()] == [*NAMES, "mariadb", "kdc"]


def test_mariadb_is_started_only_when_named():
    assert [service.name for service in services(["mariadb", "kafka"])] == ["kafka", "mariadb"]
