"""Sinks that hold rows before a job first writes to them: after its first batch they hold its answer and no more."""

import json
import shutil

import pytest

from headrace.runtime.environment import TableEnvironment
from headrace.testing.topics import create_topic, json_table, materialize, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

ORDERS = "id BIGINT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED"
TOTALS = "customer STRING, total BIGINT, PRIMARY KEY (customer) NOT ENFORCED"
SUM = "INSERT INTO totals SELECT customer, SUM(amount) FROM orders GROUP BY customer"
COPY = "INSERT INTO copy SELECT * FROM orders"


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def env(spark, told):
    environment = TableEnvironment({"table.local-time-zone": "UTC"}, notify=told.append)
    yield environment
    environment.stop()


@pytest.fixture
def make(env, servers, topic):
    """A table with a topic of the same name; gives the topic."""

    def upsert_table(name, columns, *, partitions=1, **options):
        made = topic(name)
        create_topic(servers, made, partitions=partitions)
        settings = {
            "connector": "upsert-kafka",
            "topic": made,
            "properties.bootstrap.servers": servers,
            "key.format": "json",
            "value.format": "json",
            "scan.bounded.mode": "latest-offset",
        } | options
        given = ", ".join(f"'{key}' = '{value}'" for key, value in settings.items())
        env.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({given})")
        return made

    return upsert_table


def order(number, customer, amount):
    return ({"id": number}, {"id": number, "customer": customer, "amount": amount})


def total(customer, amount):
    return (f'{{"customer":"{customer}"}}', {"customer": customer, "total": amount})


def totals_in(servers, topic):
    rows = materialize(read_topic(servers, topic)).values()
    return {row["customer"]: row["total"] for row in map(json.loads, rows)}


def keys_of(records):
    return [(record.key, record.value is None) for record in records]


def deleted_from(topic):
    return f"deleted 1 key of topic '{topic}' that the answer lacks; 'headrace.sink.reconcile' = 'false' keeps such keys"


def test_keys_that_the_answer_lacks_are_deleted_and_the_others_replaced(env, servers, make, told):
    orders, totals = make("orders", ORDERS), make("totals", TOTALS, partitions=2)
    old = [
        total("ann", 1),
        total("gone", 2),
        total("long gone", 3),
        ('{"customer":"long gone"}', None),
    ]
    produce(servers, totals, [*old, ("no key", {"x": 1}), ({"id": 1}, {"x": 1})])
    before = len(read_topic(servers, totals))
    produce(servers, orders, [order(1, "ann", 5), order(2, "bob", 7)])
    env.execute_sql(SUM).wait()
    records = read_topic(servers, totals)
    table = materialize(records)
    assert {key for key in table if b"customer" in key} == {
        b'{"customer":"ann"}',
        b'{"customer":"bob"}',
    }
    assert json.loads(table[b'{"customer":"ann"}']) == {"customer": "ann", "total": 5}
    # What is no key of the table is somebody else's; nothing is written twice, and no tombstone for what is gone.
    assert {b"no key", b'{"id": 1}'} <= set(table)
    assert len(records) == before + 3
    assert told == [
        f"topic '{totals}' holds 2 keys that this table cannot have; left as they are",
        deleted_from(totals),
    ]


def test_a_key_in_another_spelling_goes_before_its_row_comes(env, servers, make):
    orders, totals = make("orders", ORDERS), make("totals", TOTALS)
    produce(servers, totals, [({"customer": "ann"}, {"customer": "ann", "total": 1})])
    produce(servers, orders, [order(1, "ann", 5)])
    env.execute_sql(SUM).wait()
    assert keys_of(read_topic(servers, totals)) == [
        (b'{"customer": "ann"}', False),
        (b'{"customer": "ann"}', True),
        (b'{"customer":"ann"}', False),
    ]
    assert list(env.execute_sql("SELECT * FROM totals").collect()) == [("ann", 5)]


KEYS = {
    # As the table writes a key, and in another spelling that means the same.
    "csv": (lambda name: name.encode(), lambda name: f'"{name}"'.encode()),
    "avro": (lambda name: bytes([2 * len(name)]) + name.encode(), None),
    "raw": (lambda name: name.encode(), None),
}


def test_keys_of_every_format_are_known_again(env, servers, make):
    """One job with a sink for each format of keys; every sink holds two keys, of which one has to go."""
    orders = make("orders", ORDERS)
    produce(servers, orders, [order(1, "ann", 5)])
    sinks = {
        name: make(f"{name}_totals", TOTALS, **{"key.format": name, "value.fields-include": "ALL"})
        for name in KEYS
    }
    for name, (written, other) in KEYS.items():
        ann, gone = (other or written)("ann"), written("gone")
        produce(servers, sinks[name], [(ann, total("ann", 1)[1]), (gone, total("gone", 2)[1])])
    inserts = (SUM.replace("totals", f"{name}_totals") for name in KEYS)
    env.execute_sql(f"EXECUTE STATEMENT SET BEGIN {'; '.join(inserts)}; END").wait()
    for name, (written, _) in KEYS.items():
        assert totals_in(servers, sinks[name]) == {"ann": 5}, name
        assert list(materialize(read_topic(servers, sinks[name]))) == [written("ann")], name


