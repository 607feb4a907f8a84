"""What the documents of the kafka and upsert-kafka connectors show, on a broker."""

import datetime as dt
import json
import uuid

import pytest

from headrace.errors import UnknownName
from headrace.testing.topics import create_topic, eventually, json_table, produce, read_topic

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


@pytest.fixture
def make(env, servers, topic):
    """Makes a table of a topic of its own, read from its beginning to its end; gives the topic."""

    def table(name, columns, connector="kafka", **options):
        mine = topic(name)
        starts = {"scan.startup.mode": "earliest-offset"} if connector == "kafka" else {}
        given = {
            "connector": connector,
            "topic": mine,
            "properties.bootstrap.servers": servers,
            "scan.bounded.mode": "latest-offset",
            **starts,
            **options,
        }
        listed = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
        env.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({listed})")
        return mine

    return table


def rows_of(env, query):
    return [(str(row.get_row_kind()), *row) for row in env.execute_sql(query).collect()]


def test_columns_beside_those_of_the_record_are_written_and_read(env, make, servers):
    """A read-only one is left out of INSERT, and may have a wider type than the connector's."""
    clicks = make(
        "clicks",
        "`at` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', `partition` BIGINT METADATA VIRTUAL, "
        "`offset` BIGINT METADATA VIRTUAL, visitor BIGINT, page STRING",
        **{"properties.group.id": "readers", "format": "csv"},
    )
    create_topic(servers, clicks, partitions=1, retention_ms="-1")
    env.execute_sql(
        "INSERT INTO clicks VALUES (TO_TIMESTAMP_LTZ(1700000000123, 3), 7, 'a, b')"
    ).wait()
    (record,) = read_topic(servers, clicks)
    assert (record.value, record.timestamp) == (b'7,"a, b"', 1700000000123)
    moment = dt.datetime(2023, 11, 14, 22, 13, 20, 123000)
    assert rows_of(env, "SELECT * FROM clicks") == [("+I", moment, 0, 0, 7, "a, b")]


def change(op, before=None, after=None):
    source = {"db": "shop", "table": "visits", "ts_ms": 1700000000000}
    return (None, {"before": before, "after": after, "op": op, "source": source, "ts_ms": 1})


def test_changes_show_what_they_come_from(env, make, servers):
    """Without a key the old row of a change shows the place of the change: what is left over is told as it is."""
    visits = make(
        "visits",
        "at TIMESTAMP_LTZ(3) METADATA FROM 'value.source.timestamp' VIRTUAL, "
        "origin STRING METADATA FROM 'value.source.table' VIRTUAL, "
        "part BIGINT METADATA FROM 'partition' VIRTUAL, `offset` BIGINT METADATA VIRTUAL, "
        "id BIGINT, page STRING",
        **{"value.format": "debezium-json"},
    )
    create_topic(servers, visits)
    first, second, other = ({"id": i, "page": p} for i, p in ((1, "a"), (1, "b"), (2, "a")))
    produce(
        servers,
        visits,
        [
            change("c", after=first),
            change("u", first, second),
            change("c", after=other),
            change("d", other),
            (None, None),
        ],
    )
    moment = dt.datetime(2023, 11, 14, 22, 13, 20)
    from_there = (moment, "visits", 0)
    assert sorted(rows_of(env, "SELECT * FROM visits"), key=str) == sorted(
        [
            ("+I", *from_there, 0, 1, "a"),
            ("-D", *from_there, 1, 1, "a"),
            ("+I", *from_there, 1, 1, "b"),
            ("+I", *from_there, 2, 2, "a"),
            ("-D", *from_there, 3, 2, "a"),
        ],
        key=str,
    )
    assert rows_of(env, "SELECT origin, id, page FROM visits") == [("+I", "visits", 1, "b")]


