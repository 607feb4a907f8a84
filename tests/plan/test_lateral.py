import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Aggregate, Join, JoinKind, Rank


def the(node, kind):
    (found,) = (item for item in node.walk() if isinstance(item, kind))
    return found


TOP = "SELECT item, price FROM orders AS o WHERE o.user_id = u.user_id ORDER BY price DESC LIMIT 3"


@pytest.mark.parametrize("between", [", LATERAL", " CROSS JOIN LATERAL", " JOIN LATERAL"])
def test_the_first_rows_for_each_row(query, between):
    end = " ON TRUE" if between == " JOIN LATERAL" else ""
    node = query(f"SELECT * FROM users AS u{between} ({TOP}) AS t{end}")
    assert node.names == ("user_id", "name", "country", "age", "item", "price")
    rank = the(node, Rank)
    assert (rank.partition, rank.end) == (("key",), 3)
    join = the(node, Join)
    assert (join.kind, str(join.residual)) == (JoinKind.INNER, "(user_id = key)")


def test_rows_without_any_are_kept_by_left(query):
    node = query(f"SELECT u.name, t.item FROM users AS u LEFT JOIN LATERAL ({TOP}) AS t ON TRUE")
    assert the(node, Join).kind is JoinKind.LEFT
    assert node.schema[1].type.nullable


def test_a_condition_is_part_of_the_join(query):
    node = query(f"SELECT t.item FROM users AS u LEFT JOIN LATERAL ({TOP}) AS t ON t.item = u.name")
    assert str(the(node, Join).residual) == "AND((user_id = key), (item = name))"


def test_columns_get_other_names(query):
    node = query(f"SELECT t.a, b FROM users AS u, LATERAL ({TOP}) AS t (a, b)")
    assert node.names == ("a", "b")


def test_totals_are_there_for_every_row(query):
    node = query(
        "SELECT u.name, t.n, t.m FROM users AS u, LATERAL "
        "(SELECT COUNT(*) AS n, MAX(price) AS m FROM orders AS o WHERE o.user_id = u.user_id) AS t"
    )
    assert the(node, Join).kind is JoinKind.LEFT
    assert the(node, Aggregate).keys == ("user_id0",)
    assert [column.type.nullable for column in node.schema] == [True, False, True]


def test_a_join_after_it_sees_its_columns(query):
    node = query(
        f"SELECT c.name FROM users AS u, LATERAL ({TOP}) AS t JOIN users_copy AS c ON c.name = t.item"
    )
    assert [join.kind for join in node.walk() if isinstance(join, Join)] == [JoinKind.INNER] * 2


def test_one_that_looks_at_nothing_is_a_plain_join(query):
    node = query(
        "SELECT u.name, t.n FROM users AS u, LATERAL (SELECT user_id AS n FROM users) AS t"
    )
    assert the(node, Join).residual is None


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        (
            f"SELECT 1 FROM users AS u FULL JOIN LATERAL ({TOP}) AS t ON TRUE",
            "LATERAL other than by CROSS JOIN or LEFT JOIN … ON TRUE is not supported yet",
        ),
        (
            "SELECT 1 FROM users AS u LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM orders) AS t ON t.n > 1",
            "a condition on LATERAL of a total is not supported yet",
        ),
        (
            "SELECT 1 FROM users AS u, LATERAL TABLE(split(u.name)) AS t (a)",
            "table function SPLIT is not supported yet",
        ),
        (f"SELECT 1 FROM users AS u, LATERAL ({TOP}) AS t (a)", "the alias has 1 column names"),
    ],
)
def test_refusals(query, sql, error):
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    assert error in caught.value.render()
