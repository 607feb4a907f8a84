import pytest

from headrace.changelog import ChangelogMode
from headrace.plan.nodes import Conflict, Materialize, Rank

ROWS = "(SELECT *, PROCTIME() AS pt FROM orders)"
NUMBERED = f"SELECT *, ROW_NUMBER() OVER (PARTITION BY item ORDER BY pt {{}}) AS rn FROM {ROWS}"


def kept(plan, sql: str) -> list[Materialize]:
    return [node for node in plan(sql).sink.walk() if isinstance(node, Materialize)]


@pytest.mark.parametrize(
    ("order", "conflict"),
    [("", Conflict.NOTHING), ("ASC", Conflict.NOTHING), ("DESC", Conflict.DEDUPLICATE)],
)
def test_the_first_or_the_last_that_arrives(plan, order, conflict):
    (node,) = kept(plan, f"SELECT order_id, rn FROM ({NUMBERED.format(order)}) WHERE rn = 1")
    assert (node.key, node.conflict, node.table) == (("item",), conflict, "")


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT order_id FROM {ROWS} QUALIFY ROW_NUMBER() OVER (PARTITION BY item ORDER BY pt) = 1",
        "SELECT order_id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY item ORDER BY PROCTIME()) = 1",
        f"SELECT order_id FROM (SELECT * FROM {ROWS} WHERE order_id > 1) "
        "QUALIFY ROW_NUMBER() OVER (PARTITION BY item ORDER BY pt) <= 1",
    ],
)
def test_however_the_time_comes(plan, sql):
    (node,) = kept(plan, sql)
    assert node.key == ("item",)


def test_the_time_is_not_kept_with_the_row(plan):
    (node,) = kept(plan, f"SELECT order_id FROM ({NUMBERED.format('')}) WHERE rn = 1")
    assert set(node.names) == {"order_id", "item"}


def test_the_number_is_one(plan):
    made = plan(f"SELECT rn, order_id FROM ({NUMBERED.format('')}) WHERE rn = 1")
    assert made.sink.schema[0].type.sql() == "BIGINT NOT NULL"
    assert ("rn", "1") in [(name, str(expr)) for name, expr in made.sink.input.outputs]


def test_what_arrives_first_stays(plan):
    first = plan(f"SELECT order_id FROM ({NUMBERED.format('')}) WHERE rn = 1")
    last = plan(f"SELECT order_id FROM ({NUMBERED.format('DESC')}) WHERE rn = 1")
    modes = [made.root.traits.mode for made in (first, last)]
    assert modes[0] == ChangelogMode.append()
    assert not modes[1].is_append


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT order_id FROM ({NUMBERED.format('')}) WHERE rn <= 2",
        f"SELECT order_id FROM ({NUMBERED.format('')}) WHERE rn = 2",
        "SELECT order_id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY item ORDER BY price) = 1",
        "SELECT order_id FROM orders QUALIFY "
        "ROW_NUMBER() OVER (PARTITION BY item ORDER BY CURRENT_TIMESTAMP) = 1",
    ],
)
def test_others_are_ranked(plan, sql):
    assert kept(plan, sql) == []
    assert any(isinstance(node, Rank) for node in plan(sql).sink.walk())
