import pytest

from headrace.catalog.table import MetadataColumn
from headrace.connectors.kafka.validate_source import validate_source
from headrace.errors import InvalidOption, UserError
from headrace.types import STRING

OFFSETS = "partition:0,offset:42"


def refused(table):
    with pytest.raises(InvalidOption) as caught:
        validate_source(table)
    return caught.value


@pytest.mark.parametrize(
    "options",
    [
        {"scan.startup.mode": "earliest-offset"},
        {"scan.startup.mode": "LATEST-OFFSET"},
        {"scan.startup.mode": "group-offsets", "properties.group.id": "g"},
        {"scan.startup.mode": None, "properties.group.id": "g"},
        {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "1"},
        {"scan.startup.mode": "specific-offsets", "scan.startup.specific-offsets": OFFSETS},
        {"topic": "a;b"},
        {"topic": "a;a"},
        {"scan.bounded.mode": "latest-offset"},
        {"scan.bounded.mode": "group-offsets", "properties.group.id": "g"},
        {"scan.bounded.mode": "timestamp", "scan.bounded.timestamp-millis": "1"},
        {"scan.bounded.mode": "specific-offsets", "scan.bounded.specific-offsets": OFFSETS},
        {"scan.topic-partition-discovery.interval": "0"},
        {"headrace.scan.on-data-loss": "continue"},
        {"headrace.errors.mode": "skip"},
        {"headrace.errors.mode": "dead-letter", "headrace.errors.dead-letter.topic": "dead"},
        {"json.ignore-parse-errors": "true"},
    ],
)
def test_ways_to_start_and_end_that_work(kafka_table, options):
    validate_source(kafka_table(options))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scan.startup.mode": "latest-offset"},
        {"scan.startup.mode": "group-offsets", "properties.group.id": "g"},
        {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "1"},
        {"scan.startup.mode": "specific-offsets", "scan.startup.specific-offsets": OFFSETS},
        {"scan.bounded.mode": "specific-offsets", "scan.bounded.specific-offsets": OFFSETS},
        {"topic": None, "topic-pattern": "a.*"},
    ],
)
def test_an_upsert_source_starts_and_ends_in_every_way_too(upsert_table, options):
    validate_source(upsert_table(options))


@pytest.mark.parametrize("mode", ["group-offsets", None])
def test_group_offsets_need_a_group(kafka_table, mode):
    error = refused(kafka_table({"scan.startup.mode": mode}))
    assert error.condition == "MISSING_OPTION"
    assert "properties.group.id" in error.summary
    assert ("(the default)" in error.summary) is (mode is None)
    assert "'scan.startup.mode' = 'earliest-offset'" in error.cure


def test_group_offsets_as_an_end_need_a_group(kafka_table, upsert_table):
    ends = {"scan.bounded.mode": "group-offsets"}
    for made in (kafka_table(ends), upsert_table(ends)):
        error = refused(made)
        assert error.condition == "MISSING_OPTION"
        assert error.found == "'scan.bounded.mode' = 'group-offsets'"
        assert "'scan.bounded.mode' = 'latest-offset'" in error.cure


def test_a_start_at_group_offsets_needs_a_group_in_an_upsert_table(upsert_table):
    assert refused(upsert_table({"scan.startup.mode": "group-offsets"})).cure.startswith(
        "'properties.group.id'"
    )


@pytest.mark.parametrize(
    "key", ["properties.enable.auto.commit", "properties.commit.offsets.on.checkpoint"]
)
def test_commits_need_a_group(kafka_table, upsert_table, key):
    for made in (kafka_table({key: "true"}), upsert_table({key: "TRUE"})):
        error = refused(made)
        assert error.condition == "MISSING_OPTION"
        assert error.found == f"'{key}' = '{made.options[key]}'"
        assert "'properties.group.id' = '…'" in error.cure
    validate_source(kafka_table({key: "false"}))
    validate_source(kafka_table({key: "true", "properties.group.id": "g"}))


@pytest.mark.parametrize("tasks", ["0", "-1"])
def test_a_source_has_at_least_one_task(kafka_table, upsert_table, tasks):
    for made in (
        kafka_table({"scan.parallelism": tasks}),
        upsert_table({"scan.parallelism": tasks}),
    ):
        error = refused(made)
        assert error.found == f"'scan.parallelism' = '{tasks}'"
        assert error.cure == "'scan.parallelism' = '1'"
    validate_source(kafka_table({"scan.parallelism": "1"}))


def test_group_offsets_check_the_reset_policy(kafka_table):
    options = {
        "scan.startup.mode": "group-offsets",
        "properties.group.id": "g",
        "properties.auto.offset.reset": "oldest",
    }
    error = refused(kafka_table(options))
    assert error.found == "'properties.auto.offset.reset' = 'oldest'"
    assert error.expected == "one of earliest, latest, none"


