import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import InvalidOption, UserError
from headrace.formats import format_named
from headrace.formats.base import unescape

CSV = format_named("csv")
TEXTS = {"a": t.STRING, "b": t.STRING, "c": t.STRING}


def options(given):
    return parse_options(CSV.declared, given, owner="format 'csv'")


def test_defaults_are_flinks():
    assert CSV.spec(options({})) == {
        "field-delimiter": ",",
        "disable-quote-character": False,
        "quote-character": '"',
        "allow-comments": False,
        "ignore-parse-errors": False,
        "array-element-delimiter": ";",
        "escape-character": None,
        "null-literal": None,
        "write-bigdecimal-in-scientific-notation": False,
        "trim-spaces": False,
        "ignore-trailing-unmappable": False,
        "allow-trailing-comma": True,
        "fail-on-missing-columns": False,
        "empty-string-as-null": False,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [("\\t", "\t"), ("\\u0001", "\x01"), ("|", "|"), ("\\\\", "\\"), ("é", "é"), ("\\|", "|")],
)
def test_javas_escapes_are_resolved(text, expected):
    assert unescape(text) == expected


@pytest.mark.parametrize(
    "name", ["field-delimiter", "quote-character", "escape-character", "array-element-delimiter"]
)
@pytest.mark.parametrize("text", ["", "||"])
def test_structuring_characters_are_single(name, text):
    with pytest.raises(InvalidOption, match=name) as caught:
        CSV.validate(t.row(a=t.INT), options({name: text}), "value")
    assert caught.value.expected == "a single character"


def test_an_escaped_delimiter_is_a_single_character():
    CSV.validate(t.row(a=t.INT), options({"field-delimiter": "\\u0009"}), "value")


def test_a_quote_cannot_be_both_chosen_and_disabled():
    given = options({"quote-character": "'", "disable-quote-character": "true"})
    with pytest.raises(InvalidOption) as caught:
        CSV.validate(t.row(a=t.INT), given, "value")
    assert caught.value.condition == "CONFLICTING_OPTIONS"


@pytest.mark.parametrize(
    ("type", "path"),
    [
        (t.map_of(t.STRING, t.INT), "c"),
        (t.multiset(t.STRING), "c"),
        (t.array(t.array(t.INT)), "c"),
        (t.array(t.row(x=t.INT)), "c"),
        (t.row(x=t.INT, y=t.array(t.INT)), "c.y"),
        (t.time(6), "c"),
        (t.row(x=t.time(4)), "c.x"),
    ],
)
def test_types_without_a_form_are_refused(type, path):
    with pytest.raises(UserError, match=f"'{path}'") as caught:
        CSV.validate(t.row(c=type), options({}), "value")
    assert caught.value.condition == "UNSUPPORTED_TYPE"


READ = [
    (t.BOOLEAN, " true ", True),
    (t.BOOLEAN, "1", False),
    (t.TINYINT, " -1 ", -1),
    (t.SMALLINT, "12", 12),
    (t.INT, "  42", 42),
    (t.BIGINT, "9223372036854775807", 2**63 - 1),
    (t.FLOAT, "1.5", 1.5),
    (t.DOUBLE, " 1e3 ", 1000.0),
    (t.decimal(10, 2), "1.005", Decimal("1.01")),
    (t.decimal(3, 2), "12.5", None),
    (t.STRING, " kept blanks ", " kept blanks "),
    (t.STRING, "", ""),
    (t.STRING, '"a ""q"", b\nc"  ', 'a "q", b\nc'),
    (t.STRING, 'in"side', 'in"side'),
    (t.varchar(2), "é€😀", "é€😀"),
    (t.BYTES, "aGk=", bytearray(b"hi")),
    (t.DATE, "2020-2-9", dt.date(2020, 2, 9)),
    (t.time(3), "12:13:14.1239", dt.time(12, 13, 14, 123000)),
    (t.time(1), "12:13:14.19", dt.time(12, 13, 14, 100000)),
    (t.time(0), "12:13", dt.time(12, 13)),
    (t.timestamp(3), " 2020-01-01 12:00:00.5 ", dt.datetime(2020, 1, 1, 12, 0, 0, 500000)),
    (t.array(t.INT), "1; 2;3", [1, 2, 3]),
    (t.array(t.STRING), "", []),
    (t.array(t.STRING), "a;;", ["a", "", ""]),
    (t.row(x=t.INT, y=t.STRING), "1;b", (1, "b")),
    (t.row(x=t.INT, y=t.STRING), " ", None),
]


@pytest.mark.spark
def test_fields_are_read_with_flinks_leniencies(bench, use):
    columns = {f"c{i}": type for i, (type, _, _) in enumerate(READ)}
    line = ",".join(text for _, text, _ in READ).encode()
    [row] = bench.values(use("csv", columns), line)
    read = [(str(type), text, value) for (type, text, _), value in zip(READ, row, strict=True)]
    assert read == [(str(type), text, expected) for type, text, expected in READ]


