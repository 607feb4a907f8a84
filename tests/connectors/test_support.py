import pytest

from headrace.catalog.options import Option, OptionType
from headrace.changelog import ChangelogMode
from headrace.connectors.support import (
    CONNECTOR,
    SinkConnector,
    not_readable,
    not_writable,
    option_error,
    parsed,
    unsupported_option,
)
from headrace.errors import InvalidOption


class Hole(SinkConnector):
    name = "blackhole"
    declared = (CONNECTOR, Option("depth", OptionType.INT, "Depth."))


def test_errors_point_at_the_option_and_show_its_value(table):
    made = table({"connector": "blackhole", "depth": "3"})
    error = option_error(made, "depth", "too deep", expected="less", cure="climb")
    assert str(error.where) == "<sql>:6:3"
    assert error.found == "'depth' = '3'"
    assert error.condition == "INVALID_OPTION"
    assert option_error(made, "width", "none").found is None


def test_secret_values_are_masked(table):
    made = table({"connector": "blackhole", "ssl.password": "hunter2"})
    assert option_error(made, "ssl.password", "bad").found == "'ssl.password' = '******'"


def test_unsupported_options_say_not_yet(table):
    error = unsupported_option(table({"connector": "print", "x": "1"}), "x", "no reason", "remove")
    assert error.condition == "UNSUPPORTED_OPTION"
    assert error.summary == "option 'x' is not supported yet: no reason"


def test_parsing_names_the_connector_and_the_place(table):
    with pytest.raises(InvalidOption, match="connector 'blackhole' does not support") as caught:
        parsed(table({"connector": "blackhole", "dept": "3"}), Hole.declared)
    assert caught.value.where.line == 6
    assert caught.value.cure == "did you mean 'depth'?"


def test_a_sink_takes_all_changes_and_cannot_be_read(table):
    made, sink = table({"connector": "blackhole"}), Hole()
    sink.validate(made)
    sink.validate_sink(made)
    assert sink.sink_mode(made) == ChangelogMode.retract()
    assert sink.metadata({}) == {}
    assert sink.options({}) == Hole.declared
    for refuse in (sink.validate_source, sink.scan_mode, sink.is_bounded):
        with pytest.raises(InvalidOption, match="cannot be read"):
            refuse(made)
    with pytest.raises(InvalidOption, match="can only be written"):
        sink.read(None, made, [])


def test_one_way_errors_name_table_and_connector(table):
    made = table({"connector": "print"})
    assert "table 't' cannot be read: connector 'print'" in not_readable(made).summary
    assert "table 't' cannot be written" in not_writable(made).summary
