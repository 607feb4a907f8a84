"""`headrace run`: a script from its first statement to the end of its last job."""

from __future__ import annotations

from collections.abc import Mapping

import click

from headrace.cli.output import Output, pass_output
from headrace.cli.scripts import SCRIPT, execute_script, settings, statements_in
from headrace.cli.variables import Variables, takes_variables


@click.command()
@click.argument("file", type=SCRIPT)
@click.option("--fresh", is_flag=True, help="Start every job from the beginning; do not resume.")
@click.option(
    "-D",
    "defined",
    multiple=True,
    metavar="KEY=VALUE",
    callback=settings,
    help="A setting, as SET makes it; may be given several times.",
)
@click.option("-i", "--init", type=SCRIPT, multiple=True, help="A script to run first.")
@pass_output
@takes_variables
def command(
    output: Output,
    file: str,
    fresh: bool,
    defined: Mapping[str, str],
    init: tuple[str, ...],
    variables: Variables | None,
) -> None:
    """Run the statements of FILE (- is standard input) in order.

    A job over bounded sources is awaited before the next statement; one over unbounded sources runs on while
    the script continues, until Ctrl-C or SIGTERM. The same command started again resumes unfinished jobs
    where they stopped. The first error stops all jobs.

    Exit codes: 0 when all is done, or when only unbounded jobs were left and were stopped; 130 when
    interrupted earlier; 1 to 4 for errors, as everywhere.

    With --output json every event is one line: {"event": "job_started", "job": …}, progress, row, job_ended,
    statement, line, notice, error, end. After job_started, whatever is written to the job's sources is read.

    \b
    Examples:
      headrace run pipeline.sql
      headrace run pipeline.sql -D parallelism.default=4 --output json
      headrace run pipeline.sql --var TOPIC=orders --var-file <(headrace dev env)
    """
    execute_script(
        output,
        lambda: statements_in([*init, file], variables),
        defined,
        fresh=fresh,
        quiet=True,
        variables=variables,
    )
