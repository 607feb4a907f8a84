"""`TableEnvironment`: the door for Python users, with PyFlink's names. Everything before a job starts needs no JVM."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.catalog import Catalog
from headrace.catalog.table import Table, View
from headrace.connectors.kafka.login_modules import login_sets
from headrace.connectors.registry import connector_named
from headrace.errors import HeadraceError, InternalError, UnknownName, UnsupportedSql, UserError
from headrace.plan.explain import explain_dict, explain_text
from headrace.plan.plan import Plan
from headrace.plan.planner import Planner
from headrace.runtime.config import Config
from headrace.runtime.definitions import define, query_schema
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.results import TableResult
from headrace.runtime.show import describe, show
from headrace.sql.dialect import parse_script, parse_statement
from headrace.sql.statements import (
    AlterTableSet,
    CreateTable,
    Describe,
    Explain,
    Insert,
    Reset,
    Select,
    Set,
    Show,
    Statement,
    StatementSet,
    StopJob,
)
from headrace.toolchain.coordinates import SPARK_SET
from headrace.toolchain.jars import fetch
from headrace.toolchain.operators import sets_to_compile
from headrace.toolchain.progress import Reporter, silent

if TYPE_CHECKING:
    from sqlglot import exp

    from headrace.runtime.launch import Launcher


def _to_console(line: str, to_error: bool) -> None:
    stream = sys.stderr if to_error else sys.stdout
    stream.write(line + "\n")
    stream.flush()


class TableEnvironment:
    """Tables, views, settings and jobs of one session."""

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        *,
        fresh: bool = False,
        progress: Reporter | None = None,
        notify: Callable[[str], None] = lambda _: None,
        write_line: Callable[[str, bool], None] = _to_console,
    ) -> None:
        self.catalog = Catalog()
        self.config = Config(notify=notify)
        self.jobs: list[Job] = []
        self._fresh = fresh
        self._progress = progress
        self._write_line = write_line
        self._running: Launcher | None = None
        for key, value in (settings or {}).items():
            self.config.set(key, value)

    @classmethod
    def create(cls, settings: Mapping[str, str] | None = None) -> TableEnvironment:
        return cls(settings)

    def get_config(self) -> Config:
        return self.config

    def execute_sql(self, sql: str) -> TableResult:
        """One statement. INSERT returns at once with its job running; SELECT's rows are in `collect()`."""
        return self.execute(parse_statement(sql))

    def sql_query(self, query: str) -> QueryTable:
        statement = parse_statement(query)
        if not isinstance(statement, Select):
            raise UserError("sql_query takes a SELECT", where=statement.position)
        self.planner().plan_select(statement)
        return QueryTable(self, query)

    def create_statement_set(self) -> StatementSetBuilder:
        return StatementSetBuilder(self)

    def explain_sql(self, sql: str) -> str:
        statement = parse_statement(sql)
        if isinstance(statement, Select | Insert | StatementSet):
            statement = Explain(sql=sql, position=statement.position, statement=statement)
        if not isinstance(statement, Explain):
            raise UserError("only queries and INSERTs have a plan", where=statement.position)
        return self._explained(statement)

    def _explained(self, statement: Explain) -> str:
        """Row kinds and advice are always shown."""
        if "ESTIMATED_COST" in statement.details:
            raise UnsupportedSql(
                "EXPLAIN ESTIMATED_COST is not supported: plans are not chosen by cost",
                where=statement.position,
                cure="leave the word out",
            )
        plans = self.plans(statement)
        if "JSON_EXECUTION_PLAN" in statement.details:
            return json.dumps([explain_dict(plan) for plan in plans], indent=2)
        return "\n\n".join(explain_text(plan) for plan in plans)

    def create_temporary_view(self, name: str, table: QueryTable) -> None:
        self.execute_sql(f"CREATE TEMPORARY VIEW {name} AS {table.query}")

    def list_tables(self) -> list[str]:
        return self.catalog.names()

    def list_views(self) -> list[str]:
        return self.catalog.names(View)

    def planner(self) -> Planner:
        return Planner(self.catalog, self.config.plan_settings())

    def plans(self, statement: Statement) -> list[Plan]:
        """The plans of a query, an INSERT or a statement set; of any other statement none."""
        match statement:
            case Select():
                return [self.planner().plan_select(statement)]
            case Insert():
                return [self.planner().plan_insert(statement)]
            case StatementSet():
                return [self.planner().plan_insert(item) for item in statement.inserts]
            case Explain():
                return self.plans(statement.statement)
            case _:
                return []

    def define(self, statement: Statement) -> TableResult | None:
        """Runs a statement that needs no job (DDL, SET, SHOW, EXPLAIN …); None if it is not one."""
        match statement:
            case Set(entry=None):
                return TableResult(columns=("key", "value"), rows=list(self.config.shown().items()))
            case Set(entry=entry):
                assert entry is not None
                self.config.set(entry.key, entry.value, entry.key_position)
                return TableResult(message="OK")
            case Reset(key=key):
                self.config.reset(key)
                return TableResult(message="OK")
            case Show():
                return show(statement, self.catalog, self.jobs, self.planner())
            case Describe():
                return describe(statement, self.catalog, self.planner())
            case Explain():
                text = self._explained(statement)
                return TableResult(columns=("result",), rows=[(text,)], message=text)
            case StopJob():
                return self._stop_job(statement)
            case Select() | Insert() | StatementSet():
                return None
            case _:
                return define(statement, self.catalog, connector_named, self.planner())

    def fetch_jars(self, statements: Sequence[Statement]) -> None:
        """Downloads what the jobs among the statements need, before the first one starts."""
        runs = any(
            isinstance(statement, Select | Insert | StatementSet)
            or (isinstance(statement, CreateTable) and statement.as_query is not None)
            for statement in statements
        )
        if runs:
            options = [
                {entry.key: entry.value}
                for statement in statements
                if isinstance(statement, CreateTable | AlterTableSet)
                for entry in statement.options
            ]
            logins = [name for option in options for name in login_sets(option)]
            fetch([SPARK_SET.name, *logins, *sets_to_compile()], self._progress or silent)

    def execute(self, statement: Statement) -> TableResult:
        if isinstance(statement, CreateTable) and statement.as_query is not None:
            return self._create_as(statement, statement.as_query)
        result = self.define(statement)
        if result is not None:
            return result
        match statement:
            case Select():
                return self._select(self.planner().plan_select(statement))
            case Insert() | StatementSet():
                plans = self.plans(statement)  # all are checked before the first one starts
                return self._track(self._launcher().insert(plans, self._write_line))
            case _:
                raise InternalError(f"no way to execute {type(statement).__name__}")

    def _create_as(self, statement: CreateTable, query: exp.Query) -> TableResult:
        """The table and the job that fills it; neither when the query cannot fill it."""
        before = self.catalog.find(statement.name)
        defined = define(statement, self.catalog, connector_named, self.planner())
        if before is not None and not statement.replaces:
            return defined
        columns = tuple(field.name for field in query_schema(statement, self.planner()))
        insert = Insert(
            sql=statement.sql,
            position=statement.position,
            target=statement.name,
            query=query,
            columns=columns,
        )
        try:
            return self.execute(insert)
        except HeadraceError:
            self.catalog.drop(statement.name, Table, if_exists=True)
            if before is not None:
                self.catalog.add(before)
            raise

    def _select(self, plan: Plan) -> TableResult:
        launcher = self._launcher()
        folder = Path(tempfile.mkdtemp(prefix="headrace-select-"))
        try:
            job, changes = launcher.select(plan, folder / "checkpoint")
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        self.jobs.append(job)
        return TableResult(schema=plan.sink.schema, jobs=[job], changes=changes)

    def _track(self, jobs: list[Job]) -> TableResult:
        self.jobs.extend(jobs)
        return TableResult(jobs=jobs)

    def _launcher(self) -> Launcher:
        if self._running is None:
            from headrace.runtime.kerberos import with_login
            from headrace.runtime.session import begin_session

            session = begin_session(with_login(self.config), self._progress or silent)
            # Reads PySpark, while Java starts.
            from headrace.runtime.launch import Launcher

            self._running = Launcher(session(), self.config, fresh=self._fresh)
        return self._running

    def _stop_job(self, statement: StopJob) -> TableResult:
        running = [job for job in self.jobs if job.state is JobState.RUNNING]
        found = next((job for job in running if job.id == statement.job), None)
        if found is None:
            known = [job.id for job in running]
            raise UnknownName("running job", statement.job, known, where=statement.job_position)
        found.stop()
        return TableResult(message="OK")

    def stop(self) -> None:
        """Ends all running jobs cleanly; they resume when started again."""
        for job in self.jobs:
            if job.state is JobState.RUNNING:
                job.stop()


