import struct
from functools import reduce

import pytest
from pyspark.sql import DataFrame

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import InvalidOption, InvalidSchema, UserError
from headrace.formats import format_named
from headrace.formats.codec import decode, encode

RAW = format_named("raw")


def options(**given):
    return parse_options(RAW.declared, given, owner="format 'raw'")


def test_defaults_are_flinks():
    expected = {"charset": "UTF-8", "endianness": "big-endian", "line-delimiter": None}
    assert RAW.spec(options()) == expected


@pytest.mark.parametrize("fields", [t.row(), t.row(a=t.INT, b=t.INT)])
def test_it_carries_exactly_one_column(fields):
    with pytest.raises(InvalidSchema, match="single column"):
        RAW.validate(fields, options(), "value")


@pytest.mark.parametrize(
    "type", [t.decimal(5, 2), t.DATE, t.timestamp(3), t.array(t.INT), t.row(x=t.INT)]
)
def test_types_without_a_form_are_refused(type):
    with pytest.raises(UserError, match="'c'") as caught:
        RAW.validate(t.row(c=type), options(), "key")
    assert caught.value.condition == "UNSUPPORTED_TYPE"


def test_an_unknown_charset_is_refused():
    with pytest.raises(InvalidOption, match=r"raw\.charset"):
        RAW.validate(t.row(c=t.STRING), options(charset="klingon"), "value")


NUMBERS = [
    (t.BOOLEAN, "?", True),
    (t.TINYINT, "b", -3),
    (t.SMALLINT, "h", -300),
    (t.INT, "i", -70_000),
    (t.BIGINT, "q", -(2**40)),
    (t.FLOAT, "f", 1.5),
    (t.DOUBLE, "d", -2.25),
]


@pytest.mark.parametrize(("endianness", "order"), [("big-endian", ">"), ("little-endian", "<")])
@pytest.mark.spark
def test_numbers_lie_in_the_chosen_byte_order(bench, use, endianness, order):
    """Each number is read from a record and written again, all of them in one job."""
    parts = []
    for type, code, value in NUMBERS:
        raw = use("raw", {"c": type}, {"endianness": endianness})
        frame = bench.frame([(None, struct.pack(order + code, value))])
        rows = decode(frame, key=None, value=raw, upsert=False, keep=[])
        again = encode(rows, key=raw, value=raw, keep=["c"])
        parts.append(again.selectExpr("key", "cast(c AS string) AS shown"))
    collected = reduce(DataFrame.unionAll, parts).collect()
    packed = [struct.pack(order + code, value) for _, code, value in NUMBERS]
    assert [bytes(row.key) for row in collected] == packed
    assert [row.shown for row in collected] == [str(value).lower() for _, _, value in NUMBERS]


@pytest.mark.parametrize("charset", ["UTF-8", "ISO-8859-1", "UTF-16LE"])
@pytest.mark.spark
def test_text_is_in_the_chosen_charset(bench, use, charset):
    raw = use("raw", {"c": t.STRING}, {"charset": charset})
    record = "né".encode(charset)
    assert bench.values(raw, record, None, b"") == [("né",), (None,), ("",)]
    df = bench.spark.createDataFrame([("né", 1), (None, 1)], "c string, __weight bigint")
    assert bench.encode(raw, df) == [(None, record), (None, None)]


@pytest.mark.spark
def test_bytes_pass_unchanged(bench, use):
    raw = use("raw", {"c": t.BYTES})
    assert bench.values(raw, b"\x00\xff") == [(bytearray(b"\x00\xff"),)]
    df = bench.spark.createDataFrame([(b"\x00\xff", 1)], "c binary, __weight bigint")
    assert bench.encode(raw, df) == [(None, b"\x00\xff")]


@pytest.mark.spark
def test_a_wrong_length_is_an_error(bench, use):
    error = bench.failure(use("raw", {"c": t.INT}), b"123")
    assert error.found == "INT has 4 bytes, the record 3"


@pytest.mark.spark
def test_a_delimiter_parts_a_record_into_lines(bench, use):
    lines = use("raw", {"c": t.STRING}, {"line-delimiter": "\\r\\n"})
    assert bench.values(lines, b"a\r\n\r\nb", b"c\r\n", b"", None) == [
        ("a",),
        ("",),
        ("b",),
        ("c",),
    ]
    assert bench.text(lines, "'x'") == "x\r\n"
    numbers = use("raw", {"c": t.TINYINT}, {"line-delimiter": "|"})
    assert bench.values(numbers, b"1|2") == [(49,), (50,)]
    assert bench.failure(numbers, b"1||2").found == "TINYINT has 1 bytes, the record 0"
