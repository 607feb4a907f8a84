"""Against protoc, which makes the descriptors, encodes what is read and decodes what is written."""

import subprocess

import pytest

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import InvalidOption, UserError
from headrace.formats import format_named
from headrace.runtime.faults import translate
from headrace.toolchain.compiler import compile_sources, write_jar
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import find_java

FORMAT = format_named("protobuf")

PROTO = """
syntax = "{syntax}";
package shop;
option java_package = "org.example.shop";
message Order {{
  enum Colour {{ NONE = 0; RED = 1; BLUE = 5; }}
  message Place {{ {label} string city = 1; repeated Place near = 2; }}
  {label} int32 id = 1;
  {label} int64 big = 2;
  {label} bool flag = 3;
  {label} float f = 4;
  {label} double d = 5;
  {label} string s = 6;
  {label} bytes b = 7;
  {label} Colour colour = 8;
  {label} Colour number = 9;
  {label} Place place = 10;
  repeated int32 ints = 11;
  repeated string texts = 12;
  map<string, int64> counts = 13;
  map<int32, Place> places = 14;
  {label} sint64 zigzag = 15;
  {label} fixed32 fixed = 16;
  oneof choice {{ int32 left = 17; string right = 18; }}
  {label} int32 unread = 19;
}}
"""
PLACE = t.row(city=t.STRING, near=t.array(t.row(city=t.STRING)))
COLUMNS = {
    "id": t.INT,
    "big": t.BIGINT,
    "flag": t.BOOLEAN,
    "f": t.FLOAT,
    "d": t.DOUBLE,
    "s": t.STRING,
    "b": t.BYTES,
    "colour": t.STRING,
    "number": t.SMALLINT,
    "place": PLACE,
    "ints": t.array(t.INT),
    "texts": t.array(t.STRING),
    "counts": t.map_of(t.STRING, t.BIGINT),
    "places": t.map_of(t.INT, PLACE),
    "zigzag": t.BIGINT,
    "fixed": t.INT,
    "left": t.INT,
    "right": t.STRING,
}
TEXT = r"""
id: -7 big: 1099511627776 flag: true f: 1.5 d: -2.25 s: "n\303\251" b: "\000\377" colour: BLUE number: RED
place { city: "x" near { city: "y" } near { } } ints: 1 ints: -1 texts: "" texts: "t"
counts { key: "k" value: 3 } places { key: 9 value { city: "z" } } zigzag: -5 fixed: 6 right: "r" unread: 8
"""


