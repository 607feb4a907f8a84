from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.errors import SqlSyntaxError, UnsupportedSql
from headrace.sql.dialect import parse_script, parse_statement
from headrace.sql.statements import (
    Describe,
    Explain,
    Insert,
    Pattern,
    Reset,
    Select,
    Set,
    Show,
    StatementSet,
    Use,
)


def test_a_script_is_its_statements_in_order():
    script = "SET 'a' = 'b';\n\nSELECT 1;;\n-- done\nUSE db"
    statements = parse_script(script, "job.sql")
    assert [type(statement) for statement in statements] == [Set, Select, Use]
    assert [str(statement.position) for statement in statements] == [
        "job.sql:1:1",
        "job.sql:3:1",
        "job.sql:5:1",
    ]
    assert [statement.sql for statement in statements] == ["SET 'a' = 'b'", "SELECT 1", "USE db"]


@pytest.mark.parametrize("text", ["", "  \n", ";;", "-- nothing", "/* nothing */;"])
def test_an_empty_script_has_no_statements(text):
    assert parse_script(text) == []


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("SET 'k' = 'v'", "k", "v"),
        ("SET 'table.exec.state.ttl' = '1 d'", "table.exec.state.ttl", "1 d"),
        ("SET k = v", "k", "v"),
        ("SET parallelism.default = 4;", "parallelism.default", "4"),
        ("SET execution.runtime-mode = streaming;", "execution.runtime-mode", "streaming"),
        ("SET execution.checkpointing.interval=10 s", "execution.checkpointing.interval", "10 s"),
        ("set 'a' = ''", "a", ""),
        ("SET a = 'quoted'", "a", "quoted"),
        ("SET 'a' = plain", "a", "plain"),
        ('SET "a" = "b"', "a", "b"),
        ("SET 'a' = 'b = c; d'", "a", "b = c; d"),
    ],
)
def test_set(text, key, value):
    statement = parse_statement(text)
    assert isinstance(statement, Set)
    assert (statement.entry.key, statement.entry.value) == (key, value)


def test_set_alone_lists_the_settings():
    assert parse_statement("SET;").entry is None


def test_the_places_of_a_setting():
    entry = parse_statement("SET pipeline.name =\n  'my job'").entry
    assert (entry.key_position.column, entry.key_position.length) == (5, 13)
    assert (entry.value_position.line, entry.value_position.column) == (2, 3)
    assert entry.value_position.length == 8


@pytest.mark.parametrize(
    ("text", "key"),
    [("RESET", None), ("RESET;", None), ("RESET 'a.b'", "a.b"), ("RESET a.b-c;", "a.b-c")],
)
def test_reset(text, key):
    statement = parse_statement(text)
    assert isinstance(statement, Reset)
    assert statement.key == key


@pytest.mark.parametrize(
    ("text", "columns", "overwrite"),
    [
        ("INSERT INTO db.t SELECT 1", (), False),
        ("INSERT INTO TABLE db.t SELECT 1", (), False),
        ("INSERT OVERWRITE db.t SELECT 1", (), True),
        ("INSERT INTO db.t (a, `b c`) SELECT 1, 2", ("a", "b c"), False),
        ("INSERT INTO db.t VALUES (1, 2), (3, 4)", (), False),
        ("INSERT INTO db.t (a) VALUES (1)", ("a",), False),
        ("INSERT INTO db.t (SELECT 1)", (), False),
        ("INSERT INTO db.t WITH x AS (SELECT 1) SELECT * FROM x", (), False),
        ("INSERT INTO db.t SELECT 1 UNION ALL SELECT 2", (), False),
        ("INSERT INTO db.t TABLE s", (), False),
        ("EXECUTE INSERT INTO db.t SELECT 1", (), False),
    ],
)
def test_insert(text, columns, overwrite):
    statement = parse_statement(text)
    assert isinstance(statement, Insert)
    assert statement.target.parts == ("db", "t")
    assert (statement.columns, statement.overwrite) == (columns, overwrite)
    assert isinstance(statement.query, exp.Query)
    assert statement.sql == text


def test_hints_on_the_target():
    statement = parse_statement(
        "INSERT INTO t /*+ OPTIONS('sink.parallelism' = '2') */ (a) SELECT 1"
    )
    (entry,) = statement.target_hints
    assert (entry.key, entry.value) == ("sink.parallelism", "2")
    assert statement.columns == ("a",)


