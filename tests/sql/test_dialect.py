from __future__ import annotations

import pytest
import sqlglot
from sqlfluff.core import Linter
from sqlglot import exp

from headrace.errors import Position, SqlSyntaxError, UserError
from headrace.sql.dialect import (
    Flink,
    cast_type,
    parse_expression,
    parse_query,
    parse_script,
    parse_statement,
    parse_type,
    position_of,
)
from headrace.sql.statements import CreateTable, Insert, Select
from headrace.types import BIGINT, timestamp

PIPELINE = """\
-- how often each region looks, and how many people do
CREATE TABLE counts_per_region (
    region STRING,
    views BIGINT,
    people BIGINT,
    PRIMARY KEY (region) NOT ENFORCED -- several columns may make the key
) WITH (
    'connector' = 'upsert-kafka',
    'topic' = 'counts_per_region',
    'properties.bootstrap.servers' = 'broker:9092',
    'key.format' = 'json',
    'value.format' = 'json',
    'value.fields-include' = 'EXCEPT_KEY'
);

CREATE TABLE views (
    person BIGINT,
    page BIGINT,
    seen TIMESTAMP(3),
    region STRING,
    WATERMARK FOR seen AS seen - INTERVAL '2' SECOND
) WITH (
    'connector' = 'kafka',
    'topic' = 'views',
    'properties.sasl.jaas.config' = 'Login required username="a#b" password="c;d";',
    'properties.bootstrap.servers' = 'broker:9092',
    "format" = "json"
);

INSERT INTO counts_per_region
SELECT region, COUNT(*), COUNT(DISTINCT person)
FROM views
GROUP BY region;
"""


def test_a_pipeline_parses_whole():
    counts, views, insert = parse_script(PIPELINE, "pipeline.sql")
    assert isinstance(counts, CreateTable)
    assert isinstance(views, CreateTable)
    assert isinstance(insert, Insert)
    assert [str(statement.position) for statement in (counts, views, insert)] == [
        "pipeline.sql:2:1",
        "pipeline.sql:16:1",
        "pipeline.sql:30:1",
    ]


def test_its_options_arrive_exact():
    options = {entry.key: entry.value for entry in parse_script(PIPELINE)[1].options}
    assert options["properties.sasl.jaas.config"] == (
        'Login required username="a#b" password="c;d";'
    )
    assert options["format"] == "json"


def test_the_insert_has_its_calls_placed_in_the_script():
    insert = parse_script(PIPELINE)[2]
    places = {
        str(call.expressions[0]): position_of(call, "pipeline.sql")
        for call in insert.query.find_all(exp.Anonymous)
    }
    assert {str(position) for position in places.values()} == {
        "pipeline.sql:31:16",
        "pipeline.sql:31:26",
    }
    assert all(position.length == len("COUNT") for position in places.values())


def test_one_statement_means_one():
    assert isinstance(parse_statement("SELECT 1;"), Select)
    with pytest.raises(SqlSyntaxError) as caught:
        parse_statement("SELECT 1; SELECT 2")
    assert caught.value.expected == "one statement only"
    assert (caught.value.where.line, caught.value.where.column) == (1, 11)


@pytest.mark.parametrize("text", ["", ";", "-- nothing"])
def test_no_statement_is_not_one(text):
    with pytest.raises(SqlSyntaxError):
        parse_statement(text)


def test_sources_are_named_in_errors():
    with pytest.raises(SqlSyntaxError) as caught:
        parse_script("SELECT 1;\nSELEKT 2;", "daily.sql")
    assert str(caught.value.where) == "daily.sql:2:1"


@pytest.mark.parametrize(
    ("parse", "text", "column"),
    [
        (parse_query, "SELECT 1; SELECT 2", 11),
        (parse_query, "SELECT 1;;", 10),
        (parse_query, "SELECT 1 2", 10),
        (parse_query, "CREATE TABLE t (a INT)", 1),
        (parse_expression, "a, b", 2),
        (parse_type, "INT, INT", 4),
    ],
)
def test_each_door_takes_one_thing(parse, text, column):
    with pytest.raises(SqlSyntaxError) as caught:
        parse(text)
    assert caught.value.where.column == column


def test_the_text_of_a_view_parses_again():
    view = parse_statement("CREATE VIEW v AS SELECT a, `b c` FROM t WHERE x = 'it''s' -- why\n;")
    assert parse_query(view.query_text) == view.query


def test_positions_fall_back_to_the_first_part_that_was_written():
    written = parse_expression("  abc")
    assert position_of(exp.Not(this=written), "s") == Position(1, 3, 3, "s")


def test_a_tree_nobody_wrote_stands_at_the_start():
    assert position_of(exp.Null(), "s") == Position(1, 1, 1, "s")


def test_positions_survive_a_copy():
    assert position_of(parse_expression("a +\n b").copy().expression).line == 2


def test_cast_type_reads_casts_and_type_nodes():
    cast = parse_expression("CAST(a AS TIMESTAMP(3))")
    assert cast_type(cast) == timestamp(3)
    assert cast_type(cast.to) == timestamp(3)


