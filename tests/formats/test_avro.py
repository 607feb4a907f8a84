"""Against fastavro, with schemas written out as Flink derives them."""

import datetime as dt
import io
import json
from decimal import Decimal

import fastavro
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import UserError
from headrace.formats import format_named

AVRO = format_named("avro")
MODERN = {"timestamp_mapping.legacy": "false"}


def options(given=None):
    return parse_options(AVRO.declared, given or {}, owner="format 'avro'")


def test_the_mapping_is_legacy_by_default_and_leaves_the_bytes_alone():
    assert options()["timestamp_mapping.legacy"] is True
    assert AVRO.spec(options()) == AVRO.spec(options(MODERN)) == {"encoding": "binary"}


def test_the_schema_is_derived_by_the_mapping():
    legacy, modern = (
        json.loads(AVRO.schema(t.row(c=t.timestamp(3)), options(given))) for given in ({}, MODERN)
    )
    names = [schema["fields"][0]["type"][1]["logicalType"] for schema in (legacy, modern)]
    assert names == ["timestamp-millis", "local-timestamp-millis"]


@pytest.mark.parametrize(
    ("type", "path", "given"),
    [
        (t.timestamp(6), "c", {}),
        (t.timestamp_ltz(3), "c", {}),
        (t.array(t.timestamp_ltz(3)), "c", {}),
        (t.time(6), "c", MODERN),
        (t.row(m=t.map_of(t.INT, t.INT)), "c.m", MODERN),
        (t.DataType(t.Kind.INTERVAL_DAY_SECOND), "c", MODERN),
    ],
    ids=str,
)
def test_types_without_a_form_are_refused(type, path, given):
    with pytest.raises(UserError, match=f"'{path}'") as caught:
        AVRO.validate(t.row(c=type), options(given), "value")
    assert caught.value.condition == "UNSUPPORTED_TYPE"


def test_the_cure_names_the_option_of_the_part():
    with pytest.raises(UserError) as caught:
        AVRO.validate(t.row(c=t.timestamp(6)), options(), "key")
    assert caught.value.cure == "set 'timestamp_mapping.legacy' of the key format to 'false'"


@pytest.mark.parametrize("type", [t.timestamp(9), t.timestamp_ltz(6), t.timestamp(3)])
def test_the_modern_mapping_takes_every_timestamp(type):
    AVRO.validate(t.row(c=type), options(MODERN), "value")


def nullable(schema):
    return ["null", schema]


def logical(base, name, **more):
    return {"type": base, "logicalType": name, **more}


COLUMNS = {
    "id": (t.BIGINT.not_null(), "long"),
    "flag": (t.BOOLEAN, nullable("boolean")),
    "tiny": (t.TINYINT, nullable("int")),
    "small": (t.SMALLINT, nullable("int")),
    "n": (t.INT, nullable("int")),
    "f": (t.FLOAT, nullable("float")),
    "d": (t.DOUBLE, nullable("double")),
    "s": (t.STRING, nullable("string")),
    "b": (t.BYTES, nullable("bytes")),
    "dec": (t.decimal(20, 3), nullable(logical("bytes", "decimal", precision=20, scale=3))),
    "day": (t.DATE, nullable(logical("int", "date"))),
    "clock": (t.time(3), nullable(logical("int", "time-millis"))),
    "milli": (t.timestamp(3), nullable(logical("long", "local-timestamp-millis"))),
    "micro": (t.timestamp(6), nullable(logical("long", "local-timestamp-micros"))),
    "tags": (t.array(t.STRING), nullable({"type": "array", "items": nullable("string")})),
    "counts": (t.map_of(t.STRING, t.INT), nullable({"type": "map", "values": nullable("int")})),
    "bag": (t.multiset(t.STRING), nullable({"type": "map", "values": nullable("int")})),
    "r": (
        t.row(x=t.INT, y=t.row(z=t.STRING.not_null())),
        nullable(
            {
                "type": "record",
                "name": "org.apache.flink.avro.generated.record_r",
                "fields": [
                    {"name": "x", "type": nullable("int"), "default": None},
                    {
                        "name": "y",
                        "type": nullable(
                            {
                                "type": "record",
                                "name": "org.apache.flink.avro.generated.record_r_y",
                                "fields": [{"name": "z", "type": "string"}],
                            }
                        ),
                        "default": None,
                    },
                ],
            }
        ),
    ),
}
TYPES = {name: type for name, (type, _) in COLUMNS.items()}


def schema_of(columns):
    fields = [{"name": name, "type": schema} for name, schema in columns.items()]
    name = "org.apache.flink.avro.generated.record"
    return fastavro.parse_schema({"type": "record", "name": name, "fields": fields})


