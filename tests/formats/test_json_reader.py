"""The reader of JSON bytes, held against Python's own: what both take, they read alike; what one refuses, both do."""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from py4j.protocol import Py4JJavaError

from headrace import types as t
from headrace.formats.codec import part_spec

SHARED_FIXTURES = [HealthCheck.function_scoped_fixture]

blanks = st.sampled_from(["", "", "", " ", "\n", "\t ", "\r\n"])
integers = st.from_regex(r"-?(0|[1-9][0-9]{0,17})", fullmatch=True)
numbers = st.one_of(
    integers,
    # Two digits of exponent keep it finite: JSON text has no infinity to print.
    st.from_regex(r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?", fullmatch=True),
)


def spelt(character: str, way: int) -> str:
    """One character of a string in one of its spellings: raw, escaped shortly, escaped by number."""
    if way == 0 and character not in '"\\' and not 0xD800 <= ord(character) <= 0xDFFF:
        return character
    if way == 1 and len(json.dumps(character)) == 4:
        return json.dumps(character)[1:-1]
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


# Halves of surrogate pairs are among the characters.
strings = st.lists(
    st.builds(spelt, st.characters(), st.sampled_from([0, 0, 0, 1, 2])), max_size=8
).map(lambda parts: f'"{"".join(parts)}"')
words = st.sampled_from(["true", "false", "null"])


@st.composite
def listed(draw: Any, items: Any, open: str, close: str) -> str:
    inside = ",".join(draw(blanks) + item + draw(blanks) for item in draw(items))
    return open + (inside or draw(blanks)) + close


@st.composite
def pair(draw: Any, names: Any, values: Any) -> str:
    return f"{draw(names)}{draw(blanks)}:{draw(blanks)}{draw(values)}"


def array(values: Any, most: int = 4) -> Any:
    return listed(st.lists(values, max_size=most), "[", "]")


def object(names: Any, values: Any, most: int = 4) -> Any:
    return listed(st.lists(pair(names, values), max_size=most), "{", "}")


values = st.recursive(
    st.one_of(numbers, strings, words),
    lambda inner: st.one_of(array(inner), object(strings, inner)),
    max_leaves=8,
)
COLUMNS = {
    "s": t.STRING,
    "d": t.DOUBLE,
    "e": t.decimal(38, 10),
    "a": t.array(t.DOUBLE),
    "m": t.map_of(t.STRING, t.STRING),
    "r": t.row(x=t.BIGINT, y=t.STRING),
    'é"\\': t.STRING,
}
not_x = strings.filter(lambda name: json.loads(name, strict=False) != "x")
x_and_y = st.one_of(pair(st.just('"x"'), integers), pair(not_x | st.just('"y"'), strings))
fields = st.one_of(
    pair(st.just('"s"'), values),
    pair(st.just('"d"'), numbers),
    pair(st.just('"e"'), numbers),
    pair(st.just('"a"'), array(numbers | st.just("null"))),
    pair(st.just('"m"'), object(strings, strings)),
    pair(st.just('"r"'), listed(st.lists(x_and_y, max_size=3), "{", "}")),
    pair(st.sampled_from(['"é\\"\\\\"', '"\\u00e9\\u0022\\u005c"']), strings),
    pair(strings.filter(lambda name: json.loads(name, strict=False) not in COLUMNS), values),
)
documents = listed(st.lists(fields, max_size=9), "{", "}")


@given(st.lists(documents, min_size=3, max_size=12))
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[*SHARED_FIXTURES, HealthCheck.too_slow],
    # Each try is a job of Spark's; shrinking would take minutes to say what the failing row says.
    phases=[Phase.reuse, Phase.generate],
)
@pytest.mark.spark
def test_documents_are_read_as_pythons_json_reads_them(bench: Any, use: Any, texts: list[str]):
    rows = bench.values(use("json", COLUMNS), *(text.encode() for text in texts))
    assert [comparable(row) for row in rows] == [expected(text) for text in texts]


def comparable(row: tuple[Any, ...]) -> tuple[Any, ...]:
    text, *rest = row
    is_structure = text is not None and text[:1] in ("{", "[")
    return (json.loads(text, strict=False) if is_structure else text, *rest)


def expected(text: str) -> tuple[Any, ...]:
    read = well_formed(json.loads(text, strict=False))
    # A number in a text column stays as it is written.
    as_written = well_formed(json.loads(text, strict=False, parse_int=str, parse_float=str))
    exact = json.loads(text, strict=False, parse_float=Decimal)
    shown = as_written.get("s")
    if isinstance(shown, bool):
        shown = str(shown).lower()
    floats = json.loads(text, strict=False, parse_int=float)
    row = read.get("r")
    return (
        structure_or(shown, read.get("s")),
        floats.get("d"),
        fitted(exact.get("e")),
        floats.get("a"),
        read.get("m"),
        None if row is None else (row.get("x"), row.get("y")),
        read.get('é"\\'),
    )


