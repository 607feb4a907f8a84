"""Digests, as lower-case hexadecimal text."""

from __future__ import annotations

from headrace.plan.functions.registry import ScalarFunction
from headrace.plan.functions.signatures import scalar
from headrace.types import char, varchar


def _sha2(name: str, bits: int, start: str) -> ScalarFunction:
    return scalar(
        name,
        "string",
        char(bits // 4),
        f"sha2({{0:binary}}, {bits})",
        f"LEFT({name}('test'), 8) -> {start}",
    )


FUNCTIONS = (
    scalar(
        "MD5",
        "string",
        char(32),
        "md5({0:binary})",
        "MD5('test') -> 098f6bcd4621d373cade4e832627b4f6",
    ),
    scalar(
        "SHA1",
        "string",
        char(40),
        "sha1({0:binary})",
        "SHA1('test') -> a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
    ),
    _sha2("SHA224", 224, "90a3ed9e"),
    _sha2("SHA256", 256, "9f86d081"),
    _sha2("SHA384", 384, "76841232"),
    _sha2("SHA512", 512, "ee26b0dd"),
    scalar(
        "SHA2",
        "string int",
        varchar(128),
        "sha2({0:binary}, {1:int})",
        "LEFT(SHA2('test', 256), 8) -> 9f86d081",
    ),
)
