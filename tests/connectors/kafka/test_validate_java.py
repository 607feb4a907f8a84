from __future__ import annotations

from types import SimpleNamespace

import pytest

from headrace.connectors.kafka.settings import settings_of
from headrace.connectors.kafka.validate_java import check_loadable
from headrace.errors import InvalidOption

KEY, VALUE = "properties.key.deserializer", "properties.value.deserializer"
KAFKAS = "org.apache.kafka.common.serialization"


def refused(session, table):
    with pytest.raises(InvalidOption) as caught:
        check_loadable(session, table, settings_of(table))
    assert len(caught.value.render().splitlines()) <= 5
    return caught.value


def session_that_finds(*, pattern=None, deserializer=None):
    checks = SimpleNamespace(
        patternFault=lambda text: pattern, deserializerFault=lambda name: deserializer
    )
    kafka = SimpleNamespace(SourceChecks=checks)
    return SimpleNamespace(_jvm=SimpleNamespace(headrace=SimpleNamespace(kafka=kafka)))


def test_a_pattern_that_java_does_not_read_is_pointed_at(kafka_table, upsert_table):
    for make in (kafka_table, upsert_table):
        made = make({"topic": None, "topic-pattern": "a[b"})
        error = refused(session_that_finds(pattern="Unclosed character class"), made)
        assert error.found == "'topic-pattern' = 'a[b'"
        assert "Unclosed character class" in error.expected
        assert error.where == made.positions["topic-pattern"]


@pytest.mark.parametrize(
    ("format", "key"),
    [
        ("format", "canal-json.table.include"),
        ("value.format", "value.canal-json.database.include"),
    ],
)
def test_so_is_one_that_chooses_among_tables(kafka_table, format, key):
    made = kafka_table({"format": None, format: "canal-json", key: "(a"})
    error = refused(session_that_finds(pattern="Unclosed group"), made)
    assert error.summary == f"option '{key}' is not a Java regular expression"
    assert (error.found, error.where) == (f"'{key}' = '(a'", made.positions[key])


@pytest.mark.parametrize("key", [KEY, VALUE])
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("missing", "is not found"),
        ("other", "is not a deserializer"),
        ("not bytes", "does not give bytes"),
    ],
)
def test_a_class_that_cannot_be_used_is_pointed_at(kafka_table, key, fault, said):
    made = kafka_table({key: "x.Y"})
    error = refused(session_that_finds(deserializer=fault), made)
    assert error.summary == f"class 'x.Y' {said}"
    assert error.found == f"'{key}' = 'x.Y'"
    assert error.where == made.positions[key]
    assert error.cure


def test_tables_that_name_neither_ask_nothing(kafka_table):
    made = kafka_table()
    check_loadable(
        session_that_finds(pattern="wrong", deserializer="missing"), made, settings_of(made)
    )


@pytest.mark.spark
def test_java_judges_classes_and_patterns(spark, kafka_table):
    checks = spark._jvm.headrace.kafka.SourceChecks
    assert checks.deserializerFault(f"{KAFKAS}.ByteArrayDeserializer") is None
    assert checks.deserializerFault(f"{KAFKAS}.StringDeserializer") == "not bytes"
    assert checks.deserializerFault("java.lang.String") == "other"
    assert checks.deserializerFault("no.such.Deserializer") == "missing"
    assert checks.patternFault("\\p{Alpha}++-(?<year>[0-9]{4})") is None
    assert checks.patternFault("a[b") == "Unclosed character class"
    good = kafka_table(
        {VALUE: f"{KAFKAS}.ByteArrayDeserializer", "topic": None, "topic-pattern": "a++"}
    )
    check_loadable(spark, good, settings_of(good))
    bad = kafka_table({KEY: f"{KAFKAS}.LongDeserializer"})
    assert "does not give bytes" in refused(spark, bad).summary
