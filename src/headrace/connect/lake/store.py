"""Where files go, in the words of the JVM: a bucket with its credentials, or a folder."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from headrace.connect.aws import keys_for
from headrace.connect.lake.settings import Settings

_EXPECTED_KEYS = (
    "aws.access.key.id and aws.secret.access.key, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
)

_SSE = "x-amz-server-side-encryption"

# Amazon's host for all buckets with transfer acceleration.
_ACCELERATED = "https://s3-accelerate.amazonaws.com"


def folder_spec(settings: Settings) -> dict[str, Any]:
    return {"folder": unquote(urlsplit(settings["store.url"]).path), "s3": None}


def bucket_spec(settings: Settings) -> dict[str, Any]:
    access, secret, token = credentials(settings)
    return {
        "folder": None,
        "s3": {
            "bucket": settings["s3.bucket.name"],
            "region": settings["s3.region"],
            "endpoint": _ACCELERATED if settings["s3.wan.mode"] else settings["store.url"] or None,
            "pathStyle": settings["s3.path.style.access.enabled"],
            "accessKey": access,
            "secretKey": secret,
            "token": token,
            "partSize": settings["s3.part.size"],
            "retries": settings["s3.part.retries"],
            "backoffMillis": settings["s3.retry.backoff.ms"],
            "created": created_headers(settings),
            "sent": sent_headers(settings),
            "tags": tags(settings),
            "tagErrorsFail": settings["s3.object.behavior.on.tagging.error"] == "fail",
            "proxy": settings["s3.proxy.url"] or None,
            "proxyUser": settings["s3.proxy.user"],
            "proxyPassword": settings["s3.proxy.password"] or "",
        },
    }


def created_headers(settings: Settings) -> dict[str, str]:
    """Headers of a request that begins an object."""
    headers = {}
    customer = settings["s3.sse.customer.key"]
    if settings["s3.ssea.name"] and not customer:
        headers[_SSE] = settings["s3.ssea.name"]
    if settings["s3.sse.kms.key.id"] and settings["s3.ssea.name"] == "aws:kms":
        headers[f"{_SSE}-aws-kms-key-id"] = settings["s3.sse.kms.key.id"]
    if settings["s3.acl.canned"]:
        headers["x-amz-acl"] = settings["s3.acl.canned"]
    return headers


def sent_headers(settings: Settings) -> dict[str, str]:
    """Headers of every request with bytes of an object: the customer's own key."""
    key = settings["s3.sse.customer.key"]
    if not key or settings["s3.ssea.name"] != "AES256":
        return {}
    digest = hashlib.md5(base64.b64decode(key), usedforsecurity=False).digest()
    return {
        f"{_SSE}-customer-algorithm": "AES256",
        f"{_SSE}-customer-key": key,
        f"{_SSE}-customer-key-md5": base64.b64encode(digest).decode(),
    }


def tags(settings: Settings) -> dict[str, str] | None:
    if not settings["s3.object.tagging"]:
        return None
    pairs = (pair.partition(":") for pair in settings["s3.object.tagging.key.value.pairs"])
    return {name: value for name, _, value in pairs}


def credentials(
    settings: Settings, environment: Mapping[str, str] = os.environ
) -> tuple[str, str, str | None]:
    """Of the configuration, of the environment, or of AWS's own chain as boto3 has it."""
    if settings["aws.access.key.id"]:
        return settings["aws.access.key.id"], settings["aws.secret.access.key"] or "", None
    return keys_for("S3", _EXPECTED_KEYS, environment)
