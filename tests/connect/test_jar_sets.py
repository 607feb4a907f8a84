from __future__ import annotations

import logging

import pytest

from headrace.connect import jar_sets
from headrace.connect.jar_sets import WORKER_SETS, fetch_worker_jars
from headrace.errors import EnvironmentFault


@pytest.fixture
def downloads(monkeypatch):
    """Names of the sets of each download; the sets in `absent` are missing and cannot be downloaded."""
    made: list[list[str]] = []
    absent: set[str] = set()

    def fetch(names, progress):
        made.append(list(dict.fromkeys(names)))
        if absent & set(names):
            cure = "headrace dev fetch " + " ".join(made[-1])
            raise EnvironmentFault("the jars cannot be written to the cache", cure=cure)

    monkeypatch.setattr(jar_sets, "fetch", fetch)
    monkeypatch.setattr(
        jar_sets, "missing", lambda *wanted: [one for one in wanted if one.name in absent]
    )
    monkeypatch.setattr(jar_sets, "sets_to_compile", list)
    monkeypatch.setattr(jar_sets, "operator_jar", lambda progress: made.append(["operators"]))
    return made, absent


def test_a_worker_downloads_all_at_once(downloads):
    fetch_worker_jars({"bootstrap.servers": "localhost:9092"})
    assert downloads[0] == [list(WORKER_SETS), ["operators"]]


def test_logins_of_a_vendor_bring_their_jars(downloads):
    fetch_worker_jars({"producer.sasl.mechanism": "AWS_MSK_IAM"})
    assert "msk-iam" in downloads[0][0]


@pytest.mark.parametrize("name", ["jdbc", "debezium"])
def test_without_the_jars_of_a_connector_the_worker_starts_and_names_the_cure(
    downloads, caplog, name
):
    made, absent = downloads
    absent.add(name)
    with caplog.at_level(logging.WARNING):
        fetch_worker_jars({})
    assert made[1:] == [["spark"], ["operators"]]
    assert f"run 'headrace dev fetch {name}'" in caplog.text
    assert "cannot be written" in caplog.text


@pytest.mark.parametrize("name", ["spark", "msk-iam"])
def test_without_the_jars_of_its_own_a_worker_does_not_start(downloads, name):
    downloads[1].add(name)
    with pytest.raises(EnvironmentFault, match="cannot be written") as caught:
        fetch_worker_jars({"sasl.mechanism": "AWS_MSK_IAM"})
    # Of the two attempts, the first one downloads everything.
    assert caught.value.cure == "headrace dev fetch " + " ".join(downloads[0][0])
