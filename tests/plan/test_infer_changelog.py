import pytest

from headrace.changelog import ChangelogMode, RowKind
from headrace.plan.expressions import AggregateCall
from headrace.plan.functions.lookup import lookup_aggregate
from headrace.plan.infer_changelog import emitted, needs_before
from headrace.plan.nodes import (
    Aggregate,
    Collect,
    Field,
    Filter,
    Normalize,
    Project,
    Scan,
    Sink,
    Union,
    Values,
)
from headrace.types import BIGINT, STRING

APPEND, UPSERT, RETRACT = ChangelogMode.append(), ChangelogMode.upsert(), ChangelogMode.retract()
UPDATES = ChangelogMode.of([RowKind.INSERT, RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER])
COUNT = AggregateCall(lookup_aggregate("COUNT"), (), BIGINT.not_null())


@pytest.fixture
def users(table) -> Scan:
    return Scan(table("users"), (Field("user_id", BIGINT), Field("name", STRING)))


@pytest.fixture
def orders(table) -> Scan:
    return Scan(table("orders"), (Field("order_id", BIGINT), Field("item", STRING)))


def test_a_source_emits_what_its_connector_says(users, orders):
    assert emitted(users, (), False) == UPSERT
    assert emitted(orders, (), True) == APPEND
    assert emitted(Values((), ()), (), True) == APPEND


@pytest.mark.parametrize(("needed", "mode"), [(True, RETRACT), (False, UPSERT)])
def test_normalize_leaves_old_rows_out_when_nobody_needs_them(users, needed, mode):
    assert emitted(Normalize(users, ("user_id",)), (UPSERT,), needed) == mode


@pytest.mark.parametrize(
    ("calls", "given", "needed", "text"),
    [
        ((("n", COUNT),), APPEND, True, "[I,UB,UA]"),
        ((("n", COUNT),), APPEND, False, "[I,UA]"),
        ((("n", COUNT),), RETRACT, True, "[I,UB,UA,D]"),
        ((("n", COUNT),), RETRACT, False, "[I,UA,D]"),
        ((), APPEND, True, "[I]"),
        ((), RETRACT, True, "[I,UB,UA,D]"),
    ],
)
def test_aggregates(orders, calls, given, needed, text):
    assert str(emitted(Aggregate(orders, ("item",), calls), (given,), needed)) == text


def test_what_keeps_no_state_passes_changes_on(users, expr, table):
    for node in (
        Filter(users, expr("user_id > 1", users)),
        Project(users, (("user_id", expr("user_id", users)),)),
        Collect(users),
        Sink(users, table("console")),
    ):
        assert emitted(node, (RETRACT,), False) == RETRACT


def test_a_union_emits_what_any_branch_emits(users, orders):
    union = Union((orders, users))
    assert emitted(union, (APPEND, APPEND), True) == APPEND
    assert emitted(union, (APPEND, UPDATES), True) == UPDATES


def test_nobody_needs_old_rows_of_rows_that_stay(orders):
    assert not needs_before(Collect(orders), True, orders, True)


def test_readers_that_subtract_need_old_rows(users, expr):
    for reader in (
        Collect(users),
        Filter(users, expr("user_id > 1", users)),
        Aggregate(users, ("name",), ()),
        Union((users, users)),
    ):
        assert needs_before(reader, False, users, False)


@pytest.mark.parametrize(
    ("column", "reader_needs", "expected"),
    [("user_id", False, False), ("user_id", True, True), ("name", False, True)],
)
def test_a_projection_needs_them_without_a_key(users, expr, column, reader_needs, expected):
    node = Project(users, ((column, expr(column, users)),))
    assert needs_before(node, reader_needs, users, False) is expected


def test_a_sink_of_the_same_key_does_not_need_them(users, table):
    assert not needs_before(Sink(users, table("users_copy")), False, users, False)


def test_a_sink_of_another_key_or_of_any_change_needs_them(users, table):
    assert needs_before(Sink(users, table("totals")), False, users, False)
    assert needs_before(Sink(users, table("console")), False, users, False)


def test_a_normalize_asks_its_source_for_nothing(users):
    assert not needs_before(Normalize(users, ("user_id",)), False, users, False)


