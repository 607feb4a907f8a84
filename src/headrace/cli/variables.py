"""`--var` and `--var-file`: values for `${NAME}` in scripts. Values never come from environment variables."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import click

from headrace.cli.scripts import DASH, SCRIPT, read_text
from headrace.errors import Position, UserError
from headrace.sql.variables import NAME

T = TypeVar("T")


class Variables(Mapping[str, str]):
    """The values, and which of them scripts used. A file is read once, because it may be a pipe."""

    def __init__(self, named: Sequence[tuple[str, str]], files: Sequence[str]) -> None:
        self._named = dict(named)
        self._files = files
        self._used: set[str] = set()

    @cached_property
    def _values(self) -> dict[str, str]:
        """`--var` counts before files, and of files the last."""
        read = {name: value for file in self._files for name, value in read_variables(file).items()}
        return read | self._named

    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        self._used.add(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def read_stdin(self) -> bool:
        """Whether one of the files is standard input."""
        return DASH in self._files

    def remarks(self) -> list[str]:
        """One for each `--var` that no script asked for. Files may hold more than a script needs."""
        unused = [name for name in self._named if name not in self._used]
        return [f"--var {name} is not used: the script has no ${{{name}}}" for name in unused]


def takes_variables(command: Callable[..., T]) -> Callable[..., T]:
    """Gives the command `variables`: a mapping, or None if neither option is given."""

    @click.option(
        "--var",
        "var_pairs",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_pairs,
        help="Replace ${NAME} in scripts with VALUE. You can repeat it. Put secrets into a --var-file instead: "
        "other users of the machine can see a command line.",
    )
    @click.option(
        "--var-file",
        "var_files",
        type=SCRIPT,
        multiple=True,
        help="Read NAME=VALUE lines from this file, such as the output of `headrace dev env`. You can repeat it; "
        "- reads standard input.",
    )
    @functools.wraps(command)
    def wrapped(
        *arguments: Any,
        var_pairs: Sequence[tuple[str, str]],
        var_files: Sequence[str],
        **options: Any,
    ) -> T:
        if _dashes([*var_files, *options.values()]) > 1:
            raise click.UsageError("standard input (-) can be read only once")
        given = Variables(var_pairs, var_files) if var_pairs or var_files else None
        return command(*arguments, variables=given, **options)

    return wrapped


def _dashes(arguments: Iterable[object]) -> int:
    """How often standard input is named, by itself or among several files."""
    return sum(
        argument == DASH if isinstance(argument, str) else _dashes(argument)
        for argument in arguments
        if isinstance(argument, str | tuple)
    )


def _pairs(
    _context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]
) -> list[tuple[str, str]]:
    pairs = []
    for item in given:
        name, equals, value = item.partition("=")
        # The value may be a secret, so only what stands before it is repeated.
        if not equals:
            raise click.BadParameter("not of the form NAME=VALUE")
        if not NAME.fullmatch(name):
            raise click.BadParameter(f"'{name}' is not a name of letters, digits and underscores")
        pairs.append((name, value))
    return pairs


def read_variables(file: str) -> dict[str, str]:
    """Lines `NAME=value` or `export NAME=value`, quoted as in a shell; nothing in a value is expanded."""
    text, source = read_text(file, "file of variables")
    lines = enumerate(text.split("\n"), start=1)
    pairs = (
        _variable(line.strip(" \t\r"), Position(number, 1, 1, source)) for number, line in lines
    )
    return dict(pair for pair in pairs if pair is not None)


def _variable(line: str, where: Position) -> tuple[str, str] | None:
    if not line or line.startswith("#"):
        return None
    try:
        words = shlex.split(line)
    except ValueError as error:
        escape = "escaped" in str(error)
        found = "a backslash at the end" if escape else "a quote that is not closed"
        raise _malformed(where, found) from None
    if words[0] == "export":
        del words[0]
    if len(words) > 1 and not words[1].startswith("#"):
        raise _malformed(where, "several words")
    name, equals, value = words[0].partition("=") if words else ("", "", "")
    if not equals or not NAME.fullmatch(name):
        raise _malformed(where, "no name and value")
    return name, value


def _malformed(where: Position, found: str) -> UserError:
    """Without the line itself, which may hold a secret."""
    return UserError(
        "a line of the file is not a variable",
        condition="INVALID_VARIABLE",
        where=where,
        found=found,
        expected="NAME=value, with or without `export`",
        cure="put a value with spaces or quotes into quotes: NAME='a value'",
    )