@pytest.mark.spark
def test_instants_end_in_z_and_are_in_utc(bench, use):
    instant = use("csv", {"i": t.timestamp_ltz(3)})
    rows = bench.values(instant, b"1970-01-01 00:00:01.25Z", select=("unix_micros(i)",))
    assert rows == [(1_250_000,)]


@pytest.mark.parametrize(
    ("columns", "line", "field", "found"),
    [
        ({"a": t.INT}, b"x", "a", "cannot read 'x' as INT"),
        ({"a": t.INT, "b": t.INT}, b"1,", "b", "cannot read '' as INT"),
        ({"a": t.INT, "b": t.INT}, b"1", "", "2 fields expected, 1 found"),
        ({"a": t.INT}, b"1,2", "", "1 fields expected, 2 found"),
        ({"a": t.INT}, b"\n1", "a", "cannot read '' as INT"),
        ({"a": t.STRING}, b'"open', "", "a quoted field has no closing quote"),
        ({"a": t.STRING}, b'"a"b', "", "'b' follows a closing quote"),
        ({"a": t.row(x=t.INT, y=t.INT)}, b"1;2;3", "a", "2 elements expected, 3 found"),
        ({"a": t.row(x=t.INT, y=t.INT)}, b"1;q", "a.y", "cannot read 'q' as INT"),
        ({"a": t.array(t.DATE)}, b"2020-01-01;x", "a", "cannot read 'x' as DATE"),
    ],
    ids=str,
)
@pytest.mark.spark
def test_a_misfit_names_the_field_and_the_cause(bench, use, columns, line, field, found):
    error = bench.failure(use("csv", columns), line)
    assert error.found == found
    assert (f"field '{field}'" in error.summary) == bool(field)


@pytest.mark.spark
def test_one_trailing_delimiter_and_further_lines_are_let_pass(bench, use):
    two = use("csv", {"a": t.INT, "b": t.INT})
    assert bench.values(two, b"1,2, ", b"3,4\r\nnot,read\n") == [(1, 2), (3, 4)]


@pytest.mark.spark
def test_ignored_errors_null_fields_and_skip_records(bench, use):
    columns = {"a": t.INT, "b": t.row(x=t.INT, y=t.INT), "c": t.STRING}
    lenient = use("csv", columns, {"ignore-parse-errors": "true"})
    rows = bench.values(lenient, b"x,1;q,c", b"1", b"1,2,3,4", b'1,2,"open', b"2,7,z")
    assert rows == [(None, (1, None), "c"), (1, None, None), (2, (7, None), "z")]


@pytest.mark.spark
def test_options_of_reading(bench, use):
    chosen = use(
        "csv",
        TEXTS | {"d": t.array(t.INT), "e": t.INT},
        {
            "field-delimiter": "\\t",
            "quote-character": "'",
            "escape-character": "\\",
            "array-element-delimiter": "|",
            "null-literal": "n/a",
            "allow-comments": "true",
        },
    )
    rows = bench.values(
        chosen,
        b"# remark\n\n 'it''s\ttabbed'\ta\\\tb\\n\tn/a\t1|n/a\tn/a",
        b'"q"\t\\\'\t,\tn/a\t5',
    )
    assert rows == [
        ("it's\ttabbed", "a\tb\n", None, [1, None], None),
        ('"q"', "'", ",", None, 5),
    ]


@pytest.mark.spark
def test_disabled_quotes_are_content(bench, use):
    bare = use("csv", TEXTS, {"disable-quote-character": "true"})
    assert bench.values(bare, b'"a","b,c"') == [('"a"', '"b', 'c"')]
    assert bench.text(bare, "'\"x'", "'y z'", "''") == '"x,y z,'


@pytest.mark.spark
def test_comments_are_data_unless_allowed(bench, use):
    assert bench.values(use("csv", {"a": t.STRING}), b"#1\n2") == [("#1",)]