@pytest.mark.parametrize(
    "text",
    [
        "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b (x) VALUES (2); END",
        "execute statement set begin\ninsert into a select 1;\ninsert into b (x) values (2);\nend;",
        "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; INSERT INTO b (x) VALUES (2); END;",
    ],
)
def test_statement_sets(text):
    statement = parse_statement(text)
    assert isinstance(statement, StatementSet)
    assert [str(insert.target) for insert in statement.inserts] == ["a", "b"]
    assert statement.sql == text.rstrip(";")


def test_inserts_of_a_set_have_their_own_text_and_place():
    statement = parse_statement("EXECUTE STATEMENT SET BEGIN\n  INSERT INTO a SELECT 1;\nEND;")
    (insert,) = statement.inserts
    assert insert.sql == "INSERT INTO a SELECT 1"
    assert (insert.position.line, insert.position.column) == (2, 3)


def test_case_may_end_inside_a_set():
    statement = parse_statement(
        "BEGIN STATEMENT SET; INSERT INTO a SELECT CASE WHEN x THEN 1 END; INSERT INTO b SELECT 2; END;"
    )
    assert len(statement.inserts) == 2


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "VALUES (1)",
        "(SELECT 1) UNION (SELECT 2)",
        "TABLE t",
    ],
)
def test_queries_are_statements(text):
    statement = parse_statement(text)
    assert isinstance(statement, Select)
    assert isinstance(statement.query, exp.Query)


@pytest.mark.parametrize(
    ("text", "what", "name", "like"),
    [
        ("SHOW TABLES", "TABLES", None, None),
        ("SHOW TABLES LIKE 'ord%'", "TABLES", None, Pattern("ord%")),
        ("SHOW TABLES FROM db LIKE 'x'", "TABLES", "db", Pattern("x")),
        ("SHOW TABLES IN cat.db", "TABLES", "cat.db", None),
        ("show views;", "VIEWS", None, None),
        ("SHOW COLUMNS FROM t", "COLUMNS", "t", None),
        ("SHOW COLUMNS IN db.t LIKE 'a%'", "COLUMNS", "db.t", Pattern("a%")),
        ("SHOW CREATE TABLE db.t", "CREATE TABLE", "db.t", None),
        ("SHOW CREATE VIEW v", "CREATE VIEW", "v", None),
        ("SHOW JOBS", "JOBS", None, None),
        ("SHOW FUNCTIONS", "FUNCTIONS", None, None),
        ("SHOW USER FUNCTIONS", "USER FUNCTIONS", None, None),
        ("SHOW CATALOGS", "CATALOGS", None, None),
        ("SHOW DATABASES", "DATABASES", None, None),
        ("SHOW CURRENT CATALOG", "CURRENT CATALOG", None, None),
        ("SHOW CURRENT DATABASE", "CURRENT DATABASE", None, None),
        ("SHOW DATABASES FROM c NOT ILIKE 'D%'", "DATABASES", "c", Pattern("D%", True, True)),
        ("SHOW VIEWS NOT LIKE 'x'", "VIEWS", None, Pattern("x", True)),
        ("SHOW CATALOGS ILIKE 'x'", "CATALOGS", None, Pattern("x", False, True)),
        ("SHOW MODULES", "MODULES", None, None),
        ("SHOW FULL MODULES", "FULL MODULES", None, None),
        ("SHOW JARS", "JARS", None, None),
        ("SHOW CREATE CATALOG c", "CREATE CATALOG", "c", None),
        ("SHOW PARTITIONS db.t PARTITION (a = 1)", "PARTITIONS", "db.t", None),
    ],
)
def test_show(text, what, name, like):
    statement = parse_statement(text)
    assert isinstance(statement, Show)
    assert statement.what == what
    assert (str(statement.name) if statement.name else None) == name
    assert statement.like == like


@pytest.mark.parametrize("text", ["DESCRIBE db.t", "DESC db.t", "desc db.t;"])
def test_describe(text):
    statement = parse_statement(text)
    assert isinstance(statement, Describe)
    assert statement.name.parts == ("db", "t")


def test_a_table_may_be_called_catalog():
    assert str(parse_statement("DESCRIBE catalog").name) == "catalog"
    assert str(parse_statement("USE catalog;").name) == "catalog"


