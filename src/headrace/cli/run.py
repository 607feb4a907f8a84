"""`headrace run`: a script from its first statement to the end of its last job."""

from __future__ import annotations

from collections.abc import Mapping

import click

from headrace.cli.output import Output, pass_output
from headrace.cli.scripts import SCRIPT, execute_script, statements_in, takes_init, takes_settings
from headrace.cli.variables import Variables, takes_variables


@click.command()
@click.argument("file", type=SCRIPT)
@click.option(
    "--fresh", is_flag=True, help="Start every job from the beginning instead of resuming it."
)
@takes_settings
@takes_init
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
    """Run the statements in FILE in order. If FILE is -, read them from standard input.

    If all sources of a job are bounded, the script waits until the job has finished. Other jobs keep running
    while the script continues, until you press Ctrl-C or send SIGTERM. Run the same command again to resume
    unfinished jobs where they stopped. The first error stops all jobs.

    Exit codes: 0 if everything finished, or if you stopped the script while only unbounded jobs were running;
    130 if you stopped it earlier; 1 to 4 for errors, see `headrace --help`.

    With --output json each event is one line of JSON. Its field "event" is job_started, progress, row, job_ended,
    statement, line, notice, error or end. After job_started, a job misses no record that you write to its sources.

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
