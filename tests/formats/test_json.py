import datetime as dt
import json
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import InvalidOption, UserError
from headrace.formats import format_named

JSON = format_named("json")


def options(**given):
    named = {name.replace("__", ".").replace("_", "-"): text for name, text in given.items()}
    return parse_options(JSON.declared, named, owner="format 'json'")


def test_defaults_are_flinks():
    assert JSON.spec(options()) == {
        "fail-on-missing-field": False,
        "ignore-parse-errors": False,
        "timestamp-format.standard": "SQL",
        "map-null-key.mode": "FAIL",
        "map-null-key.literal": "null",
        "encode.decimal-as-plain-number": False,
        "encode.ignore-null-fields": False,
        "decode.json-parser.enabled": True,
    }


def test_json_is_append_only_and_has_no_metadata():
    assert JSON.changelog_mode.is_append
    assert JSON.metadata(options()) == {}


def test_failing_on_missing_fields_and_ignoring_errors_contradict_each_other():
    both = options(fail_on_missing_field="true", ignore_parse_errors="true")
    with pytest.raises(InvalidOption, match="contradict") as caught:
        JSON.validate(t.row(a=t.INT), both, "value")
    assert caught.value.condition == "CONFLICTING_OPTIONS"


@pytest.mark.parametrize(
    "type",
    [t.map_of(t.INT, t.STRING), t.array(t.multiset(t.BIGINT)), t.row(m=t.map_of(t.DATE, t.INT))],
)
def test_map_keys_must_be_text_at_any_depth(type):
    with pytest.raises(UserError, match="cannot carry column 'c") as caught:
        JSON.validate(t.row(c=type), options(), "value")
    assert caught.value.condition == "UNSUPPORTED_TYPE"


def test_every_other_type_is_carried():
    carried = t.row(
        a=t.BOOLEAN,
        b=t.decimal(38, 18),
        c=t.timestamp_ltz(9),
        d=t.multiset(t.char(3)),
        e=t.row(f=t.array(t.map_of(t.STRING, t.time(3)))),
    )
    JSON.validate(carried, options(), "key")


READ = [
    (t.BOOLEAN, b"true", True),
    (t.BOOLEAN, b'" TRUE "', True),
    (t.BOOLEAN, b'"yes"', False),
    (t.BOOLEAN, b"1", False),
    (t.TINYINT, b"-128", -128),
    (t.TINYINT, b'" 7 "', 7),
    (t.SMALLINT, b"32767", 32767),
    (t.INT, b"42", 42),
    (t.INT, b'"42"', 42),
    (t.INT, b"1.9", 1),
    (t.BIGINT, b"9223372036854775807", 2**63 - 1),
    (t.BIGINT, b'" 12 "', 12),
    (t.BIGINT, b"-2.5e3", -2500),
    (t.FLOAT, b"1.5", 1.5),
    (t.FLOAT, b'"NaN"', pytest.approx(float("nan"), nan_ok=True)),
    (t.DOUBLE, b'"60.00"', 60.0),
    (t.DOUBLE, b"7", 7.0),
    (t.DOUBLE, b"1e400", float("inf")),
    (t.decimal(10, 2), b"1.005", Decimal("1.01")),
    (t.decimal(10, 2), b'" -3.5 "', Decimal("-3.50")),
    (t.decimal(4, 2), b"123.4", None),
    (t.decimal(4, 2), b"99.995", None),
    (t.decimal(4, 2), b"1E+999999999", None),
    (t.decimal(4, 2), b"-1E-999999999", Decimal("0.00")),
    (t.decimal(4, 2), b"0E+999999999", Decimal("0.00")),
    (t.decimal(2, 2), b"0.005", Decimal("0.01")),
    (t.decimal(38, 0), b"1" + b"0" * 37, Decimal(10**37)),
    (t.STRING, b'"text \\u00e9 \xc3\xa9"', "text é é"),
    (t.STRING, b"1.50", "1.50"),
    (t.STRING, b"false", "false"),
    (t.STRING, b'{ "a" : [1, "b", null, {}] }', '{"a":[1,"b",null,{}]}'),
    (t.STRING, b'[ 1.0 , "x" ]', '[1.0,"x"]'),
    (t.STRING, b'"raw\ttab"', "raw\ttab"),
    (t.char(2), b'"longer"', "longer"),
    (t.BYTES, b'"aGk="', bytearray(b"hi")),
    (t.DATE, b'"2020-02-29"', dt.date(2020, 2, 29)),
    (t.time(3), b'"12:13:14.5"', dt.time(12, 13, 14, 500000)),
    (t.time(0), b'"12:13:14.9"', dt.time(12, 13, 14)),
    (t.timestamp(3), b'"2020-01-31 12:00:00"', dt.datetime(2020, 1, 31, 12)),
    (t.timestamp(3), b'"2020-01-31 12:00:00.1239"', dt.datetime(2020, 1, 31, 12, 0, 0, 123000)),
    (
        t.timestamp(9),
        b'"1969-12-31 23:59:59.123456789"',
        dt.datetime(1969, 12, 31, 23, 59, 59, 123456),
    ),
    (t.timestamp(0), b'"2020-02-30 00:00:00.7"', dt.datetime(2020, 2, 29)),
    (t.DataType(t.Kind.INTERVAL_DAY_SECOND), b"1500", dt.timedelta(seconds=1.5)),
    (t.array(t.INT), b'[1, null, "3"]', [1, None, 3]),
    (t.array(t.array(t.STRING)), b"[[],[1]]", [[], ["1"]]),
    (t.map_of(t.STRING, t.INT), b'{"a":1,"b":null,"a":2}', {"a": 2, "b": None}),
    (t.multiset(t.STRING), b'{"a":2}', {"a": 2}),
    (t.row(x=t.INT, y=t.STRING), b'{"y":"s","z":0}', (None, "s")),
    (t.STRING, b"null", None),
    (t.row(x=t.INT), b"null", None),
    (t.NULL, b"null", None),
]


