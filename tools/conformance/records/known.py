"""The differences that stay, each with the reason. What none of these excuses fails the test, and so does one that excuses nothing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_ANY = "."


@dataclass(frozen=True, slots=True)
class Known:
    """`case` is found in the case's name, `theirs` and `ours` in the JSON of the answers."""

    reason: str
    case: str = _ANY
    theirs: str = _ANY
    ours: str = _ANY

    def excuses(self, case: str, theirs: Any, ours: Any) -> bool:
        found = ((self.case, case), (self.theirs, _text(theirs)), (self.ours, _text(ours)))
        return all(re.search(pattern, text) for pattern, text in found)


def _text(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)


KNOWN = (
    Known(
        "Connect leaves the name of a decimal or time to a whole that it casts to something else, so that its own"
        " converters refuse it; ours has the name no more, and is written.",
        case=r"^Cast\$Value spec=\w+$",
        theirs="expected (BigDecimal|Date) but was class",
    ),
    Known(
        "A decimal of Spark's has the scale of its schema. Connect keeps the scale of a JSON number, or of the zero that"
        " MaskField puts in, and its converters refuse what differs from the schema.",
        theirs="Decimal value has mismatching scale",
    ),
    Known("The same, where Connect writes the number as it was read.", case="numeric decimals"),
    Known(
        "Without a schema, dates are what JSON can carry: milliseconds. Connect has Java's dates, which its converters"
        " refuse.",
        theirs=r"class java\.util\.Date (does not have|which is not supported)",
    ),
    Known(
        "Without a schema, numbers are what JSON tells apart: INT64 and FLOAT64.",
        case="cast to a byte then mask",
    ),
    Known(
        "Connect's message goes on with all that the record is.",
        case="TimestampRouter",
        theirs="Timestamp missing on record: ",
        ours="Timestamp missing on record",
    ),
    Known(
        "Spark counts microseconds in 64 bits, which end in the year 294247.",
        ours="Timestamps whose microseconds need more than 64 bits are not read",
    ),
    Known(
        "Lists and maps among the literals of headers stay as they are written.",
        theirs=r'\["h"',
        ours=r"\[1, ?[0-9]|\{\}",
    ),
)
