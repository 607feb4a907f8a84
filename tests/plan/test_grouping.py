import pytest

from headrace.errors import HeadraceError
from headrace.plan.nodes import Aggregate


def grouped(query, sql: str) -> Aggregate:
    return next(node for node in query(sql).walk() if isinstance(node, Aggregate))


def refusal(query, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    return caught.value.render().splitlines()


@pytest.mark.parametrize(
    ("sql", "above", "aggregate", "below"),
    [
        (
            "SELECT country, COUNT(*) AS n FROM users GROUP BY country",
            "Project(country, agg0 AS n)",
            "Aggregate(groupBy=[country], COUNT(*) AS agg0)",
            "Project(country)",
        ),
        (
            "SELECT SUM(age) + MAX(age) AS x FROM users",
            "Project((agg0 + agg1) AS x)",
            "Aggregate(groupBy=[], SUM(age) AS agg0, MAX(age) AS agg1)",
            "Project(age)",
        ),
        (
            "SELECT UPPER(name) || '!' AS x, SUM(age + 1) AS s FROM users GROUP BY UPPER(name)",
            "Project((key0 || '!') AS x, agg0 AS s)",
            "Aggregate(groupBy=[key0], SUM(arg1) AS agg0)",
            "Project(UPPER(name) AS key0, (age + 1) AS arg1)",
        ),
        (
            "SELECT COUNT(DISTINCT name) AS n FROM users GROUP BY name",
            "Project(agg0 AS n)",
            "Aggregate(groupBy=[name], COUNT(DISTINCT name) AS agg0)",
            "Project(name)",
        ),
    ],
)
def test_keys_and_arguments_are_columns_below(query, sql, above, aggregate, below):
    node = query(sql)
    assert [item.label() for item in node.walk()][:3] == [above, aggregate, below]


def test_equal_calls_and_arguments_are_computed_once(query):
    node = grouped(query, "SELECT SUM(age + 1), SUM(age + 1) * 2, MAX(age + 1) FROM users")
    assert [str(call) for _, call in node.calls] == ["SUM(arg0)", "MAX(arg0)"]
    assert node.input.label() == "Project((age + 1) AS arg0)"


def test_calls_with_and_without_distinct_or_filter_differ(query):
    node = grouped(
        query,
        "SELECT COUNT(age), COUNT(DISTINCT age), COUNT(age) FILTER (WHERE age > 1) FROM users",
    )
    assert len(node.calls) == 3


def test_a_call_in_having_alone_is_computed(query):
    node = grouped(query, "SELECT country FROM users GROUP BY country HAVING MAX(age) > 3")
    assert [str(call) for _, call in node.calls] == ["MAX(age)"]


def test_names_of_calls_avoid_those_of_keys(query):
    node = grouped(
        query,
        "SELECT agg0, COUNT(*) FROM (SELECT name AS agg0 FROM users) GROUP BY agg0",
    )
    assert node.names == ("agg0", "__agg0")


def test_a_qualified_column_means_the_grouped_one(query):
    node = query("SELECT u.country, COUNT(*) FROM users AS u GROUP BY country")
    assert node.names == ("country", "EXPR$1")


def test_a_field_of_a_grouped_row(query):
    node = query("SELECT address.city, COUNT(*) FROM orders GROUP BY address")
    assert node.label() == "Project(address.city AS city, agg0 AS EXPR$1)"


def test_constants_need_no_group(query):
    assert query("SELECT 'x' AS x, COUNT(*) FROM users GROUP BY country").names == ("x", "EXPR$1")


def test_an_expression_over_keys(query):
    node = query("SELECT age * 2 + user_id AS x FROM users GROUP BY age, user_id")
    assert node.label() == "Project(((age * 2) + user_id) AS x)"


@pytest.mark.parametrize(
    ("sql", "column", "place"),
    [
        ("SELECT name, COUNT(*) FROM users GROUP BY country", "name", "1:8"),
        ("SELECT COUNT(*) FROM users GROUP BY country HAVING age > 1", "age", "1:52"),
        ("SELECT name, COUNT(*) FROM users", "name", "1:8"),
        ("SELECT name FROM users HAVING COUNT(*) > 1", "name", "1:8"),
        ("SELECT UPPER(name) FROM users GROUP BY LOWER(name)", "name", "1:14"),
    ],
)
def test_a_column_is_grouped_or_aggregated(query, sql, column, place):
    assert refusal(query, sql) == [
        f"[NOT_GROUPED] column '{column}' is neither grouped nor aggregated",
        f"  at: <sql>:{place}",
        f"  cure: add it to GROUP BY, or aggregate it, e.g. MAX({column})",
    ]


def test_what_is_not_planned_is_named(query):
    assert refusal(query, "SELECT APPROX_COUNT_DISTINCT(age) FROM users") == [
        "[UNSUPPORTED_SQL] APPROX_COUNT_DISTINCT is not supported on a stream, as in Flink",
        "  at: <sql>:1:8",
        "  cure: COUNT(DISTINCT x)",
    ]
    assert refusal(query, "SELECT LAG(age) FROM users")[0] == (
        "[UNSUPPORTED_SQL] LAG needs an OVER window"
    )


def test_every_argument_is_a_column_below(query):
    node = query("SELECT COUNT(DISTINCT name, age + 1), LISTAGG(name, '; ') FROM users")
    assert [item.label() for item in node.walk()][1:3] == [
        "Aggregate(groupBy=[], COUNT(DISTINCT name, arg1) AS agg0, LISTAGG(name, '; ') AS agg1)",
        "Project(name, (age + 1) AS arg1)",
    ]


def test_aggregates_do_not_nest(query):
    assert refusal(query, "SELECT SUM(COUNT(*)) FROM users")[0] == (
        "[MISPLACED_AGGREGATE] an aggregate function cannot stand here"
    )


class TestGroupingSets:
    def test_every_row_is_grouped_for_each_set(self, query, shape):
        node = query("SELECT name, age, COUNT(*) FROM users GROUP BY ROLLUP (name, age)")
        assert shape(node) == "Project(Aggregate(Expand(Project(Scan))))"
        aggregate = node.input
        assert aggregate.keys == ("name", "age", "grouping_set")
        assert [[str(cell) for cell in row] for row in aggregate.input.rows] == [
            ["name", "age", "0"],
            ["name", "NULL", "1"],
            ["NULL", "NULL", "2"],
        ]

    def test_keys_that_a_set_leaves_out_may_be_null(self, query):
        node = query("SELECT user_id, age FROM users GROUP BY user_id, CUBE (age)")
        assert [field.type.nullable for field in node.schema] == [False, True]
        node = query("SELECT user_id FROM users GROUP BY ROLLUP (user_id)")
        assert node.schema[0].type.nullable

    def test_calls_see_the_values_themselves(self, query):
        node = query("SELECT age, SUM(age) FROM users GROUP BY ROLLUP (age)")
        ((_, call),) = node.input.calls
        (argument,) = call.args
        assert argument.name == "age0"
        assert [str(row[1]) for row in node.input.input.rows] == ["age0", "age0"]

    def test_one_set_is_a_plain_group(self, query, shape):
        node = query("SELECT name FROM users GROUP BY GROUPING SETS ((name))")
        assert shape(node) == "Project(Aggregate(Project(Scan)))"

    def test_a_key_in_brackets(self, query):
        assert query("SELECT name, age FROM users GROUP BY (name, age)").input.keys == (
            "name",
            "age",
        )

    def test_grouping_tells_the_sets_apart(self, query):
        node = query(
            "SELECT GROUPING(name) AS a, GROUPING_ID(name, age) AS b FROM users GROUP BY ROLLUP (name, age)"
        )
        shown = [str(expr) for _, expr in node.outputs]
        assert shown[0].startswith("CASE WHEN (grouping_set = 0) THEN 0")
        assert shown[1] == (
            "CASE WHEN (grouping_set = 0) THEN 0 WHEN (grouping_set = 1) THEN 1 ELSE 3 END"
        )

    def test_grouping_without_sets_is_zero(self, query):
        node = query("SELECT GROUPING(name) AS a FROM users GROUP BY name")
        assert [str(expr) for _, expr in node.outputs] == ["0"]

    def test_equal_sets_are_numbered(self, query):
        node = query(
            "SELECT GROUP_ID() AS n FROM users "
            "GROUP BY GROUPING SETS ((name, age), (), (age, name), (age, name))"
        )
        ((_, shown),) = node.outputs
        assert str(shown) == (
            "CASE WHEN (grouping_set = 0) THEN 0 WHEN (grouping_set = 1) THEN 0 "
            "WHEN (grouping_set = 2) THEN 1 ELSE 2 END"
        )
        assert shown.type.sql() == "BIGINT NOT NULL"

    @pytest.mark.parametrize("call", ["GROUPING(name)", "GROUPING_ID(name)", "GROUP_ID()"])
    def test_without_groups_there_is_nothing_to_tell(self, query, call):
        assert refusal(query, f"SELECT {call} FROM users") == [
            f"[UNSUPPORTED_SQL] {call.partition('(')[0]} cannot stand here",
            "  at: <sql>:1:8",
            "  expected: inside a query with GROUP BY",
        ]

    def test_grouping_takes_keys(self, query):
        lines = refusal(query, "SELECT GROUPING(age) FROM users GROUP BY ROLLUP (name)")
        assert lines[:2] == ["[NOT_GROUPED] GROUPING takes grouped columns", "  at: <sql>:1:17"]

    def test_a_column_named_as_the_sets_number(self, query):
        node = query(
            "SELECT grouping_set FROM (SELECT name AS grouping_set FROM users) GROUP BY ROLLUP (grouping_set)"
        )
        assert node.input.keys == ("grouping_set", "grouping_set0")


class TestSubqueriesAsKeys:
    OLDEST = "(SELECT MAX(c.age) FROM users AS c WHERE c.country = users.country)"

    def test_they_are_worked_out_below_and_shown_above(self, query, shape):
        node = query(f"SELECT {self.OLDEST} AS oldest, COUNT(*) FROM users GROUP BY {self.OLDEST}")
        assert shape(node).startswith("Project(Aggregate(Project(Join(Scan, ")
        assert str(node.outputs[0][1]) == node.input.keys[0]

    def test_others_are_asked_of_the_groups(self, query):
        lines = refusal(
            query,
            f"SELECT {self.OLDEST.replace('MAX', 'MIN')} FROM users GROUP BY {self.OLDEST}",
        )
        assert lines[0].startswith("[NOT_GROUPED] column 'users.country'")

    def test_a_test_is_a_key_too(self, query):
        test = "name IN (SELECT item FROM orders)"
        node = query(f"SELECT CASE WHEN {test} THEN 1 END FROM users GROUP BY {test}")
        assert node.names == ("EXPR$0",)

    def test_so_is_an_expression_of_one(self, query):
        key = "(NOT EXISTS (SELECT 1 FROM orders WHERE item = users.name))"
        node = query(f"SELECT {key} AS x, COUNT(*) FROM users GROUP BY {key}")
        assert str(node.outputs[0][1]) == node.input.keys[0] == "key0"
        doubled = f"SELECT COUNT(*), 2 * {self.OLDEST} FROM users GROUP BY 2 * {self.OLDEST}"
        assert str(query(doubled).outputs[1][1]) == "key0"


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("MAX(user_id)", "BIGINT NOT NULL"),
        ("SUM(user_id)", "BIGINT NOT NULL"),
        ("FIRST_VALUE(user_id)", "BIGINT NOT NULL"),
        ("LISTAGG(CAST(user_id AS STRING))", "STRING NOT NULL"),
        ("ARRAY_AGG(user_id)", "ARRAY<BIGINT NOT NULL> NOT NULL"),
        ("MAX(age)", "INT"),
        ("MAX(user_id) FILTER (WHERE age > 1)", "BIGINT"),
        ("STDDEV_SAMP(user_id)", "BIGINT"),
        ("SUM(CAST(user_id AS DECIMAL(20, 2)))", "DECIMAL(38, 2)"),
    ],
)
def test_a_group_has_a_value_where_every_row_has_one(query, call, kind):
    node = query(f"SELECT {call} AS c FROM users GROUP BY country")
    assert node.schema[0].type.sql() == kind
    alone = query(f"SELECT {call} AS c FROM users")
    assert alone.schema[0].type.nullable