WRITTEN = [
    (t.BOOLEAN, "true", "true"),
    (t.TINYINT, "-1Y", "-1"),
    (t.SMALLINT, "2S", "2"),
    (t.INT, "3", "3"),
    (t.BIGINT, "-4L", "-4"),
    (t.FLOAT, "1.1F", "1.1"),
    (t.DOUBLE, "1D", "1.0"),
    (t.decimal(10, 9), "0.000000027", "0.000000027"),
    (t.decimal(5, 2), "100.00", "100.00"),
    (t.STRING, "'plain'", "plain"),
    (t.STRING, r"'C:\\x'", r'"C:\x"'),
    (t.STRING, "'two words'", '"two words"'),
    (t.STRING, "'a\"b'", '"a""b"'),
    (t.STRING, "'a;b-c_d.e'", "a;b-c_d.e"),
    (t.STRING, "'#'", '"#"'),
    (t.STRING, "'exactly-twenty-four-char'", "exactly-twenty-four-char"),
    (t.STRING, "'exactly-twenty-five-chars'", '"exactly-twenty-five-chars"'),
    (t.STRING, "''", ""),
    (t.BYTES, "X'6869'", "aGk="),
    (t.DATE, "DATE'2020-02-09'", "2020-02-09"),
    (t.time(3), "TIME'12:13:14.5'", "12:13:14.5"),
    (t.timestamp(3), "TIMESTAMP_NTZ'2020-01-01 12:00:00'", '"2020-01-01 12:00:00"'),
    (t.timestamp_ltz(3), "timestamp_millis(1123)", '"1970-01-01 00:00:01.123Z"'),
    (t.array(t.INT), "array(1, null, 3)", "1;;3"),
    (t.row(x=t.INT, y=t.STRING), "named_struct('x', 1, 'y', 'b c')", '"1;b c"'),
    (t.STRING, "null", ""),
]


@pytest.mark.spark
def test_fields_are_quoted_where_flink_quotes_them(bench, use):
    columns = {f"c{i}": type for i, (type, _, _) in enumerate(WRITTEN)}
    line = bench.text(use("csv", columns), *(literal for _, literal, _ in WRITTEN))
    assert line == ",".join(expected for _, _, expected in WRITTEN)


@pytest.mark.spark
def test_options_of_writing(bench, use):
    chosen = use(
        "csv",
        {"a": t.STRING, "b": t.STRING, "c": t.array(t.INT), "d": t.decimal(10, 9)},
        {
            "field-delimiter": "|",
            "quote-character": "'",
            "escape-character": "\\",
            "array-element-delimiter": ":",
            "null-literal": "n/a",
            "write-bigdecimal-in-scientific-notation": "true",
        },
    )
    line = bench.text(chosen, "null", r"'it\'s \\'", "array(1, null)", "0.000000270")
    assert line == r"n/a|'it''s \\'|'1:n/a'|2.7E-7"
    whole = use(
        "csv",
        {"a": t.decimal(5, 2), "b": t.STRING},
        {"write-bigdecimal-in-scientific-notation": "true", "escape-character": "^"},
    )
    assert bench.text(whole, "100.00", r"'C:\\x'") == r"1E+2,C:\x"


@pytest.mark.spark
def test_a_record_without_a_line_or_of_another_encoding_cannot_be_read(bench, use):
    csv = use("csv", {"a": t.INT, "b": t.STRING})
    assert bench.failure(csv, b"").found == "the record has no line of fields"
    assert bench.failure(csv, b"1,\xff").found == "the record is not UTF-8"
    lenient = use("csv", {"a": t.INT, "b": t.STRING}, {"ignore-parse-errors": "true"})
    assert bench.values(lenient, b"", b"1,\xff", b"\xef\xbb\xbf1,a") == [(1, "a")]


rows = st.tuples(
    st.one_of(
        st.none(), st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=30)
    ),
    st.integers(-(2**63), 2**63 - 1),
    st.one_of(st.none(), st.floats(allow_nan=False, width=64)),
    st.datetimes(dt.datetime(1600, 1, 1), dt.datetime(9000, 1, 1)),
)


@given(st.lists(rows.filter(lambda row: row[0] != "~"), min_size=30, max_size=60))
@settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.spark
def test_what_is_written_is_read_back(bench, use, written):
    columns = {"s": t.STRING, "n": t.BIGINT, "d": t.DOUBLE, "l": t.timestamp(6)}
    csv = use("csv", columns, {"null-literal": "~"})
    df = bench.spark.createDataFrame(
        [(*row, 1) for row in written],
        "s string, n bigint, d double, l timestamp_ntz, __weight bigint",
    )
    assert bench.values(csv, *(value for _, value in bench.encode(csv, df))) == written


@pytest.mark.spark
def test_features_of_the_parser(bench, use):
    columns = {"a": t.STRING, "b": t.STRING}

    def read(line, **given):
        named = {name.replace("_", "-"): value for name, value in given.items()}
        return bench.values(use("csv", columns, named), line)

    spaced = b'  x y\t, " z " '
    assert read(spaced) == [("  x y\t", ' " z " ')]
    assert read(spaced, trim_spaces="true") == [("x y", " z ")]
    assert read(b"1,2,3,4", ignore_trailing_unmappable="true") == [("1", "2")]
    assert read(b',""', empty_string_as_null="true") == [(None, None)]
    assert read(b',""') == [("", "")]
    assert read(b"1", ignore_parse_errors="true") == [("1", None)]
    assert read(b"1", ignore_parse_errors="true", fail_on_missing_columns="true") == []
    strict = use("csv", columns, {"allow-trailing-comma": "false"})
    assert bench.failure(strict, b"1,2,").found == "2 fields expected, 3 found"
