"""`headrace sql`: statements typed, given on the command line, in a file, or on standard input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from headrace.cli.output import Output, pass_output
from headrace.cli.scripts import (
    DASH,
    SCRIPT,
    environment_for,
    errors_as_events,
    execute_script,
    observer_for,
    quiet_libraries,
    statements_in,
    takes_init,
    takes_settings,
)
from headrace.cli.variables import Variables, takes_variables

if TYPE_CHECKING:
    from headrace.sql.statements import Statement


@click.command()
@click.option("-e", "--execute", "text", metavar="SQL", help="Run these statements and exit.")
@click.option("-f", "--file", type=SCRIPT, help="Run this script and exit; - reads standard input.")
@takes_init
@takes_settings
@pass_output
@takes_variables
def command(
    output: Output,
    text: str | None,
    file: str | None,
    init: tuple[str, ...],
    defined: Mapping[str, str],
    variables: Variables | None,
) -> None:
    """Type SQL and see the results.

    End a statement with ; and press Enter to run it. Tab completes names and keywords. Ctrl-C stops the
    running query, and QUIT; ends the session. INSERT starts a job in the background, and SHOW JOBS lists the
    jobs. With -e or -f, or if standard input is not a terminal, the statements run as in `headrace run`.

    \b
    Examples:
      headrace sql -i tables.sql
      headrace sql -e "SELECT 1 + 1"
      echo "SHOW FUNCTIONS" | headrace sql
    """
    from headrace.cli.repl import is_terminal

    if text is not None and file is not None:
        raise click.UsageError("give -e or -f, not both")
    if text is None and file is None and is_terminal() and not output.is_json:
        _converse(output, init, defined, variables)
        return
    if text is None and file is None and variables is not None and variables.read_stdin:
        raise click.UsageError("with --var-file -, give the statements with -e or -f")

    def statements() -> list[Statement]:
        from headrace.sql.dialect import parse_script

        first = statements_in(init, variables)
        if text is not None:
            return [*first, *parse_script(text, variables=variables)]
        return [*first, *statements_in([file or DASH], variables)]

    execute_script(output, statements, defined, fresh=False, quiet=False, variables=variables)


def _converse(
    output: Output,
    init: tuple[str, ...],
    defined: Mapping[str, str],
    variables: Variables | None,
) -> None:
    from headrace.cli.repl import run_session
    from headrace.runtime.interrupts import Interrupts

    observer = observer_for(output, quiet=False)
    with quiet_libraries(output), errors_as_events(output, observer), Interrupts() as interrupts:
        environment = environment_for(observer, defined, fresh=False)
        first = statements_in(init, variables)
        run_session(environment, observer, interrupts, first, variables)
