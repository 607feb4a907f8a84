import pytest

from headrace.catalog.namespaces import Database, Namespaces
from headrace.errors import HeadraceError, InvalidOption, Position, UnknownName
from headrace.sql.statements import ObjectName

MEMORY = {"type": "generic_in_memory"}


def name(text: str) -> ObjectName:
    return ObjectName(tuple(text.split(".")), Position(1, 5))


def refusal(action, *arguments, **named) -> list[str]:
    with pytest.raises(HeadraceError) as caught:
        action(*arguments, **named)
    return caught.value.render().splitlines()


@pytest.fixture
def spaces() -> Namespaces:
    return Namespaces()


class TestCatalogs:
    def test_one_begins_with_a_database(self, spaces):
        spaces.create_catalog(name("c"), MEMORY)
        spaces.create_catalog(name("b"), {**MEMORY, "default-database": "mine"})
        assert spaces.catalogs() == ["b", "c", "default_catalog"]
        assert spaces.databases("c") == ["default"]
        assert spaces.databases("b") == ["mine"]

    def test_a_name_is_taken_once(self, spaces):
        spaces.create_catalog(name("c"), MEMORY, "first")
        spaces.create_catalog(name("c"), MEMORY, "second", if_not_exists=True)
        assert spaces.catalog("c").comment == "first"
        assert refusal(spaces.create_catalog, name("c"), MEMORY) == [
            "[ALREADY_EXISTS] catalog 'c' already exists",
            "  at: <sql>:1:5",
            "  cure: CREATE CATALOG IF NOT EXISTS c",
        ]

    def test_types_and_options_are_checked(self, spaces):
        assert refusal(spaces.create_catalog, name("c"), {})[-1] == (
            "  cure: WITH ('type' = 'generic_in_memory')"
        )
        assert refusal(spaces.create_catalog, name("c"), {"type": "hive"})[:2] == [
            "[UNKNOWN_CATALOG_TYPE] catalog type 'hive' does not exist",
            "  at: <sql>:1:5",
        ]
        with pytest.raises(InvalidOption, match="does not support the option 'x'"):
            spaces.create_catalog(name("c"), {**MEMORY, "x": "y"})
        assert spaces.catalogs() == ["default_catalog"]

    def test_the_current_one_cannot_be_dropped(self, spaces):
        spaces.create_catalog(name("c"), MEMORY)
        spaces.use_catalog(name("c"))
        assert refusal(spaces.drop_catalog, name("c"), if_exists=False)[0] == (
            "[IN_USE] catalog 'c' is the current one and cannot be dropped"
        )
        spaces.use_catalog(name("default_catalog"))
        assert spaces.drop_catalog(name("c"), if_exists=False)
        assert not spaces.drop_catalog(name("c"), if_exists=True)
        with pytest.raises(UnknownName, match="catalog 'c' does not exist"):
            spaces.drop_catalog(name("c"), if_exists=False)

    def test_changes_are_checked_as_the_first_options_were(self, spaces):
        spaces.create_catalog(name("c"), MEMORY)
        spaces.alter_catalog(name("c"), {**MEMORY, "default-database": "x"}, "new")
        assert spaces.described(name("c")).comment == "new"
        with pytest.raises(InvalidOption, match="'y'"):
            spaces.alter_catalog(name("c"), {**MEMORY, "y": "z"}, None)
        assert refusal(spaces.alter_catalog, name("default_catalog"), MEMORY, None)[0] == (
            "[USER_ERROR] catalog 'default_catalog' is not made by a statement"
        )


class TestDatabases:
    def test_they_are_made_in_a_catalog(self, spaces):
        spaces.create_catalog(name("c"), MEMORY)
        spaces.create_database(name("c.d"), Database("it", {"a": "b"}))
        spaces.create_database(name("e"), Database())
        assert spaces.databases("c") == ["d", "default"]
        assert spaces.databases("default_catalog") == ["default_database", "e"]
        with pytest.raises(UnknownName, match="catalog 'x' does not exist"):
            spaces.create_database(name("x.d"), Database())

    def test_a_name_is_taken_once(self, spaces):
        spaces.create_database(name("d"), Database("first"))
        spaces.create_database(name("d"), Database("second"), if_not_exists=True)
        assert spaces.catalog("default_catalog").databases["d"].comment == "first"
        assert refusal(spaces.create_database, name("d"), Database())[0] == (
            "[ALREADY_EXISTS] database 'd' already exists"
        )

    def test_options_are_added(self, spaces):
        spaces.create_database(name("d"), Database("c", {"a": "b", "x": "y"}))
        spaces.alter_database(name("d"), {"a": "z"})
        found = spaces.catalog("default_catalog").databases["d"]
        assert (found.comment, found.options) == ("c", {"a": "z", "x": "y"})
        with pytest.raises(UnknownName, match="database 'e' does not exist"):
            spaces.alter_database(name("e"), {})

    def test_the_current_one_cannot_be_dropped(self, spaces):
        assert refusal(spaces.check_unused, name("default_database"))[0] == (
            "[IN_USE] database 'default_database' is the current one and cannot be dropped"
        )

    def test_use(self, spaces):
        spaces.create_catalog(name("c"), {**MEMORY, "default-database": "first"})
        spaces.create_database(name("c.d"), Database())
        spaces.use_database(name("c.d"))
        assert (spaces.current_catalog, spaces.current_database) == ("c", "d")
        spaces.use_catalog(name("c"))
        assert spaces.current_database == "d"
        spaces.use_catalog(name("default_catalog"))
        assert spaces.current_database == "default_database"
        spaces.use_catalog(name("c"))
        assert spaces.current_database == "first"

    @pytest.mark.parametrize("wanted", ["shop", "hive.default_database", "default_catalog.shop"])
    def test_use_of_what_is_not_there_changes_nothing(self, spaces, wanted):
        with pytest.raises(UnknownName):
            spaces.use_database(name(wanted))
        assert (spaces.current_catalog, spaces.current_database) == (
            "default_catalog",
            "default_database",
        )
