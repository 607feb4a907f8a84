import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Join, JoinKind


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


def joins(node) -> list[Join]:
    return [item for item in node.walk() if isinstance(item, Join)]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("JOIN", JoinKind.INNER),
        ("INNER JOIN", JoinKind.INNER),
        ("LEFT JOIN", JoinKind.LEFT),
        ("LEFT OUTER JOIN", JoinKind.LEFT),
        ("RIGHT JOIN", JoinKind.RIGHT),
        ("FULL OUTER JOIN", JoinKind.FULL),
    ],
)
def test_kinds(query, words, kind):
    (join,) = joins(query(f"SELECT 1 FROM orders AS o {words} users AS u ON o.user_id = u.user_id"))
    assert join.kind is kind
    assert str(join.residual) == "(user_id = user_id0)"
    assert join.left_keys == ()


@pytest.mark.parametrize("words", [",", "CROSS JOIN"])
def test_without_a_condition(query, words):
    (join,) = joins(query(f"SELECT 1 FROM orders {words} users"))
    assert (join.kind, join.residual) == (JoinKind.INNER, None)


def test_names_that_clash_are_told_apart_below_but_not_for_the_user(query):
    node = query(
        "SELECT u.user_id, c.user_id, c.name FROM users u JOIN users_copy c ON u.name = c.name"
    )
    assert node.names == ("user_id", "user_id0", "name")
    (join,) = joins(node)
    assert join.names == ("user_id", "name", "country", "age", "user_id0", "name0")


def test_a_name_made_up_never_meets_a_column_of_that_name(query):
    node = query(
        "SELECT * FROM (VALUES (1, 2)) AS t (a, a0) JOIN (VALUES (1, 2)) AS s (a, b) ON t.a = s.a"
    )
    (join,) = joins(node)
    assert len(set(join.names)) == len(join.names) == 4


def test_outer_joins_make_columns_nullable(query):
    def nullable(words: str) -> list[bool]:
        (join,) = joins(
            query(f"SELECT 1 FROM users AS u {words} users_copy AS c ON u.user_id = c.user_id")
        )
        keys = ("user_id", "user_id0")
        return [field.type.nullable for field in join.schema if field.name in keys]

    assert nullable("JOIN") == [False, False]
    assert nullable("LEFT JOIN") == [False, True]
    assert nullable("RIGHT JOIN") == [True, False]
    assert nullable("FULL JOIN") == [True, True]


def test_what_a_select_sees_of_an_outer_join_may_be_null(query):
    node = query("SELECT c.user_id FROM users u LEFT JOIN users_copy c ON u.user_id = c.user_id")
    assert node.schema[0].type.nullable


def test_joins_bind_more_strongly_than_commas(query, shape):
    node = query(
        "SELECT 1 FROM numbers, orders AS o RIGHT JOIN users AS u ON o.user_id = u.user_id, users_copy"
    )
    assert [join.kind for join in joins(node)] == [JoinKind.INNER, JoinKind.INNER, JoinKind.RIGHT]
    outer = joins(node)[0]
    assert isinstance(outer.left, Join)
    assert isinstance(outer.left.right, Join)


def test_a_condition_sees_the_tables_before_it_only(query):
    lines = refusal(
        query,
        "SELECT 1 FROM orders o JOIN users u ON o.user_id = n.n JOIN numbers n ON n.n = o.order_id",
    )
    assert lines[0] == "[UNKNOWN_COLUMN] column 'n' does not exist"


class TestUsing:
    def test_the_column_comes_once_and_first(self, query):
        node = query("SELECT * FROM orders JOIN users USING (user_id)")
        assert node.names[:3] == ("user_id", "order_id", "price")
        assert node.names.count("user_id") == 1

    def test_it_has_a_name_without_a_table_and_with_one(self, query):
        node = query(
            "SELECT user_id, orders.user_id, users.user_id FROM orders JOIN users USING (user_id)"
        )
        assert [str(expr) for _, expr in node.outputs] == ["user_id", "user_id", "user_id0"]

    def test_a_right_join_takes_it_from_the_right(self, query):
        node = query("SELECT user_id FROM orders RIGHT JOIN users USING (user_id)")
        assert [str(expr) for _, expr in node.outputs] == ["user_id0"]

    def test_a_full_join_takes_it_from_either(self, query):
        node = query("SELECT user_id FROM users FULL JOIN users_copy USING (user_id)")
        assert "COALESCE(user_id, user_id0)" in node.input.label()

    def test_a_tables_star_shows_all_its_columns(self, query):
        node = query("SELECT users_copy.* FROM users JOIN users_copy USING (user_id)")
        assert node.names == ("user_id", "name")

    def test_several_columns(self, query):
        (join,) = joins(query("SELECT * FROM users JOIN users_copy USING (user_id, name)"))
        assert str(join.residual) == "AND((user_id = user_id0), (name = name0))"

    def test_natural_takes_the_common_columns(self, query):
        node = query("SELECT * FROM users NATURAL JOIN users_copy")
        assert node.names == ("user_id", "name", "country", "age")

    def test_a_third_table(self, query):
        node = query(
            "SELECT user_id FROM orders JOIN users USING (user_id) JOIN users_copy USING (user_id)"
        )
        assert len(joins(node)) == 2

    def test_a_column_of_one_side_only(self, query):
        lines = refusal(query, "SELECT * FROM users JOIN users_copy USING (age)")
        assert lines[:2] == ["[UNKNOWN_COLUMN] column 'age' does not exist", "  at: <sql>:1:44"]

    def test_types_that_cannot_be_compared(self, query):
        sql = "SELECT * FROM (VALUES (TRUE)) AS a (x) JOIN (VALUES (DATE '2026-01-01')) AS b (x) USING (x)"
        assert refusal(query, sql)[:2] == [
            "[TYPE_MISMATCH] = cannot compare these types",
            "  at: <sql>:1:90",
        ]


def test_two_tables_of_one_name(query):
    assert refusal(query, "SELECT 1 FROM users, users") == [
        "[ALREADY_EXISTS] two tables of FROM are named 'users'",
        "  at: <sql>:1:22",
        "  cure: give one of them another name, for example users AS users2",
    ]


def test_a_self_join_under_two_names(query):
    (join,) = joins(query("SELECT 1 FROM users AS a JOIN users AS b ON a.user_id = b.age"))
    assert set(join.left.names).isdisjoint(join.right.names)


def test_a_condition_is_boolean(query):
    assert refusal(query, "SELECT 1 FROM orders JOIN users ON age")[0] == (
        "[TYPE_MISMATCH] a condition must be BOOLEAN"
    )


def test_an_unqualified_name_of_both_sides_is_ambiguous(query):
    lines = refusal(query, "SELECT 1 FROM orders JOIN users ON user_id = 1")
    assert lines[0] == "[AMBIGUOUS_COLUMN] column 'user_id' is ambiguous"
    assert lines[2] == "  found: orders.user_id, users.user_id"


def test_a_join_in_brackets_comes_first_and_its_tables_keep_their_names(query, shape):
    node = query(
        "SELECT a.name, b.name, c.name FROM users AS a "
        "LEFT JOIN (users AS b JOIN users AS c ON b.user_id = c.user_id) ON a.user_id = c.user_id"
    )
    assert node.names == ("name", "name0", "name1")
    assert [join.kind for join in joins(node)] == [JoinKind.LEFT, JoinKind.INNER]
