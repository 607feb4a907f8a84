"""Exceptions of the JVM to errors a person can read: a record that cannot be decoded, a broker that is away, …"""

from __future__ import annotations

import re
from collections.abc import Callable

from headrace.connectors.kafka.errors import read_fault_from, write_fault_from
from headrace.connectors.kafka.refusals import refusal_from
from headrace.errors import (
    DataError,
    EnvironmentFault,
    HeadraceError,
    InternalError,
    InvalidOption,
)
from headrace.formats.errors import data_error_from, registry_fault_from

# What records, registries, sources and sinks say of themselves.
TELLING: tuple[Callable[[str], HeadraceError | None], ...] = (
    data_error_from,
    registry_fault_from,
    refusal_from,
    read_fault_from,
    write_fault_from,
)

# Text of the deepest cause, what happened in words, and the cure. The first match wins.
KNOWN_FAULTS: tuple[tuple[str, type[HeadraceError], str, str, str | None], ...] = (
    (
        r"DIVIDE_BY_ZERO|REMAINDER_BY_ZERO|ArithmeticException: / by zero",
        DataError,
        "DIVISION_BY_ZERO",
        "division by zero",
        "guard the divisor, e.g. x / NULLIF(y, 0)",
    ),
    (
        r"CAST_INVALID_INPUT|CAST_OVERFLOW",
        DataError,
        "INVALID_CAST",
        "a value cannot be cast to the wanted type",
        "use TRY_CAST, which gives NULL instead",
    ),
    (
        r"ARITHMETIC_OVERFLOW|BINARY_ARITHMETIC_OVERFLOW",
        DataError,
        "OVERFLOW",
        "a number outgrew its type",
        "CAST an operand to a wider type",
    ),
    (
        r"INVALID_JSON_KEY",
        DataError,
        "INVALID_JSON_KEY",
        "a key of JSON_OBJECTAGG is NULL, or occurs twice in its group",
        "leave such rows out, e.g. JSON_OBJECTAGG(k VALUE v) FILTER (WHERE k IS NOT NULL)",
    ),
    (
        r"KAFKA_DATA_LOSS|OffsetOutOfRange|data may have been lost|offset was changed",
        DataError,
        "OFFSETS_GONE",
        "offsets to read are no longer in the topic (expired, or the topic was deleted and made again)",
        "start the job afresh: headrace run --fresh",
    ),
    (
        r"UnknownTopicOrPartition",
        EnvironmentFault,
        "UNKNOWN_TOPIC",
        "a topic does not exist on the broker",
        "create the topic, or check 'topic' and 'properties.bootstrap.servers'",
    ),
    (
        r"kafka\S*TimeoutException|bootstrap urls|Failed to construct kafka|DisconnectException|BrokerNotAvailable",
        EnvironmentFault,
        "BROKER_UNREACHABLE",
        "the Kafka broker does not answer",
        "check 'properties.bootstrap.servers', and that the broker runs (headrace dev status)",
    ),
    (
        r"OutOfMemoryError|Java heap space",
        EnvironmentFault,
        "OUT_OF_MEMORY",
        "Spark ran out of memory",
        "SET 'spark.driver.memory' = '4g'",
    ),
)


def translate(error: BaseException | str) -> HeadraceError:
    """The most telling error for what went wrong in the JVM; never a bare stack trace."""
    if isinstance(error, HeadraceError):
        return error
    text = str(error)
    telling = next(filter(None, (told(text) for told in TELLING)), None)
    if telling is not None:
        return telling
    for form, told in OWN_FACTS:
        facts = form.search(text)
        if facts is not None:
            return told(*facts.groups())
    reason = root_cause(text)
    for pattern, kind, condition, summary, cure in KNOWN_FAULTS:
        if re.search(pattern, text):
            return kind(summary, condition=condition, found=reason, cure=cure)
    return InternalError(reason, cure="run again with --verbose for the stack trace, and report it")


def _null_in_not_null(column: str, table: str) -> DataError:
    return DataError(
        f"a NULL is bound for column '{column}' of '{table}', which is NOT NULL",
        condition="NULL_IN_NOT_NULL",
        found="NULL",
        expected="a value",
        cure="SET 'table.exec.sink.not-null-enforcer' = 'DROP' leaves such rows out; COALESCE gives a value",
    )


