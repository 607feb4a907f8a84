"""Two helpers for the SQL tests: a compact picture of a tree, and the error a text must give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlglot import exp

from headrace.errors import Position, UserError
from headrace.sql.dialect import parse_script

UNNAMED_ARGUMENTS = ("this", "expression", "expressions")


def picture(node: Any) -> str:
    """`Add(a, 1)`: class, then arguments; names, literals and calls as they read."""
    match node:
        case list():
            return "[" + ", ".join(picture(item) for item in node) + "]"
        case exp.Literal():
            return f"'{node.this}'" if node.is_string else str(node.this)
        case exp.Identifier() | exp.Var():
            return str(node.this)
        case exp.Star():
            return "*"
        case exp.Column():
            return ".".join(picture(part) for part in node.parts)
        case exp.Null():
            return "NULL"
        case exp.DataType() if "kind" in node.args:
            return str(node.args["kind"])
        case exp.Anonymous():
            return f"{node.this}({', '.join(picture(item) for item in node.expressions)})"
        case exp.Expression():
            return f"{type(node).__name__}({', '.join(pictured_arguments(node))})"
        case _:
            return str(node)


def pictured_arguments(node: exp.Expression) -> list[str]:
    shown = []
    for key, value in node.args.items():
        if value is None or value == []:
            continue
        text = picture(value)
        shown.append(text if key in UNNAMED_ARGUMENTS else f"{key}={text}")
    return shown


@pytest.fixture(name="picture", scope="session")
def picture_fixture() -> Callable[[Any], str]:
    return picture


@pytest.fixture(scope="session")
def reject() -> Callable[..., UserError]:
    """The error of `parse(text)`, which must also fit the five lines an error may have."""

    def rejected(text: str, parse: Callable[[str], Any] = parse_script) -> UserError:
        with pytest.raises(UserError) as caught:
            parse(text)
        assert isinstance(caught.value.where, Position)
        assert len(caught.value.render().splitlines()) <= 5
        return caught.value

    return rejected


@pytest.fixture(scope="session")
def place() -> Callable[[UserError], tuple[int, int, int]]:
    """Line, column and length of an error's place."""

    def placed(error: UserError) -> tuple[int, int, int]:
        assert isinstance(error.where, Position)
        return error.where.line, error.where.column, error.where.length

    return placed