def test_casts_to_different_types_are_different_trees():
    assert parse_expression("CAST(a AS INT)") != parse_expression("CAST(a AS BIGINT)")
    assert cast_type(parse_expression("CAST(a AS BIGINT)")) == BIGINT


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a, b AS c FROM t WHERE a > 1 GROUP BY a HAVING COUNT(*) > 2",
        "SELECT * FROM a LEFT JOIN b ON a.x = b.x",
        "SELECT `order`, `a b` FROM `my table`",
        "SELECT 1 UNION ALL SELECT 2",
    ],
)
def test_sqlglot_reads_and_prints_through_the_dialect(text):
    tree = sqlglot.parse_one(text, dialect=Flink)
    assert tree == parse_query(text)
    assert tree.sql(dialect=Flink) == text


def test_sqlglot_reads_expressions_through_the_dialect():
    assert sqlglot.parse_one("f(a) + 1", dialect=Flink) == parse_expression("f(a) + 1")


def test_the_dialect_keeps_the_case_of_names():
    assert (
        sqlglot.parse_one("SELECT MyCol FROM T", dialect=Flink).sql(dialect=Flink)
        == "SELECT MyCol FROM T"
    )


AGREED = [
    # Double quotes around options are one vendor's habit, which that grammar does not share.
    *[
        statement.sql.replace('"format" = "json"', "'format' = 'json'") + ";"
        for statement in parse_script(PIPELINE)
    ],
    "CREATE TABLE t (`ts` TIMESTAMP(3) METADATA FROM 'timestamp', `partition` BIGINT METADATA VIRTUAL, a INT)"
    " WITH ('connector' = 'kafka');",
    "CREATE TABLE t (a INT, b AS a + 1) WITH ('connector' = 'datagen');",
    "CREATE TABLE t (r ROW<a INT, b STRING>, m MAP<STRING, INT>, l ARRAY<STRING>) WITH ('connector' = 'x');",
    "CREATE TEMPORARY VIEW v AS SELECT a FROM t;",
    "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y');",
    "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END;",
    "SELECT a, window_start FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES))"
    " GROUP BY a, window_start;",
    "SELECT o.id, r.rate FROM o LEFT JOIN r FOR SYSTEM_TIME AS OF o.ts ON o.c = r.c;",
    "SELECT * FROM (SELECT a, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c DESC) AS rn FROM t) WHERE rn = 1;",
    "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END FROM t;",
    "WITH x AS (SELECT 1 AS a) SELECT a FROM x UNION ALL SELECT 2;",
    "SELECT COUNT(a) FILTER (WHERE b > 1) FROM t;",
    "SELECT EXTRACT(YEAR FROM ts) FROM t;",
    "SELECT * FROM t /*+ OPTIONS('a'='b') */;",
    "SELECT a, u.b FROM t CROSS JOIN UNNEST(t.l) AS u (b);",
    "SELECT CAST(a AS DECIMAL(10, 2)), TRY_CAST(b AS INT) FROM t;",
    "SHOW TABLES;",
    "DESCRIBE t;",
    "USE CATALOG c;",
    "USE db;",
    "EXPLAIN SELECT a FROM t;",
    "DROP TABLE IF EXISTS t;",
    "ALTER TABLE t RENAME TO u;",
    "SET 'a' = 'b';",
]


@pytest.fixture(scope="module")
def second_opinion():
    """sqlfluff's own Flink grammar: the complaints it has about a text."""
    linter = Linter(dialect="flink")
    return lambda text: [violation.desc() for violation in linter.parse_string(text).violations]


@pytest.mark.parametrize("text", AGREED)
def test_another_grammar_of_flink_agrees(second_opinion, text):
    assert second_opinion(text) == []
    assert len(parse_script(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "CRATE TABLE t (a INT);",
        "SELECT a,, b FROM t;",
        "SELECT a FROM t WHERE;",
        "CREATE TABLE t (a INT) WITH ('a' 'b');",
    ],
)
def test_another_grammar_of_flink_refuses_what_is_refused(second_opinion, text):
    assert second_opinion(text) != []
    with pytest.raises(SqlSyntaxError):
        parse_script(text)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("CREATE TABLE t (\n  ...\n) WITH ('a' = 'b');", 2, 3),
        ("CREATE TABLE t (a INT) WITH (\n  'connector' = 'kafka',\n  ...\n);", 3, 3),
    ],
)
def test_the_dots_of_an_example_are_recognised(reject, place, text, line, column):
    error = reject(text)
    assert place(error)[:2] == (line, column)
    assert error.cure == "replace the '...' of the example with what it stands for"


def test_names_in_double_quotes_are_told_of_back_quotes(reject):
    assert reject('SELECT a FROM "public"').cure == "use back quotes: `name`"


def test_a_long_script_is_read_in_one_pass():
    statements = parse_script(PIPELINE * 50)
    assert len(statements) == 150
    assert statements[-1].position.line == 30 + 49 * PIPELINE.count("\n")


