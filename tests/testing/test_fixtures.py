from __future__ import annotations

import psutil
import psycopg
import pytest

LIFETIME = """
    import pytest
    pytest_plugins = ["headrace.testing.fixtures"]

    def test_first(s3_endpoint):
        print("FIRST", s3_endpoint.status().pid)

    def test_second(s3_endpoint):
        print("SECOND", s3_endpoint.status().pid)
"""


@pytest.mark.services
def test_a_service_is_shared_by_the_session_and_ends_with_it(pytester):
    pytester.makepyfile(LIFETIME)
    result = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)
    pids = [line.split()[-1] for line in result.outlines if "FIRST" in line or "SECOND" in line]
    assert len(pids) == 2
    assert len(set(pids)) == 1
    assert not psutil.pid_exists(int(pids[0]))


@pytest.mark.services
def test_kafka_broker_is_running(kafka_broker):
    assert kafka_broker.status().state == "running"
    assert kafka_broker.bootstrap_servers.startswith("127.0.0.1:")


@pytest.mark.services
def test_postgres_server_answers_at_its_url(postgres_server):
    with psycopg.connect(postgres_server.url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.services
def test_s3_endpoint_has_its_bucket(s3_endpoint):
    names = [bucket["Name"] for bucket in s3_endpoint.client().list_buckets()["Buckets"]]
    assert "headrace" in names
