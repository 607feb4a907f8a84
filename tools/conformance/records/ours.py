"""The cases through our own converters, predicates and transforms, on Spark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from headrace.connect.configdef import InvalidConfig
from headrace.connect.converters.base import Converter
from headrace.connect.converters.batches import Tags, read_found, write_batch
from headrace.connect.converters.headers import parse_header_converter
from headrace.connect.converters.json_converter import JsonConverter
from headrace.connect.converters.registry import parse_converter
from headrace.connect.data.records import Records
from headrace.connect.transforms.chain import parse_chain
from tools.conformance.records.answers import Answer, changes
from tools.conformance.records.case import Case, Message

PARTS = ("key", "value")
Messages = tuple[Message, ...]
_TOLD = ("number", "topic", "key", "value", "headers", "error", "stage")
_COLUMNS = (
    "number int, topic string, partition int, offset bigint, key binary, value binary,"
    " headers array<struct<key:string,value:binary>>, millis bigint"
)


class Ours:
    """All cases as frames of values that Spark has at hand: what it computes of these it computes while it plans, so that
    a case needs no job. The schemas within records are looked for once, for all cases, and many cases begin alike."""

    def __init__(self, spark: SparkSession, cases: Sequence[Case]) -> None:
        self._spark = spark
        self._starts: dict[Messages, int] = {}
        messages: list[Message] = []
        for case in cases:
            if case.messages not in self._starts:
                self._starts[case.messages] = len(messages)
                messages += case.messages
        frame = spark.createDataFrame([_row(*one) for one in enumerate(messages)], _COLUMNS)
        self._rows: Any = frame._jdf.collectAsList()
        self._schema = frame._jdf.schema()
        self._tags = _tags_of(frame)
        self._begun: dict[Any, tuple[Records, ...]] = {}

    def answer(self, case: Case) -> Any:
        """In the form that the fixture has."""
        try:
            written = list(self._written(case))
        except InvalidConfig as refused:
            return {"refused": refused.summary}
        found: Mapping[int, list[Answer]] = defaultdict(list)
        for frame in written:
            for row in frame.select(*_TOLD).collect():
                number = row["number"] - self._starts[case.messages]
                answer = _answer(case.messages[number], row.asDict(recursive=True))
                found[number].append(answer)
        return [_only(found[number]) for number in range(len(case.messages))]

    def _written(self, case: Case) -> Iterator[DataFrame]:
        chain = parse_chain(case.chain)
        headers = parse_header_converter(case.write)
        key, value = (parse_converter(case.write, f"{part}.converter") for part in PARTS)
        for read in self._read(case):
            records = read if case.sink else headers.writing(read)
            for part in chain.apply(records):
                yield write_batch(part, key, value)

    def _read(self, case: Case) -> tuple[Records, ...]:
        facts = (case.messages, tuple(case.read.items()), case.sink)
        if facts not in self._begun:
            key, value = (parse_converter(case.read, f"{part}.converter") for part in PARTS)
            found = read_found(self._frame(case), key, value, self._found(case, key, value))
            headers = parse_header_converter(case.read)
            self._begun[facts] = tuple(headers.read(one) if case.sink else one for one in found)
        return self._begun[facts]

    def _found(self, case: Case, key: Converter, value: Converter) -> set[Tags]:
        carried = [isinstance(one, JsonConverter) and one.schemas for one in (key, value)]
        start = self._starts[case.messages]
        return {
            (keys if carried[0] else None, values if carried[1] else None)
            for keys, values in self._tags[start : start + len(case.messages)]
        }

    def _frame(self, case: Case) -> DataFrame:
        start = self._starts[case.messages]
        rows = self._rows.subList(start, start + len(case.messages))
        frame = DataFrame(
            self._spark._jsparkSession.createDataFrame(rows, self._schema), self._spark
        )
        timed = frame.withColumn("timestamp", sf.timestamp_millis("millis")).drop("millis")
        return timed if case.sink else timed.drop("offset")


def _tags_of(frame: DataFrame) -> list[Tags]:
    """Of each record, what the JSON converter tells the schemas of its key and its value by."""
    json = JsonConverter()
    columns = [json.tag(frame[part]) for part in PARTS]
    rows = frame.select("number", *(column for column in columns if column is not None)).collect()
    return [(row[1], row[2]) for row in sorted(rows, key=lambda row: int(row["number"]))]


def _only(answers: list[Answer]) -> Answer:
    return (
        answers[0]
        if len(answers) == 1
        else {"dropped": True}
        if not answers
        else {"several": answers}
    )


def _row(number: int, message: Message) -> tuple[Any, ...]:
    return (
        number, message.topic, message.partition, message.offset, message.key, message.value, list(message.headers), message.timestamp,
    )  # fmt: skip


def _answer(message: Message, row: Mapping[str, Any]) -> Answer:
    if row["error"] is not None:
        told, *causes = (row["error"]["message"] or "").split("\nCaused by: ")
        return {"stage": row["stage"], "error": [row["error"]["class"], told, *causes]}
    headers = [(header["key"], _bytes(header["value"])) for header in row["headers"] or ()]
    return changes(message, row["topic"], _bytes(row["key"]), _bytes(row["value"]), headers)


def _bytes(data: Any) -> bytes | None:
    return None if data is None else bytes(data)
