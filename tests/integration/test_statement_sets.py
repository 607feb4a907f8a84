"""Several INSERTs as one job: their sources are read once, and their sinks tell of the same offsets."""

import json

import pytest

from headrace.testing.topics import create_topic, json_table, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

UPSERT = "'connector' = 'upsert-kafka', 'key.format' = 'json', 'value.format' = 'json'"
COUNT = 200


@pytest.fixture
def tables(env, servers, topic):
    """Orders with two partitions, and four tables to fill from them; gives their topics by table name."""
    columns = {
        "orders": "id BIGINT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED",
        "totals": "customer STRING, total BIGINT, PRIMARY KEY (customer) NOT ENFORCED",
        "large": "id BIGINT, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED",
        "pairs": "id BIGINT, other BIGINT, PRIMARY KEY (id, other) NOT ENFORCED",
        "copy": "id BIGINT, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED",
    }
    names = {}
    for table, fields in columns.items():
        names[table] = topic(table)
        create_topic(servers, names[table], partitions=2)
        env.execute_sql(f"""
            CREATE TABLE {table} ({fields}) WITH ({UPSERT}, 'topic' = '{names[table]}',
            'properties.bootstrap.servers' = '{servers}')""")
    return names


def order(number, customer, amount):
    return ({"id": number}, {"id": number, "customer": customer, "amount": amount})


def values(servers, topic):
    return [tuple(row.values()) for row in json_table(servers, topic).values()]


SET = """EXECUTE STATEMENT SET BEGIN
INSERT INTO totals SELECT customer, SUM(amount) FROM orders GROUP BY customer;
INSERT INTO large SELECT id, amount FROM orders WHERE amount >= 100;
INSERT INTO pairs SELECT a.id, b.id FROM orders AS a JOIN orders AS b ON a.amount = b.amount AND a.id < b.id;
INSERT INTO copy SELECT id, amount FROM orders;
END"""


def test_a_set_is_one_query_that_reads_a_shared_source_once(env, servers, tables):
    produce(servers, tables["orders"], [order(n, f"c{n % 3}", n) for n in range(COUNT)])
    result = env.execute_sql(SET)
    (job,) = result.jobs
    job.query.processAllAvailable()
    first = [json.loads(item.json()) for item in job.query.recentProgress()]
    # Four INSERTs name the table five times.
    assert sum(item["numInputRows"] for item in first) == COUNT
    assert {len(item["sources"]) for item in first} == {1}
    assert len(values(servers, tables["large"])) == len(values(servers, tables["copy"])) - 100
    assert values(servers, tables["pairs"]) == []

    again = [order(150, "c0", 9), order(150, "c0", 7), ({"id": 160}, None)]
    produce(servers, tables["orders"], again)
    job.query.processAllAvailable()
    job.stop()
    # The plain copy tells every change, whatever the other branches make of the rows they share with it.
    assert len(read_topic(servers, tables["copy"])) == COUNT + len(again)
    rows = {n: (f"c{n % 3}", n) for n in range(COUNT) if n != 160} | {150: ("c0", 7)}
    sums = {
        c: sum(amount for name, amount in rows.values() if name == c) for c in ("c0", "c1", "c2")
    }
    assert dict(values(servers, tables["totals"])) == sums
    assert {n for n, _ in values(servers, tables["large"])} == set(range(100, COUNT)) - {150, 160}
    assert values(servers, tables["pairs"]) == [(7, 150)]
    assert dict(values(servers, tables["copy"])) == {n: amount for n, (_, amount) in rows.items()}


def test_a_set_resumes_and_ends_as_one(env, servers, tables):
    env.execute_sql("ALTER TABLE orders SET ('scan.bounded.mode' = 'latest-offset')")
    produce(servers, tables["orders"], [order(1, "ann", 5), order(2, "bob", 500)])
    bounded = SET.split("INSERT INTO pairs")[0] + "INSERT INTO copy VALUES (9, 9);\nEND"
    constants, first = env.execute_sql(bounded).jobs
    first.wait()
    assert constants.query is None
    assert dict(values(servers, tables["copy"])) == {9: 9}
    produce(servers, tables["orders"], [({"id": 2}, None)])
    _, again = env.execute_sql(bounded).jobs
    again.wait()
    assert (again.id, again.resumed) == (first.id, True)
    assert values(servers, tables["totals"]) == [("ann", 5)]
    assert values(servers, tables["large"]) == []
    # The batch is kept while two sinks are written from it: each change is there once.
    assert len(read_topic(servers, tables["large"])) == 2
