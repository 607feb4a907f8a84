"""Statements: what each one begins with, and the ones that are neither tables nor plain queries."""

from __future__ import annotations

from collections.abc import Callable

from headrace.errors import SqlSyntaxError, nearest
from headrace.sql.alter import AlterParser
from headrace.sql.cursor import shown
from headrace.sql.hints import TABLE_HINTS
from headrace.sql.lexer import Token, TokenKind
from headrace.sql.statements import (
    Describe,
    Explain,
    Insert,
    ObjectName,
    OptionEntry,
    Pattern,
    Reset,
    Select,
    Set,
    Show,
    Statement,
    StatementSet,
    StopJob,
    Use,
)

# Flink's statements that Headrace does not run. CREATE, DROP, ALTER and SHOW refuse their own.
UNSUPPORTED = {
    "DELETE": "write a changelog instead: a delete in the source deletes from the sink",
    "UPDATE": "write a changelog instead: an update in the source updates the sink",
    "TRUNCATE": None,
    "MERGE": "INSERT INTO a table with a primary key is an upsert",
    "ANALYZE": None,
    "CALL": None,
    "ADD": None,
    "REMOVE": None,
    "LOAD": None,
    "UNLOAD": None,
    "COMPILE": None,
    "QUIT": None,
    "EXIT": None,
    "CLEAR": None,
    "HELP": None,
}
CONFLICT_ACTIONS = ("NOTHING", "ERROR", "DEDUPLICATE")
EXPLAIN_DETAILS = ("ESTIMATED_COST", "CHANGELOG_MODE", "PLAN_ADVICE", "JSON_EXECUTION_PLAN")
SHOWN_LISTS = (
    "TABLES",
    "VIEWS",
    "JOBS",
    "FUNCTIONS",
    "CATALOGS",
    "DATABASES",
    "MODULES",
    "JARS",
    "PARTITIONS",
)
# What follows a word that says nothing alone.
QUALIFIED = {
    "CREATE": ("TABLE", "VIEW", "CATALOG"),
    "CURRENT": ("CATALOG", "DATABASE"),
    "USER": ("FUNCTIONS",),
    "FULL": ("MODULES",),
}
NOT_SHOWN = ("PROCEDURES", "MODELS", "MATERIALIZED", "CONNECTIONS")
NOT_SHOWN_CREATED = ("MODEL", "MATERIALIZED", "FUNCTION")
SHOWN_WITHIN = ("TABLES", "VIEWS", "FUNCTIONS", "USER FUNCTIONS", "DATABASES")
# As Flink's grammar has it: by [NOT] LIKE, and some also by ILIKE.
MATCHED = (*SHOWN_WITHIN, "CATALOGS", "COLUMNS")
CASELESS = ("FUNCTIONS", "USER FUNCTIONS", "DATABASES", "CATALOGS")
NOT_DESCRIBED = ("DATABASE", "FUNCTION", "JOB", "MODEL")
NAME_KINDS = (TokenKind.WORD, TokenKind.QUOTED_NAME, TokenKind.STRING)
SHOWABLE = (*SHOWN_LISTS, "COLUMNS", *QUALIFIED)


