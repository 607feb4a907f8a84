import pytest

from headrace.connectors.kafka.errors import read_fault_from, write_fault_from
from headrace.errors import DataError, EnvironmentFault

MESSAGE = """An error occurred while calling o1.call.
: org.apache.spark.SparkException: Job aborted due to stage failure
Caused by: headrace.kafka.KafkaWriteException: topic=orders servers=a:1,b:2 unwritten: too large: 5000 bytes
\tat headrace.kafka.PartitionSender.call(PartitionSender.java:48)
"""


def test_a_refused_write_names_topic_brokers_and_reason():
    fault = write_fault_from(MESSAGE)
    assert fault.summary == "Kafka did not take a record for topic 'orders'"
    assert (fault.where, fault.found) == ("a:1,b:2", "too large: 5000 bytes")
    assert fault.exit_code == 3
    assert len(fault.render().splitlines()) <= 5


def test_a_refusal_at_the_end_of_a_task_is_read_without_its_class():
    """Spark keeps only the words of what a task's last act throws."""
    fault = write_fault_from(
        "Caused by: org.apache.spark.util.TaskCompletionListenerException: "
        "topic=dead servers=a:1 unwritten: timed out"
    )
    assert fault.summary == "Kafka did not take a record for topic 'dead'"


def test_other_failures_are_not_writes():
    assert write_fault_from("Caused by: java.lang.ArithmeticException: / by zero") is None


def test_a_wrong_topic_names_itself_and_those_allowed():
    fault = write_fault_from("java.lang.IllegalStateException: WRONG_TOPIC topic=a;b found='c'")
    assert (fault.condition, fault.found) == ("WRONG_TOPIC", "topic 'c'")
    assert fault.expected == "one of a;b"
    fault = write_fault_from("WRONG_TOPIC topic-pattern=o.* x found=NULL\n\tat a.b")
    assert (fault.found, fault.expected) == ("topic NULL", "a match of 'o.* x'")
    assert "'topic-pattern'" in fault.cure


def test_a_transaction_that_may_not_last_so_long():
    fault = write_fault_from(
        "topic=a servers=b:1 unwritten: The transaction timeout is larger than the maximum value allowed by the broker "
        "(as configured by transaction.max.timeout.ms)."
    )
    assert (fault.condition, fault.where) == ("TRANSACTION_TIMEOUT", "b:1")
    assert fault.cure.startswith("'properties.transaction.timeout.ms' = '900000'")


def source_fault(text):
    fault = read_fault_from(f"Caused by: headrace.kafka.SourceException: {text}\n\tat x.Y.z")
    assert len(fault.render().splitlines()) <= 5
    return fault


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("first=90 end=120", "offsets 90 to 119"),
        ("first=7 end=7", "no records"),
    ],
)
def test_records_that_are_gone_are_placed_and_the_rest_is_named(held, said):
    fault = source_fault(f"SOURCE_GONE topic=orders partition=3 offset=42 {held}")
    assert type(fault) is DataError
    assert fault.condition == "OFFSETS_GONE"
    assert "'orders'" in fault.summary
    assert fault.where == "partition 3, offset 42"
    assert fault.found == said
    assert "'headrace.scan.on-data-loss' = 'continue'" in fault.cure


@pytest.mark.parametrize(
    ("what", "said"), [("DELETED", "deleted while"), ("MADE_ANEW", "deleted and made again while")]
)
def test_a_topic_that_is_another_one_now_is_named(what, said):
    fault = source_fault(f"SOURCE_{what} topic=orders")
    assert fault.condition == "OFFSETS_GONE"
    assert fault.summary == f"topic 'orders' was {said} the job reads it"
    assert "--fresh" in fault.cure


def test_a_group_without_a_commit_is_told_what_stands_in_for_it():
    fault = source_fault(
        "SOURCE_NEVER_COMMITTED topic=orders partition=0 group='the reports' SQLSTATE: XXKST"
    )
    assert type(fault) is EnvironmentFault
    assert fault.condition == "NO_COMMITTED_OFFSET"
    assert "group 'the reports'" in fault.summary
    assert "topic 'orders', partition 0" in fault.summary
    assert "'properties.auto.offset.reset' = 'earliest'" in fault.cure


def test_other_failures_are_not_of_the_source():
    assert read_fault_from("java.lang.IllegalStateException: GONE topic=x") is None
