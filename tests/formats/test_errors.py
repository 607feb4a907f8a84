import pytest

from headrace.errors import DataError
from headrace.formats.errors import SKIPPING, data_error_from, registry_fault_from

DECODING = (
    "org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 2.0 failed\n"
    "headrace.formats.RecordException: topic=shop.orders-1 partition=3 offset=41 format=json part=value "
    "field=\"r.x\": cannot read 'q' as INT\n"
    "\tat headrace.formats.RecordDecoder.decode(RecordDecoder.java:44)\n"
)


def test_a_decoding_failure_becomes_facts():
    error = data_error_from(DECODING)
    assert isinstance(error, DataError)
    assert error.render().splitlines() == [
        "[DATA_ERROR] field 'r.x' of a record's value cannot be read as json",
        "  at: topic shop.orders-1, partition 3, offset 41",
        "  found: cannot read 'q' as INT",
        "  cure: 'headrace.errors.mode' = 'skip' passes such records by, 'dead-letter' keeps them in a topic",
    ]


def test_a_failure_of_the_whole_record_names_no_field():
    error = data_error_from(
        'topic=t partition=0 offset=0 format=csv part=key field="": 2 fields expected, 1 found'
    )
    assert error is not None
    assert error.summary == "a record's key cannot be read as csv"
    assert error.cure == SKIPPING


def test_a_reason_may_tell_its_own_cure():
    error = data_error_from(
        "topic=t partition=0 offset=7 format=debezium-json part=value "
        'field="before": a delete lacks the old row [cure: REPLICA IDENTITY FULL]\n\tat Some.java'
    )
    assert error is not None
    assert (error.found, error.cure) == ("a delete lacks the old row", "REPLICA IDENTITY FULL")


def test_an_encoding_failure_has_no_place():
    error = data_error_from('unwritable row: format=json part=value field="m": a map key is null')
    assert error is not None
    assert (error.summary, error.where) == (
        "field 'm' of a record's value cannot be written as json",
        None,
    )
    assert error.cure is None


def test_quotes_and_backslashes_in_field_names_survive():
    error = data_error_from(
        r'topic=t partition=0 offset=0 format=json part=value field="a\"b\\c": no'
    )
    assert error is not None
    assert r"""field 'a"b\c'""" in error.summary


@pytest.mark.parametrize(
    "message", ["", "java.lang.OutOfMemoryError", "topic=t partition=x offset=1"]
)
def test_other_messages_are_not_about_records(message):
    assert data_error_from(message) is None


def registry_fault(status, subject="", reason="no"):
    text = f'Job aborted: registry=http://r:1 status={status} subject="{subject}" failed: {reason}\n\tat x'
    return registry_fault_from(text)


@pytest.mark.parametrize(
    ("status", "condition", "told"),
    [
        (0, "REGISTRY_UNREACHABLE", "http://r:1 does not answer"),
        (401, "REGISTRY_REFUSED", "refused the credentials"),
        (403, "REGISTRY_REFUSED", "refused the credentials"),
        (409, "INCOMPATIBLE_SCHEMA", "under subject 's-value'"),
        (422, "REGISTRY_REFUSED", "refused the request"),
        (500, "REGISTRY_REFUSED", "refused the request"),
    ],
)
def test_what_a_registry_did_not_do(status, condition, told):
    error = registry_fault(status, "s-value", "because")
    assert error.condition == condition
    assert told in error.summary
    assert "because" in error.found
    assert len(error.render().splitlines()) <= 5


def test_texts_without_a_registry_are_none_of_its_faults():
    assert registry_fault_from("registry=http://r:1 is well") is None