@pytest.mark.parametrize(
    ("text", "details", "explained"),
    [
        ("EXPLAIN SELECT 1", (), Select),
        ("EXPLAIN PLAN FOR SELECT 1", (), Select),
        ("EXPLAIN CHANGELOG_MODE SELECT 1", ("CHANGELOG_MODE",), Select),
        (
            "EXPLAIN estimated_cost, plan_advice INSERT INTO t SELECT 1",
            ("ESTIMATED_COST", "PLAN_ADVICE"),
            Insert,
        ),
        (
            "EXPLAIN JSON_EXECUTION_PLAN WITH a AS (SELECT 1) SELECT * FROM a",
            ("JSON_EXECUTION_PLAN",),
            Select,
        ),
        ("EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END", (), StatementSet),
        (
            "EXPLAIN CHANGELOG_MODE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END;",
            ("CHANGELOG_MODE",),
            StatementSet,
        ),
        (
            "EXPLAIN PLAN FOR EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END",
            (),
            StatementSet,
        ),
        ("EXPLAIN BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END", (), StatementSet),
    ],
)
def test_explain(text, details, explained):
    statement = parse_statement(text)
    assert isinstance(statement, Explain)
    assert statement.details == details
    assert type(statement.statement) is explained
    assert statement.sql.endswith(statement.statement.sql)


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("USE db", "DATABASE", "db"),
        ("USE cat.db", "DATABASE", "cat.db"),
        ("USE CATALOG c", "CATALOG", "c"),
    ],
)
def test_use(text, kind, name):
    statement = parse_statement(text)
    assert isinstance(statement, Use)
    assert (statement.kind, str(statement.name)) == (kind, name)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("DELETE FROM t", "DELETE"),
        ("UPDATE t SET a = 1", "UPDATE"),
        ("TRUNCATE TABLE t", "TRUNCATE"),
        ("MERGE INTO t USING s ON a = b", "MERGE"),
        ("ANALYZE TABLE t COMPUTE STATISTICS", "ANALYZE"),
        ("CALL p('x')", "CALL"),
        ("ADD JAR 'x.jar'", "ADD"),
        ("REMOVE JAR 'x.jar'", "REMOVE"),
        ("LOAD MODULE hive", "LOAD"),
        ("UNLOAD MODULE hive", "UNLOAD"),
        ("STOP JOB 'x' WITH SAVEPOINT", "STOP JOB … WITH SAVEPOINT or DRAIN"),
        ("COMPILE PLAN 'x' FOR INSERT INTO t SELECT 1", "COMPILE"),
        ("EXECUTE PLAN 'x'", "EXECUTE PLAN"),
        ("SHOW PROCEDURES", "SHOW PROCEDURES"),
        ("SHOW CREATE MODEL m", "SHOW CREATE MODEL"),
        ("DESCRIBE JOB 'x'", "DESCRIBE JOB"),
        ("USE MODULES hive", "USE MODULES"),
    ],
)
def test_valid_flink_that_is_not_run_says_so(reject, text, what):
    error = reject(text)
    assert isinstance(error, UnsupportedSql)
    assert error.summary == f"{what} is not supported"


