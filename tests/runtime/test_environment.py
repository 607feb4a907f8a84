import json
import subprocess
import sys

import pytest

from headrace.errors import HeadraceError, InvalidOption, UnsupportedSql, UserError
from headrace.plan.nodes import Sink
from headrace.runtime import environment
from headrace.runtime.environment import TableEnvironment, statements_of
from headrace.runtime.jobs import Job, JobState
from headrace.sql.dialect import parse_script, parse_statement


class FakeLauncher:
    """Takes plans without running them."""

    def __init__(self, query) -> None:
        self.query = query
        self.inserted = []

    def insert(self, plans, _write_line) -> list[Job]:
        self.inserted += plans
        return [Job("into several", bounded=False, query=self.query())]


@pytest.fixture
def launcher(env, query) -> FakeLauncher:
    env._running = FakeLauncher(query)
    return env._running


def rows(env, sql: str) -> list[tuple]:
    return [tuple(row) for row in env.execute_sql(sql).collect()]


class TestSettings:
    def test_at_the_start_and_later(self):
        env = TableEnvironment.create({"pipeline.name": "a"})
        env.execute_sql("SET 'parallelism.default' = '2'")
        assert rows(env, "SET") == [("parallelism.default", "2"), ("pipeline.name", "a")]
        env.execute_sql("RESET 'pipeline.name'")
        assert env.get_config().values == {"parallelism.default": "2"}
        env.execute_sql("RESET")
        assert env.get_config().values == {}

    def test_a_wrong_one_is_told_at_once(self):
        with pytest.raises(InvalidOption, match="unknown setting"):
            TableEnvironment({"pipeline.nmae": "a"})

    def test_notices_reach_the_user(self):
        told = []
        env = TableEnvironment(notify=told.append)
        env.execute_sql("SET 'state.backend.type' = 'rocksdb'")
        assert told == [
            "'state.backend.type' has no effect: state is always kept in Spark's RocksDB state store"
        ]

    def test_settings_reach_the_plan(self, env):
        env.execute_sql("SET 'table.exec.state.ttl' = '1 h'")
        assert "for 1 h;" in env.explain_sql("SELECT word, COUNT(*) FROM numbers GROUP BY word")


class TestPlans:
    @pytest.mark.parametrize(
        ("sql", "count"),
        [
            ("SELECT n FROM numbers", 1),
            ("INSERT INTO console SELECT n FROM numbers", 1),
            ("EXPLAIN SELECT n FROM numbers", 1),
            (
                "EXECUTE STATEMENT SET BEGIN INSERT INTO console SELECT n FROM numbers; "
                "INSERT INTO console SELECT n + 1 FROM numbers; END",
                2,
            ),
            ("SHOW TABLES", 0),
        ],
    )
    def test_of_a_statement(self, env, sql, count):
        assert len(env.plans(parse_statement(sql))) == count

    def test_explain_in_two_ways(self, env):
        text = env.explain_sql("SELECT n FROM numbers")
        assert text.startswith("== Plan ==\nCollect(n)\n")
        assert env.explain_sql("EXPLAIN SELECT n FROM numbers") == text
        assert rows(env, "EXPLAIN SELECT n FROM numbers") == [(text,)]

    def test_explain_as_data(self, env):
        text = env.explain_sql("EXPLAIN JSON_EXECUTION_PLAN SELECT n FROM numbers")
        (plan,) = json.loads(text)
        assert plan["plan"]["operator"] == "Collect"

    def test_details_that_are_always_shown(self, env):
        plain = env.explain_sql("SELECT n FROM numbers")
        asked = env.explain_sql("EXPLAIN CHANGELOG_MODE, PLAN_ADVICE SELECT n FROM numbers")
        assert asked == plain

    def test_costs_are_not_known(self, env):
        with pytest.raises(UnsupportedSql, match="EXPLAIN ESTIMATED_COST is not supported"):
            env.explain_sql("EXPLAIN ESTIMATED_COST SELECT n FROM numbers")

    def test_only_queries_are_explained(self, env):
        with pytest.raises(UserError, match="only queries and INSERTs have a plan"):
            env.explain_sql("SHOW TABLES")