SCHEMA = schema_of({name: schema for name, (_, schema) in COLUMNS.items()})

ROWS = [
    {
        "id": 1,
        "flag": True,
        "tiny": -128,
        "small": 32767,
        "n": -70_000,
        "f": 1.5,
        "d": -2.25,
        "s": "né 😀",
        "b": b"\x00\xff",
        "dec": Decimal("-12345678901234567.891"),
        "day": dt.date(1969, 12, 31),
        "clock": dt.time(23, 59, 59, 999000),
        "milli": dt.datetime(1969, 12, 31, 23, 59, 59, 999000),
        "micro": dt.datetime(2020, 3, 29, 2, 30, 0, 1),
        "tags": ["a", None, ""],
        "counts": {"k": 1, "l": None},
        "bag": {"x": 2},
        "r": {"x": None, "y": {"z": "deep"}},
    },
    {"id": -(2**63)} | {name: None for name in COLUMNS if name != "id"},
    {"id": 2**63 - 1, "tags": [], "counts": {}, "r": {"x": 1, "y": None}}
    | {name: None for name in COLUMNS if name not in ("id", "tags", "counts", "r")},
]


def written(schema, row):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, row)
    return out.getvalue()


def read(schema, record):
    return fastavro.schemaless_reader(io.BytesIO(record), schema)


def as_tuple(row):
    nested = row["r"] and (row["r"]["x"], row["r"]["y"] and (row["r"]["y"]["z"],))
    return (*(row[name] for name in COLUMNS if name != "r"), nested)


@pytest.fixture
def far_zone(bench):
    """A session zone with an offset and summer time, neither of which may touch a local timestamp."""
    before = bench.spark.conf.get("spark.sql.session.timeZone")
    bench.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    yield
    bench.spark.conf.set("spark.sql.session.timeZone", before)


@pytest.mark.usefixtures("far_zone")
@pytest.mark.spark
def test_records_of_fastavro_are_read(bench, use):
    records = [written(SCHEMA, row) for row in ROWS]
    assert bench.values(use("avro", TYPES, MODERN), *records) == [as_tuple(row) for row in ROWS]


@pytest.mark.usefixtures("far_zone")
@pytest.mark.spark
def test_fastavro_reads_what_is_written(bench, use):
    ddl = ", ".join(f"{name} {type.spark()}" for name, type in TYPES.items())
    df = bench.spark.createDataFrame(
        [(*as_tuple(row), 1) for row in ROWS], f"{ddl}, __weight bigint"
    )
    records = [value for _, value in bench.encode(use("avro", TYPES, MODERN), df)]
    assert [read(SCHEMA, record) for record in records] == ROWS


JSON = MODERN | {"encoding": "json"}


@pytest.mark.usefixtures("far_zone")
@pytest.mark.spark
def test_json_is_written_and_read_as_fastavro_does(bench, use):
    ddl = ", ".join(f"{name} {type.spark()}" for name, type in TYPES.items())
    df = bench.spark.createDataFrame(
        [(*as_tuple(row), 1) for row in ROWS], f"{ddl}, __weight bigint"
    )
    chosen = use("avro", TYPES, JSON)
    texts = [value.decode() for _, value in bench.encode(chosen, df)]
    assert list(fastavro.json_reader(io.StringIO("\n".join(texts)), SCHEMA)) == ROWS
    out = io.StringIO()
    fastavro.json_writer(out, SCHEMA, ROWS)
    rows = bench.values(chosen, *(line.encode() for line in out.getvalue().split("\n")))
    assert rows == [as_tuple(row) for row in ROWS]


@pytest.mark.spark
def test_json_names_the_branch_of_a_union(bench, use):
    chosen = use("avro", {"n": t.INT, "s": t.STRING}, {"encoding": "json"})
    assert bench.text(chosen, "1", "CAST(NULL AS string)") == '{"n":{"int":1},"s":null}'
    assert "union" in bench.failure(chosen, b'{"n":1,"s":null}').found
    assert bench.failure(chosen, b'{"n":{"int":1},"s":').found
    assert bench.values(chosen, b'{"s":{"string":"x"},"n":null}') == [(None, "x")]


@pytest.mark.spark
def test_instants_are_the_same_point_in_time(bench, use):
    columns = {"i": t.timestamp_ltz(3), "j": t.timestamp_ltz(6), "k": t.timestamp_ltz(9)}
    chosen = use("avro", columns, MODERN)
    plain = schema_of(dict.fromkeys(columns, nullable("long")))
    record = written(plain, {"i": -1, "j": -1, "k": -1_000})
    micros = tuple(f"unix_micros({name})" for name in columns)
    assert bench.values(chosen, record, select=micros) == [(-1_000, -1, -1)]
    df = bench.spark.range(1).selectExpr(
        *(f"timestamp_micros(-1) AS {name}" for name in columns), "1L AS __weight"
    )
    [(_, back)] = bench.encode(chosen, df)
    assert read(plain, back) == {"i": -1, "j": -1, "k": -1_000}


