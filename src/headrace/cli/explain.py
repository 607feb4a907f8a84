"""`headrace explain`: how each query of a script would run, without running it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
    from headrace.plan.plan import Plan
    from headrace.sql.statements import Statement

# A statement is named by its beginning; longer ones are cut here.
TITLE_WIDTH = 90


@click.command()
@click.argument("file", type=SCRIPT, required=False)
@click.option(
    "-e", "--execute", "text", metavar="SQL", help="Explain these statements instead of a file."
)
@takes_definitions
@takes_settings
@click.option(
    "--format",
    "drawing",
    type=click.Choice(("text", "mermaid")),
    default="text",
    help="Print each plan as text or as a Mermaid flowchart.",
)
@pass_output
@takes_variables
def command(
    output: Output,
    drawing: str,
    file: str | None,
    text: str | None,
    init: Sequence[str],
    defined: Mapping[str, str],
    variables: Variables | None,
) -> None:
    """Show the plan of every SELECT and INSERT in FILE.

    A plan lists the operators of a query. For each one it shows the changes it emits, its keys, the state it
    keeps, and why. No query runs and no JVM starts. The exit code is 1 if the script has an error.

    \b
    Examples:
      headrace explain pipeline.sql
      headrace explain --format mermaid pipeline.sql
      headrace explain -i tables.sql -e "SELECT user_region, COUNT(*) FROM pageviews GROUP BY user_region"
    """
    if (file is None) == (text is None):
        raise click.UsageError("give a FILE or -e, and not both")
    script = (text, "<sql>") if text is not None else read_script(file or "")
    explained = explain_all(*script, init, defined, variables)
    for remark in variables.remarks() if variables is not None else ():
        output.note(remark)
    shown = Explained.picture if drawing == "mermaid" else Explained.text
    facts = [
        item.facts() | ({"mermaid": item.picture()} if drawing == "mermaid" else {})
        for item in explained
    ]
    output.document({"statements": facts}, _joined([shown(item) for item in explained]))


class Explained:
    """A statement with its plan."""

    def __init__(self, statement: Statement, plan: Plan) -> None:
        self.statement = statement
        self.plan = plan

    @property
    def sql(self) -> str:
        from headrace.catalog.options import masked_sql

        return masked_sql(self.statement.sql)

    @property
    def title(self) -> str:
        words = " ".join(self.sql.split())
        return words if len(words) <= TITLE_WIDTH else words[: TITLE_WIDTH - 1] + "…"

    def facts(self) -> dict[str, Any]:
        from headrace.plan.explain import explain_dict

        where = str(self.statement.position)
        return {"where": where, "statement": self.sql, **explain_dict(self.plan)}

    def text(self) -> str:
        from headrace.plan.explain import explain_text

        return f"-- {self.statement.position}: {self.title}\n{explain_text(self.plan)}"

    def picture(self) -> str:
        """The flowchart alone, with its statement as Mermaid's kind of comment."""
        from headrace.plan.mermaid import explain_mermaid

        return f"%% {self.statement.position}: {self.title}\n{explain_mermaid(self.plan)}"


def explain_all(
    text: str,
    source: str,
    init: Sequence[str],
    defined: Mapping[str, str],
    variables: Variables | None = None,
) -> list[Explained]:
    from headrace.runtime.check import check_script
    from headrace.runtime.environment import TableEnvironment

    environment = TableEnvironment(defined)
    run_definitions(environment, init, variables)
    explained: list[Explained] = []
    report = check_script(
        text,
        source,
        environment,
        lambda statement, plan: explained.append(Explained(statement, plan)),
        variables,
    )
    if report.errors:
        raise report.errors[0]
    return explained


def _joined(texts: Sequence[str]) -> str:
    return "\n\n".join(texts) if texts else "no SELECT and no INSERT to explain"