def test_define_leaves_what_needs_a_job(env):
    assert env.define(parse_statement("SELECT 1")) is None
    assert env.define(parse_statement("INSERT INTO console SELECT 1")) is None
    made = env.define(parse_statement("SHOW TABLES"))
    assert made is not None
    assert [tuple(row) for row in made.collect()] == [("console",), ("numbers",)]


def test_names(env):
    env.create_temporary_view("v", env.sql_query("SELECT n FROM numbers;"))
    assert env.list_tables() == ["console", "numbers", "v"]
    assert env.list_views() == ["v"]


class TestQueryTable:
    def test_a_query_is_checked_when_it_is_made(self, env):
        with pytest.raises(HeadraceError, match="column 'm' does not exist"):
            env.sql_query("SELECT m FROM numbers")
        with pytest.raises(UserError, match="sql_query takes a SELECT"):
            env.sql_query("SHOW TABLES")

    def test_it_explains_itself(self, env):
        query = env.sql_query("SELECT n FROM numbers")
        assert query.explain() == env.explain_sql("SELECT n FROM numbers")

    def test_it_is_inserted(self, env, launcher):
        env.sql_query("SELECT n FROM numbers").execute_insert("console")
        assert [plan.sink.table.identifier.name for plan in launcher.inserted] == ["console"]


class TestInserts:
    def test_an_insert_is_a_running_job(self, env, launcher):
        result = env.execute_sql("INSERT INTO console SELECT n FROM numbers")
        assert [job.state for job in result.jobs] == [JobState.RUNNING]
        assert env.jobs == result.jobs
        env.stop()
        assert env.jobs[0].state is JobState.CANCELED

    def test_all_of_a_set_are_checked_before_one_starts(self, env, launcher):
        statements = env.create_statement_set()
        statements.add_insert_sql("INSERT INTO console SELECT n FROM numbers;")
        statements.add_insert_sql("INSERT INTO console SELECT word FROM numbers")
        with pytest.raises(HeadraceError, match="cannot take the query's column 'word'"):
            statements.execute()
        assert launcher.inserted == []
        assert env.jobs == []

    def test_a_set_is_built_and_run(self, env, launcher):
        statements = env.create_statement_set()
        statements.add_insert("console", env.sql_query("SELECT n FROM numbers")).add_insert_sql(
            "INSERT INTO console SELECT n + 1 FROM numbers"
        )
        assert statements.explain().count("== Plan ==") == 2
        assert len(statements.execute().jobs) == 1
        assert len(launcher.inserted) == 2

    def test_a_set_takes_inserts_only(self, env):
        with pytest.raises(UserError, match="a statement set takes INSERT statements only"):
            env.create_statement_set().add_insert_sql("SELECT 1")


