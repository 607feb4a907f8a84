import pytest

from headrace.errors import HeadraceError
from headrace.plan.correlation import plan_inner
from headrace.plan.nodes import Aggregate, Filter, Project, Rank, Scan
from headrace.plan.queries import QueryContext, plan_scan, scope_of
from headrace.plan.relation import Relation
from headrace.plan.tables import with_options
from headrace.sql.dialect import parse_query


@pytest.fixture
def outer(table):
    return Relation.of(plan_scan(table("orders")), "o")


@pytest.fixture
def inner(env, outer):
    """The subquery `sql` of a query over `orders AS o`."""

    def plan(sql: str, **more):
        context = QueryContext(env.catalog, "<sql>", with_options)
        body = parse_query(sql)
        return plan_inner(body, outer.node, scope_of(outer, context), context, **more)

    return plan


def conditions(found) -> list[str]:
    return [str(condition) for condition in found.conditions]


def one(found, kind):
    (node,) = (item for item in found.node.walk() if isinstance(item, kind))
    return node


class TestPlainRows:
    def test_conditions_that_look_outside_are_left_to_the_join(self, inner):
        found = inner("SELECT name FROM users WHERE age > 3 AND user_id = o.user_id")
        assert conditions(found) == ["(user_id0 = user_id)"]
        assert str(one(found, Filter).condition) == "(age > 3)"
        assert [str(output) for output in found.outputs] == ["name"]

    def test_any_condition_may_look_outside(self, inner):
        found = inner("SELECT name FROM users WHERE age > o.price OR name = o.item")
        assert len(found.conditions) == 1
        assert not list(found.pairs())

    def test_no_name_is_shared(self, inner, outer):
        found = inner("SELECT * FROM orders")
        assert set(found.node.names).isdisjoint(outer.node.names)
        assert found.names[:2] == ("order_id", "user_id")

    def test_outputs_become_columns(self, inner, outer):
        found = inner("SELECT age + 1 AS item, name FROM users")
        node, refs = found.with_outputs(outer.node)
        assert isinstance(node, Project)
        # `item` is a column outside.
        assert [ref.name for ref in refs] == ["item0", "name"]
        assert {"item0", "name", "age"} <= set(node.names)

    def test_columns_stay_what_they_are(self, inner, outer):
        found = inner("SELECT name FROM users")
        node, (ref,) = found.with_outputs(outer.node)
        assert node is found.node
        assert ref.name == "name"

    def test_distinct_matters_where_rows_are_counted(self, inner):
        sql = "SELECT DISTINCT name FROM users WHERE user_id = o.user_id"
        assert not any(isinstance(item, Aggregate) for item in inner(sql).node.walk())
        assert one(inner(sql, as_table=True), Aggregate).keys == ("name", "key")


class TestAggregates:
    def test_a_total_is_taken_per_compared_value(self, inner):
        found = inner("SELECT MAX(age) FROM users WHERE user_id = o.user_id")
        assert one(found, Aggregate).keys == ("user_id0",)
        assert conditions(found) == ["(user_id = key)"]
        assert [str(value) for value in found.without_rows] == ["NULL"]

    def test_a_count_of_nothing_is_zero(self, inner):
        found = inner("SELECT COUNT(*) * 2 + COUNT(name), SUM(age) FROM users WHERE name = o.item")
        assert [str(value) for value in found.without_rows] == ["((0 * 2) + 0)", "NULL"]

    def test_a_total_of_all(self, inner):
        found = inner("SELECT COUNT(*) FROM users")
        assert one(found, Aggregate).keys == ()
        assert found.conditions == ()
        assert [str(value) for value in found.without_rows] == ["0"]

    def test_groups_of_its_own(self, inner):
        found = inner(
            "SELECT country, COUNT(*) FROM users WHERE name = o.item GROUP BY country HAVING COUNT(*) > 1"
        )
        assert one(found, Aggregate).keys == ("name", "country")
        assert "agg0 > 1" in str(one(found, Filter).condition)
        assert found.without_rows is None

    def test_a_computed_value_is_compared(self, inner):
        found = inner("SELECT MAX(age) FROM users WHERE UPPER(name) = LOWER(o.item)")
        assert one(found, Aggregate).keys == ("key0",)
        assert conditions(found) == ["(LOWER(item) = key)"]

    def test_a_condition_about_the_outside_alone_is_the_joins(self, inner):
        found = inner("SELECT COUNT(*) FROM users WHERE name = o.item AND o.price > 1")
        assert one(found, Aggregate).keys == ("name",)
        assert conditions(found)[0] == "(item = key)"
        assert "price" in conditions(found)[1]


class TestLimits:
    def test_the_first_rows_of_each_compared_value(self, inner):
        found = inner("SELECT name FROM users WHERE country = o.item ORDER BY age DESC LIMIT 2")
        rank = one(found, Rank)
        assert rank.partition == ("key",)
        assert (rank.start, rank.end) == (1, 2)
        assert [str(key) for key in rank.order] == ["sort DESC"]
        assert conditions(found) == ["(item = key)"]

    def test_without_a_look_outside_it_is_a_query_of_its_own(self, inner):
        found = inner("SELECT name FROM users ORDER BY age LIMIT 2")
        assert one(found, Rank).partition == ()
        assert found.conditions == ()


