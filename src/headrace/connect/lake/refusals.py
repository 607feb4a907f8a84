"""What a store of files said when it did not take one, as an error with its facts."""

from __future__ import annotations

import re
from typing import Any

from headrace.errors import EnvironmentFault, TransientFault

# As headrace.lake.S3Exception and S3Client say it.
_REFUSED = re.compile(r"S3 refuses (\w+) of (\S+://.*?): (\d{3}) (\S*) ?(.*)")
_AWAY = re.compile(r"S3 at (\S+) is out of reach: (.*)")

_LASTING = ("400", "403", "404")
_CURES = {
    "NoSuchBucket": "create the bucket, or name another one in s3.bucket.name",
    "403": "check the credentials, and that they may write to the bucket",
    "400": "check s3.region, store.url and the credentials",
}


class StoreFault(EnvironmentFault, TransientFault):
    """One that may pass."""


def translated(failure: Any) -> Exception:
    """What the store said, wherever in the job it was said."""
    fault = failure.java_exception
    while fault is not None:
        told = told_by_store(str(fault))
        if told is not None:
            return told
        fault = fault.getCause()
    return failure  # type: ignore[no-any-return]


def told_by_store(text: str) -> EnvironmentFault | None:
    away = _AWAY.search(text)
    if away is not None:
        return StoreFault(
            "S3 is out of reach",
            condition="STORE_REFUSED",
            where=away[1],
            found=away[2],
            cure="check store.url and that it is up; it is tried again every retry.backoff.ms",
        )
    refused = _REFUSED.search(text)
    return None if refused is None else _refusal(*refused.groups())


def _refusal(method: str, place: str, status: str, code: str, reason: str) -> EnvironmentFault:
    kind = EnvironmentFault if status in _LASTING else StoreFault
    return kind(
        f"S3 refuses the {method} of a file",
        condition="STORE_REFUSED",
        where=place,
        found=" ".join(part for part in (status, code, reason) if part),
        cure=_CURES.get(code, _CURES.get(status)),
    )
