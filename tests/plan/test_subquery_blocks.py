import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Aggregate, Join, JoinKind, Values
from headrace.plan.outside import Outside
from headrace.plan.queries import QueryContext, plan_scan, scope_of
from headrace.plan.relation import Relation
from headrace.plan.subquery_blocks import Block, has_windows, is_plain, is_total
from headrace.plan.tables import with_options
from headrace.sql.dialect import parse_query


@pytest.fixture
def outer(table):
    return Relation.of(plan_scan(table("orders")), "o")


@pytest.fixture
def block(env, outer):
    def make(sql: str, **more) -> Block:
        context = QueryContext(env.catalog, "<sql>", with_options)
        return Block(parse_query(sql), outer.node, scope_of(outer, context), context, **more)

    return make


@pytest.mark.parametrize(
    ("sql", "plain", "total"),
    [
        ("SELECT name FROM users WHERE age > 1", True, False),
        ("SELECT DISTINCT name FROM users", True, False),
        ("SELECT MAX(age) FROM users", False, True),
        ("SELECT name FROM users GROUP BY name", False, False),
        ("SELECT name FROM users LIMIT 1", False, False),
        ("SELECT MAX(age) FROM users HAVING COUNT(*) > 1", False, False),
    ],
)
def test_kinds_of_queries(sql, plain, total):
    select = parse_query(sql)
    assert (is_plain(select), is_total(select)) == (plain, total)


@pytest.mark.parametrize(
    ("sql", "windows"),
    [
        ("SELECT ROW_NUMBER() OVER (ORDER BY age) FROM users", True),
        ("SELECT name FROM users QUALIFY ROW_NUMBER() OVER (ORDER BY age) = 1", True),
        (
            "SELECT (SELECT MAX(n) FROM (SELECT ROW_NUMBER() OVER (ORDER BY age) AS n FROM users))",
            False,
        ),
    ],
)
def test_windows_of_its_own(sql, windows):
    assert has_windows(parse_query(sql)) is windows


class TestSeenOutside:
    @pytest.mark.parametrize(
        ("sql", "compared", "deeper"),
        [
            ("SELECT name FROM users", set(), set()),
            ("SELECT name FROM users WHERE name = o.item", {"item"}, set()),
            ("SELECT o.price FROM users WHERE name = o.item", {"item"}, {"price"}),
            ("SELECT MAX(age) FROM users GROUP BY o.item", set(), {"item"}),
            (
                "SELECT 1 FROM users WHERE name = o.item AND EXISTS "
                "(SELECT 1 FROM users AS c WHERE c.name = o.item AND c.age = users.age)",
                {"item"},
                {"item"},
            ),
            (
                "SELECT 1 FROM users WHERE age IN (SELECT c.age FROM users AS c WHERE c.name = "
                "(SELECT MAX(d.name) FROM users AS d WHERE d.age = o.price))",
                set(),
                {"price"},
            ),
        ],
    )
    def test_where_columns_are_named(self, block, sql, compared, deeper):
        assert block(sql).seen_outside() == (compared, deeper)


class TestOverValuesOutside:
    def test_its_tables_are_joined_to_them(self, block, outer):
        found = block("SELECT name FROM users WHERE age > o.price").over(
            Outside(outer.node, {"price"})
        )
        joined = next(node for node in found.result().node.walk() if isinstance(node, Join))
        assert (joined.kind, joined.left.names) == (JoinKind.INNER, ("price0",))
        assert found.correlated == []
        assert "price0" in str(found.plain[0])

    def test_without_a_table_they_are_all_there_is(self, block, outer):
        result = block("SELECT o.price + 1").over(Outside(outer.node, {"price"})).result()
        assert not any(isinstance(node, Join | Values) for node in result.node.walk())
        assert [str(output) for output in result.outputs] == ["(price0 + 1)"]

    def test_a_star_does_not_show_them(self, block, outer):
        result = block("SELECT * FROM users").over(Outside(outer.node, {"price"})).result()
        assert "price0" not in result.names

    def test_a_total_of_nothing_knows_them_outside(self, block, outer):
        found = block("SELECT COUNT(*) + o.price FROM users WHERE age > 3")
        result = found.over(Outside(outer.node, {"price"})).result()
        (empty,) = result.without_rows
        assert str(empty) == "(0 + price)"


class TestGroups:
    def test_subqueries_among_keys_calls_and_having(self, block):
        found = block(
            "SELECT SUM(age + (SELECT MAX(price) FROM orders)) FROM users WHERE name = o.item "
            "GROUP BY country IN (SELECT item FROM orders) HAVING COUNT(*) > (SELECT MIN(price) FROM orders)"
        ).result()
        kinds = [node.kind for node in found.node.walk() if isinstance(node, Join)]
        assert kinds.count(JoinKind.MARK) == 1
        keys = [node.keys for node in found.node.walk() if isinstance(node, Aggregate)]
        assert ("name", "key1") in keys


def test_equality_is_asked_of_rows_alone(block):
    assert block("SELECT MAX(age) FROM users WHERE name = o.item AND o.price > 1").by_equality
    assert not block("SELECT MAX(age) FROM users WHERE name = o.item AND o.price > age").by_equality


def test_windows_count_one_table(block):
    sql = "SELECT ROW_NUMBER() OVER (ORDER BY age) FROM users"
    block(sql).refuse_windows()
    with pytest.raises(HeadraceError, match="OVER or QUALIFY in a query that looks at columns"):
        block(f"{sql} WHERE name = o.item").refuse_windows()
