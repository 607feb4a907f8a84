"""An environment with the tables of fixtures/plans/tables.sql, and short ways to plans and nodes. No JVM."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from headrace.catalog.table import Table
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Expr
from headrace.plan.nodes import Node
from headrace.plan.plan import Plan, Planned
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_expression, parse_script, parse_statement
from headrace.sql.statements import ObjectName, Statement

TABLES = Path(__file__).parent.parent / "fixtures/plans/tables.sql"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate", action="store_true", help="write the plan fixtures' expectations anew"
    )


@pytest.fixture(scope="session")
def table_statements() -> list[Statement]:
    return parse_script(TABLES.read_text(), TABLES.name)


@pytest.fixture
def env(table_statements) -> TableEnvironment:
    environment = TableEnvironment()
    for statement in table_statements:
        environment.execute(statement)
    return environment


@pytest.fixture
def table(env) -> Callable[[str], Table]:
    here = parse_statement("SELECT 1").position
    return lambda name: env.catalog.table(ObjectName((name,), here))


@pytest.fixture
def plan(env) -> Callable[[str], Plan]:
    """The finished plan of a query or an INSERT."""

    def make(sql: str) -> Plan:
        (only,) = env.plans(parse_statement(sql))
        return only

    return make


@pytest.fixture
def query(env) -> Callable[[str], Node]:
    """The nodes of a SELECT before any rule ran."""
    return lambda sql: env.planner().query(parse_statement(sql))


@pytest.fixture
def expr() -> Callable[[str, Node], Expr]:
    """An expression over the columns of a node."""

    def make(text: str, node: Node) -> Expr:
        return bind(parse_expression(text), Scope([(None, f.name, f) for f in node.schema]))

    return make


@pytest.fixture
def shape() -> Callable[[Node | Planned], str]:
    """The operators from the root down, e.g. `Sink(Project(Scan))`."""

    def text(item: Node | Planned) -> str:
        node = item.node if isinstance(item, Planned) else item
        inner = ", ".join(text(child) for child in node.inputs)
        return type(node).__name__ + (f"({inner})" if inner else "")

    return text
