import pytest

from headrace.catalog.options import parse_options
from headrace.connectors.datagen.options import DATAGEN_OPTIONS, FIELD_OPTIONS, options_of
from headrace.types import Kind


def test_flinks_options_and_defaults():
    options = parse_options(DATAGEN_OPTIONS, {"connector": "datagen"}, owner="datagen")
    assert options["rows-per-second"] == 10000
    assert options.get("number-of-rows") is None
    assert FIELD_OPTIONS == (
        "kind",
        "min",
        "max",
        "max-past",
        "length",
        "var-len",
        "start",
        "end",
        "null-rate",
    )


def test_field_options_match_nested_names():
    kind = next(option for option in DATAGEN_OPTIONS if option.name == "fields.#.kind")
    assert kind.matches("fields.a.kind")
    assert kind.matches("fields.buyer.first_name.kind")
    assert not kind.matches("fields.kind")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Kind.BIGINT, ("min", "max", "null-rate")),
        (Kind.DECIMAL, ("min", "max", "null-rate")),
        (Kind.INTERVAL_DAY_SECOND, ("min", "max", "null-rate")),
        (Kind.STRING, ("length", "var-len", "null-rate")),
        (Kind.CHAR, ("null-rate",)),
        (Kind.TIMESTAMP_LTZ, ("max-past", "null-rate")),
        (Kind.MAP, ("length", "null-rate")),
        (Kind.ROW, ("null-rate",)),
    ],
)
def test_what_a_type_listens_to(kind, expected):
    assert options_of(kind) == expected
