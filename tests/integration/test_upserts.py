"""Upserts and deletes through whole pipelines, seen as records of the sink topic."""

import json

import pytest

from headrace.testing.topics import create_topic, json_table, materialize, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

ORDERS = "id BIGINT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED"
TOTALS = "customer STRING, orders BIGINT, total BIGINT, PRIMARY KEY (customer) NOT ENFORCED"


def upsert_table(env, name, columns, servers, topic, **options):
    more = "".join(f", '{key}' = '{value}'" for key, value in options.items())
    env.execute_sql(f"""
        CREATE TABLE {name} ({columns}) WITH (
          'connector' = 'upsert-kafka', 'topic' = '{topic}',
          'properties.bootstrap.servers' = '{servers}', 'key.format' = 'json',
          'value.format' = 'json', 'scan.bounded.mode' = 'latest-offset'{more})""")


def order(number, customer, amount):
    return ({"id": number}, {"id": number, "customer": customer, "amount": amount})


def gone(number):
    return ({"id": number}, None)


@pytest.fixture
def orders(env, servers, topic):
    name = topic("orders")
    create_topic(servers, name, partitions=2)
    upsert_table(env, "orders", ORDERS, servers, name)
    return name


@pytest.fixture
def totals(env, servers, topic):
    name = topic("totals")
    upsert_table(env, "totals", TOTALS, servers, name)
    return name


RE_AGGREGATE = (
    "INSERT INTO totals SELECT customer, COUNT(*), SUM(amount) FROM orders GROUP BY customer"
)


def test_updates_and_deletes_reach_the_aggregate(env, servers, orders, totals):
    changes = [
        order(1, "ann", 5),
        order(2, "ann", 7),
        order(3, "bob", 1),
        order(2, "bob", 7),
        gone(3),
    ]
    produce(servers, orders, changes)
    env.execute_sql(RE_AGGREGATE).wait()
    assert json_table(servers, totals) == {
        '{"customer":"ann"}': {"customer": "ann", "orders": 1, "total": 5},
        '{"customer":"bob"}': {"customer": "bob", "orders": 1, "total": 7},
    }


def test_a_group_that_empties_while_the_job_runs_leaves_a_tombstone(env, servers, orders, totals):
    """The same job continues from its checkpoint: what left between two runs is taken back."""
    env.execute_sql("ALTER TABLE orders RESET ('scan.bounded.mode')")
    job = env.execute_sql(RE_AGGREGATE).get_job_client()
    produce(servers, orders, [order(1, "ann", 5), order(2, "bob", 1)])
    job.query.processAllAvailable()
    assert len(json_table(servers, totals)) == 2
    produce(servers, orders, [gone(1)])
    job.query.processAllAvailable()
    job.stop()
    records = read_topic(servers, totals)
    assert [r.value is None for r in records if r.json_key() == {"customer": "ann"}] == [
        False,
        True,
    ]
    assert list(materialize(records)) == [b'{"customer":"bob"}']


def test_a_row_that_leaves_the_filter_is_deleted(env, servers, topic, orders):
    large = topic("large")
    upsert_table(env, "large", ORDERS, servers, large)
    env.execute_sql("ALTER TABLE orders RESET ('scan.bounded.mode')")
    job = env.execute_sql(
        "INSERT INTO large SELECT * FROM orders WHERE amount > 10"
    ).get_job_client()
    produce(servers, orders, [order(1, "ann", 50), order(2, "bob", 5), order(3, "cy", 20)])
    job.query.processAllAvailable()
    produce(servers, orders, [order(1, "ann", 5), order(3, "cy", 30)])
    job.query.processAllAvailable()
    job.stop()
    assert json_table(servers, large) == {'{"id":3}': {"id": 3, "customer": "cy", "amount": 30}}
    values = [r.json_value() for r in read_topic(servers, large) if r.json_key() == {"id": 1}]
    assert values == [{"id": 1, "customer": "ann", "amount": 50}, None]
    assert not [r for r in read_topic(servers, large) if r.json_key() == {"id": 2}]


