"""Random queries of every construct the planner takes, in words that Flink SQL and DuckDB share.

Every query's first column is `w`, the world; rows of different worlds meet only in the queries of `whole`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from hypothesis import strategies as st

from headrace.types import Kind
from tests.oracle.worlds import TABLES

Item = TypeVar("Item")

INTEGER, TEXT, TRUTH = "integer", "text", "truth"
TYPES = {Kind.INT: INTEGER, Kind.BIGINT: INTEGER, Kind.STRING: TEXT}

# What a template's {word} may become, simplest first; {integer}, {text} and {truth} are columns of that type.
# Texts are never CHAR(n), which Flink pads to one length where two of them meet.
TEMPLATES: dict[str, tuple[str, ...]] = {
    "number": ("0", "1", "2"),
    "word": ("'x'", "'y'", "'z'"),
    "compared": ("=", "<>", "<", "<=", ">", ">="),
    "no integer": ("CAST({number} AS INT)",),
    "no text": ("CAST({word} AS STRING)",),
    "no truth": ("({value} IS NOT NULL)",),
    "value": ("{integer}", "{text}"),
    # A plain column most often: keys survive only where they are passed on.
    "integer expression": (
        *("{integer}",) * 6,
        "{integer} + {number}",
        "{integer} + {integer}",
        "-{integer}",
        "ABS({integer})",
        "COALESCE({integer}, {number})",
        "NULLIF({integer}, {number})",
        "CASE WHEN {test} THEN {integer} ELSE {integer} END",
    ),
    "text expression": (
        *("{text}",) * 5,
        "UPPER({text})",
        "{text} || {word}",
        "CAST({integer} AS STRING)",
        "COALESCE({text}, {word})",
        "NULLIF({text}, {word})",
        "CASE WHEN {test} THEN {text} END",
    ),
    "truth expression": ("({test})", "{truth}"),
    "test": (
        "{integer} {compared} {number}",
        "{integer} {compared} {integer}",
        "{text} {compared} {word}",
        "{text} {compared} {text}",
        "{value} IS NULL",
        "{value} IS NOT NULL",
        "{integer} IN ({number}, {integer})",
        "{text} NOT IN ({word}, {word})",
        "{integer} BETWEEN {number} AND {integer}",
        "{integer} IS NOT DISTINCT FROM {integer}",
        "{text} IS DISTINCT FROM {text}",
        "{text} LIKE 'x%'",
        "{truth}",
    ),
    "condition": ("{test}", "{test} AND {test}", "({test} OR {test})", "NOT ({test})"),
    "where": ("", " WHERE {condition}"),
    "and": ("", " AND {condition}"),
    "filter": ("", "", "", " FILTER (WHERE {integer} {compared} {number})"),
    "integer call": (
        "COUNT(*){filter}",
        "COUNT({value}){filter}",
        "COUNT(DISTINCT {value}){filter}",
        "SUM({integer}){filter}",
        "SUM(DISTINCT {integer}){filter}",
        "AVG({integer}){filter}",
        "MIN({integer}){filter}",
        "MAX({integer}){filter}",
        "COUNT(DISTINCT {value}, {integer})",
        # To the third digit, away from where a last bit would decide it.
        "CAST(FLOOR({spread}(CAST({integer} AS DOUBLE)){filter} * 1000 + 0.1) AS BIGINT)",
        "CAST(FLOOR(PERCENTILE({integer}, {percentage}){filter} * 1000 + 0.1) AS BIGINT)",
        # Of what is collected, that which does not depend on an order.
        "CHAR_LENGTH(LISTAGG({text}, '; '){filter})",
        "CHAR_LENGTH(LISTAGG(DISTINCT {text}, ','){filter})",
        "CARDINALITY(ARRAY_AGG({value}){filter})",
        "CARDINALITY(ARRAY_AGG(DISTINCT {value}))",
        "CASE WHEN {end}({value}){filter} IS NULL THEN 0 ELSE 1 END",
    ),
    "quantifier": ("ANY", "ALL"),
    "equal": ("=", "=", "=", "IS NOT DISTINCT FROM"),
    "percentage": ("0.5", "0.3", "1.0"),
    "spread": ("VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP"),
    "end": ("FIRST_VALUE", "LAST_VALUE"),
    "text call": ("MIN({text}){filter}", "MAX({text}){filter}"),
    "having": (
        "",
        " HAVING COUNT(*) {compared} {number}",
        " HAVING MAX({integer}) {compared} {number}",
    ),
    "join": ("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"),
    "set operation": (
        *("UNION ALL", "UNION", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"),
    ),
    "direction": ("", " DESC", " NULLS FIRST", " NULLS LAST", " DESC NULLS FIRST"),
    "rank": ("= 1", "<= 2", "< 4", "BETWEEN 2 AND 3"),
    "limit": ("LIMIT 2", "LIMIT 3 OFFSET 1"),
}
PLACE = re.compile(r"\{([a-z ]+)\}")


@dataclass(frozen=True)
class Column:
    """`text` is how the query around it writes it."""

    text: str
    type: str

    @property
    def name(self) -> str:
        return self.text.rpartition(".")[2]


Columns = tuple[Column, ...]
WORLD = Column("w", INTEGER)


@dataclass(frozen=True)
class Query:
    sql: str
    columns: Columns


@dataclass(frozen=True)
class Source:
    """What may stand in FROM, without its alias."""

    text: str
    columns: Columns

    def named(self, alias: str) -> Columns:
        return tuple(replace(column, text=f"{alias}.{column.text}") for column in self.columns)

    @property
    def has_key(self) -> bool:
        return any(column.name == "k" for column in self.columns)


BASE_TABLES = tuple(
    Source(
        table.name,
        tuple(
            Column(name, TYPES[type.kind])
            for name, type in table.columns.items()
            if type.kind in TYPES
        ),
    )
    for table in TABLES.values()
)
CONSTANTS = Source(
    "(SELECT * FROM (VALUES (0, 1), (0, 2), (1, 1), (1, 1)) AS t (w, a))",
    (WORLD, Column("a", INTEGER)),
)
IN_SIGHT = (*BASE_TABLES, CONSTANTS)
KEYED_TABLES = tuple(table for table in BASE_TABLES if table.has_key)
WITH_TAGS = tuple(table for table in BASE_TABLES if "tags" in TABLES[table.text].columns)


class Grammar:
    """Draws queries; `tables` are the names in sight."""

    def __init__(self, draw: st.DrawFn, tables: Sequence[Source] = IN_SIGHT) -> None:
        self._draw = draw
        self._tables = tuple(tables)
        self._names = 0

    def one_of(self, items: Sequence[Item]) -> Item:
        return self._draw(st.sampled_from(items))

    def maybe(self) -> bool:
        return self._draw(st.booleans())

    def name(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def fill(self, template: str, columns: Columns = ()) -> str:
        """A template of TEMPLATES, by name, with its places filled in."""
        text = self.one_of(TEMPLATES[template])
        return PLACE.sub(lambda place: self._place(place[1], columns), text)

    def _place(self, name: str, columns: Columns) -> str:
        if name not in (INTEGER, TEXT, TRUTH):
            return self.fill(name, columns)
        known = [c.text for c in columns if c.type == name and c.name != "w"]
        return self.one_of(known) if known else self.fill(f"no {name}", columns)

    def source(self, depth: int) -> Source:
        if depth <= 0 or self.maybe():
            return self.one_of(self._tables)
        inner = self.query(self.one_of(NESTED), depth - 1)
        return Source(f"({inner.sql})", inner.columns)

    def aliased(self, depth: int) -> tuple[str, Columns]:
        """An item of FROM with a name of its own, and its columns."""
        source, alias = self.source(depth), self.name("t")
        return f"{source.text} AS {alias}", source.named(alias)

    def outputs(
        self, columns: Columns, world: str, types: Sequence[str] = ()
    ) -> tuple[str, Columns]:
        """A select list that begins with the world, and the columns it makes."""
        wanted = types or [self.one_of((INTEGER, TEXT, TRUTH)) for _ in range(2)]
        made = tuple(Column(self.name("c"), type) for type in wanted)
        texts = [f"{self.fill(f'{c.type} expression', columns)} AS {c.name}" for c in made]
        return ", ".join([f"{world} AS w", *texts]), (WORLD, *made)

    def query(self, construct: str, depth: int) -> Query:
        """`construct` is one of CONSTRUCTS; its sources are at most `depth` queries deep."""
        query: Query = getattr(self, construct)(depth)
        return query

    def projection(self, depth: int, select: str = "SELECT") -> Query:
        source, columns = self.aliased(depth)
        items, made = self.outputs(columns, columns[0].text)
        return Query(f"{select} {items} FROM {source}{self.fill('where', columns)}", made)

    def distinct(self, depth: int) -> Query:
        return self.projection(depth, "SELECT DISTINCT")

    def calls(self, columns: Columns) -> tuple[list[str], Columns]:
        types = self._draw(st.lists(st.sampled_from([INTEGER, TEXT]), min_size=1, max_size=3))
        made = tuple(Column(self.name("n"), type) for type in types)
        return [f"{self.fill(f'{c.type} call', columns)} AS {c.name}" for c in made], made

    def grouping(self, depth: int) -> Query:
        source, columns = self.aliased(depth)
        world = columns[0].text
        types = self._draw(st.lists(st.sampled_from([INTEGER, TEXT]), max_size=2))
        keys = {self.fill(f"{type} expression", columns): type for type in types}
        grouped = tuple(Column(self.name("g"), type) for type in keys.values())
        shown = [f"{key} AS {c.name}" for key, c in zip(keys, grouped, strict=True)]
        texts, made = self.calls(columns)
        items = ", ".join([f"{world} AS w", *shown, *texts])
        where, having = self.fill("where", columns), self.fill("having", columns)
        by = ", ".join([world, *keys])
        sql = f"SELECT {items} FROM {source}{where} GROUP BY {by}{having}"
        return Query(sql, (WORLD, *grouped, *made))

    def grouping_by_value(self, depth: int) -> Query:
        """GROUP BY a subquery, which is shown as well."""
        source, columns = self.aliased(depth)
        inner, others = self.aliased(0)
        key, type = self.one_of((self.total, self.mark))(columns, inner, others)
        made = (Column(self.name("g"), type), Column(self.name("n"), INTEGER))
        items = f"{columns[0].text} AS w, {key} AS {made[0].name}, COUNT(*) AS {made[1].name}"
        where = self.fill("where", columns)
        sql = f"SELECT {items} FROM {source}{where} GROUP BY {columns[0].text}, {key}"
        return Query(sql, (WORLD, *made))

    def grouping_sets(self, depth: int) -> Query:
        source, columns = self.aliased(depth)
        w, first, second = columns[0].text, self.one_of(columns[1:]), self.one_of(columns[1:])
        a, b = first.text, second.text
        sets = self.one_of(
            (
                f"{w}, ROLLUP ({a}, {b})",
                f"{w}, CUBE ({a}, {b})",
                f"GROUPING SETS (({w}, {a}), ({w}, {b}), ({w}))",
            )
        )
        grouped = (Column(self.name("g"), first.type), Column(self.name("g"), INTEGER))
        texts, made = self.calls(columns)
        keys = f"{a} AS {grouped[0].name}, GROUPING({b}) AS {grouped[1].name}"
        where, having = self.fill("where", columns), self.fill("having", columns)
        items = f"{w} AS w, {keys}, {', '.join(texts)}"
        sql = f"SELECT {items} FROM {source}{where} GROUP BY {sets}{having}"
        return Query(sql, (WORLD, *grouped, *made))

    def join(self, depth: int) -> Query:
        text, columns = self.aliased(depth)
        worlds = [columns[0].text]
        for _ in range(self._draw(st.integers(1, 2))):
            right, more = self.aliased(depth - 1)
            on = self.join_condition(self.one_of(worlds), columns, more)
            text += f" {self.fill('join')} {right} ON {on}"
            worlds.append(more[0].text)
            columns += more
        items, made = self.outputs(columns, f"COALESCE({', '.join(worlds)})")
        return Query(f"SELECT {items} FROM {text}{self.fill('where', columns)}", made)

    def join_condition(self, world: str, left: Columns, right: Columns) -> str:
        parts = [f"{world} = {right[0].text}"]
        if self.maybe():
            parts.append(self.equality(left, right))
        return " AND ".join(parts) + self.fill("and", left + right)

    def equality(self, left: Columns, right: Columns) -> str:
        type = self.one_of((INTEGER, TEXT))
        sides = (self.fill(f"{type} expression", side) for side in (left, right))
        return f" {self.fill('equal')} ".join(sides)

    def comma_join(self, depth: int) -> Query:
        left, first = self.aliased(depth)
        right, second = self.aliased(depth - 1)
        items, made = self.outputs(first + second, first[0].text)
        on = self.join_condition(first[0].text, first, second)
        return Query(f"SELECT {items} FROM {left}, {right} WHERE {on}", made)

    def join_on(self, depth: int) -> Query:
        """ON with subqueries, which name one side, or both in an inner join."""
        left, first = self.aliased(depth)
        right, second = self.aliased(depth - 1)
        kind = self.one_of(("JOIN", "LEFT JOIN", "RIGHT JOIN"))
        seen = self.one_of((first, second, *((first + second,) if kind == "JOIN" else ())))
        inner, others = self.aliased(0)
        draw = self.one_of((self.is_in, self.exists, self.quantified))
        on = f"{first[0].text} = {second[0].text} AND {draw(seen, inner, others)}"
        worlds = f"COALESCE({first[0].text}, {second[0].text})"
        items, made = self.outputs(first + second, worlds)
        return Query(f"SELECT {items} FROM {left} {kind} {right} ON {on}", made)

    def using(self, depth: int) -> Query:
        sides = [(self.one_of(KEYED_TABLES), self.name("t")) for _ in range(2)]
        named = [c for table, alias in sides for c in table.named(alias)]
        columns = tuple(c for c in named if c.name not in ("w", "k"))
        items, made = self.outputs((*columns, Column("k", INTEGER)), "w")
        left, right = (f"{table.text} AS {alias}" for table, alias in sides)
        return Query(f"SELECT {items} FROM {left} {self.fill('join')} {right} USING (w, k)", made)

    def semi_join(self, depth: int) -> Query:
        source, columns = self.aliased(depth)
        inner, others = self.aliased(depth - 1)
        draw_test = self.one_of(
            (self.is_in, self.exists, self.is_in_groups, self.quantified, self.exists_through)
        )
        test = draw_test(columns, inner, others)
        items, made = self.outputs(columns, columns[0].text)
        return Query(f"SELECT {items} FROM {source} WHERE {test}{self.fill('and', columns)}", made)

    def exists(self, columns: Columns, inner: str, others: Columns) -> str:
        on = self.join_condition(columns[0].text, columns, others)
        return f"{self.one_of(('EXISTS', 'NOT EXISTS'))} (SELECT 1 FROM {inner} WHERE {on})"

    def exists_through(self, columns: Columns, inner: str, others: Columns) -> str:
        """What stands two levels deep names both of the levels above."""
        deepest, last = self.aliased(0)
        test = self.exists(columns + others[1:], deepest, last)
        where = f"{others[0].text} = {columns[0].text}{self.fill('and', others)}"
        return f"EXISTS (SELECT 1 FROM {inner} WHERE {where} AND {test})"

    def quantified(self, columns: Columns, inner: str, others: Columns) -> str:
        type = self.one_of((INTEGER, TEXT))
        item, output = (self.fill(f"{type} expression", side) for side in (columns, others))
        test = f"{item} {self.fill('compared')} {self.fill('quantifier')}"
        where = f"{others[0].text} = {columns[0].text}{self.fill('and', others)}"
        return f"{test} (SELECT {output} FROM {inner} WHERE {where})"

    def is_in(self, columns: Columns, inner: str, others: Columns) -> str:
        type = self.one_of((INTEGER, TEXT))
        item, output = (self.fill(f"{type} expression", side) for side in (columns, others))
        where = f"{others[0].text} = {columns[0].text}{self.fill('and', others)}"
        return f"{item} IN (SELECT {output} FROM {inner} WHERE {where})"

    def is_in_groups(self, columns: Columns, inner: str, others: Columns) -> str:
        pair = f"({columns[0].text}, {self.fill('integer expression', columns)})"
        world, call = others[0].text, self.fill("integer call", others)
        where = self.fill("where", others)
        return f"{pair} IN (SELECT {world}, {call} FROM {inner}{where} GROUP BY {world})"

    def not_in(self, depth: int) -> Query:
        """Of columns that are never NULL, which needs no more than a join."""
        left, right = self.one_of(KEYED_TABLES), self.one_of(KEYED_TABLES)
        items, made = self.outputs(left.named("l"), "l.w")
        where = f"r.w = l.w{self.fill('and', right.named('r'))}"
        inner = f"SELECT r.k FROM {right.text} AS r WHERE {where}"
        return Query(f"SELECT {items} FROM {left.text} AS l WHERE l.k NOT IN ({inner})", made)

    def value(self, depth: int) -> Query:
        """A subquery as a value: a total, the first cell, a mark; in SELECT, in WHERE under OR and NOT."""
        source, columns = self.aliased(depth)
        inner, others = self.aliased(depth - 1)
        draw = self.one_of((self.total, self.first_cell, self.mark))
        sql, type = draw(columns, inner, others)
        items, made = self.outputs(columns, columns[0].text)
        if self.maybe():
            made = (*made, Column(self.name("c"), type))
            where = self.fill("where", columns)
            return Query(f"SELECT {items}, {sql} AS {made[-1].name} FROM {source}{where}", made)
        test = sql if type == TRUTH else f"{sql} IS NOT NULL"
        chosen = self.one_of(("({a} OR {b})", "NOT ({a} OR {b})", "NOT ({a})", "({a}) IS NOT TRUE"))
        condition = chosen.format(a=test, b=self.fill("test", columns))
        return Query(f"SELECT {items} FROM {source} WHERE {condition}", made)

    def total(self, columns: Columns, inner: str, others: Columns) -> tuple[str, str]:
        type = self.one_of((INTEGER, TEXT))
        call = self.fill(f"{type} call", others)
        seen = others + columns[1:] if self.maybe() else others
        where = f"{self.compared(columns, others)}{self.fill('and', seen)}"
        return f"(SELECT {call} FROM {inner} WHERE {where})", type

    def first_cell(self, columns: Columns, inner: str, others: Columns) -> tuple[str, str]:
        chosen = self.one_of(others)
        order = f"ORDER BY {self.order(others)} LIMIT 1"
        where = self.compared(columns, others)
        return f"(SELECT {chosen.text} FROM {inner} WHERE {where} {order})", chosen.type

    def compared(self, columns: Columns, others: Columns) -> str:
        """Equalities alone."""
        parts = [f"{others[0].text} = {columns[0].text}"]
        if self.maybe():
            parts.append(self.equality(others, columns))
        return " AND ".join(parts)

    def mark(self, columns: Columns, inner: str, others: Columns) -> tuple[str, str]:
        draw = self.one_of((self.is_in, self.exists, self.quantified))
        return f"({draw(columns, inner, others)})", TRUTH

    def lateral(self, depth: int) -> Query:
        source, columns = self.aliased(depth)
        inner, others = self.aliased(depth - 1)
        alias, kinds = self.name("t"), (", LATERAL {}", " LEFT JOIN LATERAL {} ON TRUE")
        listed, made = self.outputs(others, others[0].text)
        where = self.compared(columns, others)
        order = f" ORDER BY {self.order(others)} LIMIT 2" if self.maybe() else ""
        table = f"(SELECT {listed} FROM {inner} WHERE {where}{order}) AS {alias}"
        shown = tuple(replace(c, text=f"{alias}.{c.text}") for c in made)
        items, outputs = self.outputs((*columns, *shown), columns[0].text)
        joined = self.one_of(kinds).format(table)
        return Query(f"SELECT {items} FROM {source}{joined}", outputs)

    def order(self, columns: Columns) -> str:
        """A total order: only rows alike in every column may change places."""
        first = self.one_of(columns)
        rest = [c.text for c in columns if c is not first]
        return ", ".join([f"{first.text}{self.fill('direction')}", *rest])

    def window(self, columns: Columns) -> str:
        parts = [columns[0].text, *([self.one_of(columns[1:]).text] if self.maybe() else [])]
        by = f"PARTITION BY {', '.join(parts)} ORDER BY {self.order(columns)}"
        return f"ROW_NUMBER() OVER ({by})"

    def top_n(self, depth: int) -> Query:
        source, columns = self.aliased(depth)
        alias, number = self.name("t"), self.name("rn")
        inner = f"SELECT {', '.join(c.text for c in columns)}, {self.window(columns)} AS {number}"
        shown = tuple(Column(f"{alias}.{c.name}", c.type) for c in columns)
        if self.maybe():
            shown = (*shown, Column(f"{alias}.{number}", INTEGER))
        items, made = self.outputs(shown, f"{alias}.w")
        where = f"{number} {self.fill('rank')}{self.fill('and', shown)}"
        return Query(f"SELECT {items} FROM ({inner} FROM {source}) AS {alias} WHERE {where}", made)

    def qualify(self, depth: int) -> Query:
        inner = self.projection(depth)
        source = Source(f"({inner.sql})", inner.columns) if depth else self.one_of(self._tables)
        columns = source.named("t")
        items, made = self.outputs(columns, "t.w")
        where, test = self.fill("where", columns), f"{self.window(columns)} {self.fill('rank')}"
        return Query(f"SELECT {items} FROM {source.text} AS t{where} QUALIFY {test}", made)

    def set_operation(self, depth: int) -> Query:
        types = [INTEGER, self.one_of((INTEGER, TEXT))]
        sql, made = self.operand(depth, types)
        for _ in range(self._draw(st.integers(1, 2))):
            sql += f" {self.fill('set operation')} {self.operand(depth - 1, types)[0]}"
        return Query(sql, made)

    def operand(self, depth: int, types: Sequence[str]) -> tuple[str, Columns]:
        source, columns = self.aliased(depth)
        items, made = self.outputs(columns, columns[0].text, types)
        return f"SELECT {items} FROM {source}{self.fill('where', columns)}", made

    def unnest(self, depth: int) -> Query:
        table, alias, item = self.one_of(WITH_TAGS), self.name("t"), self.name("u")
        columns: Columns = (Column(f"{item}.tag", TEXT), *table.named(alias))
        call = f"JOIN UNNEST({alias}.tags) AS {item} (tag)"
        if self.maybe():
            columns = (*columns, Column(f"{item}.n", INTEGER))
            call = f"JOIN UNNEST({alias}.tags) WITH ORDINALITY AS {item} (tag, n)"
        joined = self.one_of((f"CROSS {call}", f"LEFT {call} ON TRUE"))
        items, made = self.outputs(columns, f"{alias}.w")
        where = self.fill("where", columns)
        return Query(f"SELECT {items} FROM {table.text} AS {alias} {joined}{where}", made)

    def common_table(self, depth: int) -> Query:
        """WITH: a query that may be read more than once."""
        name = self.name("q")
        inner = self.query(self.one_of(NESTED), depth - 1)
        common = Source(name, inner.columns)
        outside, self._tables = self._tables, (common, *self._tables, common, common)
        outer = self.query(self.one_of(PLAIN), 0)
        self._tables = outside
        return Query(f"WITH {name} AS ({inner.sql}) {outer.sql}", outer.columns)

    def whole(self, depth: int) -> Query:
        """All worlds at once: no GROUP BY, or the first rows of everything."""
        source, columns = self.aliased(depth)
        where = self.fill("where", columns)
        if self.maybe():
            texts, made = self.calls(columns)
            # A table without rows has no totals in a stream, but one row of them in DuckDB.
            return Query(
                f"SELECT {', '.join(texts)} FROM {source}{where} HAVING COUNT(*) > 0", made
            )
        made = tuple(Column(c.name, c.type) for c in columns)
        items = ", ".join(f"{c.text} AS {c.name}" for c in columns)
        order = f"ORDER BY {self.order(made)} {self.fill('limit')}"
        return Query(f"SELECT {items} FROM {source}{where} {order}", made)


# What reads FROM whatever is in sight.
PLAIN = (
    *("projection", "distinct", "grouping", "grouping_by_value", "grouping_sets", "join"),
    *("join_on", "comma_join", "semi_join", "value", "lateral", "top_n", "qualify"),
    "set_operation",
)
# What may stand anywhere; the rows of `whole` have no world, so it is for the top alone.
NESTED = (*PLAIN, "using", "not_in", "unnest", "common_table")
CONSTRUCTS = (*NESTED, "whole")

# One query of each group makes a round, so that few rounds try everything.
GROUPS = (
    ("projection", "unnest", "set_operation", "distinct"),
    ("grouping", "grouping_sets", "grouping_by_value", "whole"),
    ("join", "join_on", "comma_join", "using"),
    ("semi_join", "not_in", "value", "lateral"),
    ("top_n", "qualify", "common_table"),
)


@st.composite
def queries(
    draw: st.DrawFn,
    constructs: Sequence[str],
    tables: Sequence[Source] = IN_SIGHT,
    depth: int = 2,
) -> Query:
    grammar = Grammar(draw, tables)
    return grammar.query(grammar.one_of(constructs), draw(st.integers(0, depth)))