@pytest.mark.spark
def test_values_are_read_with_flinks_coercions(bench, use):
    columns = {f"c{i}": type for i, (type, _, _) in enumerate(READ)}
    fields = [b'"c%d":%s' % (i, text) for i, (_, text, _) in enumerate(READ)]
    [row] = bench.values(use("json", columns), b"{%s}" % b",".join(fields))
    read = [(str(type), text, value) for (type, text, _), value in zip(READ, row, strict=True)]
    assert read == [(str(type), text, expected) for type, text, expected in READ]


@pytest.mark.spark
def test_instants_are_read_in_utc_whatever_the_session_zone(bench, use):
    zone = bench.spark.conf.get("spark.sql.session.timeZone")
    bench.spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        rows = bench.values(
            use("json", {"i": t.timestamp_ltz(3), "l": t.timestamp(3)}),
            b'{"i":"1970-01-01 00:00:01.5Z","l":"1970-01-01 00:00:01.5"}',
            select=("unix_micros(i)", "cast(l as string)"),
        )
    finally:
        bench.spark.conf.set("spark.sql.session.timeZone", zone)
    assert rows == [(1_500_000, "1970-01-01 00:00:01.5")]


@pytest.mark.spark
def test_iso_timestamps_have_a_t_and_may_leave_seconds_out(bench, use):
    columns = {"l": t.timestamp(6), "i": t.timestamp_ltz(6)}
    iso = use("json", columns, {"timestamp-format.standard": "iso-8601"})
    rows = bench.values(
        iso,
        b'{"l":"2020-01-01T12:00:00.000001","i":"1970-01-01T00:00:00Z"}',
        b'{"l":"2020-01-01T12:30"}',
        select=("l", "unix_micros(i)"),
    )
    assert rows == [
        (dt.datetime(2020, 1, 1, 12, 0, 0, 1), 0),
        (dt.datetime(2020, 1, 1, 12, 30), None),
    ]


