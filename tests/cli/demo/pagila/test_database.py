import tempfile
from collections import Counter
from pathlib import Path

import pytest

from headrace.cli.demo.pagila.database import Database, coarse, milliseconds
from headrace.services.postgres import PostgresService


def test_milliseconds_are_cut_and_not_rounded():
    assert milliseconds("2017-02-15T09:45:30.000000Z") == 1487151930000
    assert milliseconds("2017-02-15T09:45:30.999999Z") == 1487151930999


def test_the_other_columns_stay_as_they_are():
    row = {"city_id": 1, "city": "Ashby", "last_update": "1970-01-01T00:00:01.000001Z"}
    assert coarse({1: row}) == {1: {"city_id": 1, "city": "Ashby", "last_update": 1000}}
    assert row["last_update"] == "1970-01-01T00:00:01.000001Z"


def unconnected(url):
    made = Database.__new__(Database)
    made.server_url = url
    return made


@pytest.mark.parametrize(
    ("url", "host", "port", "user", "password"),
    [
        (
            "postgresql://postgres@127.0.0.1:6543/postgres",
            "127.0.0.1",
            "6543",
            "postgres",
            "trusted",
        ),
        ("postgresql://me:secret@db/other", "db", "5432", "me", "secret"),
        ("postgresql:///postgres", "localhost", "5432", "postgres", "trusted"),
    ],
)
def test_what_connectors_need_comes_from_the_address(url, host, port, user, password):
    assert unconnected(url).environment() == {
        "PAGILA_HOST": host,
        "PAGILA_PORT": port,
        "PAGILA_JDBC_URL": f"jdbc:postgresql://{host}:{port}/pagila",
        "PAGILA_USER": user,
        "PAGILA_PASSWORD": password,
    }


@pytest.fixture(scope="module")
def database():
    """Not below pytest's own folder, which each start of pytest closes to the account of root's server."""
    with (
        tempfile.TemporaryDirectory(prefix="headrace-postgres-") as folder,
        PostgresService(Path(folder), own=True) as server,
    ):
        made = Database(server.url)
        made.fill()
        yield made
        made.close()


@pytest.mark.services
def test_the_sample_has_the_shape_of_pagila_and_changes_as_told(database):
    country, city, address = (database.table(name) for name in ("country", "city", "address"))
    before = database.joined()
    assert (len(country), len(city), len(address), len(before)) == (109, 600, 603, 603)
    assert set(range(1, 606)) - set(address) == {257, 518}
    times = {row["last_update"] for table in (country, city, address) for row in table.values()}
    assert times == {
        "2017-02-15T09:44:00.000000Z",
        "2017-02-15T09:45:25.000000Z",
        "2017-02-15T09:45:30.000000Z",
    }
    assert Counter(row["address2"] for row in address.values()) == {None: 4, "": 599}
    per_country = Counter(row["country"] for row in before.values())
    assert len(per_country) == 109
    assert [count for _, count in per_country.most_common(3)] == [60, 53, 36]
    assert {",", "."} <= set("".join(per_country)), "names that are awkward as folders"

    database.change()
    after = database.joined()
    assert before.keys() - after.keys() == {104}
    assert {key for key in after if after[key] != before[key]} == {100, 101, 102}
    assert after[102]["country"] == "Wakanda"
    assert after[102]["last_update"] > after[101]["last_update"] > after[100]["last_update"]
    assert (max(database.table("country")), max(database.table("city"))) == (110, 601)


@pytest.mark.services
def test_connectors_are_told_where_it_is(database):
    found = database.environment()
    assert found["PAGILA_JDBC_URL"] == (
        f"jdbc:postgresql://{found['PAGILA_HOST']}:{found['PAGILA_PORT']}/pagila"
    )
    assert found["PAGILA_USER"] == "postgres"
    assert found["PAGILA_PASSWORD"]
