import pytest

from headrace.errors import HeadraceError, UnsupportedSql
from headrace.plan.nodes import Collect, Project, Sink
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_statement


def refusal(plan, sql: str) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        plan(sql)
    return caught.value.render().splitlines()


def onto(plan, sql: str) -> str:
    """The projection onto the sink."""
    child = plan(sql).root.inputs[0].node
    assert isinstance(child, Project)
    return child.label()


def test_a_select_is_collected(plan):
    made = plan("SELECT name FROM users")
    assert isinstance(made.sink, Collect)
    assert made.sink.names == ("name",)


def test_an_insert_ends_in_its_sink(plan):
    made = plan("INSERT INTO lines SELECT order_id, item FROM orders")
    assert isinstance(made.sink, Sink)
    assert made.sink.table.identifier.name == "lines"
    assert made.sink.names == ("id", "text")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "INSERT INTO console SELECT order_id, item FROM orders",
            "Project(order_id AS id, item AS text)",
        ),
        (
            "INSERT INTO console (text, id) SELECT item, order_id FROM orders",
            "Project(order_id AS id, item AS text)",
        ),
        (
            "INSERT INTO console (id) SELECT order_id FROM orders",
            "Project(order_id AS id, NULL AS text)",
        ),
        (
            "INSERT INTO console SELECT age, name FROM users",
            "Project(CAST(age AS BIGINT) AS id, name AS text)",
        ),
    ],
)
def test_columns_go_by_place_or_by_the_list(plan, sql, expected):
    assert onto(plan, sql) == expected


def test_a_query_that_fits_gets_no_projection(env, shape):
    env.execute_sql("CREATE TABLE same (name STRING) WITH ('connector' = 'print')")
    (made,) = env.plans(parse_statement("INSERT INTO same SELECT DISTINCT name FROM users"))
    assert shape(made.root) == "Sink(Aggregate(Project(Normalize(Scan))))"


def test_a_nullable_column_may_go_into_a_key(plan):
    assert onto(plan, "INSERT INTO totals SELECT item, order_id FROM orders") == (
        "Project(item AS country, order_id AS n)"
    )


def test_metadata_columns_are_written_unless_virtual(env):
    env.execute_sql(
        "CREATE TABLE out (id BIGINT, at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', "
        "`offset` BIGINT METADATA VIRTUAL, twice AS id * 2) WITH ('connector' = 'kafka', "
        "'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'json')"
    )
    (made,) = env.plans(parse_statement("INSERT INTO out SELECT order_id, ingested FROM orders"))
    assert made.sink.names == ("id", "at")


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        (
            "INSERT OVERWRITE lines SELECT order_id, item FROM orders",
            "[UNSUPPORTED_SQL] INSERT OVERWRITE is not supported: the sink cannot replace what it holds",
        ),
        (
            "INSERT INTO numbers SELECT order_id, item FROM orders",
            "[NOT_A_SINK] 'numbers' cannot be written: connector 'datagen' is a source",
        ),
        (
            "INSERT INTO lines SELECT order_id FROM orders",
            "[COLUMN_COUNT] the query's column count (1) is not that of sink 'lines' (2)",
        ),
        (
            "INSERT INTO lines (id) SELECT order_id, item FROM orders",
            "[COLUMN_COUNT] the query's column count (2) is not that of sink 'lines' (1)",
        ),
        (
            "INSERT INTO lines (txt) SELECT item FROM orders",
            "[UNKNOWN_COLUMN] column 'txt' does not exist in 'lines'",
        ),
        (
            "INSERT INTO lines (id, id) SELECT 1, 2",
            "[DUPLICATE_COLUMN] a column stands twice in the INSERT list",
        ),
        (
            "INSERT INTO totals (n) SELECT 1",
            "[MISSING_COLUMN] column 'country' of 'totals' is NOT NULL, but the INSERT list leaves it out",
        ),
        ("INSERT INTO nope SELECT 1", "[UNKNOWN_TABLE] table 'nope' does not exist"),
    ],
)
def test_inserts_that_cannot_be(plan, sql, error):
    lines = refusal(plan, sql)
    assert lines[0] == error
    assert lines[1].startswith("  at: <sql>:1:")


def test_a_type_that_does_not_fit_names_the_cast(plan):
    assert refusal(plan, "INSERT INTO lines SELECT item, item FROM orders") == [
        "[TYPE_MISMATCH] column 'id' of 'lines' cannot take the query's column 'item'",
        "  at: <sql>:1:13",
        "  found: STRING",
        "  expected: BIGINT",
        "  cure: CAST(item AS BIGINT)",
    ]


def test_hints_on_the_sink_are_checked_and_used(plan):
    sql = "INSERT INTO console /*+ OPTIONS('print-identifier' = 'x') */ SELECT order_id, item FROM orders"
    assert plan(sql).sink.table.options["print-identifier"] == "x"
    bad = sql.replace("'print-identifier' = 'x'", "'standard-error' = 'x'")
    assert refusal(plan, bad)[0] == "[INVALID_OPTION] invalid value for option 'standard-error'"


def test_the_sink_is_checked_as_a_sink(plan):
    sql = "INSERT INTO console /*+ OPTIONS('sink.parallelism' = '2') */ SELECT order_id, item FROM orders"
    assert refusal(plan, sql)[0].startswith("[UNSUPPORTED_OPTION] option 'sink.parallelism'")


def test_rules_ran_before_the_plan_is_made(plan, shape):
    made = plan(
        "INSERT INTO users_copy SELECT id, n FROM (SELECT user_id AS id, name AS n FROM users)"
    )
    assert shape(made.root) == "Sink(Project(Scan))"


def test_a_partitioned_table_cannot_be_written():
    env = TableEnvironment()
    env.execute_sql("CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen')")
    env.execute_sql(
        "CREATE TABLE parts (a BIGINT) PARTITIONED BY (a) WITH ('connector' = 'blackhole')"
    )
    with pytest.raises(UnsupportedSql) as caught:
        env.explain_sql("INSERT INTO parts SELECT a FROM n")
    assert caught.value.condition == "PARTITIONED_SINK"


def test_a_query_hint_that_does_nothing_is_refused_with_its_place():
    env = TableEnvironment()
    env.execute_sql("CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen')")
    with pytest.raises(UnsupportedSql, match="the hint LOOKUP is not supported yet") as caught:
        env.explain_sql("SELECT /*+ LOOKUP('table' = 'n') */ a FROM n")
    assert caught.value.cure == "remove the hint"


def test_a_partition_is_of_columns_that_the_table_is_partitioned_by():
    env = TableEnvironment()
    env.execute_sql("CREATE TABLE plain (a BIGINT, b BIGINT) WITH ('connector' = 'blackhole')")
    with pytest.raises(HeadraceError) as caught:
        env.explain_sql("INSERT INTO plain PARTITION (b = 1) SELECT 1")
    assert caught.value.render().splitlines() == [
        "[NOT_PARTITIONED] 'b' is not among the columns that 'plain' is PARTITIONED BY",
        "  at: <sql>:1:13",
        "  found: PARTITION (b)",
        "  expected: no PARTITION clause",
    ]
