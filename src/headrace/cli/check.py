"""`headrace check`: what is wrong with scripts, without a JVM, a broker or any effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from headrace.cli.output import Output, pass_output
from headrace.cli.scripts import (
    SCRIPT,
    read_script,
    run_definitions,
    takes_definitions,
    takes_settings,
)
from headrace.cli.variables import Variables, takes_variables

if TYPE_CHECKING:
    from headrace.runtime.check import CheckReport


@click.command()
@click.argument("files", type=SCRIPT, nargs=-1, required=True, metavar="FILE...")
@takes_definitions
@takes_settings
@pass_output
@takes_variables
def command(
    output: Output,
    files: Sequence[str],
    init: Sequence[str],
    defined: Mapping[str, str],
    variables: Variables | None,
) -> None:
    """Find errors in SQL scripts without running them.

    The command checks syntax, names, types and options, and whether each sink accepts the changes of its
    query. It needs neither Java nor a broker. A file does not see the tables of another; definitions for all
    files go into -i. Each wrong statement is reported with its first error. Statements that use a table with a
    wrong definition are skipped. The exit code is 1 if there are errors.

    \b
    Examples:
      headrace check pipeline.sql
      headrace check sql/*.sql --output json
    """
    reports = [_check(path, init, defined, variables) for path in files]
    # A script is read up to its first unknown variable, so that later ones only seem to be unused.
    conditions = {error.condition for report in reports for error in report.errors}
    if variables is not None and not conditions & {"UNKNOWN_VARIABLE", "INVALID_VARIABLE"}:
        for remark in variables.remarks():
            output.note(remark)
    if not output.is_json:
        for report in reports:
            for error in report.errors:
                output.error(error)
    output.document({"files": [_facts(report) for report in reports]}, summary(reports))
    if any(report.errors for report in reports):
        raise click.exceptions.Exit(1)


def _check(
    path: str, init: Sequence[str], defined: Mapping[str, str], variables: Variables | None
) -> CheckReport:
    from headrace.runtime.check import check_script
    from headrace.runtime.environment import TableEnvironment

    environment = TableEnvironment(defined)
    run_definitions(environment, init, variables)
    return check_script(*read_script(path), environment, variables=variables)


def _facts(report: CheckReport) -> dict[str, object]:
    return {
        "file": report.source,
        "ok": report.ok,
        "statements": report.statements,
        "passed_over": report.passed_over,
        "errors": [error.to_dict() for error in report.errors],
    }


def summary(reports: Sequence[CheckReport]) -> str:
    statements = sum(report.statements for report in reports)
    errors = sum(len(report.errors) for report in reports)
    skipped = sum(report.passed_over for report in reports)
    parts = [count(len(reports), "file"), count(statements, "statement")]
    parts.append(count(errors, "error") if errors else "no errors")
    if skipped:
        parts.append(f"{count(skipped, 'statement')} skipped because of another error")
    return ", ".join(parts)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
