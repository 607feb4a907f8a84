import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Filter, Repeat


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


class TestUnion:
    def test_branches_are_flat(self, query):
        node = query("SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3")
        assert len(node.branches) == 3

    def test_columns_are_cast_to_a_common_type(self, query):
        node = query("SELECT age FROM users UNION ALL SELECT user_id FROM users")
        assert [field.type.sql() for field in node.schema] == ["BIGINT"]
        assert {branch.schema[0].type.kind for branch in node.branches} == {
            node.schema[0].type.kind
        }

    def test_a_column_may_be_null_where_it_may_be_in_any_branch(self, query):
        sides = ["SELECT user_id FROM users", "SELECT CAST(age AS BIGINT) FROM users"]
        for first, second in (sides, reversed(sides)):
            node = query(f"{first} UNION ALL {second}")
            assert [field.type.sql() for field in node.schema] == ["BIGINT"]
        node = query(f"{sides[0]} UNION ALL {sides[0]}")
        assert [field.type.sql() for field in node.schema] == ["BIGINT NOT NULL"]

    def test_without_all_equal_rows_are_one(self, query, shape):
        node = query("SELECT item FROM orders UNION SELECT name FROM users")
        assert shape(node) == "Aggregate(Union(Project(Project(Scan)), Project(Project(Scan))))"
        assert node.names == node.keys == ("item",)

    def test_the_whole_may_be_ordered(self, query, shape):
        node = query("SELECT 1 AS a UNION ALL SELECT 2 ORDER BY a LIMIT 1")
        assert shape(node) == "Rank(Union(Project(Values), Project(Project(Values))))"
        node = query("(SELECT 1 AS a UNION SELECT 2) ORDER BY 1 LIMIT 1")
        assert shape(node).startswith("Rank(Aggregate(Union(")

    @pytest.mark.parametrize(
        ("sql", "error"),
        [
            ("SELECT 1 UNION ALL SELECT 1, 2", "[COLUMN_COUNT] UNION of 1 and 2 columns"),
            (
                "SELECT 1 AS a UNION ALL SELECT DATE '2026-01-01'",
                "[TYPE_MISMATCH] column 'a' of UNION has no common type",
            ),
        ],
    )
    def test_refusals(self, query, sql, error):
        assert refusal(query, sql)[0] == error


class TestIntersectAndExcept:
    @pytest.mark.parametrize(
        ("words", "condition", "times"),
        [
            ("INTERSECT", "AND((lefts > 0), (rights > 0))", None),
            ("EXCEPT", "AND((lefts > 0), (rights = 0))", None),
            ("MINUS", "AND((lefts > 0), (rights = 0))", None),
            (
                "INTERSECT ALL",
                "AND((lefts > 0), (rights > 0))",
                "CASE WHEN (lefts < rights) THEN lefts ELSE rights END",
            ),
            ("EXCEPT ALL", "(lefts > rights)", "(lefts - rights)"),
        ],
    )
    def test_rows_are_counted_per_side(self, query, words, condition, times):
        node = query(f"SELECT item FROM orders {words} SELECT name FROM users")
        assert node.names == ("item",)
        (kept,) = (item for item in node.walk() if isinstance(item, Filter))
        assert str(kept.condition) == condition
        assert [str(n.count) for n in node.walk() if isinstance(n, Repeat)] == (
            [times] if times else []
        )

    def test_the_sides_are_told_apart(self, query, shape):
        node = query("SELECT item FROM orders EXCEPT SELECT name FROM users")
        aggregate = node.input.input
        assert aggregate.keys == ("item",)
        assert [str(call) for _, call in aggregate.calls] == [
            "COUNT(*) FILTER (WHERE in_left)",
            "COUNT(*) FILTER (WHERE in_right)",
        ]
        left, right = aggregate.input.branches
        assert left.label() == "Project(item, TRUE AS in_left, FALSE AS in_right)"
        assert right.label() == "Project(item, FALSE AS in_left, TRUE AS in_right)"

    def test_columns_of_the_same_names(self, query):
        node = query("SELECT 1 AS in_left, 2 AS rights EXCEPT SELECT 3, 4")
        assert node.names == ("in_left", "rights")
        assert [name for name, _ in node.input.input.calls] == ["lefts", "rights0"]

    def test_intersect_binds_more_strongly(self, query):
        node = query("SELECT 1 EXCEPT SELECT 2 INTERSECT SELECT 3")
        conditions = [str(n.condition) for n in node.walk() if isinstance(n, Filter)]
        assert conditions == ["AND((lefts > 0), (rights = 0))", "AND((lefts > 0), (rights > 0))"]

    @pytest.mark.parametrize(
        ("sql", "error"),
        [
            ("SELECT 1 INTERSECT SELECT 1, 2", "[COLUMN_COUNT] INTERSECT of 1 and 2 columns"),
            (
                "SELECT 1 AS a EXCEPT SELECT DATE '2026-01-01'",
                "[TYPE_MISMATCH] column 'a' of EXCEPT has no common type",
            ),
        ],
    )
    def test_sides_that_do_not_fit(self, query, sql, error):
        lines = refusal(query, sql)
        assert lines[0] == error
        assert lines[1].startswith("  at: <sql>:1:")