@pytest.mark.parametrize(
    ("text", "column", "length", "cure"),
    [
        ("CRATE TABLE t (a INT)", 1, 5, "did you mean CREATE?"),
        ("SELCT 1", 1, 5, "did you mean SELECT?"),
        ("INSRT INTO t SELECT 1", 1, 5, "did you mean INSERT?"),
        ("SELECT 1; DRP TABLE t", 11, 3, "did you mean DROP?"),
        ("SHOW TABELS", 6, 6, "did you mean TABLES?"),
        ("SHOW CURRENT CATALOGUE", 14, 9, "did you mean CATALOG?"),
        ("EXPLAIN CHANGLOG_MODE SELECT 1", 9, 13, "did you mean CHANGELOG_MODE?"),
        ("EXPLAIN CHANGELOG_MODE, PLAN_ADVIS SELECT 1", 25, 10, "did you mean PLAN_ADVICE?"),
        ("EXECUTE STATMENT SET BEGIN END", 9, 8, "did you mean STATEMENT?"),
        ("INSERT INTOO t SELECT 1", 8, 5, "did you mean INTO?"),
        ("INSERT INTO t SELCT 1", 15, 5, "did you mean SELECT?"),
        ("INSERT INTO t VALUE (1)", 15, 5, "did you mean VALUES?"),
        ("xyzzy 1", 1, 5, None),
        ("123", 1, 3, None),
        (")", 1, 1, None),
    ],
)
def test_garbage_is_a_syntax_error_at_the_wrong_word(reject, place, text, column, length, cure):
    error = reject(text)
    assert isinstance(error, SqlSyntaxError)
    assert place(error) == (1, column, length)
    assert error.cure == cure


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("INSERT t SELECT 1", 8, "INTO or OVERWRITE"),
        ("INSERT INTO t", 14, "SELECT, VALUES or WITH"),
        ("INSERT INTO t (a, ) SELECT 1", 19, "a column name"),
        ("INSERT INTO SELECT 1", 13, "the table to write to"),
        ("SET = 'v'", 5, "a key"),
        ("SET 'k'", 8, "'='"),
        ("SET 'k' 'v'", 9, "'='"),
        ("SET 'k' =", 10, "a value"),
        ("SET 'k' = 'v' 'w'", 15, "';' or the end of the statement"),
        ("SHOW COLUMNS t", 14, "FROM or IN"),
        ("SHOW TABLES LIKE x", 18, "the pattern in single quotes"),
        ("SHOW CREATE t", 13, "TABLE, VIEW or CATALOG"),
        ("SHOW TABLES ILIKE 'x'", 13, "';' or the end of the statement"),
        ("DESCRIBE", 9, "the name of the table"),
        ("USE", 4, "the name of the database"),
        ("BEGIN STATEMENT SET INSERT INTO a SELECT 1; END", 21, "';'"),
        ("EXECUTE STATEMENT SET INSERT INTO a SELECT 1; END", 23, "STATEMENT SET BEGIN"),
        ("EXECUTE STATEMENT SET BEGIN SELECT 1; END", 29, "INSERT INTO or END"),
        ("EXECUTE STATEMENT SET BEGIN END", 1, "at least one INSERT INTO"),
        ("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1;", 1, "END;"),
        ("EXECUTE", 8, "STATEMENT SET or INSERT"),
        (
            "SELECT 1 SELECT 2",
            10,
            "',', an operator, a clause of the query or the end of the statement",
        ),
    ],
)
def test_broken_statements_are_pointed_at(reject, place, text, column, expected):
    error = reject(text)
    assert place(error)[:2] == (1, column)
    assert error.expected == expected


def test_the_error_of_a_later_statement_has_its_absolute_place(reject, place):
    script = "SET 'a' = 'b';\n-- a comment; with a semicolon\nSELECT 1;\n  SELECT a FORM t;\n"
    assert place(reject(script)) == (4, 12, 4)


@pytest.mark.parametrize("action", ["NOTHING", "ERROR", "DEDUPLICATE"])
def test_what_to_do_on_conflict(action):
    statement = parse_statement(f"INSERT INTO t SELECT a FROM s ON CONFLICT DO {action}")
    assert statement.on_conflict == action
    assert parse_statement("INSERT INTO t SELECT a FROM s").on_conflict is None


def test_on_conflict_ends_the_statement():
    with pytest.raises(SqlSyntaxError) as caught:
        parse_statement("INSERT INTO t SELECT 1 ON CONFLICT DO UPDATE")
    assert caught.value.expected == "NOTHING, ERROR or DEDUPLICATE"
    with pytest.raises(SqlSyntaxError):
        parse_statement("INSERT INTO t SELECT 1 ON CONFLICT DO NOTHING WHERE a = 1")


@pytest.mark.parametrize(
    ("text", "kind", "extended"),
    [
        ("DESCRIBE EXTENDED t", "TABLE", True),
        ("DESCRIBE CATALOG t", "CATALOG", False),
        ("DESC CATALOG EXTENDED t", "CATALOG", True),
        ("DESCRIBE t", "TABLE", False),
    ],
)
def test_describe_in_every_form(text, kind, extended):
    statement = parse_statement(text)
    assert (str(statement.name), statement.kind, statement.extended) == ("t", kind, extended)


def test_the_partition_of_an_insert():
    statement = parse_statement("INSERT INTO t PARTITION (a = 'b', c) (d) SELECT 1, 2")
    assert (statement.partition, statement.columns) == (("a", "c"), ("d",))


def test_stop_job():
    statement = parse_statement("STOP JOB 'x-1'")
    assert (statement.job, statement.job_position.column) == ("x-1", 10)
