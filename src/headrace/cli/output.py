"""What commands print: one interface, as text for people or as one JSON document for programs.

A command takes it from `@pass_output`, which adds `--output text|json` and `--verbose` and turns every error
into five lines or into {"error": {…}}, with the exit code of its class:

    @click.command()
    @pass_output
    def status(output: Output) -> None:
        output.table("services", rows, ("name", "state"))
"""

from __future__ import annotations

import functools
import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec, Protocol, TypeVar

import click

from headrace.errors import HeadraceError, InternalError
from headrace.toolchain.paths import fault_of_folder
from headrace.toolchain.progress import Reporter, show_progress, silent

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

# Programs and logs that read the text have no right margin; folded lines would only be harder to search.
_WIDTH_OF_A_PIPE = 1000

P = ParamSpec("P")
T = TypeVar("T")


class Output(Protocol):
    """Where a command's results go. JSON results go to stdout whole, so a command prints one of them."""

    verbose: bool

    @property
    def is_json(self) -> bool: ...

    def document(self, data: Mapping[str, Any], text: str | RenderableType) -> None:
        """A result: `data` for programs, `text` (a string or anything rich can draw) for people."""

    def table(self, key: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
        """Like things: {key: rows} for programs, the named columns for people."""

    def note(self, text: str) -> None:
        """A remark for people that is no result."""

    def error(self, error: HeadraceError) -> None:
        """What went wrong."""

    def progress(self) -> Any:
        """A context that gives a progress reporter."""


class TextOutput:
    """Results on stdout in colour where there is a terminal; remarks and errors on stderr."""

    is_json = False

    def __init__(self, verbose: bool = False) -> None:
        self.verbose = verbose

    def document(self, data: Mapping[str, Any], text: str | RenderableType) -> None:
        if isinstance(text, str):
            # A console would break lines at the width of the terminal, and turn `:x:` into a picture.
            click.echo(text)
        else:
            self.console().print(text)

    def table(self, key: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
        from rich.table import Table

        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(_cell(row.get(column)) for column in columns))
        self.console().print(table)

    def note(self, text: str) -> None:
        click.echo(text, err=True)

    def error(self, error: HeadraceError) -> None:
        first, _, rest = error.render().partition("\n")
        click.secho(first, err=True, fg="red")
        if rest:
            click.echo(rest, err=True)

    @contextmanager
    def progress(self) -> Iterator[Reporter]:
        with show_progress() as reporter:
            yield reporter

    def console(self) -> Console:
        """A console on the stdout of this moment; square brackets and numbers are text, not markup."""
        from rich.console import Console

        width = None if sys.stdout.isatty() else _WIDTH_OF_A_PIPE
        return Console(markup=False, highlight=False, width=width)


class JsonOutput:
    """One document on stdout, errors included, so that a program reads a single stream."""

    is_json = True

    def __init__(self, verbose: bool = False) -> None:
        self.verbose = verbose

    def document(self, data: Mapping[str, Any], text: str | RenderableType) -> None:
        click.echo(json.dumps(data, indent=2, default=str, ensure_ascii=False))

    def table(self, key: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
        self.document({key: list(rows)}, "")

    def note(self, text: str) -> None:
        """Remarks are for people."""

    def error(self, error: HeadraceError) -> None:
        self.document({"error": error.to_dict()}, "")

    @contextmanager
    def progress(self) -> Iterator[Reporter]:
        yield silent


# As shells report a program ended by Ctrl-C: 128 and the number of SIGINT.
EXIT_INTERRUPTED = 130

FORMATS: Mapping[str, Callable[[bool], Output]] = {"text": TextOutput, "json": JsonOutput}


def pass_output(command: Callable[Concatenate[Output, P], T]) -> Callable[..., T]:
    """Give the command its output as the first argument, and its errors their form and exit code."""

    @click.option(
        "--output",
        "-o",
        "form",
        type=click.Choice(list(FORMATS)),
        default="text",
        help="Print the result as text (the default) or as JSON.",
    )
    @click.option("--verbose", is_flag=True, help="Show the stack trace of an error.")
    @functools.wraps(command)
    def wrapped(*arguments: Any, form: str, verbose: bool, **options: Any) -> T:
        output = FORMATS[form](verbose)
        try:
            return command(output, *arguments, **options)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(EXIT_INTERRUPTED) from None
        except Exception as error:
            leave_with(output, error)

    return wrapped


def leave_with(output: Output, error: Exception) -> NoReturn:
    """Print the error in the form of `output` and leave with the exit code of its class."""
    if isinstance(error, click.ClickException | click.Abort | click.exceptions.Exit):
        raise error
    shown = error if isinstance(error, HeadraceError) else unexpected(error)
    output.error(shown)
    if output.verbose:
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    raise click.exceptions.Exit(shown.exit_code)


def unexpected(error: Exception) -> HeadraceError:
    """Returns an error that no code foresaw in the form of every other: usually a defect."""
    fault = fault_of_folder(error) if isinstance(error, OSError) else None
    return fault or InternalError(
        f"unexpected {type(error).__name__}: {str(error).strip().partition(chr(10))[0] or 'no message'}",
        cure="run again with --verbose for the stack trace, and report it",
    )


def _cell(value: Any) -> str:
    return "" if value is None else str(value)