class TestSingleRows:
    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT MAX(age) FROM users",
            "SELECT MAX(age) FROM users WHERE user_id = o.user_id",
            "SELECT name FROM users WHERE user_id = o.user_id",
            "SELECT name FROM users WHERE user_id = o.user_id AND age > o.price",
            "SELECT name FROM users ORDER BY age LIMIT 1",
            "SELECT name FROM users WHERE country = o.item ORDER BY age LIMIT 1 OFFSET 2",
            "SELECT n FROM (SELECT name, COUNT(*) AS n FROM users GROUP BY name) WHERE name = o.item",
            "SELECT 1",
        ],
    )
    def test_proven(self, inner, sql):
        assert inner(sql).is_single

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT name FROM users",
            "SELECT name FROM users WHERE country = o.item",
            "SELECT name FROM users WHERE user_id > o.user_id",
            "SELECT name FROM users ORDER BY age LIMIT 2",
            "SELECT MAX(age) FROM users WHERE name = o.item GROUP BY country",
            "VALUES 1, 2",
        ],
    )
    def test_not_proven(self, inner, sql):
        assert not inner(sql).is_single


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        (
            "SELECT name FROM users WHERE name = o.item "
            "QUALIFY ROW_NUMBER() OVER (PARTITION BY country ORDER BY age) = 1",
            "[UNSUPPORTED_SQL] OVER or QUALIFY in a query that looks at columns around it is not supported yet",
        ),
        ("SELECT nobody FROM users", "[UNKNOWN_COLUMN] column 'nobody' does not exist"),
    ],
)
def test_refusals(inner, sql, error):
    with pytest.raises(HeadraceError) as caught:
        inner(sql)
    assert caught.value.render().splitlines()[0] == error


class TestValuesOutside:
    """What equalities cannot say is planned over a table of the values outside."""

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT MAX(age) FROM users WHERE age > o.price",
            "SELECT name FROM users WHERE age > o.price ORDER BY name LIMIT 1",
            "SELECT COUNT(*) + o.price FROM users",
            "SELECT name FROM users GROUP BY name HAVING MAX(age) > o.price",
            "SELECT name FROM users WHERE NOT EXISTS "
            "(SELECT 1 FROM users AS c WHERE c.age = o.price AND c.name = users.name)",
            "SELECT name FROM users WHERE country = "
            "(SELECT MAX(c.country) FROM users AS c WHERE c.age < o.price)",
        ],
    )
    def test_they_are_compared_again_as_they_are(self, inner, sql):
        found = inner(sql)
        assert len(conditions(found)) == 1
        assert conditions(found)[0].startswith("(price IS NOT DISTINCT FROM ")
        assert found.by_equality

    def test_only_columns_that_are_named_are_among_them(self, inner):
        found = inner("SELECT MAX(age) FROM users WHERE age > o.price AND name <> o.item")
        tables = [node for node in found.node.walk() if isinstance(node, Aggregate)]
        assert tables[-1].keys == ("price0", "item0")

    def test_one_row_is_wanted_for_a_value(self, inner):
        sql = "SELECT name FROM users WHERE age > o.price"
        assert conditions(inner(sql)) != conditions(inner(sql, as_value=True))
        assert inner(sql, as_value=True).by_equality

    def test_nothing_is_needed_for_a_row_found_by_its_key(self, inner):
        found = inner(
            "SELECT name FROM users WHERE user_id = o.user_id AND age > o.price", as_value=True
        )
        assert len(found.conditions) == 2
        assert found.is_single


def test_windows_of_a_query_that_looks_at_nothing_outside(inner):
    found = inner(
        "SELECT name FROM users QUALIFY ROW_NUMBER() OVER (PARTITION BY country ORDER BY age) = 1"
    )
    assert one(found, Rank).partition == ("country",)


def test_brackets_mean_nothing(inner):
    found = inner("((SELECT name FROM users WHERE user_id = o.user_id))")
    assert conditions(found) == ["(user_id0 = user_id)"]


def test_common_tables_of_the_subquery(inner):
    found = inner("WITH q AS (SELECT name FROM users) SELECT name FROM q WHERE name = o.item")
    assert conditions(found) == ["(name = item)"]
    assert one(found, Scan).table.identifier.name == "users"


def test_a_subquery_within(inner):
    found = inner(
        "SELECT (SELECT MAX(user_id) FROM users_copy) FROM users WHERE user_id = o.user_id AND "
        "age > (SELECT MIN(price) FROM orders)"
    )
    assert conditions(found) == ["(user_id0 = user_id)"]
    assert len([item for item in found.node.walk() if isinstance(item, Aggregate)]) == 2
