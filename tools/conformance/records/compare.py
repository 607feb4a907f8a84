"""Where our answer to a case is another one than Kafka's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tools.conformance.records.answers import Answer
from tools.conformance.records.case import Case, Message

# Where in the text a parser of JSON stumbled, which is told beneath its message.
_PLACE = re.compile(r"\n at \[Source: .*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Difference:
    case: str
    message: str
    theirs: Any
    ours: Any

    def __str__(self) -> str:
        return f"{self.case}: {self.message}: {self.theirs} there, {self.ours} here"


def differences(case: Case, theirs: Any, ours: Any) -> list[Difference]:
    if isinstance(theirs, dict) or isinstance(ours, dict):
        same = _refusal(theirs) == _refusal(ours)
        return [] if same else [Difference(case.name, "", _refusal(theirs), _refusal(ours))]
    return [
        Difference(case.name, _brief(message), _comparable(one), other)
        for message, one, other in zip(case.messages, theirs, ours, strict=True)
        if _comparable(one) != other
    ]


def _brief(message: Message) -> str:
    """Enough to find it: schemas are long, and stand first."""
    parts = (message.topic, message.key, message.value, message.headers)
    return " ".join(str(part)[-90:] for part in parts)


def _refusal(answer: Any) -> Any:
    """The message of a configuration that is refused; classes and causes are Java's own."""
    if not isinstance(answer, dict) or "refused" not in answer:
        return answer
    told = answer["refused"]
    return told[1] if isinstance(told, list) else told


def _comparable(answer: Answer) -> Answer:
    """Of an exception, its class and message and the exception that caused it, as stacks show that."""
    if "error" not in answer:
        return answer
    kind, message, *causes = answer["error"]
    shown = [f"{causes[0]}: {causes[1]}" if causes[1] is not None else causes[0]] if causes else []
    told = [kind, message or "", *(_PLACE.sub("", cause) for cause in shown)]
    return {"stage": answer["stage"], "error": told}
