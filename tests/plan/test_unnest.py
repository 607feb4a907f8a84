import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Filter, Join, Unnest

TABLE = (
    "CREATE TABLE baskets (id BIGINT, tags ARRAY<STRING>, lines ARRAY<ROW<sku STRING, n INT NOT NULL> NOT NULL>, "
    "sizes MAP<STRING NOT NULL, INT>, words MULTISET<STRING>) WITH ('connector' = 'blackhole')"
)


@pytest.fixture(autouse=True)
def baskets(env) -> None:
    env.execute_sql(TABLE.replace("blackhole", "datagen"))


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


def unnested(node) -> Unnest:
    (found,) = (item for item in node.walk() if isinstance(item, Unnest))
    return found


@pytest.mark.parametrize(
    ("clause", "names", "types"),
    [
        ("UNNEST(tags)", ["EXPR$0"], ["STRING"]),
        ("UNNEST(tags) AS t (tag)", ["tag"], ["STRING"]),
        ("UNNEST(lines) AS t", ["sku", "n"], ["STRING", "INT NOT NULL"]),
        ("UNNEST(lines) AS t (a, b)", ["a", "b"], ["STRING", "INT NOT NULL"]),
        ("UNNEST(sizes)", ["KEY", "VALUE"], ["STRING NOT NULL", "INT"]),
        ("UNNEST(words) AS t (w)", ["w"], ["STRING"]),
        (
            "UNNEST(tags) WITH ORDINALITY AS t (tag, i)",
            ["tag", "i"],
            ["STRING", "INT NOT NULL"],
        ),
        ("UNNEST(tags) WITH ORDINALITY", ["EXPR$0", "ORDINALITY"], ["STRING", "INT NOT NULL"]),
    ],
)
def test_an_items_columns(query, clause, names, types):
    fields = query(f"SELECT * FROM baskets CROSS JOIN {clause}").schema[5:]
    assert [field.name for field in fields] == names
    assert [field.type.sql() for field in fields] == types


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT tag FROM baskets CROSS JOIN UNNEST(tags) AS t (tag)",
        "SELECT t.tag FROM baskets AS b, UNNEST(b.tags) AS t (tag)",
        "SELECT tag FROM baskets, LATERAL UNNEST(tags) AS t (tag)",
        "SELECT tag FROM baskets JOIN UNNEST(tags) AS t (tag) ON TRUE",
    ],
)
def test_ways_to_write_it(query, sql):
    node = unnested(query(sql))
    assert not node.outer
    assert str(node.collection) == "tags"


def test_a_left_join_keeps_rows_without_items(query):
    node = query(
        "SELECT n, i FROM baskets LEFT JOIN UNNEST(lines) WITH ORDINALITY AS t (sku, n, i) ON TRUE"
    )
    assert unnested(node).outer
    assert [field.type.nullable for field in node.schema] == [True, True]


def test_a_condition_filters(query):
    node = query("SELECT 1 FROM baskets JOIN UNNEST(tags) AS t (tag) ON tag = 'x'")
    (kept,) = (item for item in node.walk() if isinstance(item, Filter))
    assert isinstance(kept.input, Unnest)


def test_names_that_clash(query):
    node = query("SELECT baskets.id, t.id FROM baskets CROSS JOIN UNNEST(tags) AS t (id)")
    assert node.names == ("id", "id0")
    twice = query("SELECT * FROM baskets CROSS JOIN UNNEST(tags) CROSS JOIN UNNEST(words)")
    assert len(set(twice.names)) == len(twice.names) == 7


def test_without_a_table(query, shape):
    node = query("SELECT x FROM UNNEST(ARRAY[1, 2]) AS t (x)")
    assert shape(node) == "Project(Unnest(Values))"


def test_joins_after_it_see_it(query):
    node = query(
        "SELECT 1 FROM baskets, UNNEST(tags) AS t (tag) JOIN users ON users.name = t.tag, numbers"
    )
    outer, inner = (item for item in node.walk() if isinstance(item, Join))
    assert isinstance(inner.left, Unnest)
    assert outer.left is inner


@pytest.mark.parametrize(
    ("join", "error"),
    [
        ("CROSS JOIN UNNEST(id) AS t (x)", "[TYPE_MISMATCH] UNNEST takes a collection"),
        (
            "CROSS JOIN UNNEST(tags) AS t (x, y)",
            "[COLUMN_COUNT] the alias has 2 column names for 1 columns",
        ),
        (
            "LEFT JOIN UNNEST(tags) AS t (x) ON x = 'a'",
            "[UNSUPPORTED_SQL] LEFT JOIN UNNEST takes no condition",
        ),
        (
            "FULL JOIN UNNEST(tags) AS t (x) ON TRUE",
            "[UNSUPPORTED_SQL] UNNEST other than by CROSS JOIN or LEFT JOIN … ON TRUE is not supported yet",
        ),
        (
            "CROSS JOIN UNNEST(tags, words)",
            "[UNSUPPORTED_SQL] UNNEST of several collections is not supported yet",
        ),
        ("CROSS JOIN UNNEST(nobody)", "[UNKNOWN_COLUMN] column 'nobody' does not exist"),
    ],
)
def test_refusals(query, join, error):
    lines = refusal(query, f"SELECT 1 FROM baskets {join}")
    assert lines[0] == error
    assert lines[1].startswith("  at: <sql>:1:")
