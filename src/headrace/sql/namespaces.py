"""CREATE, DROP and ALTER of catalogs and databases."""

from __future__ import annotations

from headrace.sql.lexer import Token
from headrace.sql.queries import QueryParser
from headrace.sql.statements import AlterNamespace, CreateNamespace, DropNamespace, Options

NAMESPACES = ("CATALOG", "DATABASE")


class NamespaceParser(QueryParser):
    def comment(self) -> str | None:
        return self.string("the comment").text if self.take("COMMENT") else None

    def keys(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.wrapped(lambda: self.string("a key")))

    def create_namespace(self, first: Token) -> CreateNamespace:
        kind = self.expect_any(*NAMESPACES)
        if_not_exists = self.take("IF", "NOT", "EXISTS")
        name = self.object_name(f"the name of the {kind.lower()}")
        comment = self.comment()
        options: Options = self.options() if self.take("WITH") else ()
        return CreateNamespace(
            sql=self.source_text(first),
            position=self.place(first),
            kind=kind,
            name=name,
            comment=comment,
            options=options,
            if_not_exists=if_not_exists,
        )

    def drop_namespace(self, first: Token) -> DropNamespace:
        kind = self.expect_any(*NAMESPACES)
        if_exists = self.take("IF", "EXISTS")
        name = self.object_name(f"the name of the {kind.lower()}")
        cascade = kind == "DATABASE" and self.take_any("RESTRICT", "CASCADE") == "CASCADE"
        return DropNamespace(
            sql=self.source_text(first),
            position=self.place(first),
            kind=kind,
            name=name,
            if_exists=if_exists,
            cascade=cascade,
        )

    def alter_namespace(self, first: Token) -> AlterNamespace:
        kind = self.expect_any(*NAMESPACES)
        name = self.object_name(f"the name of the {kind.lower()}")
        if kind == "CATALOG":
            action = self.expect_any("SET", "RESET", "COMMENT")
        else:
            action = self.expect("SET").key
        options = self.options() if action == "SET" else ()
        keys = self.keys() if action == "RESET" else ()
        comment = self.string("the comment").text if action == "COMMENT" else None
        return AlterNamespace(
            sql=self.source_text(first),
            position=self.place(first),
            kind=kind,
            name=name,
            options=options,
            keys=keys,
            comment=comment,
        )
