import subprocess
import sys

import pytest

from headrace.errors import UnknownName
from headrace.formats import FORMATS, format_named


def test_every_format_answers_to_its_own_name():
    assert set(FORMATS) == {"json", "csv", "avro", "avro-confluent", "protobuf", "raw"}
    assert all(format_named(name).name == name for name in FORMATS)


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


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_formats_change_nothing_but_append(name):
    assert format_named(name).changelog_mode.is_append
    assert format_named(name).metadata() == {}


def test_declarations_need_no_spark():
    check = "import sys, headrace.formats; print('pyspark' in sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == "False"
