"""The session a person types into: statements one at a time, jobs in the background, Ctrl-C for the query only."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headrace.cli.observers import CliObserver, write_out
from headrace.cli.output import unexpected
from headrace.cli.vocabulary import SESSION_COMMANDS
from headrace.errors import HeadraceError
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.interrupts import Interrupts
from headrace.runtime.jobs import Job
from headrace.runtime.script import ScriptRunner
from headrace.sql.dialect import parse_script
from headrace.sql.split import is_complete
from headrace.sql.statements import Statement
from headrace.toolchain.paths import home_folder

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

PROMPT = "headrace> "
# Twice a second is soon enough for lines that nobody waits for.
IDLE_SECONDS = 0.5

HELP = """\
Statements end with a semicolon and may span lines; the prompt says what is still open.
  CREATE TABLE | VIEW, DROP, ALTER TABLE, USE      define
  SHOW TABLES | VIEWS | FUNCTIONS | JOBS, DESCRIBE look around
  SELECT …                                         show rows; Ctrl-C ends an unbounded query
  INSERT INTO …, EXECUTE STATEMENT SET BEGIN … END start jobs, which run in the background
  EXPLAIN …                                        how a query would run: operators, changes, state
  SET 'key' = 'value', RESET                       settings of the session
"""


class SessionRunner(ScriptRunner):
    """As a script, except that a query holds the prompt until it ends or is cancelled, INSERT never does unless
    'table.dml-sync' asks for it, and a failed job concerns nobody but itself."""

    def __init__(
        self,
        environment: TableEnvironment,
        observer: CliObserver,
        interrupts: Interrupts,
    ) -> None:
        super().__init__(environment, observer, interrupts)
        self._show_error = observer.error

    def execute(self, statement: Statement) -> bool:
        result = self.start(statement)
        if not result.jobs:
            self.observer.statement_done(statement, result)
            return True
        self.attend(result)
        awaited = result.is_query or bool(self.environment.config.get("table.dml-sync"))
        if self.until_ended(result) if awaited else self.until_started(result):
            return True
        self.stop(result)
        return False

    def on_failure(self, job: Job, error: HeadraceError) -> None:
        self._show_error(error)


class Session:
    """What one line of input does; knows nothing of terminals."""

    def __init__(
        self,
        environment: TableEnvironment,
        observer: CliObserver,
        interrupts: Interrupts,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.observer = observer
        self._variables = variables
        self.runner = SessionRunner(environment, observer, interrupts)

    def handle(self, text: str) -> bool:
        """Whether the session goes on."""
        match command_of(text):
            case "QUIT" | "EXIT":
                return False
            case "HELP":
                write_out(help_text())
            case "CLEAR":
                write_out("\033[2J\033[H")
            case _:
                self._run(text)
        return True

    def _run(self, text: str) -> None:
        try:
            for statement in parse_script(text, variables=self._variables):
                began = time.monotonic()
                done = self.runner.execute(statement)
                self.observer.settle()
                write_out(
                    f"{'took' if done else 'cancelled after'} {time.monotonic() - began:.2f} s\n"
                )
        except Exception as error:
            self.observer.error(error if isinstance(error, HeadraceError) else unexpected(error))
        except KeyboardInterrupt:
            self.observer.settle()
            write_out("cancelled\n")

    def idle(self) -> None:
        """One look at background jobs: what they printed, and which of them ended."""
        self.runner.look_after()
        self.observer.settle()

    def close(self) -> None:
        self.runner.stop_all()
        self.observer.settle()


def command_of(text: str) -> str:
    """QUIT, HELP …, which need no semicolon; empty for a statement."""
    word = text.strip().rstrip(";").strip().upper()
    return word if word in SESSION_COMMANDS else ""


def help_text() -> str:
    commands = "\n".join(f"  {name:<49}{doc}" for name, doc in SESSION_COMMANDS.items())
    return HELP + commands + "\n"


def can_be_run(text: str) -> bool:
    return bool(command_of(text)) or is_complete(text)[0]


def open_prompt(text: str) -> str:
    """The prompt of a line that continues `text`: what is open, right-aligned under the first prompt."""
    _, what = is_complete(text)
    return f"{what or 'statement'}> ".rjust(len(PROMPT))


def continuation(text: str, width: int, line: int, wrapped: int) -> str:
    """What stands before line number `line` of the input; before the rest of a long line, nothing."""
    return " " * width if wrapped else open_prompt("\n".join(text.split("\n")[:line]))


def run_session(
    environment: TableEnvironment,
    observer: CliObserver,
    interrupts: Interrupts,
    first: Sequence[Statement],
    variables: Mapping[str, str] | None = None,
) -> None:
    """Statements of `first`, then what is typed; its first error ends the session before it begins."""
    session = Session(environment, observer, interrupts, variables)
    prompt = prompt_session(environment)
    try:
        for statement in first:
            session.runner.execute(statement)
        write_out("Headrace SQL. HELP; lists the commands, QUIT; ends the session.\n")
        while session.handle(_read(prompt, session)) and not interrupts.terminated:
            pass
    finally:
        session.close()


def _read(prompt: PromptSession[str], session: Session) -> str:
    """The next input; end of input quits, Ctrl-C only drops the line. Lines of jobs appear above the prompt."""
    from prompt_toolkit.patch_stdout import patch_stdout

    try:
        with patch_stdout(raw=True), looking_after(session):
            return prompt.prompt(PROMPT)
    except KeyboardInterrupt:
        return ""
    except EOFError:
        return "QUIT"


@contextmanager
def looking_after(session: Session) -> Iterator[None]:
    """Background jobs are looked at while somebody thinks or types."""
    done = threading.Event()

    def look() -> None:
        while not done.wait(IDLE_SECONDS):
            session.idle()

    thread = threading.Thread(target=look, name="jobs", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def prompt_session(environment: TableEnvironment) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.lexers import PygmentsLexer

    from headrace.cli.completion import SqlCompleter
    from headrace.cli.highlight import FlinkSqlLexer

    history = home_folder("history")
    history.parent.mkdir(parents=True, exist_ok=True)
    session: PromptSession[str] = PromptSession(
        history=FileHistory(history),
        lexer=PygmentsLexer(FlinkSqlLexer),
        completer=SqlCompleter(environment.catalog),
        complete_while_typing=False,
        enable_history_search=True,
        multiline=True,
        key_bindings=key_bindings(),
    )
    session.prompt_continuation = lambda width, line, wrapped: continuation(
        session.default_buffer.text, width, line, wrapped
    )
    return session


def key_bindings() -> KeyBindings:
    """Enter runs a finished input and otherwise begins a new line."""
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if can_be_run(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    return bindings


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