@pytest.mark.parametrize(
    ("type", "text", "field", "found"),
    [
        (t.INT, b'"abc"', "c", "cannot read 'abc' as INT"),
        (t.INT, b"3000000000", "c", "cannot read '3000000000' as INT"),
        (t.INT, b"[1]", "c", "cannot read an array as INT"),
        (t.TINYINT, b"128", "c", "cannot read '128' as TINYINT"),
        (t.SMALLINT, b"1.5", "c", "cannot read '1.5' as SMALLINT"),
        (t.DOUBLE, b'""', "c", "cannot read '' as DOUBLE"),
        (t.decimal(5, 2), b"true", "c", "cannot read 'true' as DECIMAL(5, 2)"),
        (t.BYTES, b'"*"', "c", "cannot read '*' as BYTES"),
        (t.DATE, b'"2020-1-1"', "c", "cannot read '2020-1-1' as DATE"),
        (
            t.timestamp(3),
            b'"2020-01-01T00:00:00"',
            "c",
            "cannot read '2020-01-01T00:00:00' as TIMESTAMP(3)",
        ),
        (
            t.timestamp_ltz(3),
            b'"2020-01-01 00:00:00"',
            "c",
            "cannot read '2020-01-01 00:00:00' as TIMESTAMP_LTZ(3)",
        ),
        (t.array(t.INT), b'[1,"x"]', "c", "cannot read 'x' as INT"),
        (t.array(t.INT), b"{}", "c", "cannot read an object as ARRAY"),
        (t.row(x=t.row(y=t.INT)), b'{"x":{"y":"q"}}', "c.x.y", "cannot read 'q' as INT"),
        (t.map_of(t.STRING, t.INT), b"7", "c", "cannot read '7' as MAP"),
        (t.STRING, b'{"a":', "", "Unexpected character ('}'"),
    ],
    ids=lambda case: str(case)[:40],
)
@pytest.mark.spark
def test_a_misfit_names_the_field_and_the_cause(bench, use, type, text, field, found):
    error = bench.failure(use("json", {"c": type}), b'{"c":%s}' % text)
    assert error.found is not None
    assert error.found.startswith(found)
    assert (f"field '{field}'" in error.summary) == bool(field)
    assert error.where == "topic orders, partition 3, offset 0"


@pytest.mark.parametrize(
    "record", [b"null", b"12", b'"text"', b"true", b" ", b"[1]", b"[null]", b"[[]]"]
)
@pytest.mark.spark
def test_a_record_that_is_no_object_is_an_error(bench, use, record):
    assert "a row is a JSON object" in (
        bench.failure(use("json", {"a": t.INT}), record).found or ""
    )


@pytest.mark.spark
def test_ignored_errors_null_fields_and_skip_records(bench, use):
    columns = {"a": t.array(t.row(x=t.INT, y=t.INT)), "b": t.STRING, "m": t.map_of(t.STRING, t.INT)}
    lenient = use("json", columns, {"ignore-parse-errors": "true"})
    rows = bench.values(
        lenient,
        b'{"a":[{"x":{"deep":[1]},"y":2}, 5],"b":"kept"}',
        b"not json",
        b"null",
        b'{"a":"no array","m":{"k":[1,2],"l":3},"b":"also kept"}',
        b'{"b":"cut',
    )
    assert rows == [
        ([(None, 2), None], "kept", None),
        (None, "also kept", {"k": None, "l": 3}),
    ]


@pytest.mark.parametrize(
    ("record", "kept", "kept_as_tree"),
    [
        (b'[{"a":1},{"a":2', [1], []),
        (b'[{"a":1},{"a":2}', [1, 2], []),
        (b'[{"a":1},', [1], []),
        (b'[{"a":1},5,{"a":2}]', [1], [1, 2]),
        (b'[{"a":1},null,{"a":2}]', [1], [1, 2]),
        (b'[{"a":1},{"a":"x"},{"a":2}]', [1, None, 2], [1, None, 2]),
        (b"[5]", [], []),
    ],
)
@pytest.mark.spark
def test_rows_around_ignored_errors_of_an_array(bench, use, record, kept, kept_as_tree):
    assert bench.failure(use("json", {"a": t.INT}), record).found
    options = {"ignore-parse-errors": "true"}
    assert bench.values(use("json", {"a": t.INT}, options), record) == [(a,) for a in kept]
    options["decode.json-parser.enabled"] = "false"
    assert bench.values(use("json", {"a": t.INT}, options), record) == [(a,) for a in kept_as_tree]


@pytest.mark.spark
def test_a_zero_keeps_its_sign(bench, use):
    columns = {"f": t.FLOAT, "d": t.DOUBLE, "i": t.INT}
    [row] = bench.values(use("json", columns), b'{"f":-0,"d":-0,"i":-0}')
    assert [str(value) for value in row] == ["-0.0", "-0.0", "0"]


@pytest.mark.spark
def test_the_entries_of_a_map_come_in_the_order_of_flink(bench, use):
    chosen = use("json", {"m": t.map_of(t.STRING, t.INT)})
    record = b'{"m":{"a":1,"b":2,"c":3}}'
    # As a dictionary they would be sorted.
    [(keys, values)] = bench.values(chosen, record, select=("map_keys(m)", "map_values(m)"))
    assert (keys, values) == (["a", "c", "b"], [1, 3, 2])


