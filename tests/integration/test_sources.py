"""What a Kafka source starts with, shows beside its rows and fails with, seen through SQL."""

import pytest

from headrace.testing.topics import create_topic, produce

pytestmark = [pytest.mark.spark, pytest.mark.services]


@pytest.fixture
def places(env, servers, topic):
    """Metadata stands before, between and after the columns of the record, some of it under another type."""
    name = topic("places")
    create_topic(servers, name)
    env.execute_sql(f"""
        CREATE TABLE places (
          place BIGINT METADATA FROM 'offset' VIRTUAL, id BIGINT, `partition` STRING METADATA VIRTUAL,
          name STRING, at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', PRIMARY KEY (id) NOT ENFORCED
        ) WITH ('connector' = 'upsert-kafka', 'topic' = '{name}', 'key.format' = 'json',
          'properties.bootstrap.servers' = '{servers}', 'value.format' = 'json')""")
    return name


def upsert(number, name):
    return ({"id": number}, None if name is None else {"id": number, "name": name})


def kinds_and_rows(result):
    return [(str(row.get_row_kind()), *row) for row in result.available()]


def test_a_delete_shows_the_metadata_of_the_row_that_goes(env, servers, places):
    """Not those of the tombstone: what is taken back must be what was given."""
    result = env.execute_sql("SELECT place, id, `partition`, name, at IS NULL FROM places")
    query = result.get_job_client().query
    seen = []
    for record in (upsert(1, "a"), upsert(1, "b"), upsert(1, None), upsert(2, None)):
        produce(servers, places, [record])
        query.processAllAvailable()
        seen += kinds_and_rows(result)
    result.get_job_client().stop()
    assert seen == [
        ("+I", 0, 1, "0", "a", False),
        ("-U", 0, 1, "0", "a", False),
        ("+U", 1, 1, "0", "b", False),
        ("-D", 1, 1, "0", "b", False),
    ]


def test_a_key_from_before_the_start_is_new_when_its_next_record_comes(env, servers, places):
    produce(servers, places, [upsert(n, "old") for n in (1, 2, 3)])
    produce(servers, places, [upsert(1, "new"), upsert(2, None)])
    rows = env.execute_sql("""
        SELECT id, name FROM places /*+ OPTIONS('scan.startup.mode' = 'specific-offsets',
          'scan.startup.specific-offsets' = 'partition:0,offset:3',
          'scan.bounded.mode' = 'latest-offset') */""").collect()
    assert list(rows) == [(1, "new")]


def test_a_start_that_the_topic_does_not_hold_is_its_beginning(env, servers, places):
    produce(servers, places, [upsert(1, "a")])
    result = env.execute_sql("""
        SELECT id FROM places /*+ OPTIONS('scan.startup.mode' = 'specific-offsets',
          'scan.startup.specific-offsets' = 'partition:0,offset:99') */""")
    result.get_job_client().query.processAllAvailable()
    result.get_job_client().stop()
    assert kinds_and_rows(result) == [("+I", 1)]