def structure_or(shown: Any, read: Any) -> Any:
    """A text that happens to start like a structure is compared as one on both sides, when it is one."""
    if isinstance(read, dict | list):
        return read
    return comparable((shown,))[0]


def well_formed(value: Any) -> Any:
    """Halves of surrogate pairs are no text; they become question marks, as in Java."""
    if isinstance(value, str):
        joined = value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return joined.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [well_formed(item) for item in value]
    if isinstance(value, dict):
        return {well_formed(name): well_formed(item) for name, item in value.items()}
    return value


def fitted(number: Decimal | int | None) -> Decimal | None:
    """DECIMAL(38, 10): rounded half up, NULL where it does not fit."""
    if number is None:
        return None
    with localcontext(prec=200):
        rounded = Decimal(number).quantize(Decimal("1e-10"), ROUND_HALF_UP)
    return rounded if abs(rounded) < 10**28 else None


@dataclass(frozen=True)
class Decoder:
    """The decoder inside the column of a plan, called record by record."""

    java: Any
    topic: Any

    def rows(self, record: bytes) -> int:
        """How many rows a record has; a RecordError where it is refused for a good reason."""
        try:
            return int(self.java.decode(None, record, self.topic, 0, 0).numElements())
        except Py4JJavaError as error:
            raise self._refusal(error.java_exception) from None

    def _refusal(self, thrown: Any) -> Exception:
        kinds = [one.getClass().getSimpleName() for one in (thrown, thrown.getCause())]
        known = kinds[0] == "RecordException" and kinds[1] in (
            "JsonSyntaxException",
            "FieldException",
        )
        return RecordError(thrown.getMessage()) if known else AssertionError(f"{kinds}: {thrown}")


class RecordError(Exception):
    """The record is no JSON, or does not fit."""


@pytest.fixture
def decoder_of(spark: Any, use: Any) -> Any:
    jvm = spark._jvm

    def build(columns: Any, options: Any = None) -> Decoder:
        specs = part_spec(use("json", columns, options), "value", tuple(columns))
        table = [{"name": f["name"], "type": f["type"]} for f in specs["fields"]]
        spec = {"upsert": False, "weight": "w", "columns": table, "key": None, "value": specs}
        columns = [jvm.org.apache.spark.sql.functions.lit(None)] * 5
        column = jvm.headrace.formats.Codecs.decode(json.dumps(spec), *columns)
        call = jvm.org.apache.spark.sql.classic.ExpressionUtils.expression(column)
        topic = jvm.org.apache.spark.unsafe.types.UTF8String.fromString("orders")
        return Decoder(call.targetObject().value(), topic)

    return build


def strictly(record: bytes) -> Any:
    """What a strict parser reads at the beginning of the record, or None."""
    encoding = json.detect_encoding(record)
    utf8 = encoding.startswith("utf-8")
    decoder = json.JSONDecoder(strict=False, parse_constant=refuse)
    try:
        # What follows the document may be any bytes; inside of it they must be text.
        text = record.decode(encoding, "surrogateescape" if utf8 else "strict").lstrip(" \t\r\n")
        read, end = decoder.raw_decode(text)
        text[:end].encode("utf-8" if utf8 else encoding)
    except ValueError:
        return None
    return read


def refuse(constant: str) -> None:
    raise ValueError(constant)


edits = st.tuples(
    st.sampled_from(["replace", "delete", "insert", "cut", "flip"]),
    st.integers(0, 2**16),
    st.one_of(st.sampled_from(b'{}[]",:\\019.eE+-untf \x00\xff\xc3\xed\xa0'), st.integers(0, 255)),
)


def edited(record: bytes, changes: list[tuple[str, int, int]]) -> bytes:
    for kind, at, byte in changes:
        place = at % (len(record) + 1)
        head, tail = record[:place], record[place:]
        record = {
            "replace": head + bytes([byte]) + tail[1:],
            "delete": head + tail[1:],
            "insert": head + bytes([byte]) + tail,
            "cut": head,
            "flip": head + bytes(b ^ (1 << byte % 8) for b in tail[:1]) + tail[1:],
        }[kind]
    return record


