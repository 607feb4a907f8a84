import pytest

from headrace.errors import DataError, EnvironmentFault, InternalError, UserError
from headrace.runtime.faults import KNOWN_FAULTS, root_cause, translate


@pytest.mark.parametrize(
    ("text", "kind", "condition"),
    [
        (
            "[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012",
            DataError,
            "DIVISION_BY_ZERO",
        ),
        (
            "[CAST_INVALID_INPUT] The value 'x' of the type STRING cannot be cast to INT",
            DataError,
            "INVALID_CAST",
        ),
        ("[ARITHMETIC_OVERFLOW] long overflow", DataError, "OVERFLOW"),
        ("[REMAINDER_BY_ZERO] Remainder by zero.", DataError, "DIVISION_BY_ZERO"),
        (
            'java.lang.IllegalArgumentException: INVALID_JSON_KEY "a" twice',
            DataError,
            "INVALID_JSON_KEY",
        ),
        (
            "Caused by: org.apache.kafka.clients.consumer.OffsetOutOfRangeException: x",
            DataError,
            "OFFSETS_GONE",
        ),
        (
            "org.apache.kafka.common.errors.UnknownTopicOrPartitionException: no such topic",
            EnvironmentFault,
            "UNKNOWN_TOPIC",
        ),
        (
            "org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment",
            EnvironmentFault,
            "BROKER_UNREACHABLE",
        ),
        (
            "org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given",
            EnvironmentFault,
            "BROKER_UNREACHABLE",
        ),
        ("java.lang.OutOfMemoryError: Java heap space", EnvironmentFault, "OUT_OF_MEMORY"),
        ("java.lang.NullPointerException", InternalError, "INTERNAL_ERROR"),
        (
            "java.util.concurrent.TimeoutException: Futures timed out after [300 seconds]",
            InternalError,
            "INTERNAL_ERROR",
        ),
    ],
)
def test_what_went_wrong_in_words(text, kind, condition):
    error = translate(RuntimeError(text))
    assert type(error) is kind
    assert error.condition == condition


def test_a_known_fault_tells_its_cause_and_its_cure():
    text = (
        "org.apache.spark.SparkException: Job aborted due to stage failure\n"
        "\tat org.apache.spark.scheduler.DAGScheduler.abort(DAGScheduler.scala:1)\n"
        "Caused by: org.apache.spark.SparkArithmeticException: [DIVIDE_BY_ZERO] Division by zero.\n"
        "\t... 3 more"
    )
    assert translate(text).render().splitlines() == [
        "[DIVISION_BY_ZERO] division by zero",
        "  found: [DIVIDE_BY_ZERO] Division by zero.",
        "  cure: guard the divisor, e.g. x / NULLIF(y, 0)",
    ]


@pytest.mark.parametrize(
    ("thrown", "shown"),
    [
        (
            "headrace.functions.ExpressionException: DIVISION_BY_ZERO in price / amount",
            [
                "[DIVISION_BY_ZERO] division by zero",
                "  found: price / amount",
                "  cure: guard the divisor, e.g. x / NULLIF(y, 0)",
            ],
        ),
        (
            "headrace.functions.ExpressionException: INVALID_CAST to DECIMAL(3, 1) of 'it's of'",
            [
                "[INVALID_CAST] text cannot be cast to DECIMAL(3, 1)",
                "  found: 'it's of'",
                "  cure: use TRY_CAST, which gives NULL instead",
            ],
        ),
        (
            "headrace.functions.ExpressionException: INVALID_PATTERN of SIMILAR TO '[a-z'",
            [
                "[INVALID_PATTERN] SIMILAR TO cannot use this pattern",
                "  found: '[a-z'",
                "  expected: brackets that close, an escape character before special characters only",
            ],
        ),
        (
            "headrace.functions.ExpressionException: INVALID_PATTERN of DATE_FORMAT 'b'",
            [
                "[INVALID_PATTERN] DATE_FORMAT cannot use this pattern",
                "  found: 'b'",
                "  expected: letters of Java's date patterns, others in quotes: 'yyyy-MM-dd''T''HH:mm'",
            ],
        ),
        (
            "headrace.functions.ExpressionException: INVALID_ARGUMENT of FROM_BASE64 'a b'",
            [
                "[INVALID_ARGUMENT] FROM_BASE64 cannot use this argument",
                "  found: 'a b'",
                "  cure: pass only rows to FROM_BASE64 that it can use, e.g. CASE WHEN … THEN FROM_BASE64(…) END",
            ],
        ),
        (
            "org.apache.spark.SparkRuntimeException: [USER_RAISED_EXCEPTION] WRONG_LENGTH column=r.v "
            "type=VARCHAR(2) table=c.d.sink SQLSTATE: P0001",
            [
                "[WRONG_LENGTH] a value of another length is bound for column 'r.v' of 'c.d.sink'",
                "  expected: VARCHAR(2)",
                "  cure: SET 'table.exec.sink.type-length-enforcer' = 'TRIM_PAD' cuts and pads such values",
            ],
        ),
    ],
)
def test_what_our_own_functions_throw_is_told_in_full(thrown, shown):
    text = f"Job aborted due to stage failure\nCaused by: {thrown}\n\tat headrace.Some.where(Some.java:1)"
    assert translate(text).render().splitlines() == shown


