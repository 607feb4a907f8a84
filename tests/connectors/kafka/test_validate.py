"""Rules of both connectors, by the order in which they are checked."""

import pytest

from headrace.connectors.kafka.validate import validate
from headrace.errors import InvalidOption, InvalidSchema, UnknownName, UserError
from headrace.types import BIGINT, INT, STRING, map_of

GROUP, DRIFT = "scan.watermark.alignment.group", "scan.watermark.alignment.max-drift"
REFRESH = "scan.watermark.alignment.update-interval"
IDLE, STRATEGY = "scan.watermark.idle-timeout", "scan.watermark.emit.strategy"
KEYED = {"key.format": "json", "key.fields": "id"}


def refused(table):
    with pytest.raises(UserError) as caught:
        validate(table)
    assert len(caught.value.render().splitlines()) <= 5
    return caught.value


def test_plain_tables_pass(kafka_table, upsert_table):
    validate(kafka_table())
    validate(kafka_table(KEYED))
    validate(kafka_table({"topic": None, "topic-pattern": "order.*"}))
    validate(upsert_table())


def test_topic_and_pattern_exclude_each_other(kafka_table):
    error = refused(kafka_table({"topic-pattern": "o.*"}))
    assert error.condition == "CONFLICTING_OPTIONS"
    assert error.found == "'topic-pattern' = 'o.*'"


@pytest.mark.parametrize("topic", [None, " ; "])
def test_one_of_topic_and_pattern_is_needed(kafka_table, upsert_table, topic):
    for made in (kafka_table({"topic": topic}), upsert_table({"topic": topic})):
        error = refused(made)
        assert error.condition == "MISSING_OPTION"
        assert error.expected == "'topic' or 'topic-pattern'"


@pytest.mark.parametrize(
    ("given", "missing"),
    [({GROUP: "g"}, [DRIFT]), ({DRIFT: "1 min"}, [GROUP]), ({REFRESH: "1 s"}, [GROUP, DRIFT])],
)
def test_alignment_needs_its_group_and_drift_together(kafka_table, upsert_table, given, missing):
    for made in (kafka_table(given), upsert_table(given)):
        error = refused(made)
        assert error.condition == "MISSING_OPTION"
        assert error.found == f"'{next(iter(given))}' = '{next(iter(given.values()))}'"
        assert all(f"'{key}' = '…'" in error.cure for key in missing)


def test_watermarks_may_be_told_how_to_advance(kafka_table, upsert_table):
    given = {GROUP: "g", DRIFT: "1 min", REFRESH: "1 s", IDLE: "1 min", STRATEGY: "on-event"}
    validate(kafka_table(given))
    validate(upsert_table(given))


def test_key_fields_need_a_key_format(kafka_table):
    error = refused(kafka_table({"key.fields": "id"}))
    assert "needs a key format" in error.summary


@pytest.mark.parametrize("fields", [None, "", " ; "])
def test_a_key_format_needs_key_fields(kafka_table, fields):
    error = refused(kafka_table(KEYED | {"key.fields": fields}))
    assert error.condition == "MISSING_OPTION"
    assert error.cure == "'key.fields' = 'id'"


def test_a_key_field_must_be_a_physical_column(kafka_table):
    with pytest.raises(UnknownName, match="did you mean 'name'") as caught:
        validate(kafka_table(KEYED | {"key.fields": "nam"}))
    assert caught.value.where is not None


def test_a_prefix_does_not_go_with_all(kafka_table, upsert_table):
    columns = {"k_id": BIGINT, "name": STRING}
    for made in (
        kafka_table(KEYED | {"key.fields": "k_id", "key.fields-prefix": "k_"}, columns),
        upsert_table({"key.fields-prefix": "k_"}, columns, primary_key=["k_id"]),
    ):
        assert refused(made).cure == "'value.fields-include' = 'EXCEPT_KEY'"


def test_every_key_column_carries_the_prefix(kafka_table, upsert_table):
    split = {"key.fields-prefix": "k_", "value.fields-include": "EXCEPT_KEY"}
    columns = {"k_id": BIGINT, "site": INT, "name": STRING}
    for made in (
        kafka_table(KEYED | split | {"key.fields": "k_id;site"}, columns),
        upsert_table(split, columns, primary_key=["k_id", "site"]),
    ):
        error = refused(made)
        assert "'site' lacks the prefix 'k_'" in error.summary
        assert error.cure == "rename 'site' to 'k_site'"


def test_a_key_column_is_more_than_the_prefix(kafka_table):
    whole = {"key.fields": "id", "key.fields-prefix": "id", "value.fields-include": "EXCEPT_KEY"}
    error = refused(kafka_table(KEYED | whole, {"id": BIGINT, "name": STRING}))
    assert error.summary == "nothing is left of key column 'id' without the prefix"


def test_a_key_format_must_be_insert_only(kafka_table, upsert_table):
    for made in (
        kafka_table(KEYED | {"key.format": "canal-json"}),
        upsert_table({"key.format": "canal-json"}),
    ):
        assert "must be insert-only, 'canal-json' is not" in refused(made).summary


def test_upsert_takes_insert_only_value_formats(upsert_table):
    error = refused(upsert_table({"value.format": "canal-json"}))
    assert error.found == "'value.format' = 'canal-json'"
    assert error.cure.startswith("'connector' = 'kafka', 'format' = 'canal-json'")


def test_an_insert_only_kafka_table_has_no_primary_key(kafka_table):
    with pytest.raises(InvalidSchema, match=r"PRIMARY KEY \(id\)") as caught:
        validate(kafka_table(primary_key=["id"]))
    assert "upsert-kafka" in caught.value.cure
    validate(kafka_table({"format": "debezium-json"}, primary_key=["id"]))


def test_an_upsert_table_needs_a_primary_key(upsert_table):
    with pytest.raises(InvalidSchema, match="needs a PRIMARY KEY") as caught:
        validate(upsert_table(primary_key=[]))
    assert caught.value.cure == "PRIMARY KEY (id) NOT ENFORCED"


def test_the_primary_key_is_physical(upsert_table):
    with pytest.raises(InvalidSchema, match="'computed' is not a physical column"):
        validate(upsert_table(primary_key=["id", "computed"]))


def test_formats_look_at_their_columns(kafka_table):
    columns = {"id": BIGINT, "m": map_of(INT, STRING)}
    assert refused(kafka_table({}, columns)).condition == "UNSUPPORTED_TYPE"
    only_key = KEYED | {"key.fields": "m", "value.fields-include": "EXCEPT_KEY"}
    assert refused(kafka_table(only_key, columns)).condition == "UNSUPPORTED_TYPE"


def test_formats_look_at_their_options(kafka_table):
    both = {"json.ignore-parse-errors": "true", "json.fail-on-missing-field": "true"}
    assert refused(kafka_table(both)).condition == "CONFLICTING_OPTIONS"


def test_secrets_are_masked(kafka_table):
    secret = {"properties.sasl.jaas.config": "hunter2", "properties.ssl.password": "hunter2"}
    for made in (kafka_table(secret | {"topic": None}), kafka_table(secret | {"bad": "x"})):
        assert "hunter2" not in refused(made).render()


def test_wrong_option_of_an_unknown_prefix(kafka_table):
    with pytest.raises(InvalidOption, match="does not support the option"):
        validate(kafka_table({"value.json.ignore-parse-errors": "true"}))