def test_a_copy_without_state_keeps_the_order_of_a_key(env, servers, make):
    """Existing keys meet the batch sorted by key, which must not disturb what one key went through."""
    orders, copy = make("orders", ORDERS, partitions=2), make("copy", ORDERS, partitions=2)
    old = [(f'{{"id":{n}}}', {"id": n, "customer": "old", "amount": 0}) for n in (1, 2, 99)]
    produce(servers, copy, old)
    changes = [order(n % 5, "new", n) for n in range(100)]
    produce(servers, orders, [*changes, ({"id": 2}, None)])
    env.execute_sql(COPY).wait()
    rows = json_table(servers, copy)
    assert {row["id"]: row["amount"] for row in rows.values()} == {0: 95, 1: 96, 3: 98, 4: 99}
    ones = [
        r.json_value()["amount"] for r in read_topic(servers, copy) if r.json_key() == {"id": 1}
    ]
    assert (ones[0], ones[-1]) == (0, 96)
    assert ones == sorted(ones)


def test_without_any_input_all_keys_go(env, servers, make):
    make("orders", ORDERS)
    totals = make("totals", TOTALS)
    produce(servers, totals, [total("ann", 1)])
    env.execute_sql(SUM).wait()
    assert totals_in(servers, totals) == {}
    assert len(read_topic(servers, totals)) == 2


def test_a_job_started_afresh_leaves_what_a_first_run_would(env, servers, make, told):
    orders, totals = make("orders", ORDERS), make("totals", TOTALS)
    produce(servers, orders, [order(1, "ann", 5), order(2, "bob", 7)])
    first = env.execute_sql(SUM).get_job_client()
    first.wait()
    produce(servers, orders, [({"id": 2}, None)])
    shutil.rmtree(first._folder.path)  # as on another machine, or with --fresh
    env.execute_sql(SUM).wait()
    assert totals_in(servers, totals) == {"ann": 5}
    other = "INSERT INTO totals SELECT customer, COUNT(*) FROM orders GROUP BY customer"
    env._running = None  # another session: in this one the first job has just filled the table
    env.execute_sql(other).wait()
    assert totals_in(servers, totals) == {"ann": 1}
    assert told == [deleted_from(totals)]


def test_a_first_batch_that_was_cut_short_is_done_again(env, servers, make):
    orders, totals = make("orders", ORDERS), make("totals", TOTALS)
    produce(servers, totals, [total("gone", 1)])
    produce(servers, orders, [order(1, "ann", 5)])
    first = env.execute_sql(SUM).get_job_client()
    first.wait()
    folder = first._folder
    # The batch's offsets are known, its end is not; meanwhile somebody wrote a key of their own.
    shutil.rmtree(folder.checkpoint / "commits")
    shutil.rmtree(folder.checkpoint / "state")
    folder.record("RUNNING")
    produce(servers, totals, [total("later", 9)])
    again = env.execute_sql(SUM).get_job_client()
    again.wait()
    assert again.resumed
    assert totals_in(servers, totals) == {"ann": 5, "later": 9}


@pytest.mark.parametrize(
    "leave",
    [
        "ALTER TABLE totals SET ('headrace.sink.reconcile' = 'false')",
        "INSERT INTO totals VALUES ('val', 3)",
    ],
)
def test_rows_of_others_stay(env, servers, make, leave):
    """Told so by the table, or because another INSERT of the session writes it too."""
    orders, totals = make("orders", ORDERS), make("totals", TOTALS)
    produce(servers, orders, [order(1, "ann", 5)])
    env.execute_sql(leave).wait()
    produce(servers, totals, [total("theirs", 1)])
    env.execute_sql(SUM).wait()
    assert {"ann", "theirs"} <= set(totals_in(servers, totals))


def test_a_job_that_begins_in_the_middle_of_its_input_deletes_nothing(env, servers, make, topic):
    totals, lines = make("totals", TOTALS), topic("lines")
    produce(servers, totals, [total("ann", 1), total("bob", 1)])
    create_topic(servers, lines)
    produce(servers, lines, [(None, {"customer": "cy", "amount": 2})])
    env.execute_sql(f"""
        CREATE TABLE lines (customer STRING, amount BIGINT) WITH ('connector' = 'kafka', 'topic' = '{lines}',
        'properties.bootstrap.servers' = '{servers}', 'format' = 'json', 'scan.startup.mode' = 'timestamp',
        'scan.startup.timestamp-millis' = '1', 'scan.bounded.mode' = 'latest-offset')""")
    insert = "INSERT INTO totals SELECT customer, SUM(amount) FROM lines GROUP BY customer"
    env.execute_sql(insert).wait()
    assert totals_in(servers, totals) == {"ann": 1, "bob": 1, "cy": 2}
