"""Checked calls and casts: the number and types of arguments, and the casts that coercion adds."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.errors import TypeMismatch
from headrace.plan.expressions import Call, Cast, Expr, Literal
from headrace.plan.functions.registry import AggregateFunction, ScalarFunction
from headrace.plan.literals import null_literal, recast
from headrace.plan.types import can_cast
from headrace.types import CHARACTER, DataType, Kind


def call(function: ScalarFunction, args: Sequence[Expr]) -> Call:
    """A checked call: the right number of arguments, cast to what the function computes in."""
    check_count(function, len(args))
    types = [arg.type for arg in args]
    # Twice: coercion may rely on the families that the first look has checked.
    function.returns(types)
    if function.coerce is not None:
        args = [
            coerced(arg, target) for arg, target in zip(args, function.coerce(types), strict=True)
        ]
        types = [arg.type for arg in args]
    constants = [arg.value if isinstance(arg, Literal) else None for arg in args]
    return Call(function.result_type(types, constants), function, tuple(args))


def check_count(function: ScalarFunction | AggregateFunction, count: int) -> None:
    least, most = function.min_args, function.max_args
    if count >= least and (most is None or count <= most):
        return
    if most is None:
        expected = f"at least {least}"
    else:
        expected = str(least) if least == most else f"{least} to {most}"
    raise TypeMismatch(
        f"{function.name} is called with the wrong number of arguments",
        condition="WRONG_ARGUMENT_COUNT",
        found=str(count),
        expected=expected,
    )


def coerced(expr: Expr, target: DataType) -> Expr:
    """`expr` as `target`, with a CAST only where the value changes."""
    if expr.type.same_as(target) or _is_contained(expr.type, target):
        return expr
    if isinstance(expr, Literal):
        literal = recast(expr, target)
        if literal is not None:
            return literal
    return Cast(target, expr)


def _is_contained(source: DataType, target: DataType) -> bool:
    """Text that fits its target needs no cutting."""
    if source.kind not in CHARACTER or target.kind not in (Kind.STRING, Kind.VARCHAR):
        return False
    if target.length is None:
        return True
    return source.length is not None and source.length <= target.length


def cast(operand: Expr, target: DataType, *, try_cast: bool = False) -> Expr:
    """An explicit CAST; its result is nullable when the operand is, and always with TRY_CAST."""
    if not can_cast(operand.type, target):
        raise TypeMismatch(
            f"{operand.type.as_nullable().sql()} cannot be cast to {target.as_nullable().sql()}",
            cure=_cast_cure(operand.type, target),
        )
    typed = target.as_nullable(try_cast or operand.type.nullable)
    if isinstance(operand, Literal) and operand.value is None:
        return null_literal(typed)
    return Cast(typed, operand, try_cast)


def _cast_cure(source: DataType, target: DataType) -> str | None:
    timestamps = (Kind.TIMESTAMP, Kind.TIMESTAMP_LTZ)
    if target.kind in timestamps:
        return "use TO_TIMESTAMP_LTZ(number, 0 or 3)"
    return "use UNIX_TIMESTAMP(CAST(… AS STRING))" if source.kind in timestamps else None
