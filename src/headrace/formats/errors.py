"""Reads back the facts of a record the JVM could not decode or encode, from the text Spark passes to the driver."""

from __future__ import annotations

import re

from headrace.errors import DataError, EnvironmentFault, HeadraceError

_FACTS = re.compile(
    r"(?:topic=(?P<topic>\S+) partition=(?P<partition>-?\d+) offset=(?P<offset>-?\d+)|unwritable row:)"
    r" format=(?P<format>\S+) part=(?P<part>key|value)"
    r' field="(?P<field>(?:[^"\\]|\\.)*)": (?P<reason>[^\r\n]*?)(?: \[cure: (?P<cure>[^\r\n]*)\])?(?:[\r\n]|$)'
)

_REGISTRY = re.compile(
    r"registry=(?P<address>\S+) status=(?P<status>\d+)"
    r' subject="(?P<subject>[^"]*)" failed: (?P<reason>[^\r\n]*)'
)

SKIPPING = (
    "'headrace.errors.mode' = 'skip' passes such records by, 'dead-letter' keeps them in a topic"
)


def data_error_from(message: str) -> DataError | None:
    """The first record failure that `message` reports, or None when it reports none."""
    facts = _FACTS.search(message)
    if facts is None:
        return None
    decoding = facts["topic"] is not None
    return DataError(
        _summary(facts, "read" if decoding else "written"),
        where=_place(facts) if decoding else None,
        found=facts["reason"],
        cure=facts["cure"] or (SKIPPING if decoding else None),
    )


def _summary(facts: re.Match[str], done: str) -> str:
    field = re.sub(r"\\(.)", r"\1", facts["field"])
    what = (
        f"field '{field}' of a record's {facts['part']}" if field else f"a record's {facts['part']}"
    )
    return f"{what} cannot be {done} as {facts['format']}"


def _place(facts: re.Match[str]) -> str:
    return f"topic {facts['topic']}, partition {facts['partition']}, offset {facts['offset']}"


def registry_fault_from(message: str) -> HeadraceError | None:
    """What a schema registry did not do, as `message` reports it, or None when it reports nothing of the kind."""
    facts = _REGISTRY.search(message)
    if facts is None:
        return None
    place, reason = facts["address"], facts["reason"]
    match int(facts["status"]):
        case 0:
            return EnvironmentFault(
                f"the schema registry at {place} does not answer",
                condition="REGISTRY_UNREACHABLE",
                found=reason,
                cure="check option 'url' of the format, and that the registry runs (headrace dev status)",
            )
        case 401 | 403:
            return EnvironmentFault(
                f"the schema registry at {place} refused the credentials",
                condition="REGISTRY_REFUSED",
                found=reason,
                cure="check 'basic-auth.*' or 'bearer-auth.*' of the format",
            )
        case 409:
            return _incompatible(facts["subject"], place, reason)
        case status:
            return EnvironmentFault(
                f"the schema registry at {place} refused the request",
                condition="REGISTRY_REFUSED",
                found=f"HTTP status {status}: {reason}",
            )


def _incompatible(subject: str, place: str, reason: str) -> DataError:
    return DataError(
        f"the schema registry refused the sink's schema under subject '{subject}'",
        condition="INCOMPATIBLE_SCHEMA",
        where=place,
        found=reason,
        expected="a schema that is compatible with the subject's earlier ones",
        cure="change the columns, name another 'subject', or loosen the subject's compatibility",
    )