def test_a_record_that_cannot_be_read_is_placed():
    text = (
        "Caused by: headrace.RecordException: topic=orders partition=2 offset=17 format=json part=value "
        'field="price": not a number'
    )
    error = translate(text)
    assert isinstance(error, DataError)
    assert error.where == "topic orders, partition 2, offset 17"
    assert error.found == "not a number"


def test_errors_of_our_own_pass_through():
    error = UserError("no")
    assert translate(error) is error


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a.b.SomeException: it broke", "it broke"),
        ("a.b.Outer: x\nCaused by: a.b.InnerException: deep\nCaused by: c.Deepest$Error: y", "y"),
        ("\n\n  first line\nsecond", "first line"),
        ("", ""),
        ("x" * 400, "x" * 300),
        ("note: a.b.SomeException: it broke", "note: a.b.SomeException: it broke"),
    ],
)
def test_the_deepest_cause_without_class_names(text, cause):
    assert root_cause(text) == cause


def test_an_unknown_fault_asks_for_the_trace():
    error = translate("java.lang.IllegalStateException: odd")
    assert error.render().splitlines() == [
        "[INTERNAL_ERROR] odd",
        "  cure: run again with --verbose for the stack trace, and report it",
    ]


def test_every_known_fault_has_a_cure_and_its_own_name():
    conditions = [condition for _, _, condition, _, _ in KNOWN_FAULTS]
    assert len(set(conditions)) == len(conditions)
    assert all(cure for *_, cure in KNOWN_FAULTS)


def test_a_failure_inside_a_select_is_told_in_sparks_words():
    text = (
        "An exception was raised by the Python Proxy. Return Message: Traceback (most recent call last):\n"
        "  File 'x.py', line 1\n"
        "pyspark.errors.ArithmeticException: [DIVIDE_BY_ZERO] Division by zero.\n"
    )
    error = translate(text)
    assert (error.condition, error.found) == (
        "DIVISION_BY_ZERO",
        "[DIVIDE_BY_ZERO] Division by zero.",
    )


def test_a_conflict_names_the_table_and_the_key():
    error = translate(
        "org.apache.spark.SparkException: Job aborted\n"
        "Caused by: java.lang.IllegalStateException: PRIMARY_KEY_CONFLICT table=c.d.totals key=(item=a (b), n=1)\n"
        "\tat headrace.operators.Materialize.add(Materialize.java:1)"
    )
    assert error.condition == "PRIMARY_KEY_CONFLICT"
    assert "'c.d.totals'" in error.summary
    assert error.found == "(item=a (b), n=1)"
    assert "DO DEDUPLICATE" in error.cure


def test_a_subquery_with_several_rows():
    error = translate("Caused by: java.lang.IllegalArgumentException: SEVERAL_ROWS count=3\n\tat x")
    assert error.condition == "SEVERAL_ROWS"
    assert (error.found, error.expected) == ("3 rows", "one row at most")
    assert "LIMIT 1" in (error.cure or "")
