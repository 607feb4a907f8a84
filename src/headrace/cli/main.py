"""The `headrace` command. Each verb is a module with a `command`, imported only when it is used."""

from __future__ import annotations

import importlib
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
    "run": Verb("headrace.cli.run", "Run a script: definitions, jobs and queries, in order"),
    "sql": Verb("headrace.cli.sql", "Type SQL and see results"),
    "check": Verb("headrace.cli.check", "Find what is wrong with scripts, without running them"),
    "explain": Verb("headrace.cli.explain", "Show how the queries of a script would run"),
    "connect": Verb(
        "headrace.cli.connect", "A worker with Kafka Connect's REST API, and its client"
    ),
    "demo": Verb("headrace.cli.demo", "See a pipeline at work, on services of its own"),
    "dev": Verb("headrace.cli.dev", "Kafka, PostgreSQL and S3 on this machine: up, down, status"),
    "doctor": Verb("headrace.cli.doctor", "Check Java, jars, Python and services of this machine"),
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
            ctx.fail(f"no verb '{name}'; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(headrace.__version__, prog_name="headrace")
def cli() -> None:
    """Flink SQL changelog pipelines on Spark, from Python.

    Exit codes: 0 done, 1 the script or its data is wrong, 2 the command line is wrong,
    3 the environment is not usable, 4 a defect of Headrace.

    \b
    Example:
      headrace dev up kafka
    """


def main() -> None:
    cli(prog_name="headrace")


if __name__ == "__main__":
    main()
