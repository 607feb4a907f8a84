import pytest

from headrace.catalog import Catalog
from headrace.catalog.namespaces import Database
from headrace.catalog.table import Identifier, Table, View
from headrace.errors import Position, UnknownName, UserError
from headrace.sql.statements import ObjectName


def name(text: str) -> ObjectName:
    return ObjectName(tuple(text.split(".")), Position(1, 5))


def with_shop() -> Catalog:
    catalog = Catalog()
    catalog.spaces.create_database(name("shop"), Database())
    return catalog


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


def test_a_table_needs_its_catalog_and_database(table):
    with pytest.raises(UnknownName, match="catalog 'hive' does not exist"):
        Catalog().add(table("hive.d.t"))
    with pytest.raises(UnknownName, match="database 'd' does not exist"):
        Catalog().add(table("d.t"))


def test_a_temporary_table_does_not(table):
    catalog = Catalog()
    catalog.add(table("d.t", temporary=True))
    assert catalog.table(name("d.t")).temporary


def test_names_of_another_database(table):
    catalog = with_shop()
    catalog.add(table("shop.orders"))
    assert catalog.names(None, name("shop")) == ["orders"]
    assert catalog.names(View, name("default_catalog.shop")) == []
    with pytest.raises(UnknownName, match="database 'shp' does not exist"):
        catalog.names(None, name("shp"))


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


def test_the_current_database_is_where_short_names_are(table):
    catalog = with_shop()
    catalog.add(table("shop.orders"))
    assert catalog.names() == []
    catalog.spaces.use_database(name("shop"))
    assert catalog.names() == ["orders"]
    assert catalog.qualify(name("x")) == Identifier("default_catalog", "shop", "x")
    catalog.spaces.use_database(name("default_catalog.default_database"))
    assert catalog.current == ("default_catalog", "default_database")


def test_seen_from_elsewhere_the_same_tables_are_there(table):
    catalog = with_shop()
    catalog.add(table("shop.orders"))
    there = catalog.seen_from(("default_catalog", "shop"))
    assert there.find(name("orders")) is not None
    assert catalog.find(name("orders")) is None
    catalog.add(table("shop.later"))
    assert there.names() == ["later", "orders"]


class TestDropDatabase:
    def test_an_empty_one(self, table):
        catalog = with_shop()
        catalog.add(table("shop.t", temporary=True))
        catalog.drop_database(name("shop"), if_exists=False, cascade=False)
        assert catalog.spaces.databases("default_catalog") == ["default_database"]
        assert catalog.find(name("shop.t")) is not None

    def test_with_what_it_holds(self, table):
        catalog = with_shop()
        catalog.add(table("shop.t"))
        with pytest.raises(UserError) as caught:
            catalog.drop_database(name("shop"), if_exists=False, cascade=False)
        assert caught.value.render().splitlines() == [
            "[NOT_EMPTY] database 'shop' is not empty",
            "  at: <sql>:1:5",
            "  found: t",
            "  cure: DROP DATABASE shop CASCADE",
        ]
        catalog.drop_database(name("shop"), if_exists=False, cascade=True)
        assert catalog.find(name("shop.t")) is None

    def test_one_that_is_not_there(self):
        catalog = Catalog()
        catalog.drop_database(name("shop"), if_exists=True, cascade=False)
        with pytest.raises(UnknownName, match="database 'shop' does not exist"):
            catalog.drop_database(name("shop"), if_exists=False, cascade=False)


def test_a_catalog_goes_with_its_tables(table):
    catalog = Catalog()
    catalog.spaces.create_catalog(name("c"), {"type": "generic_in_memory"})
    catalog.add(table("c.default.t"))
    catalog.drop_catalog(name("c"), if_exists=False)
    assert catalog.find(name("c.default.t")) is None
    catalog.drop_catalog(name("c"), if_exists=True)