def _primary_key_conflict(table: str, key: str) -> DataError:
    return DataError(
        f"two rows of the query fall onto one key of '{table}', and it is written with ON CONFLICT DO ERROR",
        condition="PRIMARY_KEY_CONFLICT",
        found=key,
        expected="one row per key",
        cure="ON CONFLICT DO DEDUPLICATE keeps the newest, DO NOTHING the first; or GROUP BY the key",
    )


def _several_rows(count: str) -> DataError:
    return DataError(
        "a subquery that stands for a value gives several rows",
        condition="SEVERAL_ROWS",
        found=f"{count} rows",
        expected="one row at most",
        cure="aggregate it, as in MAX(x); add LIMIT 1; or compare its key with outer columns by =",
    )


def _wrong_length(column: str, kind: str, table: str) -> DataError:
    return DataError(
        f"a value of another length is bound for column '{column}' of '{table}'",
        condition="WRONG_LENGTH",
        expected=kind,
        cure="SET 'table.exec.sink.type-length-enforcer' = 'TRIM_PAD' cuts and pads such values",
    )


def _unusable_message(name: str, reason: str) -> InvalidOption:
    return InvalidOption(
        f"protobuf message '{name}' does not fit the table",
        condition="UNUSABLE_MESSAGE",
        found=reason,
        expected="a class in a jar of 'spark.jars', or 'descriptor-file'; a field for every column",
    )


def _division_by_zero(expression: str) -> DataError:
    return DataError(
        "division by zero",
        condition="DIVISION_BY_ZERO",
        found=expression.strip(),
        cure="guard the divisor, e.g. x / NULLIF(y, 0)",
    )


def _invalid_cast(kind: str, value: str) -> DataError:
    return DataError(
        f"text cannot be cast to {kind}",
        condition="INVALID_CAST",
        found=f"'{value}'",
        cure="use TRY_CAST, which gives NULL instead",
    )


def _invalid_pattern(function: str, pattern: str) -> DataError:
    return DataError(
        f"{function} cannot use this pattern",
        condition="INVALID_PATTERN",
        found=f"'{pattern}'",
        expected="brackets that close, an escape character before special characters only"
        if function == "SIMILAR TO"
        else "letters of Java's date patterns, others in quotes: 'yyyy-MM-dd''T''HH:mm'",
    )


def _invalid_argument(function: str, argument: str) -> DataError:
    return DataError(
        f"{function} cannot use this argument",
        condition="INVALID_ARGUMENT",
        found=f"'{argument}'",
        cure=f"pass only rows to {function} that it can use, e.g. CASE WHEN … THEN {function}(…) END",
    )


# As `headrace.spark.constraints`, operators and functions in the JVM raise them in a task, and the error each one is.
OWN_FACTS: tuple[tuple[re.Pattern[str], Callable[..., HeadraceError]], ...] = (
    (
        re.compile(r"\] NULL_IN_NOT_NULL column=(.+?) table=([^\s'\"]+)"),
        _null_in_not_null,
    ),
    (
        re.compile(r"\] WRONG_LENGTH column=(.+?) type=(.+?) table=([^\s'\"]+)"),
        _wrong_length,
    ),
    (re.compile(r"PRIMARY_KEY_CONFLICT table=(\S+) key=(\(.+\))"), _primary_key_conflict),
    (re.compile(r"UNUSABLE_MESSAGE (\S+): ([^\r\n]+)"), _unusable_message),
    (re.compile(r"SEVERAL_ROWS count=(\d+)"), _several_rows),
    (re.compile(r"ExpressionException: DIVISION_BY_ZERO in ([^\r\n]+)"), _division_by_zero),
    (re.compile(r"ExpressionException: INVALID_CAST to (.+?) of '([^\r\n]*)'"), _invalid_cast),
    (re.compile(r"ExpressionException: INVALID_PATTERN of (.+?) '([^\r\n]*)'"), _invalid_pattern),
    (
        re.compile(r"ExpressionException: INVALID_ARGUMENT of (.+?) '([^\r\n]*)'"),
        _invalid_argument,
    ),
)


def root_cause(text: str) -> str:
    """The last `Caused by`, or the first line, without class names and stack frames."""
    causes = re.findall(r"Caused by: (.+)", text)
    if (
        not causes and "Python Proxy" in text
    ):  # a batch of a SELECT failed: Spark's own words stand further down
        causes = re.findall(r"(\[[A-Z_0-9.]+\] .+)", text)[:1]
    line = causes[-1] if causes else next((item for item in text.splitlines() if item.strip()), "")
    return re.sub(r"^(?:[\w$]+\.)+[\w$]*(?:Exception|Error): ", "", line.strip())[:300]