def test_a_copy_keeps_every_record_in_order_without_state(env, servers, topic, orders):
    copy = topic("copy")
    upsert_table(env, "copy", ORDERS, servers, copy)
    changes = [order(n % 7, "c", n) for n in range(200)] + [gone(3)]
    produce(servers, orders, changes)
    assert "Normalize" not in env.explain_sql("INSERT INTO copy SELECT * FROM orders")
    env.execute_sql("INSERT INTO copy SELECT * FROM orders").wait()
    amounts = {key: [] for key in range(7)}
    for record in read_topic(servers, copy):
        value = record.json_value()
        amounts[record.json_key()["id"]].append(None if value is None else value["amount"])
    assert amounts[0] == list(range(0, 200, 7))
    assert amounts[3] == [*range(3, 200, 7), None]


def test_the_same_key_lies_in_the_partition_kafkas_own_hash_chooses(env, servers, topic, orders):
    """Records this job writes and records a plain producer writes agree on the partition of every key."""
    copy, reference = topic("copy"), topic("reference")
    for name in (copy, reference):
        create_topic(servers, name, partitions=3)
    upsert_table(env, "copy", ORDERS, servers, copy)
    keys = range(50)
    produce(servers, orders, [order(key, "c", version) for version in range(2) for key in keys])
    env.execute_sql("INSERT INTO copy SELECT * FROM orders").wait()
    written = read_topic(servers, copy)
    produce(servers, reference, [(record.key, b"x") for record in written])
    expected = {record.key: record.partition for record in read_topic(servers, reference)}
    assert {record.key: record.partition for record in written} == expected
    assert len(set(expected.values())) == 3


def test_key_columns_may_be_left_out_of_the_value(env, servers, topic):
    name = topic("prefixed")
    columns = "k_id BIGINT, id STRING, PRIMARY KEY (k_id) NOT ENFORCED"
    options = {"value.fields-include": "EXCEPT_KEY", "key.fields-prefix": "k_"}
    upsert_table(env, "prefixed", columns, servers, name, **options)
    env.execute_sql("INSERT INTO prefixed VALUES (1, 'one'), (2, 'two')").wait()
    records = read_topic(servers, name)
    assert sorted((r.key, r.value) for r in records) == [
        (b'{"id":1}', b'{"id":"one"}'),
        (b'{"id":2}', b'{"id":"two"}'),
    ]
    assert sorted(env.execute_sql("SELECT * FROM prefixed").collect()) == [(1, "one"), (2, "two")]


def test_csv_keys_and_values(env, servers, topic):
    name = topic("csv")
    env.execute_sql(f"""
        CREATE TABLE people (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
          'connector' = 'upsert-kafka', 'topic' = '{name}',
          'properties.bootstrap.servers' = '{servers}', 'key.format' = 'csv',
          'value.format' = 'csv', 'scan.bounded.mode' = 'latest-offset')""")
    env.execute_sql("INSERT INTO people VALUES (1, 'a,b'), (2, 'c')").wait()
    assert {r.key: r.value for r in read_topic(servers, name)} == {b"1": b'1,"a,b"', b"2": b"2,c"}
    produce(servers, name, [("2", None)])
    assert list(env.execute_sql("SELECT * FROM people").collect()) == [(1, "a,b")]


def test_distinct_min_max_and_average_follow_deletes(env, servers, topic, orders):
    name = topic("stats")
    columns = "customer STRING, lo BIGINT, hi BIGINT, av BIGINT, n BIGINT, PRIMARY KEY (customer) NOT ENFORCED"
    upsert_table(env, "stats", columns, servers, name)
    env.execute_sql("ALTER TABLE orders RESET ('scan.bounded.mode')")
    job = env.execute_sql("""
        INSERT INTO stats SELECT customer, MIN(amount), MAX(amount), AVG(amount), COUNT(DISTINCT amount)
        FROM orders GROUP BY customer""").get_job_client()
    produce(
        servers,
        orders,
        [order(1, "ann", 1), order(2, "ann", 9), order(3, "ann", 9), order(4, "ann", 4)],
    )
    job.query.processAllAvailable()
    produce(servers, orders, [gone(1), gone(2), order(3, "ann", 5)])
    job.query.processAllAvailable()
    job.stop()
    (row,) = json_table(servers, name).values()
    assert row == {"customer": "ann", "lo": 4, "hi": 5, "av": 4, "n": 2}


