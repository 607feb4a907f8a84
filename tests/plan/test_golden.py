"""Plans, advice and refusals, read from and compared with fixtures/plans/*.sql.

Every statement of a fixture that is no definition is followed by what it gives, on lines that begin with `-->`:
EXPLAIN's text, or the error. A definition is followed by its error only. After a change that is meant, write the
expectations anew and read the difference:

    pytest tests/plan/test_golden.py --regenerate
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from headrace.errors import HeadraceError
from headrace.plan.explain import explain_text
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_statement

MARK = "-->"
FIXTURES = sorted((Path(__file__).parent.parent / "fixtures/plans").glob("*.sql"))


def answer(env: TableEnvironment, sql: str) -> str:
    try:
        statement = parse_statement(sql)
        plans = env.plans(statement)
        if not plans:
            env.execute(statement)
    except HeadraceError as error:
        # How many functions or options there are is no matter of plans.
        return re.sub(r"\(\d+ in all\)", "(many in all)", error.render())
    return "\n\n".join(explain_text(plan) for plan in plans)


def statements(text: str) -> Iterator[str]:
    """Statements with the comments before them; one ends with a line that ends in a semicolon."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith(MARK) and (line or lines):
            lines.append(line)
        if line.endswith(";") and not line.startswith("--"):
            yield "\n".join(lines)
            lines.clear()


def sql_of(statement: str) -> str:
    """Without the comments in front, so that an error's line counts from the statement itself."""
    lines = statement.splitlines()
    while lines[0].startswith("--") or not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def generate(env: TableEnvironment, text: str) -> str:
    parts = []
    for statement in statements(text):
        told = answer(env, sql_of(statement)).splitlines()
        marked = [f"{MARK} {line}".rstrip() for line in told]
        parts.append("\n".join([statement, *marked]))
    return "\n\n".join(parts) + "\n"


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_plans(fixture, env, request):
    own = TableEnvironment() if fixture.stem == "tables" else env
    text = fixture.read_text()
    generated = generate(own, text)
    # The option is unknown when pytest was not started with this folder.
    if request.config.getoption("--regenerate", default=False):
        fixture.write_text(generated)
    else:
        assert generated == text


def test_statements_are_told_from_expectations():
    text = "-- why\nSELECT\n  1;\n--> an answer;\n\n\nSELECT 2;\n"
    assert list(statements(text)) == ["-- why\nSELECT\n  1;", "SELECT 2;"]
    assert sql_of("-- why\nSELECT\n  1;") == "SELECT\n  1;"