@pytest.mark.spark
def test_missing_fields_are_null_or_refused(bench, use):
    columns = {"a": t.INT, "r": t.row(x=t.INT)}
    assert bench.values(use("json", columns), b"{}") == [(None, None)]
    strict = use("json", columns, {"fail-on-missing-field": "true"})
    assert bench.values(strict, b'{"a":null,"r":{"x":1}}') == [(None, (1,))]
    error = bench.failure(strict, b'{"a":1,"r":{}}')
    assert (error.summary, error.found) == (
        "field 'r.x' of a record's value cannot be read as json",
        "the field is missing",
    )


@pytest.mark.spark
def test_a_field_nobody_reads_must_still_be_there_when_missing_fields_fail(bench, use):
    strict = use("json", {"a": t.INT, "b": t.INT}, {"fail-on-missing-field": "true"})
    rows = bench.decode(strict, [(None, b'{"b":"unread","a":1}')], needed=["a"])
    assert rows == [(1, 1)]
    with pytest.raises(Exception, match='field="b": the field is missing'):
        bench.decode(strict, [(None, b'{"a":1}')], needed=["a"])


WRITTEN = [
    (t.BOOLEAN, "true", "true"),
    (t.TINYINT, "-1Y", "-1"),
    (t.SMALLINT, "2S", "2"),
    (t.INT, "3", "3"),
    (t.BIGINT, "4L", "4"),
    (t.FLOAT, "1.1F", "1.1"),
    (t.DOUBLE, "1D", "1.0"),
    (t.DOUBLE, "double('NaN')", '"NaN"'),
    (t.decimal(10, 2), "1.50", "1.5"),
    (t.decimal(10, 2), "100.00", "1E+2"),
    (t.decimal(38, 18), "0.000000000000000000", "0"),
    (t.decimal(10, 9), "0.000000027", "2.7E-8"),
    (t.STRING, "'é \"q\" /\\n'", '"é \\"q\\" /\\n"'),
    (t.STRING, "'é\U0001f600中'", '"é\\uD83D\\uDE00中"'),
    (t.map_of(t.STRING, t.STRING), "map('\U0001f600', 'x')", '{"\\uD83D\\uDE00":"x"}'),
    (t.row_of([("k\U0001f600", t.INT)]), "named_struct('k', 1)", '{"k\\uD83D\\uDE00":1}'),
    (t.BYTES, "X'6869'", '"aGk="'),
    (t.DATE, "DATE'2020-02-29'", '"2020-02-29"'),
    (t.time(3), "TIME'12:13:14.5'", '"12:13:14.5"'),
    (t.timestamp(3), "TIMESTAMP_NTZ'2020-01-01 12:00:00'", '"2020-01-01 12:00:00"'),
    (t.timestamp(6), "TIMESTAMP_NTZ'1960-01-01 12:00:00.120'", '"1960-01-01 12:00:00.12"'),
    (t.timestamp_ltz(3), "timestamp_millis(1123)", '"1970-01-01 00:00:01.123Z"'),
    (t.DataType(t.Kind.INTERVAL_YEAR_MONTH), "INTERVAL '1-2' YEAR TO MONTH", "14"),
    (t.DataType(t.Kind.INTERVAL_DAY_SECOND), "INTERVAL '0 00:00:01.5' DAY TO SECOND", "1500"),
    (t.array(t.INT), "array(1, null)", "[1,null]"),
    (t.map_of(t.STRING, t.INT), "map('b', 1, 'a', null)", '{"b":1,"a":null}'),
    (t.multiset(t.STRING), "map('b', 2)", '{"b":2}'),
    (
        t.row(x=t.INT, y=t.row(z=t.STRING)),
        "named_struct('x', 1, 'y', null)",
        '{"x":1,"y":null}',
    ),
    (t.STRING, "null", "null"),
]


@pytest.mark.spark
def test_values_are_printed_as_flink_prints_them(bench, use):
    columns = {f"c{i}": type for i, (type, _, _) in enumerate(WRITTEN)}
    text = bench.text(use("json", columns), *(literal for _, literal, _ in WRITTEN))
    fields = ",".join(f'"c{i}":{expected}' for i, (_, _, expected) in enumerate(WRITTEN))
    assert text == f"{{{fields}}}"


