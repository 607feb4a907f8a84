"""CREATE and DROP of tables and views."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sqlglot import exp

from headrace.errors import SqlSyntaxError, nearest
from headrace.sql.datatypes import TYPE_NAMES
from headrace.sql.lexer import Token, TokenKind
from headrace.sql.namespaces import NAMESPACES, NamespaceParser
from headrace.sql.statements import (
    ColumnDef,
    ComputedColumnDef,
    CreateTable,
    CreateView,
    Drop,
    LikeClause,
    LikeFeature,
    LikeMode,
    MetadataColumnDef,
    ObjectName,
    Options,
    PhysicalColumnDef,
    PrimaryKeyDef,
    Statement,
    WatermarkDef,
)
from headrace.types import DataType

SCHEMA_KEYWORDS = ("PRIMARY", "WATERMARK", "CONSTRAINT")
NAME_KINDS = (TokenKind.WORD, TokenKind.QUOTED_NAME)
TABLE_CLAUSES = ("COMMENT", "PARTITIONED", "WITH", "LIKE", "AS")
# Valid in Flink, and not run here.
OTHER_OBJECTS = ("FUNCTION", "MODEL", "MATERIALIZED", "CONNECTION", "SYSTEM")


@dataclass(slots=True)
class Schema:
    """What the brackets of CREATE TABLE hold; `order` are names without a type."""

    order: tuple[str, ...] = ()
    columns: list[ColumnDef] = field(default_factory=list)
    watermarks: list[WatermarkDef] = field(default_factory=list)
    primary_keys: list[PrimaryKeyDef] = field(default_factory=list)


class DdlParser(NamespaceParser):
    def create(self) -> Statement:
        first = self.expect("CREATE")
        replaces = self.take("OR", "REPLACE")
        temporary = self.take("TEMPORARY")
        if self.current.key in OTHER_OBJECTS:
            raise self.unsupported(f"CREATE {self.current.key}", first)
        if self.at_any(*NAMESPACES) and not temporary and not replaces:
            return self.create_namespace(first)
        kind = self.expect_any("TABLE", "VIEW")
        if_not_exists = self.take("IF", "NOT", "EXISTS")
        name = self.object_name(f"the name of the {kind.lower()}")
        if kind == "VIEW":
            return self._create_view(first, name, temporary, if_not_exists)
        table = self._create_table(first, name, temporary, if_not_exists)
        # Without AS the words mean nothing, as in Flink: a table that is there is an error.
        replaces = replaces and table.as_query is not None
        if replaces and if_not_exists:
            raise self.error("CREATE OR REPLACE TABLE AS takes no IF NOT EXISTS", first)
        return replace(table, replaces=replaces)

    def replace(self) -> CreateTable:
        """REPLACE TABLE … AS."""
        first = self.expect("REPLACE")
        self.expect("TABLE")
        name = self.object_name("the name of the table")
        table = self._create_table(first, name, temporary=False, if_not_exists=False)
        if table.as_query is None:
            raise self.unexpected("AS and a query", "AS")
        return replace(table, replaces=True, needs_existing=True)

    def _create_view(
        self, first: Token, name: ObjectName, temporary: bool, if_not_exists: bool
    ) -> CreateView:
        columns = self.names("a column name") if self.at("(") else ()
        comment = self.comment()
        self.expect("AS")
        query, query_text = self.view_query()
        return CreateView(
            sql=self.source_text(first),
            position=self.place(first),
            name=name,
            query=query,
            query_text=query_text,
            columns=columns,
            comment=comment,
            temporary=temporary,
            if_not_exists=if_not_exists,
        )

    def view_query(self) -> tuple[exp.Query, str]:
        start = self.current
        query = self.query()
        text = self.source_text(start)
        self.end_of_query()
        return query, text

    def _create_table(
        self, first: Token, name: ObjectName, temporary: bool, if_not_exists: bool
    ) -> CreateTable:
        name_token = self.ahead()
        schema = self._schema() if self.at("(") else Schema()
        comment = self.comment()
        if self.at("DISTRIBUTED"):
            raise self.unsupported("DISTRIBUTED BY")
        partitioned_by = self._partitioned_by()
        options: Options = self.options() if self.take("WITH") else ()
        like = self._like() if self.at("LIKE") else None
        if like and self.take("WITH"):
            options = self.options()
        query = self._as_query() if self.at("AS") else None
        if schema.order and query is None:
            raise self._no_type(name_token)
        if not self.at_end():
            raise self.unexpected("COMMENT, PARTITIONED BY, WITH, LIKE, AS or ';'", *TABLE_CLAUSES)
        return CreateTable(
            sql=self.source_text(first),
            position=self.place(first),
            name=name,
            columns=tuple(schema.columns),
            order=schema.order,
            watermarks=tuple(schema.watermarks),
            primary_keys=tuple(schema.primary_keys),
            comment=comment,
            partitioned_by=partitioned_by,
            options=options,
            like=like,
            as_query=query,
            temporary=temporary,
            if_not_exists=if_not_exists,
        )

    def _as_query(self) -> exp.Query:
        self.expect("AS")
        query = self.query()
        self.end_of_query()
        return query

    def _partitioned_by(self) -> tuple[str, ...]:
        if not self.at("PARTITIONED"):
            return ()
        self.expect("PARTITIONED", "BY")
        return self.names("a column name")

    def _schema(self) -> Schema:
        if self._at_names():
            return Schema(order=self.names("a column name"))
        schema = Schema()
        opening = self.expect("(")
        if self.at(")"):
            raise self.unexpected("a column")
        self.listed(lambda: self.schema_item(schema))
        self.close(opening)
        return schema

    def _at_names(self) -> bool:
        """At brackets around nothing but names, as CREATE TABLE AS may have them."""
        place = 1
        while self.ahead(place).kind in NAME_KINDS and self.ahead(place + 1).key == ",":
            place += 2
        return self.ahead(place).kind in NAME_KINDS and self.ahead(place + 1).key == ")"

    def schema_item(self, schema: Schema) -> None:
        if self._at_clause("WATERMARK"):
            schema.watermarks.append(self._watermark())
        elif self._at_clause("CONSTRAINT") or self._at_clause("PRIMARY"):
            schema.primary_keys.append(self._table_key())
        elif self.at("UNIQUE") and self.ahead().key in ("(", "KEY"):
            raise self.unsupported("UNIQUE", cure="declare PRIMARY KEY (…) NOT ENFORCED")
        elif self.at("PERIOD", "FOR"):
            raise self.unsupported("PERIOD FOR SYSTEM_TIME")
        else:
            self._column_definition(schema)

    def _at_clause(self, keyword: str) -> bool:
        """At the keyword itself rather than a column of that name, which has a type or AS behind it."""
        return self.at(keyword) and self.ahead().key not in (*TYPE_NAMES, "AS")

    def _watermark(self) -> WatermarkDef:
        first = self.advance()
        self.expect("FOR")
        column = self._column_path()
        column_position = self.span(column[0])
        self.expect("AS")
        start = self.current
        expression = self.expression()
        return WatermarkDef(
            column=".".join(token.text for token in column),
            expression=expression,
            text=self.source_text(start),
            position=self.place(first),
            column_position=column_position,
        )

    def _column_path(self) -> list[Token]:
        tokens = [self.name("a column")]
        while self.take("."):
            tokens.append(self.name("a column"))
        return tokens

    def _table_key(self) -> PrimaryKeyDef:
        name = self.name("the constraint's name").text if self.take("CONSTRAINT") else None
        if self.at("UNIQUE"):
            raise self.unsupported("UNIQUE", cure="declare PRIMARY KEY (…) NOT ENFORCED")
        first = self.current
        self.expect("PRIMARY", "KEY")
        columns = self.names("a column name")
        self._not_enforced(first)
        return PrimaryKeyDef(columns=columns, position=self.place(first), name=name)

    def _not_enforced(self, first: Token) -> None:
        if self.at("NOT"):
            self.expect("NOT", "ENFORCED")
            return
        if self.at("ENFORCED"):
            first = self.current
        elif not (self.at_any(",", ")", "COMMENT") or self.at_end()):
            raise self.unexpected("NOT ENFORCED", "NOT", "ENFORCED")
        raise self.error(
            "PRIMARY KEY is declared without NOT ENFORCED",
            first,
            expected="PRIMARY KEY (…) NOT ENFORCED: streams cannot be made to obey a key, only promise it",
            cure="add NOT ENFORCED",
        )

    def _column_definition(self, schema: Schema) -> None:
        name = self._column_name()
        if self.take("AS"):
            schema.columns.append(self._computed(name))
            return
        self._refuse_misspelled_clause(name)
        kind = self.data_type()
        if self.take("METADATA"):
            schema.columns.append(self._metadata(name, kind=kind))
            return
        comment = self.comment()
        key = self._column_key(name)
        if key:
            schema.primary_keys.append(key)
            kind = kind.not_null()
        schema.columns.append(
            PhysicalColumnDef(
                name=name.text,
                type=kind,
                position=self.place(name),
                comment=self.comment() or comment,
            )
        )

    def _column_name(self) -> Token:
        """Any word names a column when a type follows it, so that `timestamp BIGINT` or `end INT` need no quotes."""
        if self.at_kind(TokenKind.WORD) and self.ahead().key in TYPE_NAMES:
            return self.advance()
        return self.name("a column name")

    def _refuse_misspelled_clause(self, name: Token) -> None:
        """`PRIMRY KEY (id)` reads as a column PRIMRY of type KEY: blame the word that is wrong."""
        if name.kind is not TokenKind.WORD or self.current.key in TYPE_NAMES:
            return
        close = nearest(name.text, SCHEMA_KEYWORDS)
        if close:
            raise self.error(
                f"unexpected '{name.text}'",
                name,
                expected="a column, PRIMARY KEY, WATERMARK or CONSTRAINT",
                cure=f"did you mean {close}?",
            )
        if self.at_any(",", ")"):
            raise self._no_type(name)

    def _no_type(self, name: Token) -> SqlSyntaxError:
        return self.error(
            f"the column '{name.text}' has no type", name, expected="a type after the name"
        )

    def _column_key(self, name: Token) -> PrimaryKeyDef | None:
        constraint = None
        if self.take("CONSTRAINT"):
            constraint = self.name("the constraint's name").text
        elif not self.at("PRIMARY"):
            return None
        first = self.current
        self.expect("PRIMARY", "KEY")
        self._not_enforced(first)
        return PrimaryKeyDef(columns=(name.text,), position=self.place(first), name=constraint)

    def _computed(self, name: Token) -> ComputedColumnDef:
        first = self.current
        expression = self.expression()
        text = self.source_text(first)
        return ComputedColumnDef(
            name=name.text,
            expression=expression,
            text=text,
            position=self.place(name),
            comment=self.comment(),
        )

    def _metadata(self, name: Token, kind: DataType) -> MetadataColumnDef:
        key = self.string("the metadata key").text if self.take("FROM") else None
        virtual = self.take("VIRTUAL")
        return MetadataColumnDef(
            name=name.text,
            type=kind,
            position=self.place(name),
            key=key,
            virtual=virtual,
            comment=self.comment(),
        )

    def _like(self) -> LikeClause:
        self.expect("LIKE")
        source = self.object_name("the table to be like")
        rules: list[tuple[LikeMode, LikeFeature]] = []
        if self.at("("):
            opening = self.advance()
            while not self.at(")") and not self.at_end():
                rules.append(self._like_rule())
            self.close(opening, between="INCLUDING, EXCLUDING, OVERWRITING")
        return LikeClause(source, tuple(rules))

    def _like_rule(self) -> tuple[LikeMode, LikeFeature]:
        mode = LikeMode(self.expect_any(*LikeMode))
        return mode, LikeFeature(self.expect_any(*LikeFeature))

    def drop(self) -> Statement:
        first = self.expect("DROP")
        temporary = self.take("TEMPORARY")
        if self.at_any(*NAMESPACES) and not temporary:
            return self.drop_namespace(first)
        if self.current.key in OTHER_OBJECTS:
            raise self.unsupported(f"DROP {self.current.key}", first)
        kind = self.expect_any("TABLE", "VIEW")
        if_exists = self.take("IF", "EXISTS")
        name = self.object_name(f"the name of the {kind.lower()}")
        return Drop(
            sql=self.source_text(first),
            position=self.place(first),
            kind=kind,
            name=name,
            if_exists=if_exists,
            temporary=temporary,
        )
