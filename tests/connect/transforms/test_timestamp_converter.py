"""TimestampConverter, from and to every form."""

import datetime as dt

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.config import parse
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.timestamp_converter import KEYS, build

TIME = dt.datetime(2024, 1, 2, 3, 4, 5, 678000)
MILLIS = 1704164645678
FORMAT = "yyyy-MM-dd HH:mm:ss.SSS"
ROW = cs.struct({"id": Schema(Type.INT32), "t": cs.timestamp(optional=True)}, "row")


def as_form(target, point):
    """A point of time as the target spells it."""
    millis = round((point - dt.datetime(1970, 1, 1)).total_seconds() * 1000)
    return {
        "string": point.strftime("%Y-%m-%d %H:%M:%S.") + f"{millis % 1000:03}",
        "unix": millis,
        "Date": point.date(),
        "Time": millis % 86_400_000,
        "Timestamp": point,
    }[target]


def test_texts_need_a_format():
    with pytest.raises(
        InvalidConfig, match="requires format option to be specified when using string"
    ):
        build(parse(KEYS, {"target.type": "string"}), "value")
    with pytest.raises(InvalidConfig, match="requires a SimpleDateFormat-compatible pattern"):
        build(parse(KEYS, {"target.type": "unix", "format": "yyyy 'open"}), "value")
    with pytest.raises(
        InvalidConfig, match="String must be one of: string, unix, Date, Time, Timestamp"
    ):
        parse(KEYS, {"target.type": "date"})


@pytest.mark.spark
class TestRunning:
    @pytest.mark.parametrize(
        ("target", "precision", "expected", "schema"),
        [
            ("string", "milliseconds", "2024-01-02 03:04:05.678", cs.string(optional=True)),
            ("unix", "seconds", 1704164645, Schema(Type.INT64, optional=True)),
            ("unix", "microseconds", MILLIS * 1000, Schema(Type.INT64, optional=True)),
            ("Date", "milliseconds", dt.date(2024, 1, 2), cs.date(optional=True)),
            ("Time", "milliseconds", 11045678, cs.time(optional=True)),
        ],
    )
    def test_a_field_of_connects_type(self, connect, target, precision, expected, schema):
        options = {
            "field": "t",
            "target.type": target,
            "format": FORMAT,
            "unix.precision": precision,
        }
        rows = [{"id": 1, "t": TIME}, {"id": 2, "t": None}, None]
        result = connect.apply("TimestampConverter$Value", options, rows, ROW)
        assert result.values == [{"id": 1, "t": expected}, {"id": 2, "t": None}, None]
        assert result.value_schema.field("t") == schema

    def test_whole_values(self, connect):
        options = {"target.type": "Timestamp", "unix.precision": "nanoseconds"}
        numbers = connect.apply(
            "TimestampConverter$Value", options, [MILLIS * 1_000_000], Schema(Type.INT64)
        )
        assert numbers.values == [TIME]
        texts = connect.apply(
            "TimestampConverter$Value",
            {"target.type": "Timestamp", "format": FORMAT},
            ["2024-01-02 03:04:05.678", "yesterday"],
            cs.string(),
        )
        assert texts.values[0] == TIME
        assert texts.errors[1] == (
            "Could not parse timestamp: value (yesterday) does not match pattern (yyyy-MM-dd HH:mm:ss.SSS)"
            '\nCaused by: java.text.ParseException: Unparseable date: "yesterday"'
        )
        floats = connect.apply("TimestampConverter$Value", options, [1.0], Schema(Type.FLOAT64))
        assert floats.errors == [
            "Schema Schema{FLOAT64} does not correspond to a known timestamp type format"
        ]

    def test_without_a_schema(self, connect):
        options = {"field": "t", "target.type": "unix", "format": FORMAT}
        values = [
            '{"t":"2024-01-02 03:04:05.678"}',
            f'{{"t":{MILLIS}}}',
            '{"t":1.5}',
            '{"u":1}',
            None,
        ]
        result = connect.apply("TimestampConverter$Value", options, values)
        assert result.values == [
            f'{{"t":{MILLIS}}}',
            f'{{"t":{MILLIS}}}',
            None,
            '{"t":null,"u":1}',
            None,
        ]
        assert (
            result.errors[2]
            == "TimestampConverter does not support class java.lang.Double objects as timestamps"
        )
        whole = connect.apply(
            "TimestampConverter$Value", {"target.type": "string", "format": "yyyy"}, [str(MILLIS)]
        )
        assert whole.values == ['"2024"']

    def test_every_form_to_every_other(self, connect):
        """One struct with a field for each form, converted field by field."""
        forms = {
            "string": (cs.string(), "2024-01-02 03:04:05.678"),
            "unix": (Schema(Type.INT64), MILLIS),
            "Date": (cs.date(), dt.date(2024, 1, 2)),
            "Time": (cs.time(), 11045678),
            "Timestamp": (cs.timestamp(), TIME),
        }
        midnight, clock = dt.datetime(2024, 1, 2), dt.datetime(1970, 1, 1, 3, 4, 5, 678000)
        points = {"string": TIME, "unix": TIME, "Date": midnight, "Time": clock, "Timestamp": TIME}
        for target in forms:
            names = list(forms)
            config = {"transforms": ",".join(names)}
            for name in names:
                prefix = f"transforms.{name}."
                config |= {
                    f"{prefix}type": "org.apache.kafka.connect.transforms.TimestampConverter$Value",
                    f"{prefix}field": name,
                    f"{prefix}target.type": target,
                    f"{prefix}format": FORMAT,
                }
            row = cs.struct({name: schema for name, (schema, _) in forms.items()})
            value = {name: form for name, (_, form) in forms.items()}
            result = connect.chain(config, connect.records([value], row))
            assert result.errors == [None]
            assert result.values == [{name: as_form(target, points[name]) for name in names}]

    def test_days_before_1970_begin_at_midnight(self, connect):
        options = {"target.type": "Date"}
        early = connect.apply(
            "TimestampConverter$Value", options, [dt.datetime(1969, 12, 31, 23)], cs.timestamp()
        )
        assert early.values == [dt.date(1969, 12, 31)]
        time = connect.apply(
            "TimestampConverter$Value",
            {"target.type": "Time"},
            [dt.datetime(1969, 12, 31, 23)],
            cs.timestamp(),
        )
        assert time.values == [23 * 3600 * 1000]

    def test_a_field_that_is_not_there_and_keys(self, connect):
        options = {"field": "nope", "target.type": "unix"}
        result = connect.apply("TimestampConverter$Value", options, [{"id": 1, "t": TIME}], ROW)
        assert result.values == [{"id": 1, "t": TIME}]
        keyed = connect.apply(
            "TimestampConverter$Key",
            {"target.type": "unix", "unix.precision": "seconds"},
            ["v"],
            cs.string(),
            keys=[TIME],
            key_schema=cs.timestamp(),
        )
        assert keyed.keys == [MILLIS // 1000]
