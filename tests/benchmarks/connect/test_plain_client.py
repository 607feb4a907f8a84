from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from benchmarks import topics
from benchmarks.connect import plain_client, tables
from benchmarks.connect.watch import Count
from headrace.testing.topics import read_topic


def test_values_are_told_as_connect_tells_them():
    assert plain_client.plain(datetime(1970, 1, 1, 0, 0, 1, 500000, UTC)) == 1500
    assert plain_client.plain(Decimal("1.25")) == 1.25
    with pytest.raises(TypeError, match="object"):
        plain_client.plain(object())


@pytest.mark.services
def test_every_row_arrives(kafka_broker, postgres_server, capsys):
    name = f"b{uuid.uuid4().hex[:10]}"
    tables.make(postgres_server.url, name, 10)
    servers = kafka_broker.bootstrap_servers
    topics.create(servers, name)
    assert plain_client.main([postgres_server.url, servers, name, name]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["rows"] == 10
    count = Count(servers, name)
    assert count() == 10
    count.close()
    rows = [record.json_value() for record in read_topic(servers, name)]
    assert sorted(row["id"] for row in rows) == list(range(1, 11))
    assert {row["note"] is None for row in rows} == {True, False}
