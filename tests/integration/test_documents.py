"""The examples of the upsert-kafka documents, with their DDL: only addresses and topic names are ours."""

import json

import pytest

from headrace.errors import UnknownName
from headrace.testing.topics import eventually, json_table, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]


def pageviews_ddl(servers, topic, watermark_column="view_time"):
    return f"""
        CREATE TABLE pageviews (
            user_id BIGINT,
            page_id BIGINT,
            view_time TIMESTAMP,
            user_region STRING,
            WATERMARK FOR {watermark_column} AS view_time - INTERVAL '2' SECOND
        ) WITH (
            'connector' = 'kafka',
            'topic' = '{topic}',
            'properties.bootstrap.servers' = '{servers}',
            'scan.startup.mode' = 'earliest-offset',
            'scan.bounded.mode' = 'latest-offset',
            'format' = 'json'
        )"""


def per_region_ddl(servers, topic, bounded=""):
    return f"""
        CREATE TABLE pageviews_per_region (
            user_region STRING,
            pv BIGINT,
            uv BIGINT,
            PRIMARY KEY (user_region) NOT ENFORCED -- the key of the records
        ) WITH (
            'connector' = 'upsert-kafka',
            'topic' = '{topic}',
            'properties.bootstrap.servers' = '{servers}',
            'key.format' = 'avro',
            'value.format' = 'avro'{bounded}
        )"""


HEADLINE = """
    INSERT INTO pageviews_per_region
    SELECT
        user_region,
        COUNT(*),
        COUNT(DISTINCT user_id)
    FROM pageviews
    GROUP BY user_region"""


def test_pageviews_per_region_in_avro(env, servers, topic):
    views, regions = topic("page_views"), topic("pageviews_per_region")
    produce(
        servers,
        views,
        [
            (
                None,
                {"user_id": u, "page_id": p, "view_time": "2025-01-01 00:00:00", "user_region": r},
            )
            for u, p, r in [(1, 10, "eu"), (1, 11, "eu"), (2, 10, "eu"), (3, 12, "us")]
        ],
    )
    env.execute_sql(pageviews_ddl(servers, views))
    env.execute_sql(per_region_ddl(servers, regions, ", 'scan.bounded.mode' = 'latest-offset'"))
    env.execute_sql(HEADLINE).wait()
    rows = env.execute_sql("SELECT * FROM pageviews_per_region").collect()
    assert sorted(rows) == [("eu", 3, 2), ("us", 1, 1)]


def test_avro_on_the_wire_is_what_flink_writes(env, servers, topic):
    """A nullable column is a union of null and its type; a key column is not nullable."""
    views, regions = topic("page_views"), topic("pageviews_per_region")
    produce(servers, views, [(None, {"user_id": 7, "page_id": 1, "user_region": "eu"})])
    env.execute_sql(pageviews_ddl(servers, views))
    env.execute_sql(per_region_ddl(servers, regions))
    env.execute_sql(HEADLINE).wait()
    (record,) = read_topic(servers, regions)
    assert record.key == b"\x04eu"
    assert record.value == b"\x04eu\x02\x02\x02\x02"


def test_a_watermark_on_an_unknown_column_points_at_the_word(env, servers, topic):
    with pytest.raises(UnknownName) as caught:
        env.execute_sql(pageviews_ddl(servers, topic("page_views"), "viewtime"))
    assert caught.value.condition == "UNKNOWN_COLUMN"
    assert (caught.value.where.line, caught.value.where.column) == (7, 27)
    assert caught.value.cure == "did you mean 'view_time'?"


ORDER_COLUMNS = """
    order_id string, order_channel string, order_time string, pay_amount double, real_pay double,
    pay_time string, user_id string, user_name string, area_id string"""

ORDERS = [
    {
        "order_id": "202103251202020001", "order_channel": "miniAppShop",
        "order_time": "2021-03-25 12:02:02", "pay_amount": "60.00", "real_pay": "60.00",
        "pay_time": "2021-03-25 12:03:00", "user_id": "0002", "user_name": "Bob", "area_id": "330110",
    },
    {
        "order_id": "202103251505050001", "order_channel": "qqShop",
        "order_time": "2021-03-25 15:05:05", "pay_amount": "500.00", "real_pay": "400.00",
        "pay_time": "2021-03-25 15:10:00", "user_id": "0003", "user_name": "Cindy", "area_id": "330108",
    },
]  # fmt: skip


def test_orders_copied_to_an_upsert_topic(env, servers, topic):
    """An unbounded append source into an upsert sink: every record is written, in order, keyed by its order."""
    source, sink = topic("orders"), topic("orders-by-id")
    produce(servers, source, [(None, {**ORDERS[0], "order_id": "before the start"})])
    env.execute_sql(f"""
        CREATE TABLE orders ({ORDER_COLUMNS}) WITH (
          'connector' = 'kafka', 'topic' = '{source}',
          'properties.bootstrap.servers' = '{servers}', 'properties.group.id' = 'GroupId',
          'scan.startup.mode' = 'latest-offset', "format" = "json"
        )""")
    env.execute_sql(f"""
        CREATE TABLE UPSERTKAFKASINK ({ORDER_COLUMNS}, PRIMARY KEY (order_id) NOT ENFORCED) WITH (
          'connector' = 'upsert-kafka', 'topic' = '{sink}',
          'properties.bootstrap.servers' = '{servers}', 'key.format' = 'json', 'value.format' = 'json'
        )""")
    result = env.execute_sql("insert into UPSERTKAFKASINK select * from orders")
    job = result.get_job_client()
    eventually(job.progress, lambda progress: progress is not None)
    produce(servers, source, [(None, order) for order in (*ORDERS, ORDERS[0])])
    records = eventually(lambda: read_topic(servers, sink), lambda seen: len(seen) >= 3)
    job.stop()
    assert [record.json_key()["order_id"] for record in sorted(records, key=lambda r: r.timestamp)]
    expected = [
        {**o, "pay_amount": float(o["pay_amount"]), "real_pay": float(o["real_pay"])}
        for o in ORDERS
    ]
    assert [
        json.loads(r.value) for r in records if r.json_key()["order_id"] == ORDERS[0]["order_id"]
    ] == [expected[0]] * 2
    assert set(json_table(servers, sink)) == {
        json.dumps({"order_id": order["order_id"]}, separators=(",", ":")) for order in ORDERS
    }
