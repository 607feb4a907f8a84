from __future__ import annotations

import pytest

from headrace.connect.jdbc.config import ISOLATIONS, MODES, OPTIONS

BASE = {"connection.url": "jdbc:postgresql:x", "topic.prefix": "p", "mode": "bulk"}


def faults(**options: str) -> dict[str, list[str]]:
    given = BASE | {name.replace("_", "."): text for name, text in options.items()}
    return {name: value.errors for name, value in OPTIONS.validate(given).items() if value.errors}


def test_the_least_that_is_needed():
    assert faults() == {}
    missing = {name for name, value in OPTIONS.validate({}).items() if value.errors}
    assert missing == {"connection.url", "mode"}


@pytest.mark.parametrize(
    ("option", "default"),
    [
        ("poll.interval.ms", 5000),
        ("batch.max.rows", 1000),
        ("table.poll.interval.ms", 60000),
        ("connection.attempts", 3),
        ("connection.backoff.ms", 10000),
        ("query.retry.attempts", -1),
        ("timestamp.delay.interval.ms", 0),
        ("timestamp.granularity", "connect_logical"),
        ("db.timezone", "UTC"),
        ("validate.non.null", True),
        ("table.types", ["TABLE"]),
        ("numeric.mapping", None),
        ("quote.sql.identifiers", "always"),
        ("transaction.isolation.mode", "DEFAULT"),
        ("incrementing.initial", -1),
        ("headrace.lossless", True),
    ],
)
def test_defaults_are_connect_s(option, default):
    assert OPTIONS.defaults(BASE)[option] == default


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("connection_url", "postgresql://host/x"),
        ("mode", "log"),
        ("poll_interval_ms", "0"),
        ("batch_max_rows", "0"),
        ("db_timezone", "Mars/Base"),
        ("topic_prefix", "a b"),
        ("topic_prefix", "x" * 250),
        ("table_types", "TABLE,CHAIR"),
        ("table_include_list", "("),
        ("timestamp_columns_mapping", "nothing"),
        ("incrementing_column_mapping", "(:id"),
        ("numeric_mapping", "best"),
        ("quote_sql_identifiers", "sometimes"),
        ("transaction_isolation_mode", "NONE"),
        ("poll_linger_ms", "-1"),
        ("jdbc_credentials_provider_class", "com.example.Vault"),
        ("headrace_delete_detection", "log"),
    ],
)
def test_values_that_do_not_do_are_refused_by_name(option, value):
    assert list(faults(**{option: value})) == [option.replace("_", ".")]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("quote_sql_identifiers", "NEVER"),
        ("db_timezone", "America/New_York"),
        ("timestamp_columns_mapping", "public.a:[x|y],public.b:[z]"),
        ("table_types", "TABLE,VIEW"),
        ("poll_linger_ms", "5000"),
        ("poll_linger_ms", "0"),
        ("timestamp_initial", "-1"),
    ],
)
def test_values_that_do(option, value):
    assert faults(**{option: value}) == {}


def test_choices_are_recommended():
    values = OPTIONS.validate(BASE)
    assert list(values["mode"].recommended) == list(MODES)
    assert list(values["transaction.isolation.mode"].recommended) == list(ISOLATIONS)


def test_passwords_are_not_shown():
    shown = OPTIONS.validate(BASE | {"connection.password": "hunter2", "query.masked": "SELECT 2"})
    for name in ("connection.password", "query.masked"):
        assert shown[name].to_json(OPTIONS.keys[name].type)["value"] == "[hidden]"


def test_every_option_is_described_and_has_a_place():
    for key in OPTIONS:
        assert key.documentation.endswith(".")
        assert key.group
        assert key.order > 0