@pytest.mark.parametrize(
    ("script", "rendered"),
    [
        (
            "CRATE TABLE t (a INT);",
            """\
[PARSE_ERROR] a statement cannot begin with 'CRATE'
  at: job.sql:1:1
  expected: ALTER, BEGIN, CREATE, DESC, DESCRIBE, DROP, EXECUTE, EXPLAIN, INSERT, REPLACE, RESET, SELECT, SET, SHOW, STOP, TABLE, USE, VALUES, WITH
  cure: did you mean CREATE?""",
        ),
        (
            "CREATE TABLE t (\n  id INT,\n  PRIMARY KEY (id)\n);",
            """\
[PARSE_ERROR] PRIMARY KEY is declared without NOT ENFORCED
  at: job.sql:3:3
  expected: PRIMARY KEY (…) NOT ENFORCED: streams cannot be made to obey a key, only promise it
  cure: add NOT ENFORCED""",
        ),
        (
            "CREATE TABLE t (\n  id BIGNIT\n);",
            """\
[PARSE_ERROR] 'BIGNIT' is not a type
  at: job.sql:2:6
  expected: one of Flink's types, such as STRING, BIGINT, DECIMAL(10, 2) or TIMESTAMP(3)
  cure: did you mean BIGINT?""",
        ),
        (
            "CREATE TABLE t (p DECIMAL(40, 2));",
            """\
[PARSE_ERROR] precision of DECIMAL is out of range
  at: job.sql:1:27
  found: 40
  expected: 1 to 38""",
        ),
        (
            "SELECT a\nFROM t\nWHER a > 1;",
            """\
[PARSE_ERROR] unexpected 'WHER'
  at: job.sql:3:1
  expected: ',', an operator, a clause of the query or the end of the statement
  cure: did you mean WHERE?""",
        ),
        (
            "SELECT 'abc;\nSELECT 2;",
            """\
[PARSE_ERROR] quote is opened but never closed
  at: job.sql:1:8
  expected: a closing '""",
        ),
        (
            "INSERT INTO t SELECT f(a, (b + 1 FROM s;",
            """\
[PARSE_ERROR] unexpected 'FROM'
  at: job.sql:1:34
  expected: ',' or ')'""",
        ),
        (
            "DELETE FROM t WHERE a = 1;",
            """\
[UNSUPPORTED_SQL] DELETE is not supported
  at: job.sql:1:1
  cure: write a changelog instead: a delete in the source deletes from the sink""",
        ),
    ],
)
def test_errors_read_well(script, rendered):
    with pytest.raises(UserError) as caught:
        parse_script(script, "job.sql")
    assert caught.value.render() == rendered


@pytest.mark.parametrize(
    ("text", "kind", "arguments"),
    [
        ("COUNT(*)", "COUNT", [exp.Star]),
        ("COUNT(DISTINCT a)", "COUNT", [exp.Distinct]),
        ("EXTRACT(YEAR FROM a)", "EXTRACT", [exp.Var, exp.Column]),
        ("TRIM(a)", "TRIM", [exp.Var, exp.Literal, exp.Column]),
        ("CEIL(a TO DAY)", "CEIL", [exp.Column, exp.Var]),
        ("POSITION('x' IN a)", "POSITION", [exp.Literal, exp.Column]),
        ("TIMESTAMPDIFF(DAY, a, b)", "TIMESTAMPDIFF", [exp.Var, exp.Column, exp.Column]),
        ("JSON_VALUE(a, 'p' NULL ON ERROR)", "JSON_VALUE", [exp.Column, exp.Literal, exp.Kwarg]),
        ("MAP['a', 1]", "MAP", [exp.Literal, exp.Literal]),
        ("CURRENT_DATE", "CURRENT_DATE", []),
        ("f(x => 1)", "F", [exp.Kwarg]),
        ("DESCRIPTOR(a, b)", "DESCRIPTOR", [exp.Column, exp.Column]),
    ],
)
def test_calls_have_the_promised_node_classes(text, kind, arguments):
    call = parse_expression(text)
    assert type(call) is exp.Anonymous
    assert call.this == kind
    assert [type(argument) for argument in call.expressions] == arguments


def test_no_call_is_ever_a_function_class_of_sqlglots():
    text = "SUM(a), AVG(b), COALESCE(c, d), UPPER(e), CONCAT(f, g), IF(h, i, j), DATE_FORMAT(k, l), MIN(m)"
    query = parse_query(f"SELECT {text}, ROW_NUMBER() OVER (ORDER BY n), MOD(o, 2), NULLIF(p, q)")
    functions = {type(node) for node in query.find_all(exp.Func)}
    assert functions <= {exp.Anonymous}


def test_clauses_have_the_promised_node_classes():
    query = parse_query(
        "SELECT a FROM t WHERE b GROUP BY a HAVING c QUALIFY d ORDER BY a LIMIT 1 OFFSET 2"
    )
    assert {key: type(value) for key, value in query.args.items() if key != "expressions"} == {
        "from_": exp.From,
        "where": exp.Where,
        "group": exp.Group,
        "having": exp.Having,
        "qualify": exp.Qualify,
        "order": exp.Order,
        "limit": exp.Limit,
        "offset": exp.Offset,
    }
