import pytest

from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.places import QUERY
from headrace.cli.demo.pagila.run import Found, in_background
from headrace.cli.demo.pagila.steps import Steps
from headrace.cli.output import JsonOutput


@pytest.fixture
def report(world):
    """The report on a world whose lake holds the given rows."""

    def make(lake):
        rows = world.objects()
        json_rows = {topic: rows[topic] for topic in rows if topic != QUERY}
        found = Found(
            world.before,
            world.after,
            world.messages(),
            json_rows,
            "lake",
            [Object("topics/a", 1)],
        )
        return found.report(lake, Steps(JsonOutput(), 5.0))

    return make


def test_a_row_that_the_lake_lacks_is_a_difference(world, report):
    lake = world.objects()[QUERY]
    made = report([row for row in lake if row["address_id"] != 102])
    assert [check.place for check in made.checks if not check.equal] == [f"objects topics/{QUERY}/"]
    assert made.facts()["counts"] == [
        {"district": "East", "before": 5, "postgresql": 4, "topic": 4}
    ]


def test_an_error_in_the_background_is_raised_by_who_asks_for_the_result():
    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        in_background(fail).result()
