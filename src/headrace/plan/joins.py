"""FROM: tables side by side and joined. Conditions stay whole here; the rules find the keys in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from headrace.errors import HeadraceError, UserError
from headrace.plan.binder import Scope
from headrace.plan.calls import call
from headrace.plan.conditions import all_of, bind_condition, equal
from headrace.plan.expressions import Expr
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.nodes import Field, Join, JoinKind, Project, Values
from headrace.plan.queries import QueryContext, plan_relation, scope_of
from headrace.plan.relation import Columns, Relation, unique_names
from headrace.plan.unnest import plan_unnest

# One row without columns: what SELECT without FROM reads.
NO_TABLE = Relation(Values(((),), ()), ())


def plan_from(select: exp.Select, context: QueryContext) -> Relation:
    source = select.args.get("from_")
    if source is None:
        return NO_TABLE
    first, *others = _between_commas(source.this, select.args.get("joins") or [])
    result = _plan_joins(*first, context)
    for comma, joins in others:
        if isinstance(comma.this, exp.Unnest | exp.Lateral):
            # It sees what stands left of the comma, so that the joins after it see that too.
            result = _with_joins(result, [comma, *joins], context)
        else:
            right = _plan_joins(comma.this, joins, context)
            result = _joined(result, right, comma, context)
    return result


def _between_commas(
    first: exp.Expression, joins: list[exp.Join]
) -> list[tuple[exp.Expression, list[exp.Join]]]:
    """JOIN binds more strongly than the comma: the first table or a comma, with the joins up to the next comma."""
    groups: list[tuple[exp.Expression, list[exp.Join]]] = [(first, [])]
    for join in joins:
        if _is_comma(join):
            groups.append((join, []))
        else:
            groups[-1][1].append(join)
    return groups


def _is_comma(join: exp.Join) -> bool:
    clauses = ("side", "kind", "method", "on", "using")
    return not any(join.args.get(clause) for clause in clauses)


def _plan_joins(first: exp.Expression, joins: list[exp.Join], context: QueryContext) -> Relation:
    if isinstance(first, exp.Unnest | exp.Lateral):
        alone = exp.Join(this=first.copy())
        return _with_joins(NO_TABLE, [alone, *joins], context)
    return _with_joins(plan_relation(first, context), joins, context)


def _with_joins(
    relation: Relation, joins: Iterable[exp.Expression], context: QueryContext
) -> Relation:
    for join in joins:
        relation = plan_join(relation, join, context)
    return relation


def plan_join(left: Relation, join: exp.Expression, context: QueryContext) -> Relation:
    if isinstance(join.this, exp.Unnest):
        return plan_unnest(left, join, context)
    if isinstance(join.this, exp.Lateral):
        from headrace.plan.lateral import plan_lateral

        return plan_lateral(left, join, context)
    right = plan_relation(join.this, context)
    return _joined(left, right, join, context)


def _joined(
    left: Relation, right: Relation, join: exp.Expression, context: QueryContext
) -> Relation:
    from headrace.plan.join_conditions import filter_joined, with_values
    from headrace.plan.subqueries import has_subquery

    _refuse_same_name(left, right, join, context)
    right = right.apart_from(left.node.names)
    kind = JoinKind(join.args.get("side") or "INNER")
    condition = join.args.get("on")
    if condition is None or not has_subquery(condition):
        return _plainly_joined(left, right, kind, join, context)
    if kind is JoinKind.INNER:
        node = _join(left, right, kind, None, join, context)
        rows = filter_joined(condition, node, _both(left, right, context), context)
        return _side_by_side(left, right).over(rows)
    left, right, bound = with_values(condition, left, right, context)
    return _side_by_side(left, right).over(_join(left, right, kind, bound, join, context))


def _plainly_joined(
    left: Relation,
    right: Relation,
    kind: JoinKind,
    join: exp.Expression,
    context: QueryContext,
) -> Relation:
    using = _using(left, right, join, context)
    condition = join.args.get("on")
    bound = (
        bind_condition(condition, _both(left, right, context), context)
        if condition is not None
        else all_of(_pair(left, right, name, context) for name in using)
    )
    node = _join(left, right, kind, bound, join, context)
    result = _side_by_side(left, right).over(node)
    return _merged(result, left, kind, using, context) if using else result


def _side_by_side(left: Relation, right: Relation) -> Relation:
    return Relation(left.node, left.columns + right.columns, left.hidden + right.hidden)


def _both(left: Relation, right: Relation, context: QueryContext) -> Scope:
    return scope_of(_side_by_side(left, right), context)


def _join(
    left: Relation,
    right: Relation,
    kind: JoinKind,
    condition: Expr | None,
    join: exp.Expression,
    context: QueryContext,
) -> Join:
    return Join(
        left.node,
        right.node,
        kind,
        residual=condition,
        position=context.position(join),
        left_ttl=context.state_time(left.qualifiers),
        right_ttl=context.state_time(right.qualifiers),
    )


def _refuse_same_name(
    left: Relation, right: Relation, join: exp.Expression, context: QueryContext
) -> None:
    for name in sorted(left.qualifiers & right.qualifiers):
        raise UserError(
            f"two tables of FROM are named '{name}'",
            condition="ALREADY_EXISTS",
            where=context.position(join.this),
            cure=f"give one of them another name, for example {name} AS {name}2",
        )


def _using(
    left: Relation, right: Relation, join: exp.Expression, context: QueryContext
) -> list[exp.Identifier]:
    if join.args.get("method") == "NATURAL":
        others = {name for _, name, _ in right.columns}
        common = dict.fromkeys(name for _, name, _ in left.columns if name in others)
        return [_placed(exp.to_identifier(name, quoted=True), join) for name in common]
    return list(join.args.get("using") or [])


def _placed(identifier: exp.Identifier, join: exp.Expression) -> exp.Identifier:
    """A name that NATURAL implies stands where the join does."""
    identifier.meta.update({key: join.meta[key] for key in ("line", "col", "start", "end")})
    return identifier


def _pair(left: Relation, right: Relation, name: exp.Identifier, context: QueryContext) -> Expr:
    sides = [context.scope(side.columns).resolve([name]) for side in (left, right)]
    try:
        return equal(*sides)
    except HeadraceError as error:
        raise error.at(context.position(name)) from None


def _merged(
    result: Relation,
    left: Relation,
    kind: JoinKind,
    using: list[exp.Identifier],
    context: QueryContext,
) -> Relation:
    """The columns of USING once and first, as Flink shows them."""
    names = [identifier.name for identifier in using]
    width = len(left.columns)
    sides = [
        {name: column for _, name, column in columns if name in names}
        for columns in (result.columns[:width], result.columns[width:])
    ]
    if kind is JoinKind.FULL:
        result, merged = _coalesced(result, names, *sides)
    else:
        kept = sides[1] if kind is JoinKind.RIGHT else sides[0]
        merged = tuple((None, name, kept[name]) for name in names)
    others = tuple(column for column in result.columns if column[1] not in names)
    used = tuple(column for column in result.columns if column[1] in names)
    return replace(result, columns=merged + others, hidden=result.hidden + used)


def _coalesced(
    result: Relation, names: list[str], left: dict[str, Field], right: dict[str, Field]
) -> tuple[Relation, Columns]:
    """In a FULL join either side may be the one that has the value."""
    kept = [(column.name, column.ref()) for column in result.node.schema]
    merged = [
        call(lookup_scalar("COALESCE"), [left[name].ref(), right[name].ref()]) for name in names
    ]
    fresh = unique_names([*result.node.names, *names])[len(kept) :]
    node = Project(result.node, (*kept, *zip(fresh, merged, strict=True)))
    columns = zip(names, node.schema[len(kept) :], strict=True)
    return result.over(node), tuple((None, name, column) for name, column in columns)
