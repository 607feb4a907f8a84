import pytest

from headrace.catalog import Catalog
from headrace.catalog.table import Identifier, Table, View
from headrace.errors import Position, UnknownName, UserError
from headrace.sql.statements import ObjectName


def name(text: str) -> ObjectName:
    return ObjectName(tuple(text.split(".")), Position(1, 5))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t", "default_catalog.default_database.t"),
        ("d.t", "default_catalog.d.t"),
        ("c.d.t", "c.d.t"),
    ],
)
def test_names_are_completed_from_where_one_is(text, expected):
    assert str(Catalog().qualify(name(text))) == expected


def test_what_is_added_is_found(table, view):
    catalog = Catalog()
    assert catalog.add(table())
    assert catalog.add(view())
    assert catalog.get(name("t")) == table()
    assert catalog.table(name("default_catalog.default_database.t")) == table()
    assert catalog.find(name("other")) is None
    assert catalog.names() == ["t", "v"]
    assert catalog.names(Table) == ["t"]
    assert catalog.names(View) == ["v"]


def test_an_unknown_table_is_told_with_the_nearest(table):
    catalog = Catalog()
    catalog.add(table("orders"))
    with pytest.raises(UnknownName) as caught:
        catalog.get(name("ordres"))
    assert caught.value.render().splitlines() == [
        "[UNKNOWN_TABLE] table 'ordres' does not exist",
        "  at: <sql>:1:5",
        "  expected: orders",
        "  cure: did you mean 'orders'?",
    ]


def test_names_are_case_sensitive(table):
    catalog = Catalog()
    catalog.add(table("Orders"))
    with pytest.raises(UnknownName, match="did you mean 'Orders'"):
        catalog.get(name("orders"))


def test_a_view_is_no_table(view):
    catalog = Catalog()
    catalog.add(view())
    with pytest.raises(UserError) as caught:
        catalog.table(name("v"))
    assert caught.value.condition == "NOT_A_TABLE"


def test_there_is_one_catalog(table):
    with pytest.raises(UnknownName, match="catalog 'hive' does not exist"):
        Catalog().add(table("hive.d.t"))


def test_names_of_another_database(table):
    catalog = Catalog()
    catalog.add(table("shop.orders"))
    assert catalog.names(None, name("shop")) == ["orders"]
    assert catalog.names(View, name("default_catalog.shop")) == []
    with pytest.raises(UnknownName, match="database 'shp' does not exist"):
        catalog.names(None, name("shp"))
    assert catalog.databases() == ["default_database", "shop"]


def test_a_name_is_taken_once(table, view):
    catalog = Catalog()
    catalog.add(table("x"))
    with pytest.raises(UserError) as caught:
        catalog.add(view("x"))
    assert caught.value.condition == "ALREADY_EXISTS"
    assert not catalog.add(table("x", comment="new"), if_not_exists=True)
    assert catalog.table(name("x")).comment is None
    assert catalog.add(table("x", comment="new"), replace=True)
    assert catalog.table(name("x")).comment == "new"


def test_a_temporary_table_hides_the_permanent_one(table):
    catalog = Catalog()
    catalog.add(table(comment="permanent"))
    catalog.add(table(comment="temporary", temporary=True))
    assert catalog.table(name("t")).comment == "temporary"
    assert catalog.names() == ["t"]
    catalog.drop(name("t"), Table, if_exists=False, temporary=True)
    assert catalog.table(name("t")).comment == "permanent"


def test_dropping_a_hidden_table_asks_to_drop_the_temporary_one_first(table):
    catalog = Catalog()
    catalog.add(table())
    catalog.add(table(temporary=True))
    with pytest.raises(UserError) as caught:
        catalog.drop(name("t"), Table, if_exists=False)
    assert caught.value.render().splitlines() == [
        "[TEMPORARY_OBJECT] a temporary table 't' hides the permanent one",
        "  at: <sql>:1:5",
        "  cure: DROP TEMPORARY TABLE t first",
    ]


def test_a_temporary_table_alone_needs_the_word(table):
    catalog = Catalog()
    catalog.add(table(temporary=True))
    with pytest.raises(UserError, match="table 't' is temporary"):
        catalog.drop(name("t"), Table, if_exists=True)
    assert catalog.drop(name("t"), Table, if_exists=False, temporary=True)


def test_drop_temporary_leaves_permanent_tables(table):
    catalog = Catalog()
    catalog.add(table())
    assert not catalog.drop(name("t"), Table, if_exists=True, temporary=True)
    with pytest.raises(UnknownName, match="temporary table 't' does not exist"):
        catalog.drop(name("t"), Table, if_exists=False, temporary=True)
    assert catalog.names() == ["t"]


def test_drop(table, view):
    catalog = Catalog()
    catalog.add(table())
    catalog.add(view())
    assert catalog.drop(name("t"), Table, if_exists=False)
    assert not catalog.drop(name("t"), Table, if_exists=True)
    with pytest.raises(UnknownName, match="table 't' does not exist"):
        catalog.drop(name("t"), Table, if_exists=False)
    with pytest.raises(UnknownName, match="view 'w' does not exist"):
        catalog.drop(name("w"), View, if_exists=False)


def test_a_view_is_not_dropped_as_a_table(view):
    catalog = Catalog()
    catalog.add(view())
    with pytest.raises(UnknownName, match="table 'v' does not exist"):
        catalog.drop(name("v"), Table, if_exists=False)
    assert catalog.names() == ["v"]


def test_use_a_database_that_holds_something(table):
    catalog = Catalog()
    catalog.add(table("shop.orders"))
    assert catalog.names() == []
    catalog.use_database(name("shop"))
    assert catalog.names() == ["orders"]
    assert catalog.qualify(name("x")) == Identifier("default_catalog", "shop", "x")
    catalog.use_database(name("default_catalog.default_database"))
    assert catalog.current_database == "default_database"


def test_use_what_does_not_exist_changes_nothing():
    catalog = Catalog()
    with pytest.raises(UnknownName, match="database 'shop' does not exist"):
        catalog.use_database(name("shop"))
    with pytest.raises(UnknownName, match="catalog 'hive' does not exist"):
        catalog.use_catalog(name("hive"))
    with pytest.raises(UnknownName, match="catalog 'hive' does not exist"):
        catalog.use_database(name("hive.default_database"))
    assert (catalog.current_catalog, catalog.current_database) == (
        "default_catalog",
        "default_database",
    )
