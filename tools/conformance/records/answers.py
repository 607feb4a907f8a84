"""The fixture: what Kafka's classes answered, a line for each case, with long texts that recur kept once."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.conformance.records.case import Case, Message

FILE = Path(__file__).parents[3] / "tests" / "fixtures" / "connect_records.json"

# Shorter ones cost as much as their number.
_WORTH_A_NUMBER = 8

Answer = dict[str, Any]
Header = tuple[str, bytes | None]


def shown(data: bytes | None) -> Any:
    """Bytes for the fixture: text where they are, an envelope of the JSON converter as its two halves."""
    if data is None:
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return {"hex": data.hex()}
    if not text.startswith('{"schema":'):
        return text
    _, end = json.JSONDecoder().raw_decode(text, len('{"schema":'))
    return [text[:end], text[end:]]


def of_kafka(case: Case, given: Any) -> Any:
    """An answer of Kafka's as the fixture has it."""
    if isinstance(given, dict):
        return given
    return [_record(*pair) for pair in zip(case.messages, given, strict=True)]


def _record(message: Message, one: Answer) -> Answer:
    if "topic" not in one:
        return one
    headers = [(name, _bytes(value)) for name, value in one["headers"]]
    return changes(message, one["topic"], _bytes(one["key"]), _bytes(one["value"]), headers)


def changes(
    message: Message, topic: str, key: bytes | None, value: bytes | None, headers: Sequence[Header]
) -> Answer:
    """What of a record is another than it was: most stays as it is."""
    found: Answer = {} if topic == message.topic else {"topic": topic}
    pairs = {"key": (message.key, key), "value": (message.value, value)}
    found |= {part: shown(now) for part, (before, now) in pairs.items() if now != before}
    if tuple(headers) != message.headers:
        found["headers"] = [[name, shown(data)] for name, data in headers]
    return found


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def keep(cases: Sequence[Case], answers: Sequence[Any], file: Path = FILE) -> None:
    counts = Counter(text for answer in answers for text in _texts(answer))
    recurring = [
        text for text, count in counts.items() if count > 1 and len(text) > _WORTH_A_NUMBER
    ]
    numbers = {text: number for number, text in enumerate(recurring)}
    lines = [
        _line([case.name, case.digest(), _numbered(answer, numbers)])
        for case, answer in zip(cases, answers, strict=True)
    ]
    texts = ",\n".join(map(_line, recurring))
    joined = ",\n".join(lines)
    file.write_text(f'{{"texts": [\n{texts}\n],\n"cases": [\n{joined}\n]}}\n', encoding="utf-8")


def _line(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def kept(file: Path = FILE) -> dict[str, tuple[str, Any]]:
    """Digest and answers by the name of a case."""
    found = json.loads(file.read_text(encoding="utf-8"))
    texts: list[str] = found["texts"]
    return {name: (digest, _spelt_out(answer, texts)) for name, digest, answer in found["cases"]}


def _texts(answer: Any) -> list[str]:
    match answer:
        case str():
            return [answer]
        case dict():
            return [text for item in answer.values() for text in _texts(item)]
        case list():
            return [text for item in answer for text in _texts(item)]
    return []


def _numbered(answer: Any, numbers: dict[str, int]) -> Any:
    match answer:
        case str():
            return numbers.get(answer, answer)
        case dict():
            return {key: _numbered(item, numbers) for key, item in answer.items()}
        case list():
            return [_numbered(item, numbers) for item in answer]
    return answer


def _spelt_out(answer: Any, texts: list[str]) -> Any:
    match answer:
        case bool():
            return answer
        case int():
            return texts[answer]
        case dict():
            return {key: _spelt_out(item, texts) for key, item in answer.items()}
        case list():
            return [_spelt_out(item, texts) for item in answer]
    return answer
