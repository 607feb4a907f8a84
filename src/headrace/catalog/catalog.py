"""The in-memory catalog of one environment: tables and views by name, and where unqualified names point."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from headrace.catalog.namespaces import Namespaces
from headrace.catalog.table import Identifier, Path, Table, View
from headrace.errors import UnknownName, UserError
from headrace.sql.statements import ObjectName


class Catalog:
    """Temporary objects hide permanent ones of the same name, as in Flink."""

    def __init__(self) -> None:
        self.spaces = Namespaces()
        self._permanent: dict[Identifier, Table | View] = {}
        self._temporary: dict[Identifier, Table | View] = {}

    def seen_from(self, path: Path) -> Catalog:
        """The same catalog where `path` is the current database, as a view's query means its names."""
        other = copy(self)
        other.spaces = copy(self.spaces)
        other.spaces.current_catalog, other.spaces.current_database = path
        return other

    @property
    def current(self) -> Path:
        return self.spaces.current_catalog, self.spaces.current_database

    def qualify(self, name: ObjectName) -> Identifier:
        return Identifier(*self.current[: 3 - len(name.parts)], *name.parts)

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
        self._check_database(item)
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

    def _check_database(self, item: Table | View) -> None:
        """A temporary object may be of a database that is not there, as in Flink."""
        if item.temporary:
            return
        path = item.identifier
        databases = self.spaces.catalog(path.catalog).databases
        if path.database not in databases:
            raise UnknownName("database", path.database, sorted(databases))

    def drop_database(self, name: ObjectName, *, if_exists: bool, cascade: bool) -> None:
        path = self.spaces.database_path(name)
        if if_exists and path[1] not in self.spaces.databases(path[0]):
            return
        self.spaces.check_unused(name)
        held = [item for item in self._permanent if item.path == path]
        if held and not cascade:
            raise UserError(
                f"database '{name}' is not empty",
                condition="NOT_EMPTY",
                where=name.position,
                found=", ".join(sorted(item.name for item in held)),
                cure=f"DROP DATABASE {name} CASCADE",
            )
        self.spaces.drop_database(name)
        for item in held:
            del self._permanent[item]

    def drop_catalog(self, name: ObjectName, *, if_exists: bool) -> None:
        if self.spaces.drop_catalog(name, if_exists=if_exists):
            for item in [item for item in self._permanent if item.catalog == name.name]:
                del self._permanent[item]

    def names(
        self, kind: type[Table] | type[View] | None = None, database: ObjectName | None = None
    ) -> list[str]:
        """Names in the given or the current database, sorted."""
        wanted = self.spaces.database(database) if database else self.current
        return sorted(
            {
                item.identifier.name
                for item in self._items()
                if item.identifier.path == wanted and (kind is None or isinstance(item, kind))
            }
        )

    def _items(self) -> Iterable[Table | View]:
        return [*self._permanent.values(), *self._temporary.values()]
