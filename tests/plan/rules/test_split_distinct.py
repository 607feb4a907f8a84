import pytest

from headrace.plan.nodes import Aggregate, Node
from headrace.plan.rules.normalize_upserts import normalize_upserts
from headrace.plan.rules.split_distinct import split_distinct


def buckets(query, sql: str, number: int = 8) -> list[int]:
    root = split_distinct(normalize_upserts(query(sql)), number)
    return [node.buckets for node in root.walk() if isinstance(node, Aggregate)]


@pytest.mark.parametrize(
    "calls",
    [
        "COUNT(DISTINCT item)",
        "COUNT(*), SUM(price), COUNT(DISTINCT item), AVG(DISTINCT price)",
        "COUNT(DISTINCT item, user_id), COUNT(DISTINCT item) FILTER (WHERE price > 1)",
        "STDDEV(DISTINCT price)",
        # Rows only arrive: the greatest one stays.
        "MAX(price), COUNT(DISTINCT item)",
    ],
)
def test_sums_over_distinct_values_are_split(query, calls):
    assert buckets(query, f"SELECT user_id, {calls} FROM orders GROUP BY user_id") == [8]


@pytest.mark.parametrize(
    "calls",
    [
        "COUNT(*)",
        "SUM(price), MIN(price)",
        "MAX(DISTINCT price)",
        "LISTAGG(DISTINCT item)",
        "COUNT(DISTINCT item), LAST_VALUE(item)",
    ],
)
def test_what_has_no_counted_values_or_needs_an_order_stays_whole(query, calls):
    assert buckets(query, f"SELECT user_id, {calls} FROM orders GROUP BY user_id") == [0]


def test_extremes_that_can_go_need_all_values_together(query):
    grouped = "FROM users GROUP BY country"
    assert buckets(query, f"SELECT COUNT(DISTINCT name) {grouped}") == [8]
    assert buckets(query, f"SELECT COUNT(DISTINCT name), MAX(age) {grouped}") == [0]


def test_every_aggregate_is_looked_at_by_itself(query):
    inner = "SELECT item, COUNT(DISTINCT user_id) AS n FROM orders GROUP BY item"
    assert buckets(query, f"SELECT MAX(n) FROM ({inner})") == [0, 8]
    # The inner result changes, but it is the outer one that counts distinct values.
    assert buckets(query, f"SELECT COUNT(DISTINCT n) FROM ({inner})") == [8, 8]


def test_no_buckets_leave_the_plan_as_it_is(query):
    root: Node = query("SELECT COUNT(DISTINCT item) FROM orders")
    assert split_distinct(root, 0) is root


def test_without_keys_the_one_group_is_split(query):
    assert buckets(query, "SELECT COUNT(DISTINCT item) FROM orders", 3) == [3]
