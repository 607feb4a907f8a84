"""Against a real registry, with records of fastavro whose schemas are not the table's."""

import datetime as dt
import json
import threading
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import InvalidOption, UserError
from headrace.formats import format_named
from headrace.formats.errors import registry_fault_from
from headrace.services.ports import free_port

FORMAT = format_named("avro-confluent")
URL = {"url": "http://localhost:1"}
ORDER = {"id": t.INT.not_null(), "name": t.STRING, "price": t.DOUBLE}


def options(given):
    return parse_options(FORMAT.declared, URL | given, owner="format 'avro-confluent'")


class TestDeclarations:
    def test_timestamps_are_those_of_flink_unless_told(self):
        with pytest.raises(UserError, match="'avro-confluent' cannot carry column 'c'") as caught:
            FORMAT.validate(t.row(c=t.timestamp_ltz(3)), options({}), "value")
        assert "timestamp_mapping.legacy" in caught.value.cure
        modern = options({"timestamp_mapping.legacy": "false"})
        FORMAT.validate(t.row(c=t.timestamp_ltz(6)), modern, "value")

    def test_a_given_schema_must_be_that_of_the_columns(self):
        schema = json.dumps(record("r", x="int"))
        FORMAT.validate(t.row(x=t.INT.not_null()), options({"schema": schema}), "value")
        with pytest.raises(InvalidOption, match="does not match the table's columns") as caught:
            FORMAT.validate(t.row(x=t.INT), options({"schema": schema}), "value")
        assert caught.value.expected == "a record of ROW<`x` INT> NOT NULL"

    def test_a_given_schema_is_used_as_it_is(self):
        schema = json.dumps(record("mine", x="int"))
        assert FORMAT.schema(t.row(x=t.INT.not_null()), options({"schema": schema})) == schema
        derived = json.loads(FORMAT.schema(t.row(x=t.INT), options({})))
        assert derived["name"] == "record"

    def test_the_connection_is_checked(self):
        with pytest.raises(InvalidOption, match="'url'"):
            FORMAT.validate(t.row(x=t.INT), options({"url": "nowhere"}), "value")


def record(name, /, **fields):
    named = [{"name": field, "type": type} for field, type in fields.items()]
    return {"type": "record", "name": name, "fields": named}


@pytest.fixture
def chosen(use, schema_registry):
    def of(columns, **given):
        return use("avro-confluent", columns, {"url": schema_registry.url} | given)

    return of


