"""Jobs without batches: rows arrive one by one, progress survives a stop, and what needs batches is refused."""

import pytest

from headrace.errors import UnsupportedSql
from headrace.runtime.jobs import JobState
from headrace.testing.topics import eventually, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]


def define(env, servers, rows, out):
    env.execute_sql("SET 'headrace.execution.mode' = 'real-time'")
    env.execute_sql(f"""
        CREATE TABLE source (k STRING, v BIGINT, at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp') WITH (
          'connector' = 'kafka', 'topic' = '{rows}', 'properties.bootstrap.servers' = '{servers}',
          'scan.startup.mode' = 'earliest-offset', 'format' = 'json')""")
    env.execute_sql(f"""
        CREATE TABLE sink (k STRING, v BIGINT, at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
          h MAP<STRING, BYTES> METADATA FROM 'headers') WITH (
          'connector' = 'kafka', 'topic' = '{out}', 'properties.bootstrap.servers' = '{servers}',
          'key.format' = 'json', 'key.fields' = 'k', 'value.format' = 'json')""")


INSERT = (
    "INSERT INTO sink SELECT k, v + 1, at, MAP['from', CAST(k AS BYTES)] FROM source WHERE v > 0"
)


def values(servers, topic):
    return [record.json_value()["v"] for record in read_topic(servers, topic)]


def test_rows_arrive_without_batches_and_a_stopped_job_goes_on(env, servers, topic):
    rows, out = topic("rows"), topic("out")
    define(env, servers, rows, out)
    produce(servers, rows, [(None, {"k": "a", "v": v}) for v in (1, -5, 2)])
    (job,) = env.execute_sql(INSERT).jobs
    eventually(lambda: sorted(values(servers, out)), lambda found: found == [2, 3])
    produce(servers, rows, [(None, {"k": "b", "v": 7})])
    eventually(lambda: values(servers, out), lambda found: 8 in found)
    assert job.state is JobState.RUNNING
    written, sent = read_topic(servers, out)[-1], read_topic(servers, rows)[-1]
    assert written.timestamp == sent.timestamp
    assert written.headers == (("from", b"b"),)
    job.stop()
    produce(servers, rows, [(None, {"k": "c", "v": 10})])
    (again,) = env.execute_sql(INSERT).jobs
    eventually(lambda: values(servers, out), lambda found: 11 in found)
    again.stop()


def test_upserts_are_copied_with_their_deletes(env, servers, topic):
    rows, out = topic("rows"), topic("out")
    env.execute_sql("SET 'headrace.execution.mode' = 'real-time'")
    for name, where in (("source", rows), ("sink", out)):
        env.execute_sql(f"""
            CREATE TABLE {name} (k STRING, v BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH (
              'connector' = 'upsert-kafka', 'topic' = '{where}',
              'properties.bootstrap.servers' = '{servers}',
              'key.format' = 'json', 'value.format' = 'json')""")
    produce(servers, rows, [({"k": "a"}, {"k": "a", "v": 1}), ({"k": "a"}, None)])
    (job,) = env.execute_sql("INSERT INTO sink SELECT k, v FROM source").jobs
    eventually(
        lambda: [record.value is None for record in read_topic(servers, out)],
        lambda found: found == [False, True],
    )
    job.stop()


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (
            "INSERT INTO blackhole SELECT k, COUNT(*) FROM source GROUP BY k",
            "Aggregate keeps state",
        ),
        ("INSERT INTO blackhole SELECT k, v FROM source", "sink 'default_catalog"),
        (
            "INSERT INTO blackhole SELECT k, v FROM source "
            "/*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */",
            "a bounded source",
        ),
        ("INSERT INTO blackhole SELECT k, v FROM made", "connector 'datagen'"),
    ],
)
def test_what_needs_batches_is_refused(env, servers, topic, sql, found):
    define(env, servers, topic("rows"), topic("out"))
    produce(servers, topic("rows"), [(None, {"k": "a", "v": 1})])
    env.execute_sql("CREATE TABLE blackhole (k STRING, v BIGINT) WITH ('connector' = 'blackhole')")
    env.execute_sql("CREATE TABLE made (k STRING, v BIGINT) WITH ('connector' = 'datagen')")
    with pytest.raises(UnsupportedSql, match="cannot run in real time") as caught:
        env.execute_sql(sql)
    assert found in str(caught.value.found)
    assert caught.value.cure == "RESET 'headrace.execution.mode';"
