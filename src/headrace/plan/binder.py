"""From sqlglot trees to bound expressions: names resolved, functions looked up, types checked, casts made plain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from headrace.errors import HeadraceError, TypeMismatch, UnknownName, UnsupportedSql, UserError
from headrace.plan.aggregate_calls import bind_aggregate_call
from headrace.plan.calls import call, cast, coerced
from headrace.plan.expressions import AggregateCall, Case, Expr, Literal, is_condition
from headrace.plan.functions.lookup import (
    NOT_RUN,
    PLANNED,
    function_names,
    is_aggregate_name,
    lookup_scalar,
)
from headrace.plan.functions.signatures import WrongArgument
from headrace.plan.json_calls import bind_json
from headrace.plan.literals import (
    boolean_literal,
    bytes_literal,
    interval_literal,
    negated_interval,
    null_literal,
    number_literal,
    temporal_literal,
    text_literal,
)
from headrace.plan.scope import Scope, field_of
from headrace.plan.types import common_type
from headrace.sql.dialect import cast_type
from headrace.types import STRING, Kind

__all__ = ["Scope", "bind", "bind_aggregate", "is_aggregate"]

OPERATORS: dict[type[exp.Expression], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.DPipe: "||",
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.And: "AND",
    exp.Or: "OR",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
    exp.Like: "LIKE",
    exp.SimilarTo: "SIMILAR TO",
}
_WRAPPERS = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)


def bind(node: exp.Expression, scope: Scope) -> Expr:
    """The bound form of an expression; every error points at the innermost node it is about."""
    special = scope.resolve_special(node)
    if special is not None:
        return special
    try:
        return _bind_plain(node, scope)
    except HeadraceError as error:
        raise error.at(scope.position(node)) from None


def _bind_plain(node: exp.Expression, scope: Scope) -> Expr:
    if is_aggregate(node):
        raise UserError(
            "an aggregate function cannot stand here",
            condition="MISPLACED_AGGREGATE",
            found=node.sql(),
            cure="use it in SELECT, HAVING or QUALIFY, or compute it in a subquery",
        )
    operator = OPERATORS.get(type(node))
    if operator is not None:
        return _called(operator, (node.this, node.expression), scope)
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise _unsupported(node)
    return handler(node, scope)


def _unsupported(node: exp.Expression) -> UnsupportedSql:
    if isinstance(node, exp.Query | exp.Exists | exp.Any | exp.All):
        return UnsupportedSql(
            "a subquery cannot be used as a value here", cure="write it as a JOIN"
        )
    if isinstance(node, exp.Window):
        return UnsupportedSql("an OVER window cannot stand here", found=node.sql())
    return UnsupportedSql(f"{node.key.upper()} is not supported in expressions", found=node.sql())


def _called(name: str, nodes: Sequence[exp.Expression], scope: Scope) -> Expr:
    """A call of bound arguments; an argument of a wrong type is what the error points at."""
    args = [_argument(node, scope) for node in nodes]
    try:
        return call(lookup_scalar(name), args)
    except WrongArgument as error:
        raise error.at(scope.position(nodes[error.index])) from None


def _argument(node: exp.Expression, scope: Scope) -> Expr:
    if isinstance(node, exp.Var):
        return text_literal(node.name)
    if isinstance(node, exp.Kwarg):
        raise UnsupportedSql(
            f"'{node.this.name}' is not supported in this call", where=scope.position(node)
        )
    return bind(node, scope)


def _bind_column(node: exp.Expression, scope: Scope) -> Expr:
    assert isinstance(node, exp.Column)
    return scope.resolve([part for part in node.parts if isinstance(part, exp.Identifier)])


def _bind_dot(node: exp.Expression, scope: Scope) -> Expr:
    return field_of(bind(node.this, scope), node.expression, scope)


def _bind_literal(node: exp.Expression, scope: Scope) -> Expr:
    assert isinstance(node, exp.Literal)
    return text_literal(node.this) if node.is_string else number_literal(node.this)


def _bind_negative(node: exp.Expression, scope: Scope) -> Expr:
    inner = node.this
    if isinstance(inner, exp.Literal) and not inner.is_string:
        return number_literal(inner.this, negative=True)
    if isinstance(inner, exp.Interval):
        return negated_interval(interval_literal(inner))
    return _called("UNARY -", [inner], scope)


def _bind_interval(node: exp.Expression, scope: Scope) -> Expr:
    assert isinstance(node, exp.Interval)
    return interval_literal(node)


def _bind_cast(node: exp.Expression, scope: Scope) -> Expr:
    assert isinstance(node, exp.Cast)
    target = cast_type(node)
    if not target.nullable and isinstance(node.this, exp.Literal) and node.this.is_string:
        literal = temporal_literal(node.this.this, target)
        if literal is not None:
            return literal
    return cast(bind(node.this, scope), target, try_cast=isinstance(node, exp.TryCast))


def _bind_is(node: exp.Expression, scope: Scope) -> Expr:
    test = node.expression
    if isinstance(test, exp.Null):
        name = "IS NULL"
    elif isinstance(test, exp.Boolean):
        name = "IS TRUE" if test.this else "IS FALSE"
    else:
        raise _unsupported(node)
    return _called(name, [node.this], scope)


def _bind_not(node: exp.Expression, scope: Scope) -> Expr:
    inner = node.this
    if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
        return _called("IS NOT NULL", [inner.this], scope)
    return _called("NOT", [inner], scope)


def _bind_escape(node: exp.Expression, scope: Scope) -> Expr:
    matched = node.this
    parts = (matched.this, matched.expression, node.expression)
    return _called(f"{OPERATORS[type(matched)]} ESCAPE", parts, scope)


def _bind_between(node: exp.Expression, scope: Scope) -> Expr:
    name = "BETWEEN SYMMETRIC" if node.args.get("symmetric") else "BETWEEN"
    parts = (node.this, node.args["low"], node.args["high"])
    return _called(name, parts, scope)


def _bind_in(node: exp.Expression, scope: Scope) -> Expr:
    if node.args.get("query") is not None:
        raise UnsupportedSql("IN (subquery) is not supported here", cure="write it as a JOIN")
    return _called("IN", (node.this, *node.expressions), scope)


def _bind_case(node: exp.Expression, scope: Scope) -> Expr:
    branches = [
        (_condition(node, branch, scope), branch.args["true"]) for branch in node.args["ifs"]
    ]
    default = node.args.get("default")
    values = [bind(value, scope) for _, value in branches]
    values.append(null_literal() if default is None else bind(default, scope))
    shared = common_type(*(value.type for value in values))
    if shared is None:
        raise TypeMismatch(
            "the results of CASE have no common type",
            found=", ".join(value.type.sql() for value in values),
            cure="CAST them to one type",
        )
    cast_values = [coerced(value, shared.as_nullable(value.type.nullable)) for value in values]
    conditions = [condition for condition, _ in branches]
    pairs = tuple(zip(conditions, cast_values[:-1], strict=True))
    return Case(shared, pairs, cast_values[-1])


def _condition(node: exp.Expression, branch: exp.If, scope: Scope) -> Expr:
    if node.this is not None:
        return _called("=", (node.this, branch.this), scope)
    condition = bind(branch.this, scope)
    if not is_condition(condition) and condition.type.kind is not Kind.NULL:
        raise TypeMismatch(
            "WHEN takes a condition", found=condition.type.sql(), expected="BOOLEAN"
        ).at(scope.position(branch.this))
    return condition


def _bind_item(node: exp.Expression, scope: Scope) -> Expr:
    (index,) = node.expressions
    return _called("[]", (node.this, index), scope)


def _bind_tuple(node: exp.Expression, scope: Scope) -> Expr:
    return _called("ROW", node.expressions, scope)


def _bind_call(node: exp.Expression, scope: Scope) -> Expr:
    assert isinstance(node, exp.Anonymous)
    json = bind_json(node, lambda item: bind(item, scope))
    if json is not None:
        return json
    name = str(node.this)
    if name == "OVERLAPS":
        return _called(name, _ends(node), scope)
    if name == "MINUS INTERVAL":
        return _called(name, node.expressions, scope)
    if name.upper() not in _CALLABLE | NOT_RUN:
        raise UnknownName("function", name, _CALLABLE)
    if name.upper() in PLANNED:
        return _bind_planned(name.upper(), node, scope)
    return _called(name, node.expressions, scope)


def _ends(node: exp.Anonymous) -> list[exp.Expression]:
    """The four ends of `(a, b) OVERLAPS (c, d)`."""
    for side in node.expressions:
        if not isinstance(side, exp.Tuple) or len(side.expressions) != 2:
            raise TypeMismatch(
                "OVERLAPS compares two periods", found=side.sql(), expected="(start, end or length)"
            )
    return [end for side in node.expressions for end in side.expressions]


def _bind_planned(name: str, node: exp.Anonymous, scope: Scope) -> Expr:
    if name != "CURRENT_DATABASE" or scope.database is None:
        raise UnsupportedSql(f"{name} cannot stand here", expected=f"inside {PLANNED[name]}")
    if node.expressions:
        raise TypeMismatch(
            f"{name} is called with the wrong number of arguments",
            condition="WRONG_ARGUMENT_COUNT",
            found=str(len(node.expressions)),
            expected="0",
        )
    return Literal(STRING.not_null(), scope.database)


_CALLABLE = frozenset(function_names())


Handler = Callable[[exp.Expression, Scope], Expr]
_HANDLERS: dict[type[exp.Expression], Handler] = {
    exp.Anonymous: _bind_call,
    exp.Between: _bind_between,
    exp.Boolean: lambda node, _scope: boolean_literal(bool(node.this)),
    exp.Bracket: _bind_item,
    exp.Case: _bind_case,
    exp.Cast: _bind_cast,
    exp.Column: _bind_column,
    exp.Dot: _bind_dot,
    exp.Escape: _bind_escape,
    exp.HexString: lambda node, _scope: bytes_literal(node.this),
    exp.In: _bind_in,
    exp.Interval: _bind_interval,
    exp.Is: _bind_is,
    exp.Literal: _bind_literal,
    exp.Neg: _bind_negative,
    exp.Not: _bind_not,
    exp.Null: lambda _node, _scope: null_literal(),
    exp.Paren: lambda node, scope: bind(node.this, scope),
    exp.TryCast: _bind_cast,
    exp.Tuple: _bind_tuple,
}


def is_aggregate(node: exp.Expr) -> bool:
    """Whether the node is an aggregate call (with its FILTER) of the query itself, not of an OVER window."""
    inner = _unwrapped(node)
    if not isinstance(inner, exp.Anonymous) or not is_aggregate_name(str(inner.this)):
        return False
    outer = node.parent
    while isinstance(outer, _WRAPPERS):
        outer = outer.parent
    return not isinstance(outer, exp.Window)


def _unwrapped(node: exp.Expr) -> exp.Expr:
    while isinstance(node, _WRAPPERS):
        node = node.this
    return node


def bind_aggregate(node: exp.Expr, scope: Scope) -> AggregateCall:
    """`COUNT(DISTINCT x) FILTER (WHERE c)` and the like; arguments refer to the aggregate's input."""
    try:
        return _bind_aggregate(node, scope)
    except HeadraceError as error:
        raise error.at(scope.position(node)) from None


def _bind_aggregate(node: exp.Expr, scope: Scope) -> AggregateCall:
    if not isinstance(node, exp.Filter):
        return bind_aggregate_call(node, lambda item: bind(item, scope))
    condition = bind(node.expression.this, scope)
    if not is_condition(condition):
        raise TypeMismatch("FILTER takes a condition", found=condition.type.sql())
    return replace(_bind_aggregate(node.this, scope), filter=condition)
