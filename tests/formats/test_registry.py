import subprocess
import sys

import pytest

from headrace.catalog.options import ParsedOptions, parse_options
from headrace.errors import UnknownName
from headrace.formats import FORMATS, format_named
from headrace.formats.changelog import ChangelogFormat

ROWS = ("json", "csv", "avro", "avro-confluent", "protobuf", "raw")
CHANGES = (
    "debezium-avro-confluent",
    "debezium-json",
    "canal-json",
    "maxwell-json",
    "ogg-json",
)


def test_a_misspelt_format_shows_the_nearest():
    with pytest.raises(UnknownName) as caught:
        format_named("jsn")
    assert caught.value.condition == "UNKNOWN_FORMAT"
    assert caught.value.cure == "did you mean 'json'?"


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_declarations_are_named_without_a_prefix_once_each_and_explained(name):
    options = format_named(name).declared
    names = [option.name for option in options]
    assert len(set(names)) == len(names)
    assert not any(option.startswith(f"{name}.") for option in names)
    assert all(option.doc for option in options)


@pytest.mark.parametrize("name", ROWS)
def test_records_of_rows_only_add_and_have_no_metadata(name):
    format = format_named(name)
    assert format.changelog_mode.is_append
    assert not isinstance(format, ChangelogFormat)
    assert format.metadata(ParsedOptions({}, {})) == {}


@pytest.mark.parametrize("name", CHANGES)
def test_records_of_changes_have_all_kinds_and_metadata(name):
    format = format_named(name)
    assert str(format.changelog_mode) == "[I,UB,UA,D]"
    assert isinstance(format, ChangelogFormat)
    needed = {option.name: "x" for option in format.declared if option.required}
    keys = format.metadata(parse_options(format.declared, needed, owner=""))
    # Flink's format has none either, whatever its messages say.
    assert bool(keys) == (name != "debezium-avro-confluent")


def test_declarations_need_no_spark():
    check = "import sys, headrace.formats; print('pyspark' in sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == "False"
