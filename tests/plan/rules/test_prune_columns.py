import pytest

from headrace.plan.nodes import (
    Aggregate,
    Collect,
    Expand,
    Filter,
    Join,
    Normalize,
    Rank,
    Scan,
    Sink,
    Union,
    Values,
)
from headrace.plan.rules.find_join_keys import find_join_keys
from headrace.plan.rules.prune_columns import prune_columns


def read(root) -> list[tuple[str, ...]]:
    """The columns each source reads after pruning."""
    return [node.names for node in prune_columns(root).walk() if isinstance(node, Scan)]


def test_a_source_reads_what_is_asked(scan, project):
    assert read(Collect(project(scan("orders"), x="item"))) == [("item",)]
    assert read(Collect(scan("orders", "item", "price"))) == [("price", "item")]


def test_the_primary_key_is_always_read(scan, project):
    assert read(Collect(project(scan("users"), x="name"))) == [("user_id", "name")]


def test_a_condition_reads_too(scan, project, expr):
    source = scan("orders")
    filtered = Filter(source, expr("price > 1", source))
    assert read(Collect(project(filtered, x="item"))) == [("price", "item")]


def test_outputs_nobody_reads_go(scan, project):
    lower = project(scan("orders"), a="item", b="UPPER(item)", c="price")
    root = prune_columns(Collect(project(lower, x="a")))
    assert root.input.input.label() == "Project(item AS a)"
    assert read(root) == [("item",)]


def test_a_sink_keeps_all_its_columns(scan, project, table):
    root = Sink(project(scan("orders"), id="order_id", text="item"), table("lines"))
    assert prune_columns(root).names == ("id", "text")


@pytest.mark.parametrize(
    ("outer", "calls", "columns"),
    [
        ("item, n", 1, ("item",)),
        ("item, s, n", 2, ("price", "item")),
        ("item", 0, ("item",)),
        ("f", 1, ("user_id", "item")),
    ],
)
def test_calls_nobody_reads_go(query, outer, calls, columns):
    inner = (
        "SELECT item, COUNT(*) AS n, SUM(price) AS s, COUNT(*) FILTER (WHERE user_id > 1) AS f "
        "FROM orders GROUP BY item"
    )
    root = prune_columns(Collect(query(f"SELECT {outer} FROM ({inner})")))
    (aggregate,) = (node for node in root.walk() if isinstance(node, Aggregate))
    assert read(root) == [columns]
    assert len(aggregate.calls) == calls


def test_distinct_needs_every_column(scan, project):
    distinct = Aggregate(project(scan("orders"), a="item", b="price"), ("a", "b"), ())
    assert read(Collect(project(distinct, x="a"))) == [("price", "item")]


def test_counting_rows_reads_no_column(query):
    assert read(Collect(query("SELECT COUNT(*) FROM orders"))) == [()]


def test_branches_of_a_union_stay_alike(scan, project, expr):
    users = scan("users", "user_id", "name")
    orders = scan("orders", "order_id", "item")
    kept = Filter(orders, expr("order_id > 1", orders))
    root = prune_columns(Collect(project(Union((users, kept)), x="name")))
    union = root.input.input
    assert [branch.names for branch in union.branches] == [("name",), ("item",)]
    assert read(root) == [("user_id", "name"), ("order_id", "item")]


def test_constants_stay(project, scan):
    values = Values(((),), ())
    assert prune_columns(Collect(values)) == Collect(values)


def test_pruning_twice_changes_nothing_more(query):
    root = Collect(
        query("SELECT item FROM orders WHERE price > 1 UNION ALL SELECT name FROM users")
    )
    once = prune_columns(root)
    assert prune_columns(once) == once


def test_below_a_normalize_the_row_stays_whole(scan, project):
    source = Normalize(scan("users", "user_id", "name"), ("user_id",))
    assert read(Collect(project(source, x="user_id"))) == [("user_id", "name")]


def test_a_join_keeps_what_is_read_its_keys_and_its_condition(query):
    sql = "SELECT o.item FROM orders AS o JOIN users AS u ON o.user_id = u.user_id AND u.age < o.order_id"
    root = prune_columns(find_join_keys(Collect(query(sql))))
    (join,) = (node for node in root.walk() if isinstance(node, Join))
    assert set(join.left.names) == {"order_id", "user_id", "item"}
    assert set(join.right.names) == {"user_id0", "age"}


def test_a_join_keeps_no_column_for_a_condition_below_it(query):
    sql = "SELECT u.name FROM (SELECT * FROM orders WHERE price > 1) AS o JOIN users AS u ON o.user_id = u.user_id"
    root = prune_columns(find_join_keys(Collect(query(sql))))
    (join,) = (node for node in root.walk() if isinstance(node, Join))
    assert join.left.names == ("user_id",)
    assert read(root)[0] == ("user_id", "price")


@pytest.mark.parametrize(("shown", "rank"), [("name", None), ("name, rn", "row_number")])
def test_a_number_nobody_reads_goes(query, shown, rank):
    inner = "SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY age) AS rn FROM users"
    root = prune_columns(Collect(query(f"SELECT {shown} FROM ({inner})")))
    (node,) = (item for item in root.walk() if isinstance(item, Rank))
    assert node.rank == rank
    assert set(node.input.names) == {"name", "country", "age"}


def test_the_count_of_a_repeated_row_is_read(query):
    root = prune_columns(
        Collect(query("SELECT 1 FROM (SELECT item FROM orders EXCEPT ALL SELECT name FROM users)"))
    )
    (aggregate,) = (node for node in root.walk() if isinstance(node, Aggregate))
    assert [name for name, _ in aggregate.calls] == ["lefts", "rights"]


def test_an_unnested_collection_is_read(query):
    sql = "SELECT x FROM (SELECT item, ARRAY[price] AS p, user_id FROM orders) CROSS JOIN UNNEST(p) AS t (x)"
    assert read(Collect(query(sql))) == [("price",)]


def test_expanded_columns_nobody_reads_go(query):
    inner = "SELECT item, MAX(price) AS p, MIN(user_id) AS u FROM orders GROUP BY ROLLUP (item)"
    root = prune_columns(Collect(query(f"SELECT item, p FROM ({inner})")))
    (expand,) = (node for node in root.walk() if isinstance(node, Expand))
    assert expand.output_names == ("item", "price", "grouping_set")
    assert all(len(row) == 3 for row in expand.rows)
    assert read(root) == [("price", "item")]
