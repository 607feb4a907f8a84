"""Catalogs and their databases: all in memory, made and dropped by statements, and where unqualified names point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headrace.catalog.options import Option, OptionType, parse_options
from headrace.errors import InvalidOption, Position, UnknownName, UserError
from headrace.sql.statements import ObjectName

DEFAULT_CATALOG = "default_catalog"
DEFAULT_DATABASE = "default_database"

IN_MEMORY = "generic_in_memory"
CATALOG_OPTIONS = (
    Option("type", OptionType.STRING, "The kind of catalog.", required=True),
    Option(
        "default-database",
        OptionType.STRING,
        "The database that a catalog has from its start.",
        default="default",
    ),
    Option("property-version", OptionType.INT, "Read and not used, as in Flink.", default="1"),
)


@dataclass(frozen=True, slots=True)
class Database:
    comment: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Namespace:
    """A catalog: its first database, and all of them by name. The one of the session's start has no `options`."""

    default_database: str
    options: Mapping[str, str] | None = None
    comment: str | None = None
    databases: dict[str, Database] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.databases.setdefault(self.default_database, Database())


class Namespaces:
    def __init__(self) -> None:
        self.current_catalog = DEFAULT_CATALOG
        self.current_database = DEFAULT_DATABASE
        self._catalogs = {DEFAULT_CATALOG: Namespace(DEFAULT_DATABASE)}

    def catalogs(self) -> list[str]:
        return sorted(self._catalogs)

    def catalog(self, name: str, where: Position | None = None) -> Namespace:
        if name not in self._catalogs:
            raise UnknownName("catalog", name, self.catalogs(), where=where)
        return self._catalogs[name]

    def create_catalog(
        self,
        name: ObjectName,
        options: Mapping[str, str],
        comment: str | None = None,
        *,
        if_not_exists: bool = False,
    ) -> None:
        if name.name in self._catalogs:
            if not if_not_exists:
                raise _exists("catalog", name)
            return
        self._catalogs[name.name] = Namespace(_first_database(name, options), options, comment)

    def alter_catalog(
        self, name: ObjectName, options: Mapping[str, str] | None, comment: str | None
    ) -> None:
        """Which database a catalog begins with was settled when it was made."""
        found = self.described(name)
        if options is not None:
            _first_database(name, options)
            found.options = options
        found.comment = comment

    def described(self, name: ObjectName) -> Namespace:
        """A catalog that was made by a statement; the first one has nothing to be told or changed."""
        found = self.catalog(name.name, name.position)
        if found.options is None:
            raise UserError(f"catalog '{name}' is not made by a statement", where=name.position)
        return found

    def drop_catalog(self, name: ObjectName, *, if_exists: bool) -> bool:
        """Whether it was there."""
        if if_exists and name.name not in self._catalogs:
            return False
        self.catalog(name.name, name.position)
        if name.name == self.current_catalog:
            raise _in_use("catalog", name)
        del self._catalogs[name.name]
        return True

    def use_catalog(self, name: ObjectName) -> None:
        found = self.catalog(name.name, name.position)
        if name.name != self.current_catalog:
            self.current_catalog, self.current_database = name.name, found.default_database

    def databases(self, catalog: str) -> list[str]:
        return sorted(self.catalog(catalog).databases)

    def database_path(self, name: ObjectName) -> tuple[str, str]:
        """The catalog and the database that `[catalog.]database` means; the catalog is there."""
        catalog = name.parts[-2] if len(name.parts) > 1 else self.current_catalog
        self.catalog(catalog, name.position)
        return catalog, name.name

    def database(self, name: ObjectName) -> tuple[str, str]:
        """As `database_path`, of a database that is there."""
        catalog, database = self.database_path(name)
        known = self.databases(catalog)
        if database not in known:
            raise UnknownName("database", database, known, where=name.position)
        return catalog, database

    def create_database(
        self, name: ObjectName, made: Database, *, if_not_exists: bool = False
    ) -> None:
        catalog, database = self.database_path(name)
        databases = self._catalogs[catalog].databases
        if database in databases and not if_not_exists:
            raise _exists("database", name)
        databases.setdefault(database, made)

    def alter_database(self, name: ObjectName, options: Mapping[str, str]) -> None:
        catalog, database = self.database(name)
        databases = self._catalogs[catalog].databases
        before = databases[database]
        databases[database] = Database(before.comment, {**before.options, **options})

    def check_unused(self, name: ObjectName) -> None:
        if self.database(name) == (self.current_catalog, self.current_database):
            raise _in_use("database", name)

    def drop_database(self, name: ObjectName) -> None:
        """One that is not in use."""
        catalog, database = self.database(name)
        del self._catalogs[catalog].databases[database]

    def use_database(self, name: ObjectName) -> None:
        self.current_catalog, self.current_database = self.database(name)


def _first_database(name: ObjectName, options: Mapping[str, str]) -> str:
    kind = options.get("type")
    if kind is None:
        raise InvalidOption(
            f"catalog '{name}' names no type",
            condition="MISSING_OPTION",
            where=name.position,
            cure=f"WITH ('type' = '{IN_MEMORY}')",
        )
    if kind != IN_MEMORY:
        raise UnknownName("catalog type", kind, [IN_MEMORY], where=name.position)
    try:
        given = parse_options(CATALOG_OPTIONS, options, owner=f"catalog type '{kind}'")
    except UserError as error:
        raise error.at(name.position) from None
    return str(given["default-database"])


def _exists(kind: str, name: ObjectName) -> UserError:
    return UserError(
        f"{kind} '{name}' already exists",
        condition="ALREADY_EXISTS",
        where=name.position,
        cure=f"CREATE {kind.upper()} IF NOT EXISTS {name}",
    )


def _in_use(kind: str, name: ObjectName) -> UserError:
    return UserError(
        f"{kind} '{name}' is the current one and cannot be dropped",
        condition="IN_USE",
        where=name.position,
        cure=f"USE {'CATALOG ' if kind == 'catalog' else ''}another one first",
    )