def test_a_finished_job_started_again_takes_back_what_left_meanwhile(env, servers, orders, totals):
    """The second run goes on from the first one's state, so keys that are no longer in the answer are deleted."""
    produce(servers, orders, [order(1, "ann", 5), order(2, "bob", 1)])
    first = env.execute_sql(RE_AGGREGATE).get_job_client()
    first.wait()
    produce(servers, orders, [gone(2), order(3, "ann", 2)])
    again = env.execute_sql(RE_AGGREGATE).get_job_client()
    again.wait()
    assert (first.resumed, again.resumed) == (False, True)
    assert json_table(servers, totals) == {
        '{"customer":"ann"}': {"customer": "ann", "orders": 2, "total": 7}
    }


def test_a_bounded_source_beside_an_unbounded_one_ends_where_it_ended_at_the_start(
    env, servers, topic, orders
):
    late, both = topic("late"), topic("both")
    create_topic(servers, late)
    upsert_table(env, "late", ORDERS, servers, late)
    env.execute_sql("ALTER TABLE late RESET ('scan.bounded.mode')")
    columns = "customer STRING, n BIGINT, PRIMARY KEY (customer) NOT ENFORCED"
    upsert_table(env, "per_customer", columns, servers, both)
    produce(servers, orders, [order(1, "bounded", 1)])
    job = env.execute_sql("""
        INSERT INTO per_customer SELECT customer, COUNT(*) FROM (
          SELECT customer FROM orders UNION ALL SELECT customer FROM late) GROUP BY customer
    """).get_job_client()
    job.query.processAllAvailable()
    produce(servers, orders, [order(2, "bounded", 1)])
    produce(servers, late, [order(1, "unbounded", 1)])
    job.query.processAllAvailable()
    job.stop()
    assert {row["customer"]: row["n"] for row in json_table(servers, both).values()} == {
        "bounded": 1,
        "unbounded": 1,
    }


COLLECTED = """customer STRING, items MULTISET<STRING>, prices STRING, amounts STRING, half DOUBLE,
    PRIMARY KEY (customer) NOT ENFORCED"""
COLLECT = """INSERT INTO collected SELECT customer, COLLECT(item), JSON_OBJECTAGG(KEY item VALUE amount),
    JSON_ARRAYAGG(amount), PERCENTILE(amount, 0.5) FROM sold GROUP BY customer"""


def test_what_is_collected_follows_updates_and_deletes(env, servers, topic):
    sold, collected = topic("sold"), topic("collected")
    columns = (
        "id BIGINT, customer STRING, item STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED"
    )
    upsert_table(env, "sold", columns, servers, sold)
    upsert_table(env, "collected", COLLECTED, servers, collected)

    def sale(number, item, amount):
        row = {"id": number, "customer": "ann", "item": item, "amount": amount}
        return {"id": number}, row

    produce(servers, sold, [sale(1, "pen", 5), sale(2, "ink", None), sale(3, "cap", 8)])
    env.execute_sql(COLLECT).wait()
    ann = '{"customer":"ann"}'
    (row,) = json_table(servers, collected).values()
    assert row["items"] == {"pen": 1, "ink": 1, "cap": 1}
    assert json.loads(row["prices"]) == {"pen": 5, "ink": None, "cap": 8}
    assert sorted(json.loads(row["amounts"])) == [5, 8]
    assert row["half"] == 6.5
    # The job goes on with what has come since.
    produce(servers, sold, [gone(3), sale(2, "nib", 7), sale(1, "pen", 6)])
    env.execute_sql(COLLECT).wait()
    row = json_table(servers, collected)[ann]
    assert row["items"] == {"pen": 1, "nib": 1}
    assert json.loads(row["prices"]) == {"pen": 6, "nib": 7}
    assert sorted(json.loads(row["amounts"])) == [6, 7]
    assert row["half"] == 6.5
