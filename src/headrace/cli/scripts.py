"""What the verbs that take scripts share: reading them, settings from the command line, running and reporting."""

from __future__ import annotations

import logging
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from headrace.cli.output import EXIT_INTERRUPTED, Output, unexpected
from headrace.errors import HeadraceError, UserError

if TYPE_CHECKING:
    from headrace.cli.observers import CliObserver
    from headrace.cli.variables import Variables
    from headrace.runtime.environment import TableEnvironment
    from headrace.sql.statements import Statement

SCRIPT = click.Path(exists=True, dir_okay=False, readable=True, allow_dash=True)
DASH = "-"


def read_script(path: str) -> tuple[str, str]:
    """Returns the text and the name it has in messages; `-` is standard input."""
    return read_text(path, "script")


def read_text(path: str, what: str) -> tuple[str, str]:
    source = "<stdin>" if path == DASH else path
    content = sys.stdin.buffer.read() if path == DASH else Path(path).read_bytes()
    try:
        # Editors on Windows begin UTF-8 files with a byte order mark, and end lines otherwise.
        text = content.decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n"), source
    except UnicodeDecodeError as error:
        raise UserError(
            f"the {what} is not UTF-8 text",
            condition="NOT_UTF8",
            where=source,
            found=f"byte 0x{error.object[error.start]:02x} at offset {error.start}",
            cure="convert it, for example: iconv -f ISO-8859-1 -t UTF-8",
        ) from None


def statements_in(paths: Iterable[str], variables: Variables | None = None) -> list[Statement]:
    """All scripts parsed before anything runs: a typing mistake at the end does not leave half a script done."""
    from headrace.sql.dialect import parse_script

    return [
        statement for path in paths for statement in parse_script(*read_script(path), variables)
    ]


def settings(
    _context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]
) -> Mapping[str, str]:
    """`-D key=value`, as a callback of click."""
    pairs = {}
    for item in given:
        key, equals, value = item.partition("=")
        if not key or not equals:
            raise click.BadParameter(f"'{item}' is not of the form KEY=VALUE")
        pairs[key.strip()] = value.strip()
    return pairs


takes_settings = click.option(
    "-D",
    "defined",
    multiple=True,
    metavar="KEY=VALUE",
    callback=settings,
    help="Set an option, as SET does. You can repeat it.",
)
takes_init = click.option(
    "-i", "--init", type=SCRIPT, multiple=True, help="Run this script first. You can repeat it."
)
takes_definitions = click.option(
    "-i",
    "--init",
    type=SCRIPT,
    multiple=True,
    help="Run the definitions in this script first. You can repeat it.",
)


def run_definitions(
    environment: TableEnvironment, paths: Iterable[str], variables: Variables | None = None
) -> None:
    """The statements of `paths` that need no job."""
    for statement in statements_in(paths, variables):
        environment.define(statement)


def execute_script(
    output: Output,
    statements: Callable[[], Sequence[Statement]],
    defined: Mapping[str, str],
    *,
    fresh: bool,
    quiet: bool,
    variables: Variables | None = None,
) -> None:
    """Runs a script to its end and leaves with its exit code; `quiet` shows no OK of definitions."""
    from headrace.runtime.interrupts import Interrupts
    from headrace.runtime.script import Outcome, run_script

    observer = observer_for(output, quiet=quiet)
    with quiet_libraries(output), errors_as_events(output, observer), Interrupts() as interrupts:
        parsed = statements()
        for remark in variables.remarks() if variables is not None else ():
            observer.notice(remark)
        environment = environment_for(observer, defined, fresh=fresh)
        environment.fetch_jars(parsed)
        outcome = run_script(environment, parsed, observer, interrupts)
        observer.end(outcome)
    if outcome is Outcome.INTERRUPTED:
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def observer_for(output: Output, *, quiet: bool) -> CliObserver:
    from headrace.cli.observers import JsonObserver, TextObserver

    return JsonObserver() if output.is_json else TextObserver(quiet_definitions=quiet)


def environment_for(
    observer: CliObserver, defined: Mapping[str, str], *, fresh: bool
) -> TableEnvironment:
    from headrace.runtime.environment import TableEnvironment

    return TableEnvironment(
        defined,
        fresh=fresh,
        progress=observer.setup,
        notify=observer.notice,
        write_line=observer.print_line,
    )


@contextmanager
def quiet_libraries(output: Output) -> Iterator[None]:
    """Logs and warnings of Spark and its bridge are no answer to anything asked; what matters in them comes as an
    error. --verbose lets them through."""
    if output.verbose:
        yield
        return
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


@contextmanager
def errors_as_events(output: Output, observer: CliObserver) -> Iterator[None]:
    """In JSON, what is raised inside becomes the last event; Ctrl-C outside of supervised work an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        observer.settle()
        raise click.exceptions.Exit(EXIT_INTERRUPTED) from None
    except Exception as error:
        observer.settle()
        if not output.is_json:
            raise
        found = error if isinstance(error, HeadraceError) else unexpected(error)
        observer.error(found)
        if output.verbose:
            click.echo(traceback.format_exc(), err=True)
        raise click.exceptions.Exit(found.exit_code) from error