@pytest.mark.spark
def test_options_of_writing(bench, use):
    columns = {
        "d": t.decimal(10, 9),
        "e": t.decimal(5, 2),
        "n": t.INT,
        "r": t.row(x=t.INT, y=t.INT),
        "l": t.timestamp(3),
    }
    chosen = use(
        "json",
        columns,
        {
            "encode.decimal-as-plain-number": "true",
            "encode.ignore-null-fields": "true",
            "timestamp-format.standard": "ISO-8601",
        },
    )
    row = (
        "0.000000027",
        "100.00",
        "null",
        "named_struct('x', null, 'y', 1)",
        "TIMESTAMP_NTZ'2020-01-01 12:00:00.5'",
    )
    assert bench.text(chosen, *row) == (
        '{"d":0.000000027,"e":100.00,"r":{"y":1},"l":"2020-01-01T12:00:00.5"}'
    )


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("drop", b'{"m":{"k":1}}'), ("literal", b'{"m":{"nobody":2,"k":1}}')],
)
@pytest.mark.spark
def test_null_map_keys_are_dropped_or_named(bench, use, mode, expected):
    chosen = use(
        "json",
        {"m": t.map_of(t.STRING, t.INT)},
        {"map-null-key.mode": mode, "map-null-key.literal": "nobody"},
    )
    assert bench.encode(chosen, null_keyed(bench)) == [(None, expected)]


@pytest.mark.spark
def test_null_map_keys_fail_by_default(bench, use):
    with pytest.raises(Exception, match='part=value field="m": a map key is null'):
        bench.encode(use("json", {"m": t.map_of(t.STRING, t.INT)}), null_keyed(bench))


def null_keyed(bench):
    """Spark's own functions refuse such a map; one made in Python gets through."""
    return bench.spark.createDataFrame(
        [({None: 2, "k": 1}, 1)], "m map<string,int>, __weight bigint", verifySchema=False
    )


rows = st.tuples(
    st.one_of(st.none(), st.text(st.characters(codec="utf-8"), max_size=30)),
    st.integers(-(2**63), 2**63 - 1),
    st.one_of(st.none(), st.floats(allow_nan=False, width=64)),
    st.decimals(-(10**30), 10**30, places=7),
    st.datetimes(dt.datetime(1600, 1, 1), dt.datetime(9000, 1, 1)),
    st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), st.lists(st.booleans())),
)


@given(st.lists(rows, min_size=30, max_size=60))
@settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.spark
def test_what_is_written_is_read_back(bench, use, written):
    columns = {
        "s": t.STRING,
        "n": t.BIGINT,
        "d": t.DOUBLE,
        "e": t.decimal(38, 7),
        "l": t.timestamp(6),
        "m": t.map_of(t.STRING, t.array(t.BOOLEAN)),
    }
    json = use("json", columns)
    ddl = ", ".join(f"{name} {type.spark()}" for name, type in columns.items())
    df = bench.spark.createDataFrame([(*row, 1) for row in written], f"{ddl}, __weight bigint")
    assert bench.values(json, *(value for _, value in bench.encode(json, df))) == written


@pytest.mark.spark
def test_either_parser_gives_the_same_rows(bench, use):
    records = [b'{"n":1,"s":"a"} trailing', b'[{"n":2},{"s":"b"}]', b"", None]
    rows = [
        bench.values(
            use("json", {"n": t.INT, "s": t.STRING}, {"decode.json-parser.enabled": enabled}),
            *records,
        )
        for enabled in ("true", "false")
    ]
    assert rows[0] == rows[1] == [(1, "a"), (2, None), (None, "b")]


@pytest.mark.parametrize("record", [b'{"n":1', b'{"n":1,"s":"a', b'[{"n":1', b'{"n":12,"s"'])
@pytest.mark.spark
def test_a_cut_off_record_is_no_row(bench, use, record):
    columns = {"n": t.INT, "s": t.STRING}
    assert bench.failure(use("json", columns), record).found
    assert bench.values(use("json", columns, {"ignore-parse-errors": "true"}), record) == []


@pytest.mark.spark
def test_text_and_names_are_escaped_where_json_says_so(bench, use):
    columns = {'a"\\\n': t.STRING, "é": t.STRING, "broken": t.STRING}
    text = bench.text(
        use("json", columns),
        "concat('q', char(34), char(10), char(1), 'é😀')",
        "''",
        "cast(X'41FF' AS string)",
    )
    assert json.loads(text) == {'a"\\\n': 'q"\n\x01é😀', "é": "", "broken": "A\ufffd"}
    assert r"é\uD83D\uDE00" in text
