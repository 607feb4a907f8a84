from __future__ import annotations

import logging

import pytest

from headrace.connect import jar_sets
from headrace.connect.jar_sets import JAVA_SETS, OWN_SETS, fetch_worker_jars
from headrace.toolchain.download import DownloadFailed


@pytest.fixture
def downloads(monkeypatch):
    """Names of the sets of each download; the sets in `absent` cannot be had."""
    made: list[list[str]] = []
    absent: set[str] = set()

    def fetch(names, progress):
        made.append(list(names))
        if absent & set(names):
            raise DownloadFailed("no network")

    monkeypatch.setattr(jar_sets, "fetch", fetch)
    monkeypatch.setattr(jar_sets, "operator_jar", lambda progress: made.append(["operators"]))
    return made, absent


def test_a_worker_downloads_all_at_once(downloads):
    fetch_worker_jars({"bootstrap.servers": "localhost:9092"})
    assert downloads[0] == [[*OWN_SETS, *JAVA_SETS], ["operators"]]


def test_logins_of_a_vendor_bring_their_jars(downloads):
    fetch_worker_jars({"producer.sasl.mechanism": "AWS_MSK_IAM"})
    assert "msk-iam" in downloads[0][0]


def test_without_the_jars_of_java_connectors_the_worker_starts_and_names_the_cure(
    downloads, caplog
):
    made, absent = downloads
    absent.add("debezium")
    with caplog.at_level(logging.WARNING):
        fetch_worker_jars({})
    assert made[1:] == [list(OWN_SETS), ["operators"]]
    assert "headrace dev fetch connect debezium avro-converter" in caplog.text


def test_without_its_own_jars_a_worker_does_not_start(downloads):
    downloads[1].add("spark")
    with pytest.raises(DownloadFailed):
        fetch_worker_jars({})
