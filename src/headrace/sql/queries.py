"""Queries: SELECT and its clauses, set operations, WITH, VALUES."""

from __future__ import annotations

from sqlglot import exp

from headrace.sql.cursor import CLAUSES, NEVER_AN_ALIAS
from headrace.sql.expressions import QUERY_STARTS
from headrace.sql.hints import QUERY_HINTS, attach_hints
from headrace.sql.lexer import Token
from headrace.sql.relations import RelationParser

SET_OPERATIONS: dict[str, type[exp.SetOperation]] = {
    "UNION": exp.Union,
    "EXCEPT": exp.Except,
    "MINUS": exp.Except,
}


class QueryParser(RelationParser):
    def at_query(self) -> bool:
        return self.at_any(*QUERY_STARTS) or self._at_bracketed_query()

    def query(self) -> exp.Query:
        first = self.current
        with_ = self._with() if self.at("WITH") else None
        body = self._set_operation()
        if with_ is not None:
            body.set("with_", with_)
        self._ordering(body)
        self.mark(body, first, last=first)
        return body

    def end_of_query(self) -> None:
        if not self.at_end():
            raise self.unexpected(
                "',', an operator, a clause of the query or the end of the statement",
                before=CLAUSES,
            )

    def _with(self) -> exp.With:
        first = self.expect("WITH")
        recursive = self.take("RECURSIVE")
        tables = self.listed(self._common_table)
        return self.mark(exp.With(expressions=tables, recursive=recursive or None), first)

    def _common_table(self) -> exp.CTE:
        first = self.name("the name of a common table")
        columns = self._alias_columns() if self.at("(") else None
        alias = exp.TableAlias(this=self.identifier(first), columns=columns)
        self.expect("AS")
        return self.mark(exp.CTE(this=self.subquery().this, alias=alias), first)

    def _set_operation(self) -> exp.Select | exp.SetOperation | exp.Subquery:
        first = self.current
        left = self._intersection()
        while self.current.key in SET_OPERATIONS:
            combine = SET_OPERATIONS[self.advance().key]
            distinct = not self._take_all()
            right = self._intersection()
            left = self.mark(combine(this=left, expression=right, distinct=distinct), first)
        return left

    def _intersection(self) -> exp.Select | exp.SetOperation | exp.Subquery:
        first = self.current
        left = self._query_term()
        while self.take("INTERSECT"):
            distinct = not self._take_all()
            right = self._query_term()
            left = self.mark(exp.Intersect(this=left, expression=right, distinct=distinct), first)
        return left

    def _take_all(self) -> bool:
        return self.take_any("ALL", "DISTINCT") == "ALL"

    def _query_term(self) -> exp.Select | exp.SetOperation | exp.Subquery:
        if self.at("("):
            return self.subquery()
        if self.at("VALUES"):
            first = self.current
            return self._select_star(self.values(), first)
        if self.at("TABLE"):
            first = self.advance()
            return self._select_star(self.table_name(), first)
        if self.at("SELECT"):
            return self._select()
        raise self.unexpected("a query: SELECT, VALUES or WITH", *QUERY_STARTS)

    def _select_star(self, relation: exp.Expression, first: Token) -> exp.Select:
        star = self.mark(exp.Star(), first, last=first)
        select = exp.Select(expressions=[star], from_=exp.From(this=relation))
        return self.mark(select, first, last=first)

    def _select(self) -> exp.Select:
        first = self.expect("SELECT")
        select = exp.Select()
        attach_hints(select, self.hints(QUERY_HINTS))
        if self.take_any("ALL", "DISTINCT") == "DISTINCT":
            select.set("distinct", self.mark(exp.Distinct(), self.previous))
        select.set("expressions", self.listed(self._projection))
        if self.at("FROM"):
            self._from(select)
        self._conditions(select)
        return self.mark(select, first, last=first)

    def _projection(self) -> exp.Expression:
        first = self.current
        if self.at("*"):
            return self.mark(exp.Star(), self.advance())
        if self.at_any("FROM", ",") or self.at_end():
            raise self.unexpected("a column or an expression")
        node = self.expression()
        explicit = self.take("AS")
        if explicit or self.is_name(NEVER_AN_ALIAS):
            alias = self.identifier(self.name("a name after AS"))
            return self.mark(exp.Alias(this=node, alias=alias), first)
        return node

    def _from(self, select: exp.Select) -> None:
        first = self.expect("FROM")
        select.set("from_", self.mark(exp.From(this=self.relation()), first, last=first))
        joins = self.joins()
        if joins:
            select.set("joins", joins)

    def _conditions(self, select: exp.Select) -> None:
        """The clauses in the only order they may have."""
        for keyword, kind in (("WHERE", exp.Where), ("GROUP", None), ("HAVING", exp.Having)):
            if not self.at(keyword):
                continue
            clause = self._clause(kind) if kind else self._group_by()
            select.set(clause.key, clause)
        if self.take("WINDOW"):
            select.set("windows", self.listed(self._named_window))
        if self.at("QUALIFY"):
            select.set("qualify", self._clause(exp.Qualify))

    def _clause(self, kind: type[exp.Expression]) -> exp.Expression:
        first = self.advance()
        return self.mark(kind(this=self.expression()), first)

    def _named_window(self) -> exp.Window:
        first = self.name("a window's name")
        self.expect("AS")
        return self.mark(self.window_specification(self.identifier(first)), first)

    def _group_by(self) -> exp.Group:
        first = self.current
        self.expect("GROUP", "BY")
        self.take_any("DISTINCT", "ALL")
        group: dict[str, list[exp.Expression]] = {}
        for item in self.listed(self._grouping):
            group.setdefault(_group_argument(item), []).append(item)
        return self.mark(exp.Group(**group), first)

    def _grouping(self) -> exp.Expression:
        first = self.current
        if self.take("GROUPING", "SETS"):
            return self.mark(exp.GroupingSets(expressions=self.wrapped(self._grouping)), first)
        if self.at("CUBE", "("):
            self.advance()
            return self.mark(exp.Cube(expressions=self.wrapped(self._grouping)), first)
        if self.at("ROLLUP", "("):
            self.advance()
            return self.mark(exp.Rollup(expressions=self.wrapped(self._grouping)), first)
        if self.take("(", ")"):
            return self.mark(exp.Tuple(expressions=[]), first)
        return self.expression()

    def _ordering(self, body: exp.Expression) -> None:
        if self.at("ORDER"):
            body.set("order", self.order_by())
        first = self.current
        if self.take("LIMIT") and not self.take("ALL"):
            limit = exp.Limit(expression=self.expression())
            body.set("limit", self.mark(limit, first))
        first = self.current
        if self.take("OFFSET"):
            offset = exp.Offset(expression=self.expression())
            self.take_any("ROW", "ROWS")
            body.set("offset", self.mark(offset, first))
        if self.at("FETCH"):
            body.set("limit", self._fetch())

    def _fetch(self) -> exp.Limit:
        """`FETCH {FIRST | NEXT} [n] {ROW | ROWS} ONLY`, the standard's LIMIT."""
        first = self.expect("FETCH")
        self.expect_any("FIRST", "NEXT")
        one = self.at_any("ROW", "ROWS")
        count = exp.Literal.number("1") if one else self.expression()
        self.expect_any("ROW", "ROWS")
        self.expect("ONLY")
        return self.mark(exp.Limit(expression=count), first)


def _group_argument(item: exp.Expression) -> str:
    match item:
        case exp.GroupingSets():
            return "grouping_sets"
        case exp.Cube():
            return "cube"
        case exp.Rollup():
            return "rollup"
        case _:
            return "expressions"