@pytest.mark.spark
@pytest.mark.services
class TestReading:
    def test_writers_with_other_schemas_are_resolved_by_name(self, bench, registry, chosen):
        first = record("v1", extra={"type": "map", "values": "bytes"}, id="int")
        second = record("v2", price=["double", "null"], name="bytes", id="int", more=["null", "v2"])
        records = [
            *registry.written(first, {"extra": {"k": b"v"}, "id": 1}),
            *registry.written(
                second,
                {"price": 2.5, "name": b"b", "id": 2, "more": None},
                {
                    "price": None,
                    "name": b"c",
                    "id": 3,
                    "more": {"price": 0.0, "name": b"", "id": 0, "more": None},
                },
            ),
        ]
        rows = bench.values(chosen(ORDER), *records)
        assert rows == [(1, None, None), (2, "b", 2.5), (3, "c", None)]

    def test_numbers_widen_and_units_are_the_writers(self, bench, registry, chosen):
        schema = record(
            "wide",
            a="int",
            b="int",
            c="long",
            d={"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 4},
            e={
                "type": "fixed",
                "name": "f",
                "size": 4,
                "logicalType": "decimal",
                "precision": 9,
                "scale": 1,
            },
            f={"type": "long", "logicalType": "timestamp-micros"},
            g={"type": "enum", "name": "colour", "symbols": ["RED", "BLUE"]},
            h={"type": "array", "items": ["null", "float"]},
        )
        row = {
            "a": 7, "b": -1, "c": 2**40, "d": Decimal("1.2345"), "e": Decimal("-2.5"),
            "f": 1_500_001, "g": "BLUE", "h": [0.5, None],
        }  # fmt: skip
        columns = {
            "a": t.BIGINT, "b": t.DOUBLE, "c": t.FLOAT, "d": t.decimal(10, 2), "e": t.decimal(10, 2),
            "f": t.timestamp(3), "g": t.STRING, "h": t.array(t.DOUBLE),
        }  # fmt: skip
        at = dt.datetime(1970, 1, 1, 0, 0, 1, 500001)
        [found] = bench.values(chosen(columns), *registry.written(schema, row))
        expected = (
            7,
            -1.0,
            float(2**40),
            Decimal("1.23"),
            Decimal("-2.50"),
            at,
            "BLUE",
            [0.5, None],
        )
        assert found == expected

    def test_defaults_and_other_names_of_a_given_schema_count(self, bench, registry, chosen):
        written = record("order", number="int")
        mine = {
            "type": "record",
            "name": "order",
            "fields": [
                {"name": "id", "type": "int", "aliases": ["number"]},
                {"name": "name", "type": ["string", "null"], "default": "nobody"},
                {"name": "price", "type": ["null", "double"], "default": None},
            ],
        }
        rows = bench.values(
            chosen(ORDER, schema=json.dumps(mine)), *registry.written(written, {"number": 4})
        )
        assert rows == [(4, "nobody", None)]

    def test_types_that_another_subject_defines_are_found(self, bench, registry, chosen):
        point = record("geo.point", x="int")
        _, subject = registry.register(point)
        schema = record("order", id="int", name="string", place="geo.point")
        reference = {"name": "geo.point", "subject": subject, "version": 1}
        id, _ = registry.register(schema, [reference])
        whole = record("order", id="int", name="string", place=point)
        message = registry.message(id, whole, {"id": 1, "name": "n", "place": {"x": 5}})
        columns = ORDER | {"place": t.row(x=t.INT)}
        assert bench.values(chosen(columns), message) == [(1, "n", None, (5,))]

    def test_records_that_do_not_fit_are_told_with_their_field(self, bench, registry, chosen):
        use = chosen(ORDER)
        missing, text, null = (
            registry.written(schema, row)[0]
            for schema, row in (
                (record("m", name="string"), {"name": "x"}),
                (record("s", id="string"), {"id": "x"}),
                (record("n", id=["null", "int"]), {"id": None}),
            )
        )
        told = {
            missing: "the writer's schema has no such field, and the column is NOT NULL",
            text: "the writer's string is no INT NOT NULL",
            null: "the writer's NULL is no INT NOT NULL",
        }
        for message, reason in told.items():
            error = bench.failure(use, message)
            assert (error.summary.split()[1], error.found) == ("'id'", reason)

    def test_bytes_without_a_known_schema_are_told(self, bench, schema_registry, chosen):
        use = chosen(ORDER)
        told = {
            b"": "0 bytes are too few for a zero and a schema's id",
            b"{}    ": "the record begins with byte 123, not with 0 and a schema's id",
            b"\0\0\1\xe2\x40": f"schema 123456 is not in the registry at {schema_registry.url}",
        }
        assert {message: bench.failure(use, message).found for message in told} == told

    def test_a_cut_off_record_is_told(self, bench, registry, chosen):
        [message] = registry.written(record("o", id="int", name="string"), {"id": 1, "name": "abc"})
        assert bench.failure(chosen(ORDER), message[:-1]).found == "3 bytes expected, 2 left"


@pytest.mark.spark
@pytest.mark.services
class TestWriting:
    def test_the_derived_schema_is_registered_under_the_subject(self, bench, registry, chosen):
        columns = ORDER | {"at": t.timestamp(3), "r": t.row(x=t.array(t.BIGINT))}
        df = bench.spark.range(1).selectExpr(
            "1 AS id", "'é' AS name", "CAST(NULL AS double) AS price",
            "TIMESTAMP_NTZ '2020-01-02 03:04:05.678' AS at", "struct(array(1L, NULL)) AS r",
            "1L AS __weight",
        )  # fmt: skip
        [(_, message)] = bench.encode(chosen(columns, subject="written-value"), df)
        schema, row = registry.read(message)
        assert schema["name"] == "record"
        assert registry.call("/subjects/written-value/versions") == [1]
        at = dt.datetime(2020, 1, 2, 3, 4, 5, 678000, tzinfo=dt.UTC)
        assert row == {"id": 1, "name": "é", "price": None, "at": at, "r": {"x": [1, None]}}

    def test_a_given_schema_decides_the_form(self, bench, registry, chosen):
        schema = record(
            "mine",
            g={"type": "enum", "name": "colour", "symbols": ["RED", "BLUE"]},
            n=["string", "null"],
            f={"type": "fixed", "name": "two", "size": 2},
            d={
                "type": "fixed",
                "name": "dec",
                "size": 6,
                "logicalType": "decimal",
                "precision": 9,
                "scale": 1,
            },
        )
        columns = {
            "g": t.STRING.not_null(), "n": t.STRING,
            "f": t.BYTES.not_null(), "d": t.decimal(9, 1).not_null(),
        }  # fmt: skip
        use = chosen(columns, schema=json.dumps(schema), subject="given-value")
        df = bench.spark.range(1).selectExpr(
            "'BLUE' AS g", "CAST(NULL AS string) AS n", "X'0102' AS f",
            "CAST(-1.5 AS decimal(9, 1)) AS d", "1L AS __weight",
        )  # fmt: skip
        [(_, message)] = bench.encode(use, df)
        found, row = registry.read(message)
        assert found["name"] == "mine"
        assert row == {"g": "BLUE", "n": None, "f": b"\1\2", "d": Decimal("-1.5")}
        assert bench.values(use, message) == [("BLUE", None, b"\1\2", Decimal("-1.5"))]
        with pytest.raises(Exception, match="'GREEN' is no symbol of the enum colour"):
            bench.encode(use, df.selectExpr("'GREEN' AS g", "n", "f", "d", "__weight"))

    def test_an_incompatible_schema_is_told_with_its_subject(self, bench, registry, chosen):
        subject = "strict-value"
        registry.call(f"/subjects/{subject}/versions", {"schema": json.dumps(record("a", x="int"))})
        registry.call(f"/config/{subject}", {"compatibility": "BACKWARD"}, "PUT")
        error = fault(bench, chosen({"y": t.STRING.not_null()}, subject=subject))
        assert error.condition == "INCOMPATIBLE_SCHEMA"
        assert f"'{subject}'" in error.summary
        assert len(error.render().splitlines()) <= 5


def fault(bench, use):
    """The registry's fault when a row of one text is written."""
    (name, _, _) = use.columns[0]
    df = bench.spark.range(1).selectExpr(f"'x' AS {name}", "1L AS __weight")
    with pytest.raises(Exception, match="registry=") as caught:
        bench.encode(use, df)
    error = registry_fault_from(str(caught.value))
    assert error is not None
    return error


@pytest.fixture
def refusing():
    """A server that answers every request with a status, and tells what it was asked."""

    class Refusal(BaseHTTPRequestHandler):
        def do_POST(self):
            server.seen.append((self.path, self.headers["Authorization"]))
            self.send_response(server.status)
            self.end_headers()
            self.wfile.write(server.answer)

        do_GET = do_POST

        def log_message(self, *args):
            """Nothing on the terminal."""

    server = HTTPServer(("127.0.0.1", 0), Refusal)
    server.seen, server.status, server.answer = [], 401, b'{"message": "who are you?"}'
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.spark
class TestFaults:
    COLUMNS = {"name": t.STRING}  # noqa: RUF012

    def test_refused_credentials_are_told_without_them(self, bench, use, refusing):
        address = f"127.0.0.1:{refusing.server_port}"
        given = {"url": f"http://me:topsecret@{address}", "subject": "a b/c"}
        error = fault(bench, use("avro-confluent", self.COLUMNS, given))
        assert error.condition == "REGISTRY_REFUSED"
        assert error.found == "who are you?"
        assert address in error.summary
        assert "topsecret" not in error.render()
        assert refusing.seen == [("/subjects/a%20b%2Fc/versions", "Basic bWU6dG9wc2VjcmV0")]

    def test_a_silent_registry_is_told(self, bench, use):
        url = f"http://127.0.0.1:{free_port()}"
        use = use("avro-confluent", self.COLUMNS, {"url": url})
        with pytest.raises(Exception, match="registry=") as caught:
            bench.decode(use, [(None, b"\0\0\0\0\1\0")])
        error = registry_fault_from(str(caught.value))
        assert error.condition == "REGISTRY_UNREACHABLE"
        assert url in error.summary

    def test_the_next_address_is_asked_when_one_is_silent(self, bench, use, refusing):
        refusing.status, refusing.answer = 200, b'{"id": 258}'
        urls = f"http://127.0.0.1:{free_port()},http://127.0.0.1:{refusing.server_port}"
        use = use("avro-confluent", self.COLUMNS, {"url": urls, "subject": "s"})
        df = bench.spark.range(1).selectExpr("'x' AS name", "1L AS __weight")
        assert bench.encode(use, df) == [(None, b"\0\0\0\1\2\2\2x")]

    def test_a_schema_of_another_kind_is_the_records_fault(self, bench, use, refusing):
        refusing.status, refusing.answer = 200, b'{"schemaType": "PROTOBUF", "schema": ""}'
        url = f"http://127.0.0.1:{refusing.server_port}"
        use = use("avro-confluent", self.COLUMNS, {"url": url})
        assert bench.failure(use, b"\0\0\0\0\1\0").found == "schema 1 is of type PROTOBUF, not AVRO"
