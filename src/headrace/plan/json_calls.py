"""The JSON functions' own grammar (RETURNING, ON EMPTY, ON ERROR, wrappers) turned into plain calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.calls import call, cast, coerced
from headrace.plan.expressions import Call, Case, Expr, Literal
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.literals import null_literal, text_literal
from headrace.plan.types import common_type
from headrace.sql.dialect import cast_type
from headrace.types import STRING, DataType

Binder = Callable[[exp.Expression], Expr]

_STEP = re.compile(
    r"""\.(?P<name>\w+) | \.?\[\s*(?P<quote>['"])(?P<quoted>.*?)(?P=quote)\s*\] | \[(?P<index>\d+)\]""",
    re.VERBOSE,
)
_MADE_OF_JSON = ("JSON_OBJECT", "JSON_ARRAY")


@dataclass(frozen=True, slots=True)
class Options:
    """The arguments and the named clauses of one call."""

    args: tuple[exp.Expression, ...]
    clauses: dict[str, exp.Expression]

    @classmethod
    def of(cls, node: exp.Expression) -> Options:
        named = [item for item in node.expressions if isinstance(item, exp.Kwarg)]
        plain = tuple(item for item in node.expressions if not isinstance(item, exp.Kwarg))
        return cls(plain, {item.this.name: item.expression for item in named})

    def word(self, clause: str, default: str) -> str:
        """A clause that is a keyword, such as NULL ON EMPTY."""
        found = self.clauses.get(clause)
        return default if found is None else found.name


def bind_json(node: exp.Anonymous, bind: Binder) -> Expr | None:
    """The bound call, or None when the function has no grammar of its own."""
    handler = _HANDLERS.get(str(node.this).upper())
    return None if handler is None else handler(Options.of(node), bind)


@dataclass(frozen=True, slots=True)
class Path:
    text: str
    mode: str

    @property
    def strict(self) -> bool:
        return self.mode == "strict"


def spark_path(written: str) -> Path:
    """`lax $.a['b'][0]` in the form Spark reads; wildcards, filters and functions have none."""
    mode, dollar, steps = written.strip().rpartition("$")
    mode = mode.strip().lower()
    if not dollar or mode not in ("", "lax", "strict"):
        raise _unsupported_path(written)
    parts, place = [], 0
    while place < len(steps):
        step = _STEP.match(steps, place)
        if step is None or "'" in (step["quoted"] or ""):
            raise _unsupported_path(written)
        name = step["name"] or step["quoted"]
        parts.append(f"[{step['index']}]" if name is None else f"['{name}']")
        place = step.end()
    return Path("$" + "".join(parts), mode)


def _unsupported_path(written: str) -> UnsupportedSql:
    return UnsupportedSql(
        "this JSON path is not supported",
        found=f"'{written}'",
        expected="[lax | strict] $ followed by .name, ['name'] and [index]",
    )


def _document_and_path(options: Options, bind: Binder) -> tuple[list[Expr], Path]:
    document, written = (bind(item) for item in options.args)
    if not isinstance(written, Literal) or not isinstance(written.value, str):
        raise UnsupportedSql("a JSON path must be a string literal", found=str(written))
    path = spark_path(written.value)
    return [document, text_literal(path.text)], path


def _json_value(options: Options, bind: Binder) -> Expr:
    args, path = _document_and_path(options, bind)
    returning = options.clauses.get("RETURNING")
    target = STRING if returning is None else cast_type(_data_type(returning))
    value: Expr = call(lookup_scalar("JSON_VALUE"), args)
    if not target.same_as(STRING):
        value = cast(value, target, try_cast=True)
    on_empty, on_error = (_default(options, clause, bind) for clause in ("ON EMPTY", "ON ERROR"))
    if path.strict:
        on_empty = on_error
    if on_empty is None and on_error is None:
        return value
    return _with_defaults(value, args, target, on_empty, on_error)


def _data_type(node: exp.Expression) -> exp.DataType:
    assert isinstance(node, exp.DataType)
    return node


def _default(options: Options, clause: str, bind: Binder) -> Expr | None:
    """What DEFAULT gives; None for NULL."""
    node = options.clauses.get(clause)
    if isinstance(node, exp.Var):
        if node.name.upper() == "NULL":
            return None
        raise UnsupportedSql(f"{node.name} {clause} is not supported", expected="NULL or DEFAULT")
    return None if node is None else bind(node)


def _with_defaults(
    value: Expr,
    args: Sequence[Expr],
    target: DataType,
    on_empty: Expr | None,
    on_error: Expr | None,
) -> Expr:
    document = args[0]
    present = call(lookup_scalar("IS NOT NULL"), [value])
    missing = call(lookup_scalar("IS NULL"), [document])
    fails = call(lookup_scalar("JSON_VALUE FAILS"), args)
    instead = [
        null_literal(target) if default is None else _as_result(default, target)
        for default in (on_error, on_empty)
    ]
    branches: tuple[tuple[Expr, Expr], ...] = (
        (present, value),
        (missing, null_literal(target)),
        (fails, instead[0]),
    )
    return Case(target, branches, instead[1])


def _as_result(default: Expr, target: DataType) -> Expr:
    if common_type(default.type, target) is None and target.same_as(STRING):
        return cast(default, STRING)
    return coerced(default, target.as_nullable(default.type.nullable))


def _json_query(options: Options, bind: Binder) -> Expr:
    args, _ = _document_and_path(options, bind)
    for clause in ("ON EMPTY", "ON ERROR"):
        if options.word(clause, "NULL") != "NULL":
            raise UnsupportedSql(f"{clause} of JSON_QUERY is not supported", expected="NULL")
    if "RETURNING" in options.clauses:
        raise UnsupportedSql("RETURNING of JSON_QUERY is not supported")
    wrapper = options.word("WRAPPER", "WITHOUT")
    return call(lookup_scalar(f"JSON_QUERY {wrapper}"), args)


def _json_exists(options: Options, bind: Binder) -> Expr:
    args, path = _document_and_path(options, bind)
    if path.strict or options.word("ON ERROR", "FALSE") != "FALSE":
        raise UnsupportedSql("JSON_EXISTS reads lax paths with FALSE ON ERROR only")
    return call(lookup_scalar("JSON_EXISTS"), args)


def _json_measured(name: str) -> Callable[[Options, Binder], Expr]:
    """A question about the whole document or about what a plain path finds in it."""

    def bound(options: Options, bind: Binder) -> Expr:
        if len(options.args) != 2:
            root = [text_literal("$")] if len(options.args) == 1 else []
            return call(lookup_scalar(name), [*map(bind, options.args), *root])
        args, path = _document_and_path(options, bind)
        if path.mode:
            raise UnsupportedSql(f"{name} takes a path without lax or strict", found=path.mode)
        return call(lookup_scalar(name), args)

    return bound


def _json_object(options: Options, bind: Binder) -> Expr:
    bound = [bind(item) for item in options.args]
    for key in bound[::2]:
        if not isinstance(key, Literal) or not isinstance(key.value, str):
            raise TypeMismatch("a key of JSON_OBJECT is a string literal", found=str(key))
    parts = [part if index % 2 == 0 else as_json(part) for index, part in enumerate(bound)]
    absent = options.word("ON NULL", "NULL") == "ABSENT"
    return call(lookup_scalar("JSON_OBJECT ABSENT" if absent else "JSON_OBJECT"), parts)


def _json_array(options: Options, bind: Binder) -> Expr:
    parts = [as_json(bind(item)) for item in options.args]
    absent = options.word("ON NULL", "ABSENT") == "ABSENT"
    return call(lookup_scalar("JSON_ARRAY" if absent else "JSON_ARRAY NULL"), parts)


def as_json(value: Expr) -> Expr:
    """Text that a JSON function made goes in as it is, everything else as a JSON value."""
    if isinstance(value, Call) and value.function.name.startswith(_MADE_OF_JSON):
        return value
    return call(lookup_scalar("JSON_STRING"), [value])


def _is_json(options: Options, bind: Binder) -> Expr:
    value, wanted = options.args
    return call(lookup_scalar(f"IS_JSON {wanted.name.upper()}"), [bind(value)])


_HANDLERS: dict[str, Callable[[Options, Binder], Expr]] = {
    "JSON_VALUE": _json_value,
    "JSON_QUERY": _json_query,
    "JSON_EXISTS": _json_exists,
    "JSON_LENGTH": _json_measured("JSON_LENGTH"),
    "JSON_TYPE": _json_measured("JSON_TYPE"),
    "JSON_OBJECT": _json_object,
    "JSON_ARRAY": _json_array,
    "IS_JSON": _is_json,
}