@pytest.mark.spark
def test_the_legacy_mapping_counts_a_local_timestamp_in_milliseconds(bench, use):
    legacy = use("avro", {"l": t.timestamp(3).not_null()})
    record = written(schema_of({"l": "long"}), {"l": 1_500})
    assert bench.values(legacy, record) == [(dt.datetime(1970, 1, 1, 0, 0, 1, 500000),)]


@pytest.mark.spark
def test_unread_fields_are_stepped_over(bench, use):
    records = [(None, written(SCHEMA, row)) for row in ROWS]
    rows = bench.decode(use("avro", TYPES, MODERN), records, needed=["r", "n"])
    assert rows == [((None, ("deep",)), -70_000, 1), (None, None, 1), ((1, None), None, 1)]


@pytest.mark.spark
def test_blocks_with_their_size_in_front_are_read(bench, use):
    # Two blocks: -2 items in 2 bytes, then 1 item; avro's other way to write [1, 2, 3].
    record = bytes([3, 4, 2, 4, 2, 6, 0])
    ints = use("avro", {"a": t.array(t.INT.not_null()).not_null()})
    assert bench.values(ints, record) == [([1, 2, 3],)]


@pytest.mark.parametrize(
    ("type", "record", "found"),
    [
        (t.INT.not_null(), b"", "the record ends inside a number"),
        (t.INT.not_null(), b"\xff" * 10, "a number has more than 10 bytes"),
        (t.INT, b"\x04\x02", "a nullable INT has no union branch 2"),
        (t.STRING.not_null(), b"\xfe\xff\xff\xff\x0fab", "2147483647 bytes expected, 2 left"),
        (t.STRING.not_null(), b"\x01", "-1 bytes expected, 0 left"),
        (t.DOUBLE.not_null(), b"1234", "8 bytes expected, 4 left"),
        (t.array(t.INT).not_null(), b"\x80\x01", "a block claims 64 items in a record of 2 bytes"),
    ],
    ids=str,
)
@pytest.mark.spark
def test_corrupt_records_always_fail(bench, use, type, record, found):
    error = bench.failure(use("avro", {"c": type}), record)
    assert error.found == found
    assert error.summary == "field 'c' of a record's value cannot be read as avro"


@pytest.mark.spark
def test_a_failure_inside_a_row_names_the_path(bench, use):
    nested = use("avro", {"r": t.row(x=t.INT.not_null()).not_null()})
    assert "'r.x'" in bench.failure(nested, b"").summary


@pytest.mark.spark
def test_null_in_a_not_null_column_cannot_be_written(bench, use):
    df = bench.spark.createDataFrame([(None, 1)], "n int, __weight bigint")
    with pytest.raises(Exception, match='field="n": NULL in a column of type INT NOT NULL'):
        bench.encode(use("avro", {"n": t.INT.not_null()}), df)


rows = st.fixed_dictionaries(
    {
        "s": st.one_of(st.none(), st.text(st.characters(codec="utf-8"))),
        "n": st.integers(-(2**63), 2**63 - 1),
        "dec": st.one_of(st.none(), st.decimals(-(10**9), 10**9, places=3)),
        "b": st.binary(),
    }
)


# Of -128, fastavro writes a byte more than it needs.
@example([{"s": None, "n": 0, "dec": Decimal("-0.128"), "b": b""}])
@given(st.lists(rows, min_size=30, max_size=60))
@settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.spark
def test_what_fastavro_writes_comes_back_the_same(bench, use, given_rows):
    columns = {
        "s": t.STRING,
        "n": t.BIGINT.not_null(),
        "dec": t.decimal(20, 3),
        "b": t.BYTES.not_null(),
    }
    schema = schema_of(
        {"s": nullable("string"), "n": "long", "dec": COLUMNS["dec"][1], "b": "bytes"}
    )
    avro = use("avro", columns)
    values = bench.values(avro, *(written(schema, row) for row in given_rows))
    assert [dict(zip(columns, row, strict=True)) for row in values] == given_rows
    df = bench.spark.createDataFrame(
        [(*row, 1) for row in values],
        "s string, n bigint, dec decimal(20,3), b binary, __weight bigint",
    )
    assert [read(schema, value) for _, value in bench.encode(avro, df)] == given_rows
