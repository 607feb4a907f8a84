"""Flink SQL to trees: the doors of this package, and the shapes of the trees behind them.

A query or expression becomes a tree of sqlglot nodes, made by a parser of ours (`queries`, `expressions`, `calls`): nothing is
normalised, renamed or reordered, and whatever Flink's grammar does not allow is an error with a place.

Names
    a, t.a, c.d.t.a            Column(this, table, db, catalog) of Identifiers; `column.parts` in order. Whether `x.y` is a
                               table's column or a row's field is the binder's question; a fifth part on is a Dot
    f(x).a, arr[1].a, (r).a    Dot(this=<expr>, expression=Identifier)
    *, t.*                     Star, Column(this=Star, table=Identifier)
    arr[i], m['k'], r[1]       Bracket(this, expressions=[<index as written>])
Literals
    1, 1.5, 1e3                Literal.number;  'x', U&'\\00e4': Literal.string;  TRUE: Boolean;  NULL: Null;  x'0aff': HexString
    DATE '…', TIME '…', TIMESTAMP '…', TIMESTAMP_LTZ '…'
                               Cast(Literal.string, to) whose type is NOT NULL, with as many fraction digits as are written
    INTERVAL '2' SECONDS       Interval(this=Literal.string('2'), unit=Var('SECOND')), the unit upper-case and singular
    INTERVAL '1-2' YEAR TO MONTH   unit=IntervalSpan(this=Var('YEAR'), expression=Var('MONTH'));  INTERVAL -'1' DAY: Neg(Interval)
Operators
    + - * / % ||               Add Sub Mul Div Mod DPipe, Neg;  AND OR NOT: And Or Not;  (x): Paren;  (a, b): Tuple
    = <> != < <= > >=          EQ NEQ NEQ LT LTE GT GTE;  IS [NOT] DISTINCT FROM: NullSafeNEQ, NullSafeEQ
    IS NULL, IS TRUE           Is(x, Null()), Is(x, Boolean);  IS UNKNOWN: Is(x, Null());  IS NOT …: Not(Is(…))
    [NOT] LIKE p ESCAPE e      Like(this, expression), Escape(this=Like, expression=e), SimilarTo;  NOT wraps: Not(Like(…))
    [NOT] BETWEEN a AND b      Between(this, low, high, symmetric=True with SYMMETRIC), Not(Between)
    [NOT] IN (1, 2), IN (q)    In(this, expressions=[…]), In(this, query=Subquery), Not(In)
    EXISTS (q), = ANY (q)      Exists(this=<query>), EQ(x, Any(this=Subquery)), All;  scalar (q): Subquery
    CASE                       Case(this=<operand or None>, ifs=[If(this=<when>, true=<then>)], default)
    CAST, TRY_CAST             Cast, TryCast(this, to): `cast_type(node)` is the headrace DataType
    x IS JSON OBJECT           Anonymous('IS_JSON', [x, Var('OBJECT')]) (VALUE when unsaid);  OVERLAPS: Anonymous('OVERLAPS', [l, r])
Calls: all are Anonymous(this=<NAME, upper-case unless back-quoted>, expressions=[arguments in order])
    COUNT(*), COUNT(DISTINCT a, b)   Anonymous('COUNT', [Star()]), Anonymous('COUNT', [Distinct(expressions=[a, b])])
    f(name => x)               Kwarg(this=Var('name'), expression=x)
    CURRENT_TIMESTAMP          Anonymous('CURRENT_TIMESTAMP', []); so CURRENT_DATE, CURRENT_TIME, LOCALTIME, LOCALTIMESTAMP
    ROW(a, b), ARRAY[1, 2], MAP['k', 1]   Anonymous('ROW' | 'ARRAY' | 'MAP', […])
    EXTRACT(YEAR FROM x)       [Var('YEAR'), x];  CEIL(x TO DAY), FLOOR(x TO DAY): [x, Var('DAY')]
    TIMESTAMPADD(DAY, n, x)    [Var('DAY'), n, x];  TIMESTAMPDIFF(DAY, a, b): [Var('DAY'), a, b]
    POSITION(a IN b)           [a, b];  SUBSTRING(x FROM 2 FOR 3): [x, 2, 3];  OVERLAY(a PLACING b FROM i FOR n): [a, b, i, n]
    TRIM(…)                    always [Var('BOTH' | 'LEADING' | 'TRAILING'), characters, x]; TRIM(x) is [Var('BOTH'), ' ', x]
    JSON_VALUE(x, p RETURNING INT DEFAULT 0 ON EMPTY NULL ON ERROR)
                               [x, p, Kwarg(Var('RETURNING'), DataType), Kwarg(Var('ON EMPTY'), 0), Kwarg(Var('ON ERROR'),
                               Var('NULL'))]; JSON_QUERY adds Kwarg(Var('WRAPPER'), Var('WITH UNCONDITIONAL')) and
                               Var('EMPTY ARRAY'); JSON_EXISTS: Kwarg(Var('ON ERROR'), Var('FALSE')). `cast_type` reads the DataType
    JSON_OBJECT(KEY k VALUE v ABSENT ON NULL)   [k, v, …, Kwarg(Var('ON NULL'), Var('ABSENT'))]; so JSON_ARRAY, …AGG
    agg(…) FILTER (WHERE c)    Filter(this=<call>, expression=Where(this=c));  WITHIN GROUP (ORDER BY …): WithinGroup(this, expression=Order)
    f(…) IGNORE NULLS          IgnoreNulls(this=<call>), RespectNulls
    f(…) OVER (…), OVER w      Window(this=<call, Filter or IgnoreNulls>, partition_by=[…], order=Order, spec=WindowSpec(kind='ROWS'|'RANGE',
                               start, start_side, end, end_side), alias=Identifier of a named window); `start`/`end` are 'UNBOUNDED',
                               'CURRENT ROW' or an expression
Queries
    SELECT                     Select(with_, distinct=Distinct(), expressions, from_=From(this), joins, where=Where, group=Group, having=Having,
                               windows=[Window(this=Identifier, partition_by, order, spec)], qualify=Qualify, order=Order([Ordered(this, desc,
                               nulls_first)]), limit=Limit(expression), offset=Offset(expression)). `expr AS a`: Alias. A LIMIT ALL is absent, FETCH is
                               a Limit, nulls_first is None when unsaid
    GROUP BY                   Group(expressions=[…], grouping_sets=[GroupingSets(expressions=[Tuple | expr | Cube | Rollup])], cube=[Cube], rollup=[Rollup])
    UNION [ALL] …              Union | Intersect | Except(this, expression, distinct=True|False, with_, order, limit, offset)
    WITH a (x) AS (q)          With(expressions=[CTE(this=<query>, alias=TableAlias(this, columns=[Identifier]))], recursive=True with RECURSIVE)
    VALUES (1, 'a'), (2, 'b')  as a relation Values(expressions=[Tuple], alias); as a whole query Select([Star()], from_=From(Values))
    (query)                    Subquery(this=<query>, alias)
Relations (From.this, Join.this)
    [[c.]d.]t [AS x (a, b)]    Table(this, db, catalog, alias=TableAlias(this, columns)); `table_hints(table)` reads /*+ OPTIONS(…) */
    t FOR SYSTEM_TIME AS OF e  Table(version=Version(this='TIMESTAMP', kind='AS OF', expression=e))
    TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))   Table(this=Anonymous('TUMBLE', [Table, Anonymous('DESCRIPTOR', [Column]),
                               Interval]), alias). `TABLE t PARTITION BY k`: that Table has partition=Partition(expressions=[k])
    LATERAL TABLE(f(x))        Lateral(this=Anonymous, alias);  LATERAL (query): Lateral(this=Subquery, alias)
    UNNEST(a) [WITH ORDINALITY] AS x (b)   Unnest(expressions=[a], alias=TableAlias, offset=True with ORDINALITY)
    JOIN                       Join(this, side='LEFT'|'RIGHT'|'FULL'|None, kind='INNER'|'CROSS'|None, method='NATURAL'|None, on, using=[Identifier]);
                               a comma is Join(this) without more;  `query_hints(select)` reads /*+ STATE_TTL('t' = '1d') */

Every node carries its place in the script: `position_of(node, source)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy
from sqlglot.tokens import Tokenizer

from headrace.errors import Position
from headrace.sql.commands import StatementParser
from headrace.sql.hints import query_hints, table_hints
from headrace.sql.lexer import TokenKind, tokenize
from headrace.sql.split import ScriptPiece
from headrace.sql.statements import Statement
from headrace.sql.variables import expand
from headrace.types import DataType

__all__ = [
    "Flink",
    "cast_type",
    "parse_expression",
    "parse_piece",
    "parse_query",
    "parse_script",
    "parse_statement",
    "parse_type",
    "position_of",
    "query_hints",
    "table_hints",
]

DEFAULT_SOURCE = "<sql>"


@contextmanager
def _parsing(text: str, source: str) -> Iterator[StatementParser]:
    with _reading(StatementParser(tokenize(text, source), text, source)) as parser:
        yield parser


@contextmanager
def _reading(parser: StatementParser) -> Iterator[StatementParser]:
    try:
        yield parser
    except RecursionError:
        raise parser.error(
            "brackets and queries are nested too deeply here",
            cure="move inner queries into WITH or a view",
        ) from None


def parse_script(
    text: str, source: str = DEFAULT_SOURCE, variables: Mapping[str, str] | None = None
) -> list[Statement]:
    """All statements of a script, in order; the first error ends it. With `variables`, each `${NAME}` is replaced."""
    script = expand(text, source, variables)
    with _reading(StatementParser(script.tokens(), script.text, source)) as parser:
        return parser.script()


def parse_piece(piece: ScriptPiece) -> Statement:
    """One statement of a script that was split, with the places it has in the whole script."""
    parser = StatementParser(piece.tokens, piece.script.text, piece.script.source)
    with _reading(parser):
        return _only_statement(parser)


def parse_statement(text: str, source: str = DEFAULT_SOURCE) -> Statement:
    """The one statement of `text`; a semicolon after it is allowed, here and below."""
    with _parsing(text, source) as parser:
        return _only_statement(parser)


def _only_statement(parser: StatementParser) -> Statement:
    statement = parser.statement()
    _end(parser, "one statement only")
    return statement


def parse_query(text: str, source: str = DEFAULT_SOURCE) -> exp.Query:
    with _parsing(text, source) as parser:
        query = parser.query()
        parser.end_of_query()
        _end(parser, "one query only")
        return query


def parse_expression(text: str, source: str = DEFAULT_SOURCE) -> exp.Expression:
    with _parsing(text, source) as parser:
        expression = parser.expression()
        _end(parser, "an operator or the end of the expression")
        return expression


def parse_type(text: str, source: str = DEFAULT_SOURCE) -> DataType:
    with _parsing(text, source) as parser:
        kind = parser.data_type()
        _end(parser, "the end of the type")
        return kind


def _end(parser: StatementParser, expected: str) -> None:
    parser.take(";")
    if parser.current.kind is not TokenKind.END:
        raise parser.unexpected(expected)


def cast_type(node: exp.Cast | exp.DataType) -> DataType:
    """What a Cast or TryCast casts to, or what a DataType node (RETURNING) names."""
    named = node.to if isinstance(node, exp.Cast) else node
    return _known_type(named.args["kind"])


@lru_cache(maxsize=512)
def _known_type(text: str) -> DataType:
    return parse_type(text)


def position_of(node: exp.Expr, source: str = DEFAULT_SOURCE) -> Position:
    """Where the node, or the first part of it that was written, stands in its script."""
    for part in node.walk(bfs=False):
        meta = part.meta
        if "line" in meta:
            return Position(meta["line"], meta["col"], meta["end"] - meta["start"], source)
    return Position(1, 1, 1, source)


class Flink(Dialect):
    """The same parser as a sqlglot dialect, with which sqlglot's own tools read and print Flink's names."""

    NORMALIZATION_STRATEGY = NormalizationStrategy.CASE_SENSITIVE

    class Tokenizer(Tokenizer):
        IDENTIFIERS = ["`"]  # noqa: RUF012  (sqlglot declares it so)

    def parse(self, sql: str, **opts: Any) -> list[exp.Expr | None]:
        with _parsing(sql, DEFAULT_SOURCE) as parser:
            tree: Any = parse_query(sql) if parser.at_query() else parse_expression(sql)
            return [tree]
