"""Reads back the facts of a write that Kafka refused, from the text Spark passes to the driver."""

from __future__ import annotations

import re

from headrace.errors import EnvironmentFault

_FACTS = re.compile(
    r"topic=(?P<topic>\S+) servers=(?P<servers>\S+) unwritten: (?P<reason>[^\r\n]*)"
)


def write_fault_from(message: str) -> EnvironmentFault | None:
    """The first refused write that `message` reports, or None when it reports none."""
    facts = _FACTS.search(message)
    if facts is None:
        return None
    return EnvironmentFault(
        f"Kafka did not take a record for topic '{facts['topic']}'",
        condition="WRITE_FAILED",
        where=facts["servers"],
        found=facts["reason"],
        cure="the job continues from the failed batch when started again",
    )
