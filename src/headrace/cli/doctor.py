"""`headrace doctor`: what this machine has of what Headrace needs, and how to get the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from headrace.cli.checks import Check, run_checks
from headrace.cli.output import Output, pass_output
from headrace.errors import EnvironmentFault
from headrace.toolchain.coordinates import SETS

if TYPE_CHECKING:
    from rich.table import Table

MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "failed": ("✗", "red")}


@click.command()
@click.option(
    "--jars",
    "show_jars",
    is_flag=True,
    help="List the jars of every set, and why others are excluded.",
)
@pass_output
def command(output: Output, show_jars: bool) -> None:
    """Check that this machine has everything Headrace needs.

    The command checks Java, pyspark, jars, operators, folders, ports and services, and changes nothing. For
    each problem it prints the command that fixes it. The exit code is 3 if something required is missing.

    \b
    Examples:
      headrace doctor
      headrace doctor --jars
    """
    if show_jars:
        output.table("artifacts", jar_rows(), ("set", "artifact", "state", "reason"))
        return
    checks = list(run_checks())
    failed = [check for check in checks if check.state == "failed"]
    data = {"ok": not failed, "checks": [check.to_dict() for check in checks]}
    output.document(data, checks_table(checks))
    if failed:
        raise click.exceptions.Exit(EnvironmentFault.exit_code)


def jar_rows() -> list[dict[str, Any]]:
    """Every coordinate that is asked for and every one that is left out, each with its reason."""
    return [
        {"set": jar_set.name, "artifact": str(item), "state": state, "reason": item.reason}
        for jar_set in SETS.values()
        for state, items in (("used", jar_set.artifacts), ("left out", jar_set.all_exclusions))
        for item in items
    ]


def checks_table(checks: Sequence[Check]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    for check in checks:
        mark, colour = MARKS[check.state]
        table.add_row(Text(mark, colour), check.name, check.detail)
        if check.cure:
            table.add_row("", "", Text(f"cure: {check.cure}", "bold"))
    return table
