"""The JSON functions' own grammar (RETURNING, ON EMPTY, ON ERROR, wrappers) turned into plain calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.calls import call, cast, coerced
from headrace.plan.expressions import Call, Case, Expr, Literal
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.literals import null_literal, text_literal
from headrace.plan.types import common_type
from headrace.sql.dialect import cast_type
from headrace.types import BOOLEAN, STRING, DataType

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
    def fault(self) -> str:
        """The clause that says what is given where nothing is found: only a lax path calls that empty."""
        return "ON EMPTY" if self.mode == "lax" else "ON ERROR"


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
    defaults = {clause: _default(options, clause, bind) for clause in ("ON EMPTY", "ON ERROR")}
    default = defaults[path.fault]
    return value if default is None else _with_default(value, args[0], _as_result(default, target))


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


def _with_default(value: Expr, document: Expr, default: Expr) -> Expr:
    """`default` where a document gives nothing; no document at all gives NULL."""
    present = call(lookup_scalar("IS NOT NULL"), [value])
    missing = call(lookup_scalar("IS NULL"), [document])
    branches = ((present, value), (missing, null_literal(value.type)))
    return Case(value.type, branches, default)


def _as_result(default: Expr, target: DataType) -> Expr:
    if common_type(default.type, target) is None and target.same_as(STRING):
        return cast(default, STRING)
    return coerced(default, target.as_nullable(default.type.nullable))


# What JSON_QUERY and JSON_EXISTS may give instead of an answer.
_QUERY_DEFAULTS = {"NULL": None, "EMPTY ARRAY": "[]", "EMPTY OBJECT": "{}"}
_EXISTS_DEFAULTS = {"TRUE": True, "FALSE": False, "UNKNOWN": None}


def _json_query(options: Options, bind: Binder) -> Expr:
    args, path = _document_and_path(options, bind)
    words = {clause: options.word(clause, "NULL") for clause in ("ON EMPTY", "ON ERROR")}
    for clause, word in words.items():
        _known(f"{clause} of JSON_QUERY", word, _QUERY_DEFAULTS)
    if "RETURNING" in options.clauses:
        raise UnsupportedSql("RETURNING of JSON_QUERY is not supported")
    wrapper = options.word("WRAPPER", "WITHOUT")
    value = call(lookup_scalar(f"JSON_QUERY {wrapper}"), args)
    default = _QUERY_DEFAULTS[words[path.fault]]
    return value if default is None else _with_default(value, args[0], text_literal(default))


def _known(what: str, word: str, choices: Mapping[str, object]) -> None:
    if word not in choices:
        raise UnsupportedSql(f"{what} is not supported", found=word, expected=", ".join(choices))


def _json_exists(options: Options, bind: Binder) -> Expr:
    args, path = _document_and_path(options, bind)
    word = options.word("ON ERROR", "FALSE")
    _known("ON ERROR of JSON_EXISTS", word, _EXISTS_DEFAULTS)
    found = call(lookup_scalar("JSON_EXISTS"), args)
    if path.mode == "lax" or word == "FALSE":
        return found
    # Only what is missing is an error, so that the answer is TRUE or the one asked for.
    wrong = call(lookup_scalar("NOT"), [found])
    return Case(BOOLEAN, ((wrong, Literal(BOOLEAN, _EXISTS_DEFAULTS[word])),), found)


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
