"""What a predicate's plugin holds."""

from headrace.connect.predicates.base import PACKAGE
from headrace.connect.predicates.registry import PREDICATES


def test_options_of_predicates():
    options = {
        name.removeprefix(f"{PACKAGE}."): [key.name for key in p.keys]
        for name, p in PREDICATES.items()
    }
    assert options == {
        "HasHeaderKey": ["name"],
        "RecordIsTombstone": [],
        "TopicNameMatches": ["pattern"],
    }


def test_predicates_are_built_without_spark():
    plugin = PREDICATES[f"{PACKAGE}.RecordIsTombstone"]
    assert callable(plugin.build({}))