@given(documents, st.lists(edits, min_size=1, max_size=3))
@settings(
    max_examples=250, deadline=None, suppress_health_check=[*SHARED_FIXTURES, HealthCheck.too_slow]
)
@pytest.mark.spark
def test_a_damaged_record_yields_rows_only_where_a_strict_parser_reads_it(
    decoder_of: Any, text: str, changes: list[tuple[str, int, int]]
):
    decoder = decoder_of({"s": t.STRING, "other": t.STRING})
    record = edited(text.encode(), changes)
    read = strictly(record)
    if isinstance(read, dict):
        assert decoder.rows(record) == 1
    elif read == [] or not record:
        assert decoder.rows(record) == 0
    else:
        with pytest.raises(RecordError):
            decoder.rows(record)


@example("{}", [("insert", 0, ord("["))])
@given(documents, st.lists(edits, max_size=3))
@settings(max_examples=120, deadline=None, suppress_health_check=SHARED_FIXTURES)
@pytest.mark.spark
def test_whatever_the_columns_a_record_is_read_or_refused_with_its_reason(
    decoder_of: Any, text: str, changes: list[tuple[str, int, int]]
):
    record = edited(text.encode(), changes)
    for options in ({}, {"ignore-parse-errors": "true"}):
        decoder = decoder_of(dict(reversed(COLUMNS.items())), options)
        try:
            rows = decoder.rows(record)
        except RecordError:
            assert not options
        else:
            # Without ignore-parse-errors a broken array is refused; with it, the rows before the error are kept.
            kept = options and first_character(record) == "["
            assert rows == 0 or kept or strictly(record) is not None


def first_character(record: bytes) -> str:
    return record.decode(json.detect_encoding(record), "replace").lstrip(" \t\r\n")[:1]


RECORD = '{"n": -12.5e1, "s": "é\\u00e9\\n", "o": {"k": [true, null]}}'.encode()


@pytest.mark.spark
def test_no_beginning_of_a_record_is_a_record(decoder_of: Any):
    decoder = decoder_of({"n": t.DOUBLE, "s": t.STRING})
    assert decoder.rows(RECORD) == 1
    for length in range(1, len(RECORD)):
        with pytest.raises(RecordError, match=r"expected|Unexpected end|Invalid UTF-8"):
            decoder.rows(RECORD[:length])


REFUSED = [
    (b'{"s":1', "end of the record: expected a comma or '}'"),
    (b'{"s":"cut', "a string has no closing quote"),
    (b'{"s":}', r"\('}' \(code 125\)\) at byte 5: expected a value"),
    (b'{"s" 1}', "expected a colon"),
    (b'{"s":1,}', "expected a field name in quotes"),
    (b"{s:1}", "expected a field name in quotes"),
    (b'{"s":[1,]}', "expected a value"),
    (b'{"s":[1 2]}', r"expected a comma or '\]'"),
    (b'{"s":{1:2}}', "expected a field name in quotes"),
    (b'{"s":"\\x"}', "after a backslash"),
    (b'{"s":"\\u12g4"}', "four hexadecimal digits"),
    (b'{"s":"\\u12', "four hexadecimal digits"),
    (b'{"s":01}', "no digit after a leading zero"),
    (b'{"s":-}', "expected a digit"),
    (b'{"s":1.}', "expected a digit"),
    (b'{"s":1e+}', "expected a digit"),
    (b'{"s":+1}', "expected a value"),
    (b'{"s":.5}', "expected a value"),
    (b'{"s":NaN}', r"\('N' \(code 78\)\)"),
    (b'{"s":-Infinity}', "expected a digit"),
    (b'{"s":trux}', "expected 'true'"),
    (b'{"s":nul}', "expected 'null'"),
    (b'{"s":truex}', "expected a comma"),
    (b"{\x0b}", r"\(code 11\)"),
    (b'{"s":"\xff"}', "Invalid UTF-8 at byte 6"),
    (b'{"s":"\xc3"}', "Invalid UTF-8 at byte 6"),
    (b'{"s":"\xc0\xaf"}', "Invalid UTF-8"),
    (b'{"s":"\xe0\x80\xaf"}', "Invalid UTF-8"),
    (b'{"s":"\xed\xa0\x80"}', "Invalid UTF-8"),
    (b'{"s":"\xf4\x90\x80\x80"}', "Invalid UTF-8"),
    (b'{"other \xe2\x28\xa1":1}', "Invalid UTF-8 at byte 8"),
    (b'{"other":' + b"[" * 1001 + b"]" * 1001 + b"}", "deeper than 1000 levels"),
    (b"{\x00", "Invalid UTF-16LE|end of the record"),
    (b"\xff\xfe{", "Invalid UTF-16LE text"),
]


@pytest.mark.parametrize("column", ["s", "unread"])
@pytest.mark.spark
def test_what_is_no_json_is_refused_with_the_place_whether_the_field_is_read_or_not(
    decoder_of: Any, column: str
):
    decoder = decoder_of({column: t.STRING})
    for record, reason in REFUSED:
        with pytest.raises(RecordError, match=reason) as caught:
            decoder.rows(record)
        assert 'format=json part=value field=""' in str(caught.value), record