def test_formats_of_key_and_value(env, make, servers):
    """Each with options of its own; columns of the same name in both are told apart by a prefix."""
    both = make(
        "both",
        "visitor BIGINT, item BIGINT, action STRING",
        **{
            "key.format": "json",
            "key.json.ignore-parse-errors": "true",
            "key.fields": "visitor;item",
            "value.format": "json",
            "value.json.fail-on-missing-field": "false",
            "value.fields-include": "ALL",
        },
    )
    apart = make(
        "apart",
        "k_version INT, k_visitor BIGINT, version INT, action STRING",
        **{
            "key.format": "json",
            "key.fields-prefix": "k_",
            "key.fields": "k_version;k_visitor",
            "value.format": "json",
            "value.fields-include": "EXCEPT_KEY",
        },
    )
    produce(
        servers, both, [("no key", {"visitor": 1}), ({"visitor": 2, "item": 3}, {"visitor": 2})]
    )
    produce(servers, apart, [({"version": 1, "visitor": 4}, {"version": 9, "action": "buy"})])
    assert rows_of(env, "SELECT * FROM both") == [("+I", 2, None, None)]
    assert rows_of(env, "SELECT * FROM apart") == [("+I", 1, 4, 9, "buy")]
    env.execute_sql("""EXECUTE STATEMENT SET BEGIN
        INSERT INTO both VALUES (5, 6, 'buy'); INSERT INTO apart VALUES (2, 5, 8, 'look'); END""").wait()
    written = [read_topic(servers, name)[-1] for name in (both, apart)]
    assert [(r.json_key(), r.json_value()) for r in written] == [
        ({"visitor": 5, "item": 6}, {"visitor": 5, "item": 6, "action": "buy"}),
        ({"version": 2, "visitor": 5}, {"version": 8, "action": "look"}),
    ]


def test_the_time_of_an_upsert_is_read_and_written(env, make, servers):
    """The column has another type than the metadata, and the key is no part of the value."""
    last = make(
        "last_action",
        "at TIMESTAMP(3) METADATA FROM 'timestamp', visitor BIGINT, action STRING, "
        "PRIMARY KEY (visitor) NOT ENFORCED",
        connector="upsert-kafka",
        **{
            "key.format": "json",
            "key.json.ignore-parse-errors": "true",
            "value.format": "json",
            "value.json.fail-on-missing-field": "false",
            "value.fields-include": "EXCEPT_KEY",
        },
    )
    create_topic(servers, last, retention_ms="-1")
    key = {"visitor": 1}
    produce(servers, last, [(key, {"action": "a"}), ("no key", {"action": "b"}), (key, None)])
    env.execute_sql(
        "INSERT INTO last_action VALUES (TIMESTAMP '2024-01-01 00:00:00', 4, 'c')"
    ).wait()
    record = read_topic(servers, last)[-1]
    assert (record.json_key(), record.json_value()) == ({"visitor": 4}, {"action": "c"})
    moment = dt.datetime(2024, 1, 1)
    assert rows_of(env, "SELECT * FROM last_action") == [("+I", moment, 4, "c")]


def test_places_to_start_and_to_end(env, make, servers):
    numbers = make("numbers", "n BIGINT, `partition` INT METADATA VIRTUAL", format="json")
    create_topic(servers, numbers, partitions=2)
    # Kafka's hash sends these keys to partitions 0 and 1.
    produce(servers, numbers, [(key, {"n": n}) for key in "ad" for n in range(4)])

    def read(options):
        hint = ", ".join(f"'scan.{key}' = '{value}'" for key, value in options.items())
        rows = rows_of(env, f"SELECT * FROM numbers /*+ OPTIONS({hint}) */")
        return sorted((part, n) for _, n, part in rows)

    first = {"startup.specific-offsets": "partition:0,offset:2;partition:1,offset:3"}
    first |= {"startup.mode": "specific-offsets"}
    assert read(first) == [(0, 2), (0, 3), (1, 3)]
    last = {"bounded.mode": "specific-offsets", "bounded.specific-offsets": "partition:0,offset:3"}
    assert read(first | last) == [(0, 2)]
    no_record_is_later = "4102444800000"
    began = {"startup.mode": "timestamp", "startup.timestamp-millis": no_record_is_later}
    assert read(began) == []
    ended = {"bounded.mode": "timestamp", "bounded.timestamp-millis": no_record_is_later}
    assert len(read(ended)) == 8
    assert read(ended | {"bounded.timestamp-millis": "0"}) == []


def test_guarantees_by_their_old_name(env, make, servers):
    guarantees = ("none", "at-least-once", "exactly-once")
    prefix = {"sink.transactional-id-prefix": uuid.uuid4().hex}
    topics = [
        make(f"sink{number}", "n BIGINT", format="json", **prefix, **{"sink.semantic": guarantee})
        for number, guarantee in enumerate(guarantees)
    ]
    inserts = (f"INSERT INTO sink{number} VALUES ({number});" for number in range(3))
    env.execute_sql(f"EXECUTE STATEMENT SET BEGIN {' '.join(inserts)} END").wait()
    written = [read_topic(servers, name, isolation_level="read_committed") for name in topics]
    assert [[record.value for record in records] for records in written] == [
        [b'{"n":0}'],
        [b'{"n":1}'],
        [b'{"n":2}'],
    ]