@pytest.fixture(scope="module")
def protoc(tmp_path_factory):
    (program,) = ensure("protoc")
    folder = tmp_path_factory.mktemp("protoc")
    # A cache keeps files, not their permissions.
    copy = folder / "protoc"
    copy.write_bytes(program.read_bytes())
    copy.chmod(0o755)
    for syntax, label in (("proto2", "optional"), ("proto3", "")):
        (folder / f"{syntax}.proto").write_text(PROTO.format(syntax=syntax, label=label))

    def run(*arguments, given=b""):
        done = subprocess.run([copy, *arguments], cwd=folder, input=given, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for syntax in ("proto2", "proto3"):
        run(f"--descriptor_set_out={syntax}.desc", "--include_imports", f"{syntax}.proto")
    run.folder = folder
    return run


def encoded(protoc, text, syntax="proto3"):
    return protoc("--encode=shop.Order", f"{syntax}.proto", given=text.encode())


def decoded(protoc, message, syntax="proto3"):
    return protoc("--decode=shop.Order", f"{syntax}.proto", given=message).decode().split()


@pytest.fixture
def chosen(use, protoc):
    def of(columns=COLUMNS, syntax="proto3", **given):
        options = {
            "message-class-name": "shop.Order",
            "descriptor-file": str(protoc.folder / f"{syntax}.desc"),
        }
        named = {key.replace("_", "-"): value for key, value in given.items()}
        return use("protobuf", columns, options | named)

    return of


def parsed(**given):
    options = {"message-class-name": "m"} | given
    return parse_options(FORMAT.declared, options, owner="format 'protobuf'")


@pytest.mark.parametrize(
    "type", [t.decimal(5, 2), t.DATE, t.timestamp(3), t.multiset(t.STRING), t.array(t.time(3))]
)
def test_types_without_a_form_are_refused(type):
    with pytest.raises(UserError, match="'protobuf' cannot carry column 'c'"):
        FORMAT.validate(t.row(c=type), parsed(), "value")


def test_a_missing_file_of_descriptors_is_told(tmp_path):
    options = parsed(**{"descriptor-file": str(tmp_path / "none.desc")})
    with pytest.raises(InvalidOption, match="does not exist") as caught:
        FORMAT.validate(t.row(c=t.INT), options, "key")
    assert "--descriptor_set_out" in caught.value.cure


def test_the_content_of_the_file_travels(tmp_path):
    file = tmp_path / "a.desc"
    file.write_bytes(b"abc")
    spec = FORMAT.spec(parsed(**{"descriptor-file": str(file)}))
    assert spec["descriptors"] == "YWJj"
    assert "descriptor-file" not in spec
    assert FORMAT.spec(parsed())["descriptors"] is None


FULL = (
    -7, 2**40, True, 1.5, -2.25, "né", b"\0\xff", "BLUE", 1, ("x", [("y",), ("",)]), [1, -1],
    ["", "t"], {"k": 3}, {9: ("z", None)}, -5, 6, 0, "r",
)  # fmt: skip


@pytest.mark.spark
def test_messages_of_protoc_are_read(bench, protoc, chosen):
    assert bench.values(chosen(), encoded(protoc, TEXT)) == [FULL]
    two = list(FULL)
    two[9], two[16] = ("x", [("y",), (None,)]), None
    message = encoded(protoc, TEXT, "proto2")
    assert bench.values(chosen(syntax="proto2"), message) == [tuple(two)]


@pytest.mark.spark
def test_what_a_message_lacks_is_null_or_its_default(bench, chosen):
    """An empty record is a message without fields, and no tombstone."""
    columns = {name: COLUMNS[name] for name in ("id", "s", "colour", "place", "ints", "counts")}
    found = {
        (syntax, defaults): bench.values(
            chosen(columns, syntax, read_default_values=defaults), b"", None
        )
        for syntax in ("proto2", "proto3")
        for defaults in ("false", "true")
    }
    whole = [(0, "", "NONE", ("", []), [], {})]
    assert found == {
        ("proto2", "false"): [(None, None, None, None, None, None)],
        ("proto3", "false"): [(0, "", "NONE", None, None, None)],
        ("proto2", "true"): whole,
        ("proto3", "true"): whole,
    }


@pytest.mark.spark
def test_a_number_that_the_enum_lacks(bench, chosen):
    columns = {"colour": t.STRING, "number": t.BIGINT}
    unknown = bytes([8 << 3, 3, 9 << 3, 4])
    assert bench.values(chosen(columns), unknown) == [("UNRECOGNIZED", 4)]


@pytest.mark.spark
def test_protoc_reads_what_is_written(bench, protoc, chosen):
    message = encoded(protoc, TEXT.replace("unread: 8", ""), "proto2")
    use = chosen(syntax="proto2")
    ddl = ", ".join(f"{name} {type.spark()}" for name, type in COLUMNS.items())
    rows = [(*row, 1) for row in bench.values(use, message)]
    df = bench.spark.createDataFrame(rows, f"{ddl}, __weight bigint")
    [(_, written)] = bench.encode(use, df)
    assert decoded(protoc, written, "proto2") == decoded(protoc, message, "proto2")


@pytest.mark.spark
def test_nulls_inside_arrays_and_maps_become_defaults(bench, protoc, chosen):
    columns = {name: COLUMNS[name] for name in ("ints", "texts", "counts", "colour", "number")}
    use = chosen(columns, write_null_string_literal="none")
    df = bench.spark.range(1).selectExpr(
        "array(1, CAST(NULL AS int)) AS ints", "array('a', CAST(NULL AS string)) AS texts",
        "map('k', CAST(NULL AS bigint)) AS counts", "'GREEN' AS colour", "5S AS number",
        "1L AS __weight",
    )  # fmt: skip
    [(_, message)] = bench.encode(use, df)
    # An unknown colour is the enum's first, which proto3 does not write.
    expected = 'number: BLUE ints: 1 ints: 0 texts: "a" texts: "none" counts { key: "k" value: 0 }'
    assert decoded(protoc, message) == expected.split()


@pytest.mark.spark
def test_unreadable_messages_are_told_or_skipped(bench, protoc, chosen):
    message = encoded(protoc, TEXT)
    error = bench.failure(chosen(), message[:-1])
    assert error.summary == "a record's value cannot be read as protobuf"
    assert "truncated" in error.found or "ended unexpectedly" in error.found
    columns = {"id": t.INT}
    assert bench.values(chosen(columns, ignore_parse_errors="true"), message[:-1]) == []


@pytest.mark.parametrize(
    ("columns", "message", "reason"),
    [
        ({"nope": t.INT}, "shop.Order", "no field 'nope'"),
        ({"id": t.BIGINT}, "shop.Order", "field 'id' is int32, the column BIGINT"),
        ({"ints": t.INT}, "shop.Order", "field 'ints' is repeated int32, the column INT"),
        ({"place": t.row(town=t.STRING)}, "shop.Order", "no field 'town'"),
        ({"id": t.INT}, "shop.Ordr", "no such message in the file of descriptors"),
    ],
)
@pytest.mark.spark
def test_columns_that_are_no_fields_are_told_before_anything_runs(
    bench, chosen, columns, message, reason
):
    with pytest.raises(Exception, match="UNUSABLE_MESSAGE") as caught:
        bench.values(chosen(columns, message_class_name=message))
    error = translate(caught.value)
    assert (error.condition, error.found) == ("UNUSABLE_MESSAGE", reason)


@pytest.mark.parametrize("name", ["org.example.shop.Proto3$Order", "shop.Order"])
@pytest.mark.spark
def test_a_message_goes_by_its_own_name_or_that_of_its_class(bench, chosen, name):
    use = chosen({"id": t.INT}, message_class_name=name)
    assert bench.values(use, b"\x08\x05") == [(5,)]


@pytest.mark.spark
def test_a_generated_class_describes_the_message(bench, use, protoc, tmp_path):
    sources, classes, jar = (tmp_path / name for name in ("sources", "classes", "shop.jar"))
    sources.mkdir()
    protoc(f"--java_out={sources}", "proto3.proto")
    compile_sources(find_java(), [*sources.rglob("*.java")], ensure("spark"), classes)
    write_jar(jar, [classes])
    bench.spark.sql(f"ADD JAR '{jar}'")
    options = {"message-class-name": "org.example.shop.Proto3$Order"}
    assert bench.values(use("protobuf", {"id": t.INT}, options), b"\x08\x05") == [(5,)]
    missing = use("protobuf", {"id": t.INT}, {"message-class-name": "org.example.None"})
    with pytest.raises(Exception, match="no such class on the class path"):
        bench.values(missing)