TAKEN = [
    (b'\xef\xbb\xbf{"s":"marked"}', "marked"),
    ('{"s":"é"}'.encode("utf-16-le"), "é"),
    ('{"s":"é"}'.encode("utf-16-be"), "é"),
    (codecs.BOM_UTF16_LE + '{"s":"é"}'.encode("utf-16-le"), "é"),
    ('{"s":"é"}'.encode("utf-32-le"), "é"),
    ('{"s":"😀"}'.encode("utf-32-be"), "😀"),
    (b'{"s":"first","s":"last"}', "last"),
    (b'{"s":"first","s":null}', None),
    (b'{"\\u0073":"by number"}', "by number"),
    (b'{"ss":1,"":2,"S":3,"s":"whole names"}', "whole names"),
    (b'{"s":"\\ud83d\\ude00 \\ud83d x"}', "😀 ? x"),
    (b'{"s":"\\"\\\\\\/\\b\\f\\n\\r\\t"}', '"\\/\b\f\n\r\t'),
    (b'{"s":' + b"9" * 2000 + b"}", "9" * 2000),
    (b'{"s":{"a":-0,"b":1.50,"c":"\\u00e9/\\u0001"}}', '{"a":0,"b":1.5,"c":"é/\\u0001"}'),
    (b'{"other":' + b"[" * 1000 + b"]" * 1000 + b',"s":"deep"}', "deep"),
    (b' \r\n\t{ "s" : "blanks" } \n', "blanks"),
    (b'{"s":"first"} x', "first"),
    (b'{"s":"first"}{"s":"second"}', "first"),
    (b'{"s":"first"}}\xff\x00', "first"),
    (b'[{"s":"first"}]{"s":', "first"),
]


@pytest.mark.spark
def test_odd_records_that_are_json_are_read(bench: Any, use: Any):
    rows = bench.values(use("json", {"s": t.STRING}), *(record for record, _ in TAKEN))
    assert rows == [(text,) for _, text in TAKEN]


EXTREMES = [
    (t.BIGINT, "-9223372036854775808", -(2**63)),
    (t.BIGINT, "999999999999999999", 10**18 - 1),
    (t.BIGINT, "-0", 0),
    (t.BIGINT, "1e3", 1000),
    (t.INT, "-2147483648", -(2**31)),
    (t.INT, "2147483647.9", None),
    (t.BIGINT, "9223372036854775808", None),
    (t.INT, "1e10", None),
    (t.TINYINT, "1e1", None),
    (t.SMALLINT, "-32769", None),
    (t.DOUBLE, "0.1", 0.1),
    (t.DOUBLE, "123456789.01234", 123456789.01234),
    (t.DOUBLE, "5e-324", 5e-324),
    (t.DOUBLE, "-0.0", -0.0),
    (t.DOUBLE, "9007199254740993", 9007199254740992.0),
    (t.DOUBLE, "123456789012345678", 123456789012345680.0),
    (t.DOUBLE, "9" * 1001, None),
    (t.FLOAT, "16777217", 16777216.0),
    (t.FLOAT, "0.5", 0.5),
    (t.decimal(38, 10), "123456789012345678.0123456789", Decimal("123456789012345678.0123456789")),
    (t.decimal(38, 10), "1" * 1001, None),
]


@pytest.mark.spark
def test_numbers_at_the_edges_are_exact_and_misfits_null_when_ignored(bench: Any, use: Any):
    columns = {f"c{i}": type for i, (type, _, _) in enumerate(EXTREMES)}
    record = ",".join(f'"c{i}":{text}' for i, (_, text, _) in enumerate(EXTREMES))
    lenient = use("json", columns, {"ignore-parse-errors": "true"})
    [row] = bench.values(lenient, f"{{{record}}}".encode())
    assert [repr(value) for value in row] == [repr(value) for _, _, value in EXTREMES]


@pytest.mark.spark
def test_fields_are_found_in_any_order_and_between_unknown_ones(bench: Any, use: Any):
    columns = {f"field_{i}": t.INT for i in range(40)}
    pairs = [f'"field_{i}":{i}' for i in range(40)]
    orders = [pairs, pairs[::-1], pairs[1::2] + pairs[::2]]
    mixed = [f'"unknown_{i}":[{{"field_1":0}}],{text}' for i, text in enumerate(pairs)]
    rows = bench.values(
        use("json", columns), *(f"{{{','.join(p)}}}".encode() for p in (*orders, mixed))
    )
    assert rows == [tuple(range(40))] * 4
