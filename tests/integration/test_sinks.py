"""What a sink's options ask for, seen in its topics: transactions, topics and metadata chosen by rows."""

import datetime as dt
import json

import pytest

from headrace.runtime.environment import TableEnvironment
from headrace.testing.topics import create_topic, json_table, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

ORDERS = "id BIGINT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED"
UPSERT = {"connector": "upsert-kafka", "key.format": "json", "value.format": "json"}
EXACTLY = {"sink.delivery-guarantee": "exactly-once", "sink.transactional-id-prefix": "shop"}
ENDS = {"scan.bounded.mode": "latest-offset"}


@pytest.fixture
def make(env, servers, topic):
    def table(name, columns, env=env, **options):
        made = topic(name)
        settings = {"topic": made, "properties.bootstrap.servers": servers} | options
        given = ", ".join(f"'{key}' = '{value}'" for key, value in settings.items())
        env.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({given})")
        return made

    return table


def order(number, customer, amount):
    return ({"id": number}, {"id": number, "customer": customer, "amount": amount})


def test_a_set_of_exactly_once_sinks_and_the_next_job_into_one_of_them(env, servers, make, topic):
    create_topic(servers, topic("orders"), partitions=2)
    orders = make("orders", ORDERS, **UPSERT, **ENDS)
    copy = make("copy", ORDERS, **UPSERT, **EXACTLY)
    lines = make("lines", "id BIGINT", connector="kafka", format="json", **EXACTLY)
    given = {n: {"id": n, "customer": f"c{n % 2}", "amount": n} for n in range(20)}
    produce(servers, orders, [({"id": n}, row) for n, row in given.items()])
    env.execute_sql("""EXECUTE STATEMENT SET BEGIN
        INSERT INTO copy SELECT * FROM orders;
        INSERT INTO lines VALUES (1), (2), (3);
        INSERT INTO copy SELECT id + 100, customer, amount FROM orders WHERE id < 3;
    END""").wait()
    assert {row["id"] for row in json_table(servers, copy).values()} == {*range(20), 100, 101, 102}
    assert len(read_topic(servers, copy)) == 23
    assert [record.json_value()["id"] for record in read_topic(servers, lines)] == [1, 2, 3]
    # Another session's query: the rows that it lacks are deleted, and what it writes is committed as well.
    later = TableEnvironment()
    make("orders", ORDERS, later, **UPSERT, **ENDS)
    make("copy", ORDERS, later, **UPSERT, **EXACTLY)
    later.execute_sql("INSERT INTO copy SELECT * FROM orders WHERE amount > 15").wait()
    assert {row["id"] for row in json_table(servers, copy).values()} == {16, 17, 18, 19}


def test_metadata_is_written_wherever_its_columns_stand(env, servers, make, topic):
    names = [topic("north"), topic("south")]
    for name in names:
        create_topic(servers, name)
    table = {"topic": ";".join(names), "connector": "kafka", "format": "json"}
    make(
        "readings",
        "at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', id BIGINT, place STRING METADATA FROM 'topic', "
        "name STRING, headers MAP<STRING, BYTES> METADATA",
        **table,
    )
    env.execute_sql(f"""INSERT INTO readings VALUES
        (TO_TIMESTAMP_LTZ(1700000000123, 3), 1, '{names[1]}', 'a', MAP['k', X'01']),
        (CAST(NULL AS TIMESTAMP_LTZ(3)), 2, '{names[0]}', 'b', CAST(NULL AS MAP<STRING, BYTES>))
    """).wait()
    before = dt.datetime.now(dt.UTC).timestamp() * 1000 - 600_000
    (north,), (south,) = (read_topic(servers, name) for name in names)
    assert json.loads(south.value) == {"id": 1, "name": "a"}
    assert (south.timestamp, south.headers) == (1700000000123, (("k", b"\x01"),))
    assert json.loads(north.value) == {"id": 2, "name": "b"}
    assert north.timestamp > before
    assert north.headers == ()


def test_a_buffering_copy_writes_each_key_once_a_batch(env, servers, make, topic):
    orders = make("orders", ORDERS, **UPSERT, **ENDS)
    buffer = {"sink.buffer-flush.max-rows": "1000", "sink.buffer-flush.interval": "1 s"}
    copy = make("copy", ORDERS, **UPSERT, **buffer)
    produce(servers, orders, [order(n % 5, "c", n) for n in range(50)])
    env.execute_sql("INSERT INTO copy SELECT * FROM orders").wait()
    records = read_topic(servers, copy)
    assert sorted(record.json_value()["amount"] for record in records) == [45, 46, 47, 48, 49]