@pytest.mark.parametrize(
    ("sql", "mode"),
    [
        ("SELECT 1 FROM orders AS a JOIN orders AS b ON a.order_id = b.order_id", "[I]"),
        (
            "SELECT 1 FROM orders AS a LEFT JOIN orders AS b ON a.order_id = b.order_id",
            "[I,UB,UA,D]",
        ),
        ("SELECT 1 FROM orders AS a JOIN users AS b ON a.order_id = b.user_id", "[I,UB,UA,D]"),
        ("SELECT 1 FROM orders WHERE item IN (SELECT item FROM orders)", "[I]"),
        ("SELECT 1 FROM orders WHERE item IN (SELECT name FROM users)", "[I,UB,UA,D]"),
        (
            "SELECT 1 FROM orders AS a WHERE NOT EXISTS (SELECT 1 FROM orders AS b WHERE a.item = b.item)",
            "[I,UB,UA,D]",
        ),
    ],
)
def test_joins(plan, sql, mode):
    assert str(plan(sql).root.traits.mode) == mode


def test_a_join_reads_old_rows_whatever_its_reader_takes(plan):
    planned = plan(
        "INSERT INTO users_copy SELECT u.user_id, c.name FROM users AS u "
        "JOIN users_copy AS c ON u.user_id = c.user_id"
    )
    normalized = [item for item in planned.root.walk() if type(item.node).__name__ == "Normalize"]
    assert [str(item.traits.mode) for item in normalized] == ["[I,UB,UA,D]"] * 2


@pytest.mark.parametrize(
    ("sql", "mode"),
    [
        ("SELECT x FROM orders CROSS JOIN UNNEST(ARRAY[1]) AS t (x)", "[I]"),
        ("SELECT x FROM users CROSS JOIN UNNEST(ARRAY[1]) AS t (x)", "[I,UB,UA,D]"),
        ("SELECT item FROM orders EXCEPT SELECT item FROM orders", "[I,UB,UA,D]"),
        ("SELECT item FROM orders INTERSECT ALL SELECT item FROM orders", "[I,UB,UA,D]"),
        ("SELECT item, COUNT(*) FROM orders GROUP BY item", "[I,UB,UA]"),
        ("SELECT COUNT(*) FROM orders GROUP BY item", "[I,UB,UA,D]"),
        ("SELECT item, COUNT(*) FROM orders GROUP BY ROLLUP (item)", "[I,UB,UA,D]"),
        ("SELECT item FROM orders LIMIT 3", "[I]"),
        ("SELECT item FROM orders ORDER BY item LIMIT 3", "[I,UB,UA,D]"),
        (
            "SELECT item FROM (SELECT item, COUNT(*) AS n FROM orders GROUP BY item) WHERE n < 3",
            "[I,UB,UA,D]",
        ),
    ],
)
def test_rows_that_are_made_more_or_left_out(plan, sql, mode):
    assert str(plan(sql).root.traits.mode) == mode


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x FROM {} CROSS JOIN UNNEST(ARRAY[1]) AS t (x)",
        "SELECT name FROM {} INTERSECT ALL SELECT name FROM users_copy",
        "SELECT name FROM {} GROUP BY ROLLUP (name)",
        "SELECT name FROM {} LIMIT 3",
    ],
)
def test_old_rows_are_read(plan, query):
    for planned in plan(query.format("users")).root.walk():
        if type(planned.node).__name__ == "Normalize":
            assert str(planned.traits.mode) == "[I,UB,UA,D]"


def test_a_materialized_sink_takes_updates_by_key(plan):
    planned = plan("INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users")
    (child,) = planned.root.inputs
    assert str(child.traits.mode) == "[I,UA,D]"
    assert str(child.inputs[0].traits.mode) == "[I,UB,UA,D]"


@pytest.mark.parametrize(
    ("query", "action", "mode"),
    [
        ("SELECT user_id, item FROM orders", "NOTHING", "[I]"),
        ("SELECT user_id, item FROM orders", "ERROR", "[I]"),
        ("SELECT CAST(age AS BIGINT), name FROM users", "NOTHING", "[I,UA,D]"),
    ],
)
def test_the_first_of_rows_that_only_arrive_stays(plan, query, action, mode):
    planned = plan(f"INSERT INTO users_copy {query} ON CONFLICT DO {action}")
    (child,) = planned.root.inputs
    assert type(child.node).__name__ == "Materialize"
    assert str(child.traits.mode) == mode


def test_a_mark_changes_when_a_match_comes(plan):
    planned = plan("SELECT item, EXISTS (SELECT 1 FROM numbers WHERE word = item) FROM orders")
    (join,) = (item for item in planned.root.walk() if type(item.node).__name__ == "Join")
    assert all(item.traits.mode.is_append for item in join.inputs)
    assert join.traits.mode.is_retract
