"""The `headrace` command. Each verb is a module with a `command`, imported only when it is used."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass

import click

import headrace
from headrace.errors import nearest


@dataclass(frozen=True, slots=True)
class Verb:
    """Where a verb lives, and the line that the list of verbs shows without importing it."""

    module: str
    summary: str


VERBS: dict[str, Verb] = {
    "run": Verb("headrace.cli.run", "Run a SQL script: definitions, jobs and queries, in order"),
    "sql": Verb("headrace.cli.sql", "Type SQL and see the results"),
    "check": Verb("headrace.cli.check", "Find errors in SQL scripts without running them"),
    "explain": Verb("headrace.cli.explain", "Show the plan of every query in a script"),
    "connect": Verb(
        "headrace.cli.connect", "Run or control a worker with Kafka Connect's REST API"
    ),
    "demo": Verb(
        "headrace.cli.demo", "Run a complete pipeline on local services and check its result"
    ),
    "dev": Verb("headrace.cli.dev", "Start local services (Kafka, PostgreSQL, S3), download jars"),
    "doctor": Verb("headrace.cli.doctor", "Check that this machine has everything Headrace needs"),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        command: click.Command = importlib.import_module(verb.module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            close = nearest(name, VERBS)
            hint = f"did you mean '{close}'?" if close else f"known: {', '.join(VERBS)}"
            ctx.fail(f"no command '{name}'; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(headrace.__version__, prog_name="headrace")
def cli() -> None:
    """Run Flink SQL and Kafka Connect configurations on Spark.

    Exit codes: 0 success, 1 an error in the script, its data, or a name or setting that you
    gave, 2 an unknown command or option, 3 something is missing or unreachable on this machine,
    4 a bug in Headrace, 130 interrupted with work unfinished.

    \b
    Examples:
      headrace doctor
      headrace sql -e "SELECT 1 + 1"
      headrace run --help
    """


def bypass_proxy_for_this_machine() -> None:
    """Keeps requests to local services away from a proxy that the environment names for the network.

    Clients of Python and curl read these variables, and processes that the command starts inherit them.
    """
    if {"http_proxy", "https_proxy", "all_proxy"} & {name.lower() for name in os.environ}:
        bypassed = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
        # A star means every host, but only if it is the whole value.
        if bypassed != "*":
            extended = ",".join([*filter(None, [bypassed]), "127.0.0.1", "localhost"])
            os.environ["no_proxy"] = os.environ["NO_PROXY"] = extended


def main() -> None:
    bypass_proxy_for_this_machine()
    cli(prog_name="headrace")


if __name__ == "__main__":
    main()
