"""The benchmark queries as data. One SQL text serves both engines; only the names of the topics are filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from headrace.errors import UnknownName

SINK = "sink"

_UPSERT = """WITH (
  'connector' = 'upsert-kafka',
  'topic' = '{{{topic}}}',
  'properties.bootstrap.servers' = '{{servers}}',
  'key.format' = 'json',
  'value.format' = 'json'{more}
)"""

_BOUND = """,
  'scan.bounded.mode' = 'latest-offset'"""

# Fifteen minutes are what a broker allows; Flink would ask for an hour.
_EXACTLY_ONCE = """,
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = '{sink}',
  'properties.transaction.timeout.ms' = '900000'"""

_ORDER_COLUMNS = "order_id BIGINT, customer_id BIGINT, amount BIGINT, status STRING"


@dataclass(frozen=True, slots=True)
class Query:
    """`key` and `columns` are those of the sink, in the order in which answer files give them."""

    name: str
    title: str
    inputs: tuple[str, ...]
    tables: tuple[str, ...]
    insert: str
    key: str
    columns: tuple[str, ...]

    def statements(self, servers: str, topics: Mapping[str, str]) -> list[str]:
        """The DDL in order and the INSERT last; `topics` names the topic behind each input and the sink."""
        return [text.format(servers=servers, **topics) for text in (*self.tables, self.insert)]


def _upsert_table(name: str, columns: str, key: str, more: str) -> str:
    options = _UPSERT.format(topic=name, more=more)
    return f"CREATE TABLE {name} ({columns}, PRIMARY KEY ({key}) NOT ENFORCED) {options}"


def _source(name: str, columns: str, key: str) -> str:
    return _upsert_table(name, columns, key, _BOUND)


def _sink(columns: str, key: str, more: str = "") -> str:
    return _upsert_table(SINK, columns, key, more)


def _copy(name: str, title: str, source: str, more: str = "") -> Query:
    return Query(
        name,
        title,
        (source,),
        (
            _source(source, _ORDER_COLUMNS, "order_id"),
            _sink(_ORDER_COLUMNS, "order_id", more),
        ),
        f"INSERT INTO sink SELECT order_id, customer_id, amount, status FROM {source}",
        "order_id",
        ("customer_id", "amount", "status"),
    )


_PAGEVIEWS = """CREATE TABLE pageviews (
  user_id BIGINT, page_id BIGINT, viewtime TIMESTAMP(3), user_region STRING,
  WATERMARK FOR viewtime AS viewtime - INTERVAL '5' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = '{pageviews}',
  'properties.bootstrap.servers' = '{servers}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = 'latest-offset',
  'format' = 'json'
)"""

QUERIES: dict[str, Query] = {
    query.name: query
    for query in (
        Query(
            "q1",
            "append → COUNT(*), COUNT(DISTINCT)",
            ("pageviews",),
            (_PAGEVIEWS, _sink("user_region STRING, pv BIGINT, uv BIGINT", "user_region")),
            "INSERT INTO sink SELECT user_region, COUNT(*), COUNT(DISTINCT user_id) "
            "FROM pageviews GROUP BY user_region",
            "user_region",
            ("pv", "uv"),
        ),
        Query(
            "q2",
            "upsert → filter",
            ("q2_orders",),
            (
                _source("q2_orders", _ORDER_COLUMNS, "order_id"),
                _sink(_ORDER_COLUMNS, "order_id"),
            ),
            "INSERT INTO sink SELECT order_id, customer_id, amount, status "
            "FROM q2_orders WHERE amount > 50",
            "order_id",
            ("customer_id", "amount", "status"),
        ),
        Query(
            "q3",
            "upsert → COUNT(*), SUM",
            ("q3_orders",),
            (
                _source("q3_orders", _ORDER_COLUMNS, "order_id"),
                _sink("customer_id BIGINT, cnt BIGINT, total BIGINT", "customer_id"),
            ),
            "INSERT INTO sink SELECT customer_id, COUNT(*), SUM(amount) "
            "FROM q3_orders GROUP BY customer_id",
            "customer_id",
            ("cnt", "total"),
        ),
        Query(
            "q4",
            "upsert ⋈ upsert",
            ("q4_orders", "q4_customers"),
            (
                _source("q4_orders", _ORDER_COLUMNS, "order_id"),
                _source(
                    "q4_customers",
                    "customer_id BIGINT, name STRING, region STRING",
                    "customer_id",
                ),
                _sink(f"{_ORDER_COLUMNS}, name STRING, region STRING", "order_id"),
            ),
            "INSERT INTO sink SELECT o.order_id, o.customer_id, o.amount, o.status, c.name, c.region "
            "FROM q4_orders AS o JOIN q4_customers AS c ON o.customer_id = c.customer_id",
            "order_id",
            ("customer_id", "amount", "status", "name", "region"),
        ),
        _copy("copy", "upsert → copy", "copy_orders"),
        _copy("copy-once", "upsert → copy, exactly once", "once_orders", _EXACTLY_ONCE),
    )
}


def query_named(name: str) -> Query:
    if name not in QUERIES:
        raise UnknownName("query", name, QUERIES)
    return QUERIES[name]