class TestCreateTableAs:
    SQL = "CREATE TABLE copy WITH ('connector' = 'print') AS SELECT n FROM numbers"

    def test_the_table_is_made_and_filled(self, env, launcher):
        result = env.execute_sql(self.SQL)
        assert len(result.jobs) == 1
        (plan,) = launcher.inserted
        assert isinstance(plan.sink, Sink)
        assert plan.sink.table.identifier.name == "copy"
        assert "copy" in env.list_tables()

    def test_an_existing_one_is_left_alone(self, env, launcher):
        env.execute_sql(self.SQL.replace("copy", "IF NOT EXISTS console"))
        assert launcher.inserted == []

    def test_a_query_that_cannot_fill_it_leaves_no_table(self, env, launcher):
        sql = (
            "CREATE TABLE copy WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json', "
            "'properties.bootstrap.servers' = 'b:9092') "
            "AS SELECT word, COUNT(*) AS n FROM numbers GROUP BY word"
        )
        with pytest.raises(HeadraceError, match="CHANGELOG_MISMATCH"):
            env.execute_sql(sql)
        assert "copy" not in env.list_tables()

    def test_columns_of_ones_own_are_left_empty(self, env, launcher):
        env.execute_sql(self.SQL.replace("copy", "copy (z INT, m AS n + 1)"))
        (plan,) = launcher.inserted
        assert plan.sink.schema[0].type.sql() == "INT"
        shown = [str(expr) for _, expr in plan.sink.input.outputs]
        assert shown == ["NULL", "n"]

    def test_one_is_replaced(self, env, launcher):
        env.execute_sql(self.SQL.replace("CREATE TABLE copy", "CREATE OR REPLACE TABLE console"))
        assert [row[0] for row in rows(env, "DESCRIBE console")] == ["n"]
        assert len(launcher.inserted) == 1

    def test_one_that_cannot_be_replaced_stays(self, env, launcher):
        before = rows(env, "DESCRIBE console")
        sql = (
            "REPLACE TABLE console WITH ('connector' = 'kafka', 'topic' = 't', 'format' = 'json', "
            "'properties.bootstrap.servers' = 'b:9092') "
            "AS SELECT word, COUNT(*) AS n FROM numbers GROUP BY word"
        )
        with pytest.raises(HeadraceError, match="CHANGELOG_MISMATCH"):
            env.execute_sql(sql)
        assert rows(env, "DESCRIBE console") == before


def test_scripts_are_split():
    statements = statements_of("SHOW TABLES; SELECT 1;", "job.sql")
    assert [str(statement.position) for statement in statements] == ["job.sql:1:1", "job.sql:1:14"]


def test_planning_needs_no_spark():
    code = (
        "import sys; from headrace.runtime.environment import TableEnvironment; "
        "env = TableEnvironment(); "
        "env.execute_sql(\"CREATE TABLE t (a INT) WITH ('connector' = 'datagen')\"); "
        "env.explain_sql('SELECT a FROM t'); "
        "sys.exit('pyspark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestStopJob:
    def test_it_ends_and_the_others_run_on(self, env, query):
        env.jobs += [Job(name, bounded=False, query=query()) for name in ("first", "second")]
        assert env.execute_sql("STOP JOB 'second'").message == "OK"
        assert [str(job.state) for job in env.jobs] == ["RUNNING", "CANCELED"]

    def test_one_that_does_not_run(self, env, query):
        env.jobs.append(Job("first", bounded=False, query=query()))
        with pytest.raises(HeadraceError) as caught:
            env.execute_sql("STOP JOB 'fist'")
        assert caught.value.render().splitlines() == [
            "[UNKNOWN_RUNNING_JOB] running job 'fist' does not exist",
            "  at: <sql>:1:10",
            "  expected: first",
            "  cure: did you mean 'first'?",
        ]


class TestJars:
    """What a script needs is downloaded before its first job."""

    TABLE = (
        "CREATE TABLE t (a INT) WITH ('connector' = 'kafka', 'properties.sasl.mechanism' = '{}');"
    )

    @pytest.fixture
    def fetched(self, monkeypatch):
        found = []
        monkeypatch.setattr(environment, "fetch", lambda names, progress: found.append(list(names)))
        monkeypatch.setattr(environment, "sets_to_compile", list)
        return found

    @pytest.mark.parametrize(
        ("script", "sets"),
        [
            ("SELECT 1;", [["spark"]]),
            (TABLE.format("AWS_MSK_IAM") + "SELECT * FROM t;", [["spark", "msk-iam"]]),
            (
                TABLE.format("PLAIN")
                + "ALTER TABLE t SET ('properties.sasl.mechanism' = 'AWS_MSK_IAM');"
                + "SELECT * FROM t;",
                [["spark", "msk-iam"]],
            ),
            (TABLE.format("PLAIN") + "INSERT INTO t VALUES (1);", [["spark"]]),
            ("CREATE TABLE t WITH ('connector' = 'print') AS SELECT 1;", [["spark"]]),
            (TABLE.format("AWS_MSK_IAM") + "DESCRIBE t;", []),
        ],
    )
    def test_of_a_script(self, env, fetched, script, sets):
        env.fetch_jars(parse_script(script))
        assert fetched == sets
