"""Options of the sinks to files, by the names, types and defaults of Confluent's connector for S3."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from headrace.connect import restarts
from headrace.connect.configdef import (
    REQUIRED,
    Config,
    ConfigDef,
    ConfigKey,
    Importance,
    Type,
    Validator,
    at_least,
    between,
    non_empty,
    one_of,
    optional,
)

PACKAGE = "io.confluent.connect.s3."
PARTITIONERS = "io.confluent.connect.storage.partitioner."

FORMATS = {
    f"{PACKAGE}format.json.JsonFormat": "json",
    f"{PACKAGE}format.avro.AvroFormat": "avro",
    f"{PACKAGE}format.parquet.ParquetFormat": "parquet",
    f"{PACKAGE}format.bytearray.ByteArrayFormat": "bytes",
    f"{PACKAGE}format.string.StringFormat": "string",
}
PARTITIONER_KINDS = {
    f"{PARTITIONERS}{kind}Partitioner": kind
    for kind in ("Default", "Field", "TimeBased", "Daily", "Hourly")
}
PROVIDERS = {
    "com.amazonaws.auth.DefaultAWSCredentialsProviderChain": "chain",
    "software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider": "chain",
}
EXTRACTORS = ("Wallclock", "Record", "RecordField")
PARQUET_CODECS = ("none", "gzip", "snappy", "lz4", "lz4_raw", "zstd", "brotli", "lzo")
ACLS = (
    "private",
    "public-read",
    "public-read-write",
    "authenticated-read",
    "log-delivery-write",
    "bucket-owner-read",
    "bucket-owner-full-control",
    "aws-exec-read",
)

# The smallest part of an upload that S3 takes, and the largest that Connect does.
LEAST_PART, MOST_PART = 5 << 20, 2**31 - 1

KEEP_FIELD = "headrace.partition.field.keep"

AFFIX = "s3.schema.partition.affix.type"
AFFIXES = ("NONE", "PREFIX", "SUFFIX")

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW

Row = tuple[str, Type, Any, Importance, str, Validator | None, tuple[str, ...]]


def row(
    name: str,
    type: Type,
    default: Any,
    importance: Importance,
    text: str,
    validator: Validator | None = None,
    values: tuple[str, ...] = (),
) -> Row:
    return name, type, default, importance, text, validator, values


def _zone(value: Any) -> str | None:
    if not value:
        return None
    try:
        zoneinfo.ZoneInfo(value)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return "The datetime zone id is not recognised"
    return None


def _known(known: dict[str, str], but: tuple[str, ...] = ()) -> Validator:
    names = [name for name, kind in known.items() if kind not in but]
    return lambda value: None if value is None else one_of(*names)(value)


_FORMAT_NAMES = tuple(FORMATS)
_VALUE_FORMATS = _known(FORMATS, ("string",))


def files() -> list[Row]:
    """What is written, where stores do not differ."""
    return [
        row("format.class", Type.CLASS, REQUIRED, HIGH, "Class of the format of files.", _VALUE_FORMATS, _FORMAT_NAMES[:4]),
        row("flush.size", Type.INT, REQUIRED, HIGH, "Records of a Kafka partition, over all of its open files, after which these are written.", at_least(1)),
        row("rotate.interval.ms", Type.LONG, -1, HIGH, "Span of the records' own time after which files are written; needs a time-based partitioner."),
        row("rotate.schedule.interval.ms", Type.LONG, -1, MEDIUM, "Files are written at multiples of this since midnight, whether records come or not; needs timezone."),
        row("rotate.file.on.partition.change", Type.BOOLEAN, True, LOW, "Whether, with rotate.interval.ms, files are also written when a record goes to another output partition than the one before."),
        row("schema.compatibility", Type.STRING, "NONE", HIGH, "How records of several versions of a schema share a file: NONE never, BACKWARD and FULL as the newer one, FORWARD as the older.", one_of("NONE", "BACKWARD", "FORWARD", "FULL"), ("NONE", "BACKWARD", "FORWARD", "FULL")),
        row("topics.dir", Type.STRING, "topics", HIGH, "Folder of all topics."),
        row("directory.delim", Type.STRING, "/", MEDIUM, "What stands between folders.", non_empty),
        row("file.delim", Type.STRING, "+", MEDIUM, "What stands between the parts of a file's name."),
        row("filename.offset.zero.pad.width", Type.INT, 10, LOW, "Digits of the first offset in a file's name.", at_least(0)),
        row("behavior.on.null.values", Type.STRING, "fail", LOW, "What becomes of records without a value: fail, ignore or write (their keys).", one_of("fail", "ignore", "write", ignore_case=True), ("fail", "ignore", "write")),
        row("tombstone.encoded.partition", Type.STRING, "tombstone", LOW, "Output partition of records without a value."),
        row("report.null.values.to.dlq", Type.BOOLEAN, True, LOW, "Whether records without a value that are ignored go to the dead letters, where errors.tolerance is all."),
        row("store.kafka.keys", Type.BOOLEAN, False, LOW, "Whether keys are written beside the values, in files of their own."),
        row("store.kafka.headers", Type.BOOLEAN, False, LOW, "Whether headers are written beside the values, in files of their own."),
        row("keys.format.class", Type.CLASS, f"{PACKAGE}format.avro.AvroFormat", LOW, "Class of the format of files with keys.", _known(FORMATS), _FORMAT_NAMES),
        row("headers.format.class", Type.CLASS, f"{PACKAGE}format.avro.AvroFormat", LOW, "Class of the format of files with headers.", _known(FORMATS, ("parquet", "bytes")), (_FORMAT_NAMES[1], _FORMAT_NAMES[0], _FORMAT_NAMES[4])),
        row("parquet.codec", Type.STRING, "snappy", LOW, "Compression of Parquet.", one_of(*PARQUET_CODECS), PARQUET_CODECS[:6]),
        row("avro.codec", Type.STRING, "null", LOW, "Compression of Avro.", one_of("null", "deflate", "snappy", "bzip2"), ("null", "deflate", "snappy", "bzip2")),
        row("enhanced.avro.schema.support", Type.BOOLEAN, True, LOW, "Whether Avro's enumerations and packages survive; Connect's schemas here have neither."),
        row("connect.meta.data", Type.BOOLEAN, True, LOW, "Whether schemas of Avro keep what only Connect knows."),
        row("schemas.cache.config", Type.INT, 1000, LOW, "How many schemas are kept once they are converted; all are."),
        row("json.decimal.format", Type.STRING, "BASE64", LOW, "Decimals in JSON: BASE64 or NUMERIC.", one_of("BASE64", "NUMERIC", ignore_case=True), ("BASE64", "NUMERIC")),
        row("format.bytearray.extension", Type.STRING, ".bin", LOW, "Ending of the names of files of bytes."),
        row("format.bytearray.separator", Type.STRING, None, LOW, "What stands behind each record of bytes; a new line when it is not set."),
        row("s3.compression.type", Type.STRING, "none", LOW, "Compression of JSON and bytes: none or gzip.", one_of("none", "gzip"), ("none", "gzip")),
        row("s3.compression.level", Type.INT, -1, LOW, "Level of gzip; -1 is its own.", between(-1, 9)),
        row("partitioner.class", Type.CLASS, f"{PARTITIONERS}DefaultPartitioner", HIGH, "Class of what chooses output partitions.", _known(PARTITIONER_KINDS), tuple(PARTITIONER_KINDS)),
        row("partition.field.name", Type.LIST, [], MEDIUM, "Fields of a FieldPartitioner; a.b is a field of a field."),
        row("partition.field.format.path", Type.BOOLEAN, True, LOW, "Whether folders of a FieldPartitioner are called field=value, or value alone."),
        row(KEEP_FIELD, Type.BOOLEAN, True, LOW, "Whether fields of a FieldPartitioner stay in the files too, as Connect has it."),
        row(AFFIX, Type.STRING, "NONE", LOW, "Whether the name of a record's schema is a folder, schema_name=NAME: before the others (PREFIX), behind them (SUFFIX) or not at all.", one_of(*AFFIXES), AFFIXES),
        row("path.format", Type.STRING, "", LOW, "Pattern of the folders of a TimeBasedPartitioner, in the letters of Joda."),
        row("partition.duration.ms", Type.LONG, -1, MEDIUM, "Length of time of an output partition of a TimeBasedPartitioner."),
        row("locale", Type.STRING, "", MEDIUM, "Language of the names of days and months, as en-US."),
        row("timezone", Type.STRING, "", MEDIUM, "Zone of paths and schedules.", _zone),
        row("timestamp.extractor", Type.STRING, "Wallclock", MEDIUM, "Where a record's time comes from: Wallclock, Record or RecordField.", one_of(*EXTRACTORS), EXTRACTORS),
        row("timestamp.field", Type.STRING, "timestamp", MEDIUM, "Field of the extractor RecordField."),
        row("max.write.duration.ms", Type.LONG, 2**63 - 1, LOW, "Accepted: a round of writing takes on so many records that it ends in seconds.", at_least(1)),
        row("max.open.files.per.partition", Type.INT, -1, LOW, "Most files of a Kafka partition at a time, which are all written before one more is begun; -1 for any number."),
        row("storage.class", Type.CLASS, f"{PACKAGE}storage.S3Storage", HIGH, "Class of the store."),
        row("schema.generator.class", Type.CLASS, None, LOW, "A class of older releases; nothing here uses it."),
        row("enable.conditional.writes", Type.BOOLEAN, True, LOW, "Accepted: files are written exactly once without conditions."),
        row("retry.backoff.ms", Type.LONG, 5000, LOW, "Milliseconds before a round of writing that failed for a time is tried again.", at_least(0)),
        row("shutdown.timeout.ms", Type.LONG, 3000, MEDIUM, "Accepted: what is not written when a task ends is read again by the next."),
    ]  # fmt: skip


def bucket() -> list[Row]:
    """What S3 alone needs."""
    return [
        row("s3.bucket.name", Type.STRING, REQUIRED, HIGH, "The bucket.", non_empty),
        row("s3.region", Type.STRING, "us-west-2", MEDIUM, "Region of the bucket.", non_empty),
        row("store.url", Type.STRING, None, HIGH, "Address of a service other than Amazon's, as https://host:port.", _endpoint),
        row("s3.path.style.access.enabled", Type.BOOLEAN, True, LOW, "Whether the bucket is part of the path, and not of the host."),
        row("s3.wan.mode", Type.BOOLEAN, False, MEDIUM, "Transfer acceleration of Amazon; needs s3.path.style.access.enabled = false."),
        row("s3.part.size", Type.INT, 26214400, HIGH, "Bytes of a part of an upload.", between(LEAST_PART, MOST_PART)),
        row("s3.part.retries", Type.INT, 3, MEDIUM, "Tries of a request beyond the first.", at_least(0)),
        row("s3.retry.backoff.ms", Type.LONG, 200, LOW, "First pause between two tries, which doubles.", at_least(0)),
        row("s3.credentials.provider.class", Type.CLASS, "com.amazonaws.auth.DefaultAWSCredentialsProviderChain", LOW, "Where credentials come from: the default chain.", _known(PROVIDERS), tuple(PROVIDERS)),
        row("aws.access.key.id", Type.STRING, "", HIGH, "Access key; from the default chain when it is not set."),
        row("aws.secret.access.key", Type.PASSWORD, None, HIGH, "Secret of the access key."),
        row("s3.ssea.name", Type.STRING, "", LOW, "Encryption at rest: AES256 or aws:kms.", optional(one_of("AES256", "aws:kms")), ("AES256", "aws:kms")),
        row("s3.sse.customer.key", Type.PASSWORD, None, LOW, "Key of one's own for encryption at rest, with s3.ssea.name AES256."),
        row("s3.sse.kms.key.id", Type.STRING, "", LOW, "Key for s3.ssea.name aws:kms."),
        row("s3.acl.canned", Type.STRING, None, LOW, "Access that objects are given.", optional(one_of(*ACLS)), ACLS),
        row("s3.object.tagging", Type.BOOLEAN, False, LOW, "Whether objects are tagged with startOffset, endOffset and recordCount."),
        row("s3.object.tagging.key.value.pairs", Type.LIST, [], LOW, "Further tags, key:value each."),
        row("s3.object.behavior.on.tagging.error", Type.STRING, "ignore", LOW, "Whether an object that cannot be tagged fails the task.", one_of("ignore", "fail"), ("ignore", "fail")),
        row("s3.proxy.url", Type.STRING, "", LOW, "Proxy to S3."),
        row("s3.proxy.user", Type.STRING, None, LOW, "User of the proxy."),
        row("s3.proxy.password", Type.PASSWORD, None, LOW, "Password of the proxy."),
        row("s3.http.send.expect.continue", Type.BOOLEAN, True, LOW, "Accepted: requests never wait for 100 Continue."),
        row("s3.elastic.buffer.enable", Type.BOOLEAN, False, LOW, "Accepted: buffers always grow as they fill."),
        row("s3.elastic.buffer.init.capacity", Type.INT, 131072, LOW, "Accepted: see s3.elastic.buffer.enable."),
    ]  # fmt: skip


def folder() -> list[Row]:
    return [row("store.url", Type.STRING, REQUIRED, HIGH, "The folder, as file:///path.", _folder)]


def _folder(value: Any) -> str | None:
    fits = value is None or str(value).startswith("file:///")
    return None if fits else "The folder must be spelled file:///path"


def _endpoint(value: Any) -> str | None:
    if not value:
        return None
    parts = urlsplit(str(value))
    fits = parts.scheme in ("http", "https") and bool(parts.hostname)
    return None if fits else "The address must be spelled http://host:port or https://host:port"


def definition(rows: list[Row]) -> ConfigDef:
    return ConfigDef([*_keys(rows), *restarts.KEYS])


def _keys(rows: list[Row]) -> Iterator[ConfigKey]:
    for order, (name, type, default, importance, text, validator, values) in enumerate(rows):
        yield ConfigKey(
            name,
            type,
            default,
            importance,
            text,
            _group(name),
            order,
            validator=validator,
            recommend=_recommend(values) if values else None,
        )


def _recommend(values: tuple[str, ...]) -> Any:
    def recommend(config: Config) -> list[str]:
        return list(values)

    return recommend


_GROUPS = (
    ("s3.", "S3"),
    ("aws.", "S3"),
    ("store.url", "Storage"),
    ("partition", "Partitioner"),
    ("timestamp.", "Partitioner"),
    ("path.", "Partitioner"),
)


def _group(name: str) -> str:
    return next((group for start, group in _GROUPS if name.startswith(start)), "Connector")
