from __future__ import annotations

import pytest

from headrace.connect.lake.refusals import StoreFault, told_by_store, translated
from headrace.errors import TransientFault

FILE = "s3://lake/topics/a b/country=St. John: east/a+0+0000000000.json"


class Fault:
    """A Java exception with its cause."""

    def __init__(self, text, cause=None) -> None:
        self.text, self.cause = text, cause

    def __str__(self) -> str:
        return self.text

    def getCause(self):
        return self.cause


class Failure(Exception):
    def __init__(self, fault) -> None:
        self.java_exception = fault


def test_a_bucket_that_is_not_there():
    text = f"java.io.IOException: S3 refuses POST of {FILE}: 404 NoSuchBucket The specified bucket does not exist"
    fault = told_by_store(text)
    assert not isinstance(fault, TransientFault)
    assert fault.render().splitlines() == [
        "[STORE_REFUSED] S3 refuses the POST of a file",
        f"  at: {FILE}",
        "  found: 404 NoSuchBucket The specified bucket does not exist",
        "  cure: create the bucket, or name another one in s3.bucket.name",
    ]


@pytest.mark.parametrize(
    ("status", "cure"),
    [("403 AccessDenied no", "credentials"), ("400 AuthorizationHeaderMalformed no", "s3.region")],
)
def test_what_the_login_may_not_do(status, cure):
    assert cure in told_by_store(f"S3 refuses PUT of {FILE}: {status}").cure


def test_what_may_pass():
    busy = told_by_store(f"S3 refuses PUT of {FILE}: 503 SlowDown Please reduce your request rate")
    assert isinstance(busy, StoreFault)
    assert busy.found == "503 SlowDown Please reduce your request rate"
    away = told_by_store("S3 at http://h:1 is out of reach: java.net.ConnectException")
    assert isinstance(away, StoreFault)
    assert (away.where, away.found) == ("http://h:1", "java.net.ConnectException")


def test_a_refusal_without_a_reason():
    assert told_by_store(f"S3 refuses HEAD of {FILE}: 404  ").found == "404"


def test_it_is_found_among_the_causes():
    cause = Fault(f"S3 refuses PUT of {FILE}: 403 AccessDenied no\nmore")
    assert translated(Failure(Fault("job aborted", cause))).found == "403 AccessDenied no"
    other = Failure(Fault("job aborted"))
    assert translated(other) is other
