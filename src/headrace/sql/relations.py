"""What FROM reads: tables, subqueries, table functions, UNNEST, and the joins between them."""

from __future__ import annotations

from sqlglot import exp

from headrace.sql.cursor import NEVER_AN_ALIAS
from headrace.sql.expressions import ExpressionParser
from headrace.sql.hints import TABLE_HINTS, HintParser, attach_hints
from headrace.sql.lexer import Token

JOIN_STARTS = (",", "JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL")
JOIN_SIDES = ("LEFT", "RIGHT", "FULL")


class RelationParser(ExpressionParser, HintParser):
    def joins(self) -> list[exp.Join]:
        found = []
        while self.at_any(*JOIN_STARTS):
            found.append(self._join())
        return found

    def _join(self) -> exp.Join:
        first = self.current
        if self.take(","):
            return self.mark(exp.Join(this=self.relation()), first, last=first)
        method = "NATURAL" if self.take("NATURAL") else None
        side = self.take_any(*JOIN_SIDES)
        if side:
            self.take("OUTER")
            kind = None
        else:
            kind = self.take_any("INNER", "CROSS")
        self.expect("JOIN")
        join = exp.Join(this=self.relation(), side=side, kind=kind, method=method)
        if kind != "CROSS" and method is None:
            self._join_condition(join)
        return self.mark(join, first, last=first)

    def _join_condition(self, join: exp.Join) -> None:
        if self.take("ON"):
            join.set("on", self.expression())
        elif self.take("USING"):
            columns = self.wrapped(lambda: self.identifier(self.name("a column")))
            join.set("using", columns)
        else:
            raise self.unexpected("ON and the condition of the join", "ON", "USING")

    def relation(self) -> exp.Expression:
        first = self.current
        if self.take("LATERAL"):
            return self._lateral(first)
        if self.at("UNNEST"):
            return self._unnest()
        if self.at("TABLE", "("):
            self.advance()
            return self._aliased(exp.Table(this=self._table_function()), first)
        if self.at("VALUES"):
            return self._aliased(self.values(), first)
        if self.at("("):
            return self._bracketed_relation(first)
        return self._table()

    def _table(self) -> exp.Table:
        table = self.table_name()
        self._table_hints(table)
        self._refuse_row_patterns()
        self._version(table)
        self._alias(table)
        self._table_hints(table)
        self._version(table)
        self._refuse_row_patterns()
        return table

    def table_name(self) -> exp.Table:
        first = self.current
        tokens = [self.name("a table")]
        while self.take("."):
            tokens.append(self.name("a table"))
        if len(tokens) > 3:
            raise self.error("the name of a table has at most three parts", first)
        if self.at("("):
            raise self.error(
                f"{first.text}(…) is not a table",
                first,
                cure=f"a table function is written TABLE({first.text}(…))",
            )
        parts = [self.identifier(token) for token in reversed(tokens)]
        table = exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))
        return self.mark(table, first)

    def _table_hints(self, table: exp.Table) -> None:
        attach_hints(table, self.hints(TABLE_HINTS))

    def _version(self, table: exp.Table) -> None:
        first = self.current
        if not self.at("FOR"):
            return
        self.expect("FOR", "SYSTEM_TIME", "AS", "OF")
        version = exp.Version(this="TIMESTAMP", kind="AS OF", expression=self.additive())
        table.set("version", self.mark(version, first))

    def _refuse_row_patterns(self) -> None:
        if self.at_any("MATCH_RECOGNIZE", "TABLESAMPLE"):
            raise self.unsupported(self.current.key)

    def _alias(self, node: exp.Expression) -> None:
        explicit = self.take("AS")
        if not explicit and not self.is_name(NEVER_AN_ALIAS):
            return
        first = self.name("an alias")
        columns = self._alias_columns() if self.at("(") else None
        alias = exp.TableAlias(this=self.identifier(first), columns=columns)
        node.set("alias", self.mark(alias, first, last=first))

    def _alias_columns(self) -> list[exp.Identifier]:
        return self.wrapped(lambda: self.identifier(self.name("a column name")))

    def _aliased(self, node: exp.Expression, first: Token) -> exp.Expression:
        self.mark(node, first)
        self._alias(node)
        return node

    def _bracketed_relation(self, first: Token) -> exp.Expression:
        if self.ahead().key == "VALUES":
            self.advance()
            values = self.values()
            self.close(first)
            return self._aliased(values, first)
        if self.ahead().key != "TABLE" and not self._at_bracketed_query():
            return self._bracketed_joins(first)
        relation = self._aliased(self.subquery(), first)
        self._refuse_row_patterns()
        return relation

    def _bracketed_joins(self, first: Token) -> exp.Expression:
        """Tables joined before the others; each keeps its own name."""
        self.advance()
        inner = exp.Select(from_=exp.From(this=self.relation()), joins=self.joins())
        self.close(first, between="JOIN")
        return self.mark(exp.Paren(this=inner), first)

    def _lateral(self, first: Token) -> exp.Expression:
        if self.at("UNNEST"):
            return self._unnest()
        if self.at("TABLE", "("):
            self.advance()
            return self._aliased(exp.Lateral(this=self._table_function()), first)
        return self._aliased(exp.Lateral(this=self.subquery()), first)

    def _unnest(self) -> exp.Expression:
        first = self.expect("UNNEST")
        node = exp.Unnest(expressions=self.wrapped(self.expression))
        if self.take("WITH", "ORDINALITY"):
            node.set("offset", True)
        return self._aliased(node, first)

    def _table_function(self) -> exp.Expression:
        opening = self.expect("(")
        first = self.name("a table function such as TUMBLE")
        function = self.call(first.key or first.text, first)
        self.close(opening, between="','")
        return function

    def table_argument(self) -> exp.Expression:
        """`TABLE t [PARTITION BY …]` or `TABLE (query)` among the arguments of a table function."""
        first = self.expect("TABLE")
        if self.at("("):
            return self.subquery()
        table = self.table_name()
        self._table_hints(table)
        if self.take("PARTITION", "BY"):
            bracketed = self.at("(")
            keys = self.wrapped(self.expression) if bracketed else [self.expression()]
            while not bracketed and self.at(",") and self._continues_partition():
                self.advance()
                keys.append(self.expression())
            table.set("partition", self.mark(exp.Partition(expressions=keys), first))
        return table

    def _continues_partition(self) -> bool:
        """After the comma: one more key, rather than the function's next argument (DESCRIPTOR or a named one)."""
        return self.ahead(1).key != "DESCRIPTOR" and self.ahead(2).key != "=>"

    def values(self) -> exp.Values:
        first = self.expect("VALUES")
        return self.mark(exp.Values(expressions=self.listed(self._row_of_values)), first)

    def _row_of_values(self) -> exp.Tuple:
        first = self.current
        if self.at("ROW", "("):
            self.advance()
        items = self.wrapped(self.expression) if self.at("(") else [self.expression()]
        return self.mark(exp.Tuple(expressions=items), first)
