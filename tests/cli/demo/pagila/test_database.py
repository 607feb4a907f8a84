import tempfile
from pathlib import Path

import pytest

from headrace.cli.demo.pagila.database import Database, milliseconds
from headrace.services.postgres import PostgresService


def test_milliseconds_are_cut_and_not_rounded():
    assert milliseconds("2017-02-15T09:45:30.000000Z") == 1487151930000
    assert milliseconds("2017-02-15T09:45:30.999999Z") == 1487151930999


@pytest.fixture
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
def test_rows_are_changed_inserted_and_deleted(database):
    """Without these the demo would compare tables at rest, and end well."""
    before = database.joined()
    database.change()
    after = database.joined()
    assert before.keys() - after.keys() == {104}
    assert {key for key in after if after[key] != before[key]} == {100, 101, 102}
    assert after[102]["country"] == "Wakanda"
    assert after[102]["last_update"] > after[101]["last_update"] > after[100]["last_update"]
