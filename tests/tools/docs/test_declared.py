import re

import pytest

from headrace.formats.registry import FORMATS
from headrace.plan.functions.lookup import AGGREGATES, NOT_RUN, PLANNED, SCALARS
from headrace.runtime.config import NO_EFFECT, SETTINGS
from tools.docs import declared
from tools.docs.features import load
from tools.docs.proofs import missing


@pytest.mark.parametrize("owner", sorted(declared.option_names()))
def test_everything_declared_is_judged_and_nothing_else(owner):
    assert set(load().declared[owner]) == set(declared.option_names()[owner])


def test_nothing_is_judged_that_nobody_owns():
    assert set(load().declared) == set(declared.option_names())


def test_the_tests_behind_functions_exist():
    assert missing(declared.proofs()) == []


def rows(text):
    return [line.strip("| ").split(" | ") for line in text.splitlines()[2:]]


def test_kafka_options_show_the_default_of_each_connector():
    by_name = {row[0]: row for row in rows(declared.kafka_options(load()))}
    assert by_name["`sink.topic.cleanup-policy`"][1:3] == ["`delete`", "`compact`"]
    assert by_name["`scan.startup.mode`"][1:3] == ["`group-offsets`", "`earliest-offset`"]
    assert by_name["`key.format`"][1:3] == ["–", "required"]
    assert by_name["`sink.buffer-flush.max-rows`"][1] == "refused"


def test_options_of_a_format():
    table = declared.options("csv", FORMATS["csv"].declared, load())
    assert "| `field-delimiter` | `,` | works |" in table
    assert len(rows(table)) == len(FORMATS["csv"].declared)


def test_metadata_say_which_way_they_go():
    by_name = {row[0]: row for row in rows(declared.metadata(load()))}
    assert by_name["`timestamp`"][1:4] == ["`TIMESTAMP_LTZ(3) NOT NULL`", "R/W", "works"]
    assert by_name["`leader-epoch`"][2:4] == ["R", "works"]


def test_formats_of_changes_show_all_their_metadata():
    keys = declared.message_keys(FORMATS["debezium-json"])
    shown = rows(declared.metadata(load(), keys, declared.metadata_of("debezium-json")))
    by_name = {row[0]: row for row in shown}
    assert by_name["`value.schema`"][1:4] == ["`STRING`", "R", "works"]
    assert len(by_name) == 7


def test_every_setting_has_a_row_also_those_without_effect():
    found = rows(declared.settings(load()))
    assert len(found) == len(SETTINGS) + len(NO_EFFECT)
    assert [row[2] for row in found[len(SETTINGS) :]] == ["no"] * len(NO_EFFECT)


def test_every_function_has_a_row_with_its_example():
    found = rows(declared.scalar_functions())
    assert len(found) == len(SCALARS) + len(PLANNED) + len(NOT_RUN)
    (upper,) = [row for row in found if row[0] == "`UPPER`"]
    assert upper[1] == "works"
    assert "→" in upper[2]


def test_aggregates_without_an_accumulator_are_not_promised():
    statuses = {row[0].strip("`"): row[1] for row in rows(declared.aggregate_functions(load()))}
    assert set(statuses) == set(AGGREGATES)
    for name, function in AGGREGATES.items():
        assert (statuses[name] == "no") == (function.accumulator is None)


def test_bars_inside_cells_do_not_make_columns():
    (concatenation,) = [
        line for line in declared.scalar_functions().splitlines() if "`\\|\\|`" in line
    ]
    assert len(re.findall(r"(?<!\\)\|", concatenation)) == 5


def test_a_function_without_an_example_has_another_proof():
    by_name = {row[0]: row for row in rows(declared.scalar_functions())}
    assert by_name["`NOW`"][-1] == f"`{declared.CLOCK}`"
    assert by_name["`UPPER`"][-1] == f"`{declared.EXAMPLES}`"


def test_functions_of_the_planner_say_where_they_stand():
    by_name = {row[0]: row for row in rows(declared.scalar_functions())}
    assert by_name["`GROUPING_ID`"][1:3] == ["works", "in a query with GROUP BY"]
    assert by_name["`CURRENT_DATABASE`"][1:3] == ["works", "in a query"]
    assert set(declared.PLANNED_PROOFS) == set(PLANNED)


def test_what_flink_has_and_headrace_does_not_is_named_as_such():
    by_name = {row[0]: row for row in rows(declared.scalar_functions())}
    assert by_name["`PARSE_JSON`"][1] == "no"


def test_required_options_are_marked_and_the_rest_show_their_default():
    by_name = {row[0]: row for row in rows(declared.kafka_options(load()))}
    assert by_name["`connector`"][1:3] == ["required", "required"]
    assert by_name["`value.fields-include`"][1:3] == ["`ALL`", "`ALL`"]


def test_kafka_is_judged_once_for_both_connectors():
    owners = declared.option_names()
    assert "upsert-kafka" not in owners
    assert {"scan.startup.mode", "sink.buffer-flush.interval"} <= set(owners["kafka"])
    assert len(owners["kafka"]) == len(set(owners["kafka"]))
