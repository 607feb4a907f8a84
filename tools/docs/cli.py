"""docs/cli.md: the help of every command, as the command prints it."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import click

from headrace.cli.main import VERBS, cli
from tools.docs.markdown import fenced, notice, page

INTRO = """\
# The command line

After reading this page you can look up every command of `headrace` with its options and an example. Each block shows the output of `--help`.

A command prints its result to standard output as text. With `--output json` after the name of the command, it prints JSON. Progress, notices
and errors in text form go to standard error."""

# Help is wrapped to this many columns whatever terminal the page is written from.
WIDTH = 88


def render() -> str:
    blocks = []
    for name, command in commands():
        blocks += [f"{'#' * (name.count(' ') + 1)}# {name}", fenced(help_of(name, command))]
    return page(notice("the help texts"), INTRO, *blocks)


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, a group before its members."""
    yield "headrace", cli
    for verb in VERBS:
        command = cli.get_command(click.Context(cli), verb)
        assert command is not None
        yield from _with_members(f"headrace {verb}", command)


def _with_members(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for member, inner in command.commands.items():
            yield from _with_members(f"{name} {member}", inner)


def help_of(name: str, command: click.Command) -> str:
    # click remembers the help option of the first context that asked, whatever names that one had.
    command = copy.copy(command)
    command._help_option = None
    context = click.Context(
        command, info_name=name, terminal_width=WIDTH, help_option_names=["-h", "--help"]
    )
    return command.get_help(context)