@pytest.mark.parametrize(
    ("mode", "needed"),
    [
        ("timestamp", "scan.startup.timestamp-millis"),
        ("specific-offsets", "scan.startup.specific-offsets"),
    ],
)
def test_a_startup_mode_needs_its_value(kafka_table, mode, needed):
    error = refused(kafka_table({"scan.startup.mode": mode}))
    assert error.condition == "MISSING_OPTION"
    assert f"needs '{needed}'" in error.summary
    assert error.cure.startswith(f"'{needed}' = ")


@pytest.mark.parametrize(
    ("mode", "needed"),
    [
        ("timestamp", "scan.bounded.timestamp-millis"),
        ("specific-offsets", "scan.bounded.specific-offsets"),
    ],
)
def test_a_bounded_mode_needs_its_value(kafka_table, upsert_table, mode, needed):
    for made in (
        kafka_table({"scan.bounded.mode": mode}),
        upsert_table({"scan.bounded.mode": mode}),
    ):
        assert f"needs '{needed}'" in refused(made).summary


@pytest.mark.parametrize("kind", ["startup", "bounded"])
@pytest.mark.parametrize("topics", [{"topic": "a;b"}, {"topic": None, "topic-pattern": "a.*"}])
def test_specific_offsets_are_for_one_topic(kafka_table, kind, topics):
    options = {f"scan.{kind}.mode": "specific-offsets", f"scan.{kind}.specific-offsets": OFFSETS}
    error = refused(kafka_table(options | topics))
    assert error.condition == "CONFLICTING_OPTIONS"
    assert "single topic" in error.summary


@pytest.mark.parametrize("kind", ["startup", "bounded"])
def test_malformed_offsets_show_the_form(kafka_table, kind):
    options = {f"scan.{kind}.mode": "specific-offsets", f"scan.{kind}.specific-offsets": "0:42"}
    error = refused(kafka_table(options))
    assert error.found == f"'scan.{kind}.specific-offsets' = '0:42'"
    assert "partition:0,offset:42;" in error.expected


def test_a_reset_policy_counts_for_group_offsets_only(kafka_table):
    """In every other mode it is overwritten, so that nothing is said about it."""
    validate_source(kafka_table({"properties.auto.offset.reset": "oldest"}))


def test_a_start_after_the_end_is_not_refused(kafka_table):
    """The answer is empty, as in Flink."""
    late = {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "9"}
    validate_source(
        kafka_table(late | {"scan.bounded.mode": "timestamp", "scan.bounded.timestamp-millis": "1"})
    )
    offsets = {
        "scan.startup.mode": "specific-offsets",
        "scan.startup.specific-offsets": "partition:0,offset:9",
        "scan.bounded.mode": "specific-offsets",
        "scan.bounded.specific-offsets": "partition:0,offset:1",
    }
    validate_source(kafka_table(offsets))


def test_metadata_is_checked(kafka_table):
    wrong = MetadataColumn(name="m", type=STRING, key="topics")
    with pytest.raises(UserError, match="did you mean 'topic'"):
        validate_source(kafka_table(metadata=[wrong]))


MODE, LETTERS = "headrace.errors.mode", "headrace.errors.dead-letter.topic"


@pytest.mark.parametrize(
    ("options", "condition", "said"),
    [
        ({MODE: "dead-letter"}, "MISSING_OPTION", f"needs '{LETTERS}'"),
        ({LETTERS: "dead"}, "CONFLICTING_OPTIONS", f"needs '{MODE}' = 'dead-letter'"),
        ({MODE: "skip", LETTERS: "dead"}, "CONFLICTING_OPTIONS", f"needs '{MODE}'"),
        (
            {"topic": "a;dead", MODE: "dead-letter", LETTERS: "dead"},
            "CONFLICTING_OPTIONS",
            "reads the topic 'dead' of its own dead letters",
        ),
        (
            {"topic": None, "topic-pattern": "d.*", MODE: "dead-letter", LETTERS: "dead"},
            "CONFLICTING_OPTIONS",
            "of its own dead letters",
        ),
        (
            {MODE: "skip", "json.ignore-parse-errors": "true"},
            "CONFLICTING_OPTIONS",
            "formats ignore parse errors",
        ),
        ({MODE: "drop"}, "INVALID_OPTION", MODE),
    ],
)
def test_orders_for_unreadable_records_that_contradict_themselves(
    kafka_table, options, condition, said
):
    error = refused(kafka_table(options))
    assert error.condition == condition
    assert said in error.summary
    assert len(error.render().splitlines()) <= 5


def test_a_pattern_only_java_knows_is_not_held_against_the_dead_letters(kafka_table):
    options = {
        "topic": None,
        "topic-pattern": "\\p{Alpha}++[",
        MODE: "dead-letter",
        LETTERS: "dead",
    }
    validate_source(kafka_table(options))


def test_a_key_that_may_fail_still_has_use_for_a_mode(upsert_table):
    ignoring = {"value.json.ignore-parse-errors": "true"}
    validate_source(upsert_table({MODE: "skip"} | ignoring))
    both = ignoring | {"key.json.ignore-parse-errors": "true"}
    assert refused(upsert_table({MODE: "skip"} | both)).condition == "CONFLICTING_OPTIONS"