class QueryTable:
    """A query as a value: run it, insert it, or name it as a view."""

    def __init__(self, environment: TableEnvironment, query: str) -> None:
        self.environment = environment
        self.query = query.rstrip().rstrip(";")

    def execute(self) -> TableResult:
        return self.environment.execute_sql(self.query)

    def execute_insert(self, table: str) -> TableResult:
        return self.environment.execute_sql(f"INSERT INTO {table} {self.query}")

    def explain(self) -> str:
        return self.environment.explain_sql(self.query)


class StatementSetBuilder:
    """INSERTs that are checked together and started together."""

    def __init__(self, environment: TableEnvironment) -> None:
        self.environment = environment
        self._inserts: list[str] = []

    def add_insert_sql(self, statement: str) -> StatementSetBuilder:
        if not isinstance(parse_statement(statement), Insert):
            raise UserError("a statement set takes INSERT statements only")
        self._inserts.append(statement.rstrip().rstrip(";"))
        return self

    def add_insert(self, table: str, query: QueryTable) -> StatementSetBuilder:
        return self.add_insert_sql(f"INSERT INTO {table} {query.query}")

    def explain(self) -> str:
        return self.environment.explain_sql(self._sql())

    def execute(self) -> TableResult:
        result = self.environment.execute_sql(self._sql())
        self._inserts.clear()
        return result

    def _sql(self) -> str:
        inserts = "".join(f"{insert};\n" for insert in self._inserts)
        return f"EXECUTE STATEMENT SET BEGIN\n{inserts}END"


def statements_of(text: str, source: str) -> list[Statement]:
    return parse_script(text, source)


__all__ = ["QueryTable", "StatementSetBuilder", "Table", "TableEnvironment", "statements_of"]
