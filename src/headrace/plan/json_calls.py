"""The JSON functions' own grammar (RETURNING, ON EMPTY, ON ERROR, wrappers) turned into plain calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlglot import exp

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.calls import call, cast, coerced
from headrace.plan.expressions import Call, Case, Expr, Literal
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.json_paths import Path, read_path
from headrace.plan.literals import null_literal, text_literal
from headrace.plan.types import common_type
from headrace.sql.dialect import cast_type
from headrace.types import BOOLEAN, STRING, DataType, array

Binder = Callable[[exp.Expression], Expr]

_MADE_OF_JSON = ("JSON_OBJECT", "JSON_OBJECT ABSENT", "JSON_ARRAY", "JSON_ARRAY NULL", "JSON")


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


def _document_and_path(options: Options, bind: Binder) -> tuple[list[Expr], Path]:
    document, written = (bind(item) for item in options.args)
    if not isinstance(written, Literal) or not isinstance(written.value, str):
        raise UnsupportedSql("a JSON path must be a string literal", found=str(written))
    path = read_path(written.value)
    return [document, text_literal(path.text)], path


def _json_value(options: Options, bind: Binder) -> Expr:
    args, path = _document_and_path(options, bind)
    returning = options.clauses.get("RETURNING")
    target = STRING if returning is None else cast_type(_data_type(returning))
    # Several values are no scalar, and so nothing that JSON_VALUE could give.
    value: Expr = null_literal(STRING) if path.several else call(lookup_scalar("JSON_VALUE"), args)
    if not target.same_as(STRING):
        value = cast(value, target, try_cast=True)
    default = _default(options, path.fault, args[0], bind)
    return value if default is None else _with_default(value, args[0], _as_result(default, target))


def _data_type(node: exp.Expression) -> exp.DataType:
    assert isinstance(node, exp.DataType)
    return node


def _default(options: Options, clause: str, document: Expr, bind: Binder) -> Expr | None:
    """What DEFAULT gives, or what fails; None for NULL."""
    node = options.clauses.get(clause)
    if isinstance(node, exp.Var):
        return None if node.name.upper() == "NULL" else _fault("JSON_VALUE", document)
    return None if node is None else bind(node)


def _fault(function: str, document: Expr) -> Expr:
    """What fails when it is computed."""
    return call(lookup_scalar("JSON FAULT"), [document, text_literal(function)])


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
_QUERY_DEFAULTS = {"NULL": None, "EMPTY ARRAY": "[]", "EMPTY OBJECT": "{}", "ERROR": None}
_EXISTS_DEFAULTS = {"TRUE": True, "FALSE": False, "UNKNOWN": None, "ERROR": None}


def _json_query(options: Options, bind: Binder) -> Expr:
    args, path = _document_and_path(options, bind)
    words = {clause: options.word(clause, "NULL") for clause in ("ON EMPTY", "ON ERROR")}
    for clause, word in words.items():
        _known(f"{clause} of JSON_QUERY", word, _QUERY_DEFAULTS)
    wrapper = options.word("WRAPPER", "WITHOUT")
    several = "SEVERAL " if path.several else ""
    value: Expr = call(lookup_scalar(f"JSON_QUERY {several}{wrapper}"), args)
    word = words[path.fault]
    if word == "ERROR":
        value = _with_default(value, args[0], _fault("JSON_QUERY", args[0]))
    elif (text := _QUERY_DEFAULTS[word]) is not None:
        value = _with_default(value, args[0], text_literal(text))
    return _as_array(value, options)


def _as_array(value: Expr, options: Options) -> Expr:
    """RETURNING ARRAY<STRING>: each element as text."""
    returning = options.clauses.get("RETURNING")
    if returning is None:
        return value
    target = cast_type(_data_type(returning))
    if target.same_as(STRING):
        return value
    if not target.same_as(array(STRING)):
        raise UnsupportedSql(
            "JSON_QUERY does not return this type",
            found=target.as_nullable().sql(),
            expected="STRING or ARRAY<STRING>",
        )
    return call(lookup_scalar("JSON_QUERY ARRAY"), [value])


def _known(what: str, word: str, choices: Mapping[str, object]) -> None:
    if word not in choices:
        raise UnsupportedSql(f"{what} is not supported", found=word, expected=", ".join(choices))


def _json_exists(options: Options, bind: Binder) -> Expr:
    args, path = _document_and_path(options, bind)
    word = options.word("ON ERROR", "FALSE")
    _known("ON ERROR of JSON_EXISTS", word, _EXISTS_DEFAULTS)
    found = call(lookup_scalar(f"JSON_EXISTS{' SEVERAL' if path.several else ''}"), args)
    if path.mode == "lax" or word == "FALSE":
        return found
    # Only what is missing is an error, so that the answer is TRUE or the one asked for.
    wrong = call(lookup_scalar("NOT"), [found])
    other: Expr = Literal(BOOLEAN, _EXISTS_DEFAULTS[word])
    if word == "ERROR":
        other = cast(_fault("JSON_EXISTS", args[0]), BOOLEAN)
    return Case(BOOLEAN, ((wrong, other),), found)


def _json_measured(name: str) -> Callable[[Options, Binder], Expr]:
    """A question about the whole document or about what a plain path finds in it."""

    def bound(options: Options, bind: Binder) -> Expr:
        if len(options.args) != 2:
            root = [text_literal("")] if len(options.args) == 1 else []
            return call(lookup_scalar(name), [*map(bind, options.args), *root])
        args, path = _document_and_path(options, bind)
        if path.mode or path.several:
            raise UnsupportedSql(
                f"{name} takes a path to one place, without lax or strict",
                found=path.mode or path.text.replace("\n", ""),
            )
        return call(lookup_scalar(name), args)

    return bound


def _json_object(options: Options, bind: Binder) -> Expr:
    absent = options.word("ON NULL", "NULL") == "ABSENT"
    members: dict[str, Expr] = {}
    for named, item in zip(options.args[::2], options.args[1::2], strict=True):
        key, value = bind(named), _embedded(item, bind)
        if not isinstance(key, Literal) or not isinstance(key.value, str):
            raise TypeMismatch("a key of JSON_OBJECT is a string literal", found=str(key))
        known = members.get(key.value) if absent else None
        # Of equal names the last that is there.
        members[key.value] = call(lookup_scalar("COALESCE"), [value, known]) if known else value
    parts = [
        part
        for name in sorted(members, key=_java_order)
        for part in (text_literal(name), members[name])
    ]
    return call(lookup_scalar("JSON_OBJECT ABSENT" if absent else "JSON_OBJECT"), parts)


def _java_order(name: str) -> bytes:
    return name.encode("utf-16-be")


def _json_array(options: Options, bind: Binder) -> Expr:
    parts = [_embedded(item, bind) for item in options.args]
    absent = options.word("ON NULL", "ABSENT") == "ABSENT"
    return call(lookup_scalar("JSON_ARRAY" if absent else "JSON_ARRAY NULL"), parts)


def _embedded(item: exp.Expression, bind: Binder) -> Expr:
    if isinstance(item, exp.Anonymous) and str(item.this).upper() == "JSON":
        return call(lookup_scalar("JSON"), [bind(part) for part in item.expressions])
    return as_json(bind(item))


def _json(options: Options, bind: Binder) -> Expr:
    raise UnsupportedSql("JSON cannot stand here", expected="inside JSON_OBJECT or JSON_ARRAY")


def as_json(value: Expr) -> Expr:
    """Text that a JSON function made goes in as it is, everything else as a JSON value."""
    if isinstance(value, Call) and value.function.name in _MADE_OF_JSON:
        return value
    return call(lookup_scalar("JSON_STRING"), [value])


def _is_json(options: Options, bind: Binder) -> Expr:
    value, wanted = options.args
    return call(lookup_scalar(f"IS_JSON {wanted.name.upper()}"), [bind(value)])


_HANDLERS: dict[str, Callable[[Options, Binder], Expr]] = {
    "JSON": _json,
    "JSON_VALUE": _json_value,
    "JSON_QUERY": _json_query,
    "JSON_EXISTS": _json_exists,
    "JSON_LENGTH": _json_measured("JSON_LENGTH"),
    "JSON_TYPE": _json_measured("JSON_TYPE"),
    "JSON_OBJECT": _json_object,
    "JSON_ARRAY": _json_array,
    "IS_JSON": _is_json,
}
