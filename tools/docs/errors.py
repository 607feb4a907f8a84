"""docs/errors.md: every condition the code can raise, with an example that is produced by the code where that is cheap."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from headrace.errors import HeadraceError
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.faults import KNOWN_FAULTS, translate
from headrace.sql.dialect import parse_script, parse_statement
from tools.docs.markdown import code, fenced, notice, page, table
from tools.docs.proofs import ROOT

FILE = ROOT / "docs" / "errors.toml"
SOURCES = ROOT / "src" / "headrace"
# Defaults of classes that are only raised through a class below them or with a condition of their own.
BASES = ("ERROR", "ENVIRONMENT", "PLAN_ERROR")
# DROP makes these names from its own words.
COMPOSED = ("UNKNOWN_VIEW", "UNKNOWN_TEMPORARY_TABLE", "UNKNOWN_TEMPORARY_VIEW")

INTRO = """\
# Errors

After reading this page you can look up any error by its name, see an example of it, and react to errors in programs.

An error has at most five lines: a condition (a fixed name, in brackets), a summary and, if they are known, the place, what was found, what
was expected and how to fix it. With `--output json` the same facts are an object with the keys `condition`, `message`, `where`,
`found`, `expected` and `cure`. In Python every error is a `headrace.HeadraceError`. Values of secret options are never shown.

The exit code of a command names the cause: 1 the script or its data, 2 the command line, 3 something that is missing or unreachable on this
machine, 4 a bug in Headrace, 130 stopped with Ctrl-C before the end."""


@dataclass(frozen=True, slots=True)
class Example:
    when: str
    shown: str
    exit_code: int
    sql: str = ""


def render() -> str:
    examples = load()
    overview = (
        [f"[{name}](#{name.lower()})", str(examples[name].exit_code), examples[name].when]
        for name in sorted(examples)
    )
    return page(
        notice("docs/errors.toml"),
        INTRO,
        table(("condition", "exit", "when"), overview),
        *(_entry(name, examples[name]) for name in sorted(examples)),
    )


def _entry(name: str, example: Example) -> str:
    query = fenced(example.sql, "sql") if example.sql else ""
    when = f"{example.when}. Exit code {code(str(example.exit_code))}."
    return page(f"## {name}", when, query, fenced(example.shown))


def load() -> dict[str, Example]:
    data = tomllib.loads(FILE.read_text())
    return {name: _example(item, data["tables"]) for name, item in data["conditions"].items()}


def _example(item: dict[str, Any], tables: str) -> Example:
    """From a statement, from the text of a Java exception, or as it is written down."""
    if "text" in item:
        return Example(item["when"], item["text"].strip(), item["exit"])
    sql = item.get("sql", "").strip()
    error = raised_by(sql, tables) if sql else translate(item["fault"])
    return Example(item["when"], error.render(), error.exit_code, sql)


def raised_by(sql: str, tables: str) -> HeadraceError:
    """The error of the last statement of `sql`, after the definitions in `tables`."""
    environment = TableEnvironment()
    for statement in parse_script(tables):
        environment.execute(statement)
    try:
        for piece in sql.split(";\n"):
            statement = parse_statement(piece)
            if not environment.plans(statement):
                environment.execute(statement)
    except HeadraceError as error:
        return error
    raise ValueError(f"no error was raised by: {sql}")


def conditions_in_use() -> set[str]:
    found = {condition for _, _, condition, _, _ in KNOWN_FAULTS} | set(COMPOSED)
    for file in SOURCES.rglob("*.py"):
        found.update(_conditions_of(ast.parse(file.read_text())))
    return found - set(BASES)


def _conditions_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "condition":
            yield from _names_in(node.value)
        elif isinstance(node, ast.ClassDef):
            yield from _class_condition(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "UnknownName":
            yield from (f"UNKNOWN_{kind.upper().replace(' ', '_')}" for kind in _kinds(node))


def _names_in(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and re.fullmatch(r"[A-Z][A-Z_]*[A-Z]", str(node.value)):
            yield str(node.value)


def _class_condition(node: ast.ClassDef) -> Iterator[str]:
    for item in node.body:
        targets = item.targets if isinstance(item, ast.Assign) else []
        if any(ast.unparse(target) == "condition" for target in targets):
            assert isinstance(item, ast.Assign)
            yield from _names_in(item.value)


def _kinds(call: ast.Call) -> Iterator[str]:
    if call.args and isinstance(call.args[0], ast.Constant):
        yield str(call.args[0].value)
