"""The in-memory catalog of one environment: tables and views by name, and where unqualified names point."""

from __future__ import annotations

from collections.abc import Iterable

from headrace.catalog.table import Identifier, Table, View
from headrace.errors import Position, UnknownName, UserError
from headrace.sql.statements import ObjectName

DEFAULT_CATALOG = "default_catalog"
DEFAULT_DATABASE = "default_database"


class Catalog:
    """Temporary objects hide permanent ones of the same name, as in Flink."""

    def __init__(self) -> None:
        self.current_catalog = DEFAULT_CATALOG
        self.current_database = DEFAULT_DATABASE
        self._permanent: dict[Identifier, Table | View] = {}
        self._temporary: dict[Identifier, Table | View] = {}

    def qualify(self, name: ObjectName) -> Identifier:
        parts = name.parts
        if len(parts) == 1:
            return Identifier(self.current_catalog, self.current_database, parts[0])
        if len(parts) == 2:
            return Identifier(self.current_catalog, parts[0], parts[1])
        return Identifier(parts[0], parts[1], parts[2])

    def find(self, name: ObjectName) -> Table | View | None:
        identifier = self.qualify(name)
        return self._temporary.get(identifier) or self._permanent.get(identifier)

    def get(self, name: ObjectName) -> Table | View:
        found = self.find(name)
        if found is None:
            raise UnknownName("table", str(name), self.names(), where=name.position)
        return found

    def table(self, name: ObjectName) -> Table:
        found = self.get(name)
        if isinstance(found, View):
            raise UserError(
                f"'{name}' is a view, not a table", where=name.position, condition="NOT_A_TABLE"
            )
        return found

    def add(
        self, item: Table | View, *, if_not_exists: bool = False, replace: bool = False
    ) -> bool:
        """Whether it was added; an existing name is an error unless told otherwise."""
        self._check_catalog(item.identifier.catalog, None)
        space = self._temporary if item.temporary else self._permanent
        if item.identifier in space and not replace:
            if if_not_exists:
                return False
            raise UserError(
                f"table or view '{item.identifier}' already exists",
                condition="ALREADY_EXISTS",
                cure="DROP it first, or write CREATE … IF NOT EXISTS",
            )
        space[item.identifier] = item
        return True

    def drop(
        self,
        name: ObjectName,
        kind: type[Table] | type[View],
        *,
        if_exists: bool,
        temporary: bool = False,
    ) -> bool:
        """Whether it was there; a temporary object is dropped only when told so, as in Flink."""
        identifier = self.qualify(name)
        word = "table" if kind is Table else "view"
        if not temporary and isinstance(self._temporary.get(identifier), kind):
            raise self._is_temporary(name, word)
        space = self._temporary if temporary else self._permanent
        if isinstance(space.get(identifier), kind):
            del space[identifier]
            return True
        if if_exists:
            return False
        known = [item.identifier.name for item in space.values() if isinstance(item, kind)]
        raise UnknownName(
            f"temporary {word}" if temporary else word, str(name), known, where=name.position
        )

    def _is_temporary(self, name: ObjectName, word: str) -> UserError:
        hides = self.qualify(name) in self._permanent
        return UserError(
            f"a temporary {word} '{name}' hides the permanent one"
            if hides
            else f"{word} '{name}' is temporary",
            condition="TEMPORARY_OBJECT",
            where=name.position,
            cure=f"DROP TEMPORARY {word.upper()} {name}{' first' if hides else ''}",
        )

    def use_database(self, name: ObjectName) -> None:
        self.current_database = self._database(name)

    def _database(self, name: ObjectName) -> str:
        if len(name.parts) > 1:
            self._check_catalog(name.parts[0], name.position)
        if name.name not in self.databases():
            raise UnknownName("database", name.name, self.databases(), where=name.position)
        return name.name

    def use_catalog(self, name: ObjectName) -> None:
        self._check_catalog(name.name, name.position)
        self.current_catalog = name.name

    def _check_catalog(self, name: str, where: Position | None) -> None:
        if name != DEFAULT_CATALOG:
            raise UnknownName("catalog", name, [DEFAULT_CATALOG], where=where)

    def names(
        self, kind: type[Table] | type[View] | None = None, database: ObjectName | None = None
    ) -> list[str]:
        """Names in the given or the current database, sorted."""
        wanted = self._database(database) if database else self.current_database
        return sorted(
            {
                item.identifier.name
                for item in self._items()
                if item.identifier.database == wanted and (kind is None or isinstance(item, kind))
            }
        )

    def databases(self) -> list[str]:
        """The default one and those that hold something, sorted."""
        return sorted({DEFAULT_DATABASE, *(item.identifier.database for item in self._items())})

    def _items(self) -> Iterable[Table | View]:
        return [*self._permanent.values(), *self._temporary.values()]