class StatementParser(AlterParser):
    def script(self) -> list[Statement]:
        statements = []
        while self.current.kind is not TokenKind.END:
            if self.take(";"):
                continue
            statements.append(self.statement())
            self._end_of_statement()
        return statements

    def statement(self) -> Statement:
        if self.at_query():
            return self._select_statement()
        rules = self._rules()
        rule = rules.get(self.current.key)
        if rule:
            return rule()
        key = self.current.key
        if key in UNSUPPORTED:
            raise self.unsupported(key, cure=UNSUPPORTED[key])
        raise self._unknown_statement(list(rules))

    def _rules(self) -> dict[str, Callable[[], Statement]]:
        return {
            "CREATE": self.create,
            "DROP": self.drop,
            "ALTER": self.alter,
            "REPLACE": self.replace,
            "STOP": self._stop,
            "INSERT": self._insert,
            "EXECUTE": self._execute,
            "BEGIN": self._begin,
            "TABLE": self._select_statement,
            "SET": self._set,
            "RESET": self._reset,
            "SHOW": self._show,
            "DESCRIBE": self._describe,
            "DESC": self._describe,
            "EXPLAIN": self._explain,
            "USE": self._use,
        }

    def _unknown_statement(self, known: list[str]) -> SqlSyntaxError:
        known += ["SELECT", "WITH", "VALUES"]
        token = self.current
        close = nearest(token.text, known) if token.kind is TokenKind.WORD else None
        return self.error(
            f"a statement cannot begin with {shown(token)}",
            expected=", ".join(sorted(known)),
            cure=f"did you mean {close}?" if close else None,
        )

    def _end_of_statement(self) -> None:
        if not self.at_end():
            raise self.unexpected("';' or the end of the statement")

    def _select_statement(self) -> Select:
        first = self.current
        query = self.query()
        self.end_of_query()
        return Select(sql=self.source_text(first), position=self.place(first), query=query)

    def _insert(self, first: Token | None = None) -> Insert:
        first = first or self.current
        self.expect("INSERT")
        overwrite = self.expect_any("INTO", "OVERWRITE") == "OVERWRITE"
        self.take("TABLE")
        target = self.object_name("the table to write to")
        hints = self.hints(TABLE_HINTS)
        partition = self._partition() if self.at("PARTITION") else ()
        columns = () if self.at_query() or not self.at("(") else self.names("a column name")
        if not self.at_query() and not self.at("TABLE"):
            raise self.unexpected("SELECT, VALUES or WITH", "SELECT", "VALUES", "WITH")
        query = self.query()
        on_conflict = None
        if self.take("ON", "CONFLICT"):
            self.expect("DO")
            on_conflict = self.expect_any(*CONFLICT_ACTIONS)
        self.end_of_query()
        return Insert(
            sql=self.source_text(first),
            position=self.place(first),
            target=target,
            query=query,
            columns=columns,
            partition=partition,
            overwrite=overwrite,
            target_hints=hints.get("OPTIONS", ()),
            on_conflict=on_conflict,
        )

    def _partition(self) -> tuple[str, ...]:
        """The columns of PARTITION (column = value, …)."""
        self.expect("PARTITION")
        return tuple(self.wrapped(self._partition_column))

    def _partition_column(self) -> str:
        name = self.name("a column name").text
        if self.take("="):
            self.expression()
        return name

    def _stop(self) -> StopJob:
        first = self.expect("STOP")
        self.expect("JOB")
        job = self.string("the job's id")
        if self.at("WITH"):
            raise self.unsupported("STOP JOB … WITH SAVEPOINT or DRAIN", first)
        return StopJob(
            sql=self.source_text(first),
            position=self.place(first),
            job=job.text,
            job_position=self.place(job),
        )

    def _execute(self) -> Statement:
        first = self.expect("EXECUTE")
        if self.at("STATEMENT"):
            return self._statement_set(first)
        if self.at("INSERT"):
            return self._insert(first)
        if self.at("PLAN"):
            raise self.unsupported("EXECUTE PLAN", first)
        if self.at_query():
            return self._select_statement()
        raise self.unexpected("STATEMENT SET or INSERT", "STATEMENT", "INSERT")

    def _statement_set(self, first: Token) -> StatementSet:
        """`STATEMENT SET BEGIN insert; … END`, with EXECUTE or EXPLAIN already taken."""
        self.expect("STATEMENT", "SET", "BEGIN")
        return self._inserts(first)

    def _begin(self) -> StatementSet:
        """The older `BEGIN STATEMENT SET; insert; … END`."""
        first = self.expect("BEGIN")
        self.expect("STATEMENT", "SET", ";")
        return self._inserts(first)

    def _inserts(self, first: Token) -> StatementSet:
        inserts: list[Insert] = []
        while not self.at("END"):
            if self.current.kind is TokenKind.END:
                raise self.error(
                    "the statement set is opened but never closed", first, expected="END;"
                )
            if not self.at("INSERT"):
                raise self.unexpected("INSERT INTO or END", "INSERT", "END")
            inserts.append(self._insert())
            self.expect(";")
        if not inserts:
            raise self.error(
                "the statement set is empty", first, expected="at least one INSERT INTO"
            )
        self.advance()
        return StatementSet(
            sql=self.source_text(first), position=self.place(first), inserts=tuple(inserts)
        )

    def _set(self) -> Set:
        first = self.expect("SET")
        entry = None if self.at_end() else self._assignment()
        return Set(sql=self.source_text(first), position=self.place(first), entry=entry)

    def _assignment(self) -> OptionEntry:
        key_token = self.current
        key = self._setting_text("a key", until="=")
        key_position = self.span(key_token)
        self.expect("=")
        value_token = self.current
        value = self._setting_text("a value")
        return OptionEntry(key, value, key_position, self.span(value_token))

    def _setting_text(self, what: str, until: str = ";") -> str:
        """A quoted text, or whatever is written up to the end: `SET parallelism.default = 4;` needs no quotes."""
        first = self.current
        if self.at_end() or self.at(until):
            raise self.unexpected(what)
        if self.at_kind(TokenKind.STRING, TokenKind.DOUBLE_QUOTED):
            return self.advance().text
        while not self.at_end() and not self.at(until):
            self.advance()
        return self.source_text(first)

    def _reset(self) -> Reset:
        first = self.expect("RESET")
        key = None if self.at_end() else self._setting_text("a key")
        return Reset(sql=self.source_text(first), position=self.place(first), key=key)

    def _show(self) -> Show:
        first = self.expect("SHOW")
        if self.current.key in NOT_SHOWN:
            raise self.unsupported(f"SHOW {self.current.key}", first)
        what = self.expect_any(*SHOWABLE)
        if what in QUALIFIED:
            what += " " + self._show_object(what, first)
        name = self._shown_name(what)
        like = self._show_like(what)
        return Show(
            sql=self.source_text(first), position=self.place(first), what=what, name=name, like=like
        )

    def _show_object(self, what: str, first: Token) -> str:
        if what == "CREATE" and self.at_any(*NOT_SHOWN_CREATED):
            raise self.unsupported(f"SHOW CREATE {self.current.key}", first)
        return self.expect_any(*QUALIFIED[what])

    def _shown_name(self, what: str) -> ObjectName | None:
        if what.startswith("CREATE"):
            return self.object_name(f"the name of the {what.split()[1].lower()}")
        if what == "PARTITIONS":
            name = self.object_name("the name of the table")
            if self.at("PARTITION"):
                self._partition()
            return name
        if what == "COLUMNS":
            self.expect_any("FROM", "IN")
            return self.object_name("the name of the table")
        if what in SHOWN_WITHIN and self.take_any("FROM", "IN"):
            inside = "catalog" if what == "DATABASES" else "database"
            return self.object_name(f"the name of the {inside}")
        return None

    def _show_like(self, what: str) -> Pattern | None:
        if what not in MATCHED:
            return None
        negated = self.take("NOT")
        words = ("LIKE", "ILIKE") if what in CASELESS else ("LIKE",)
        if not (negated or self.at_any(*words)):
            return None
        word = self.expect_any(*words)
        return Pattern(self.string("the pattern").text, negated, word == "ILIKE")

    def _describe(self) -> Describe:
        first = self.advance()
        if self.at_any(*NOT_DESCRIBED) and self.ahead().kind in NAME_KINDS:
            raise self.unsupported(f"DESCRIBE {self.current.key}", first)
        catalog = self.at("CATALOG") and self.ahead().kind in NAME_KINDS
        if catalog:
            self.advance()
        extended = self.at("EXTENDED") and self.ahead().kind in NAME_KINDS
        if extended:
            self.advance()
        name = self.object_name(f"the name of the {'catalog' if catalog else 'table'}")
        return Describe(
            sql=self.source_text(first),
            position=self.place(first),
            name=name,
            kind="CATALOG" if catalog else "TABLE",
            extended=extended,
        )

    def _explain(self) -> Explain:
        first = self.expect("EXPLAIN")
        details: list[str] = []
        if not self.take("PLAN", "FOR") and self.at_any(*EXPLAIN_DETAILS):
            details = self.listed(lambda: self.expect_any(*EXPLAIN_DETAILS))
        statement = self._explained()
        return Explain(
            sql=self.source_text(first),
            position=self.place(first),
            statement=statement,
            details=tuple(details),
        )

    def _explained(self) -> Select | Insert | StatementSet:
        if self.at("STATEMENT"):
            return self._statement_set(self.current)
        if self.at("EXECUTE", "STATEMENT"):
            return self._statement_set(self.advance())
        if self.at("BEGIN"):
            return self._begin()
        if self.at("INSERT"):
            return self._insert()
        if self.at_query():
            return self._select_statement()
        raise self.unexpected(
            "PLAN FOR, a detail such as CHANGELOG_MODE, SELECT, INSERT or STATEMENT SET",
            *EXPLAIN_DETAILS, "SELECT", "INSERT", "STATEMENT", "PLAN",
        )  # fmt: skip

    def _use(self) -> Use:
        first = self.expect("USE")
        if self.at("MODULES"):
            raise self.unsupported("USE MODULES", first)
        catalog = self.at("CATALOG") and self.ahead().kind in NAME_KINDS
        if catalog:
            self.advance()
        name = self.object_name(
            "the name of the catalog" if catalog else "the name of the database"
        )
        kind = "CATALOG" if catalog else "DATABASE"
        return Use(sql=self.source_text(first), position=self.place(first), kind=kind, name=name)
