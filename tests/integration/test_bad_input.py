"""Records and values that do not fit: the job stops at a clear error, or leaves them out when told so."""

import pytest

from headrace.errors import DataError
from headrace.testing.topics import json_table, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]


def source(env, servers, topic, columns="k STRING, v BIGINT", **options):
    more = "".join(f", '{key}' = '{value}'" for key, value in options.items())
    env.execute_sql(f"""
        CREATE TABLE source ({columns}) WITH (
          'connector' = 'kafka', 'topic' = '{topic}', 'properties.bootstrap.servers' = '{servers}',
          'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset',
          'format' = 'json'{more})""")


def sink(env, servers, topic):
    env.execute_sql(f"""
        CREATE TABLE sink (k STRING, v BIGINT NOT NULL, PRIMARY KEY (k) NOT ENFORCED) WITH (
          'connector' = 'upsert-kafka', 'topic' = '{topic}', 'properties.bootstrap.servers' = '{servers}',
          'key.format' = 'json', 'value.format' = 'json')""")


INSERT = "INSERT INTO sink SELECT k, v FROM source"


def test_a_null_for_a_not_null_column_fails_or_is_dropped(env, servers, topic):
    rows, out = topic("rows"), topic("out")
    produce(servers, rows, [(None, {"k": "a", "v": 1}), (None, {"k": "b", "v": None})])
    source(env, servers, rows)
    sink(env, servers, out)
    with pytest.raises(DataError) as caught:
        env.execute_sql(INSERT).wait()
    assert caught.value.condition == "NULL_IN_NOT_NULL"
    assert "'v' of 'default_catalog.default_database.sink'" in caught.value.summary
    env.execute_sql("SET 'table.exec.sink.not-null-enforcer' = 'DROP'")
    env.execute_sql(INSERT).wait()
    assert json_table(servers, out) == {'{"k":"a"}': {"k": "a", "v": 1}}


def test_a_record_that_is_no_json_is_named_by_its_place(env, servers, topic):
    rows = topic("rows")
    produce(servers, rows, [(None, {"k": "a", "v": 1}), (None, '{"k": "b", "v":')])
    source(env, servers, rows)
    sink(env, servers, topic("out"))
    with pytest.raises(DataError) as caught:
        env.execute_sql(INSERT).wait()
    shown = caught.value.render()
    assert rows in shown
    assert "partition 0" in shown or "0/1" in shown or "/0/" in shown
    assert len(shown.splitlines()) <= 5


def test_a_truncated_value_is_skipped_when_asked_and_never_deletes(env, servers, topic):
    rows, out = topic("rows"), topic("out")
    produce(servers, rows, [(None, {"k": "a", "v": 1}), (None, '{"k": "a", "v":'), (None, "null")])
    source(env, servers, rows, **{"json.ignore-parse-errors": "true"})
    sink(env, servers, out)
    env.execute_sql(INSERT).wait()
    assert json_table(servers, out) == {'{"k":"a"}': {"k": "a", "v": 1}}


def test_division_by_zero_stops_the_job_with_its_name(env, servers, topic):
    rows = topic("rows")
    produce(servers, rows, [(None, {"k": "a", "v": 0})])
    source(env, servers, rows)
    sink(env, servers, topic("out"))
    with pytest.raises(DataError) as caught:
        env.execute_sql("INSERT INTO sink SELECT k, 10 / v FROM source").wait()
    assert caught.value.condition == "DIVISION_BY_ZERO"


def test_a_job_that_stopped_at_a_bad_value_goes_on_without_it_and_keeps_the_row(
    env, servers, topic
):
    rows, out, dead = topic("rows"), topic("out"), topic("dead")
    records = [({"k": "a"}, {"k": "a", "v": 1}), ({"k": "a"}, '{"k": "a", "v":')]
    produce(servers, rows, [*records, ({"k": "b"}, {"k": "b", "v": 2})])
    env.execute_sql(f"""
        CREATE TABLE source (k STRING, v BIGINT, PRIMARY KEY (k) NOT ENFORCED) WITH (
          'connector' = 'upsert-kafka', 'topic' = '{rows}', 'properties.bootstrap.servers' = '{servers}',
          'scan.bounded.mode' = 'latest-offset', 'key.format' = 'json', 'value.format' = 'json')""")
    sink(env, servers, out)
    total = "INSERT INTO sink SELECT k, SUM(v) FROM source GROUP BY k"
    with pytest.raises(DataError):
        env.execute_sql(total).wait()
    env.execute_sql(f"""ALTER TABLE source SET (
        'headrace.errors.mode' = 'dead-letter', 'headrace.errors.dead-letter.topic' = '{dead}')""")
    result = env.execute_sql(total)
    (job,) = result.jobs
    result.wait()
    assert job.resumed
    assert job.progress().skipped == {rows: {0: 1}}
    assert json_table(servers, out) == {
        '{"k":"a"}': {"k": "a", "v": 1},
        '{"k":"b"}': {"k": "b", "v": 2},
    }
    (letter,) = read_topic(servers, dead)
    assert (letter.key, letter.value) == (b'{"k": "a"}', b'{"k": "a", "v":')
    assert dict(letter.headers)["headrace.errors.offset"] == b"1"
