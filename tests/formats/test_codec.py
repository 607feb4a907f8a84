"""What a Kafka record becomes, row by row of Flink's rules, and what a row becomes."""

import pytest

from headrace import types as t
from headrace.formats.codec import encode, part_spec

ID = {"id": t.INT.not_null()}
ORDER = {"id": t.INT.not_null(), "name": t.STRING, "price": t.DOUBLE}
EXCEPT_KEY = {"name": t.STRING, "price": t.DOUBLE}
FULL = b'{"id":1,"name":"a","price":2.5}'


@pytest.mark.parametrize("format", ["json", "csv", "avro"])
@pytest.mark.spark
def test_without_a_value_there_is_no_row(bench, use, format):
    assert bench.decode(use(format, ORDER), [(None, None)]) == []


@pytest.mark.parametrize("upsert", [False, True])
@pytest.mark.spark
def test_an_empty_value_is_skipped_and_never_a_delete(bench, use, upsert):
    key = use("json", ID) if upsert else None
    assert bench.decode(use("json", ORDER), [(b'{"id":1}', b"")], key=key, upsert=upsert) == []


@pytest.mark.spark
def test_an_empty_value_is_no_line_of_fields(bench, use):
    key, empty = use("json", ID), [(b'{"id":1}', b"")]
    with pytest.raises(Exception, match=r"offset=0 format=csv part=value .* no line of fields"):
        bench.decode(use("csv", ORDER), empty, key=key, upsert=True)
    tolerant = use("csv", ORDER, {"ignore-parse-errors": "true"})
    assert bench.decode(tolerant, empty, key=key, upsert=True) == []


@pytest.mark.spark
def test_rows_appear_with_weight_one(bench, use):
    assert bench.decode(use("json", ORDER), [(None, FULL)]) == [(1, "a", 2.5, 1)]


@pytest.mark.parametrize("names", [ORDER, EXCEPT_KEY], ids=["ALL", "EXCEPT_KEY"])
@pytest.mark.spark
def test_a_tombstone_deletes_the_row_of_its_key(bench, use, names):
    rows = bench.decode(
        use("json", names),
        [(b'{"id":1}', FULL), (b'{"id":1}', None)],
        key=use("json", ID),
        upsert=True,
        needed=list(ORDER),
    )
    assert rows == [(1, "a", 2.5, 1), (1, None, None, -1)]


@pytest.mark.parametrize("value", [FULL, None])
@pytest.mark.parametrize("upsert", [False, True])
@pytest.mark.spark
def test_a_record_without_a_key_is_dropped_where_a_key_is_read(bench, use, value, upsert):
    rows = bench.decode(use("json", ORDER), [(None, value)], key=use("json", ID), upsert=upsert)
    assert rows == []


@pytest.mark.spark
def test_a_missing_raw_key_is_null(bench, use):
    raw = use("raw", {"k": t.STRING})
    append = bench.decode(use("json", EXCEPT_KEY), [(None, FULL)], key=raw)
    assert append == [(None, "a", 2.5, 1)]
    upsert = bench.decode(use("json", EXCEPT_KEY), [(None, None)], key=raw, upsert=True)
    assert upsert == [(None, None, None, -1)]


@pytest.mark.spark
def test_a_raw_value_without_bytes_is_a_null_row_or_a_delete(bench, use):
    raw = use("raw", {"v": t.STRING})
    assert bench.decode(raw, [(None, None), (None, b"")]) == [(None, 1), ("", 1)]
    key = use("json", ID)
    assert bench.decode(raw, [(b'{"id":7}', None)], key=key, upsert=True) == [(7, None, -1)]


@pytest.mark.spark
def test_an_array_is_one_row_per_element_each_with_the_key(bench, use):
    rows = bench.decode(
        use("json", EXCEPT_KEY),
        [(b'{"id":9}', b'[{"name":"a"},{"name":"b","price":1}]'), (b'{"id":8}', b"[]")],
        key=use("json", ID),
        upsert=True,
    )
    assert rows == [(9, "a", None, 1), (9, "b", 1.0, 1)]


@pytest.mark.spark
def test_several_keys_meet_every_value(bench, use):
    rows = bench.decode(
        use("json", {"n": t.INT}),
        [(b'[{"id":1},{"id":2}]', b'[{"n":10},{"n":20}]')],
        key=use("json", ID),
    )
    assert rows == [(1, 10, 1), (1, 20, 1), (2, 10, 1), (2, 20, 1)]


@pytest.mark.spark
def test_the_values_copy_of_a_shared_column_wins_even_when_null(bench, use):
    rows = bench.decode(
        use("json", ORDER),
        [(b'{"id":1}', b'{"id":5,"name":"a"}'), (b'{"id":1}', b'{"name":"b"}')],
        key=use("json", ID),
    )
    assert rows == [(5, "a", None, 1), (None, "b", None, 1)]


@pytest.mark.parametrize("upsert", [False, True])
@pytest.mark.spark
def test_null_and_scalars_are_errors_and_never_deletes(bench, use, upsert):
    for value in (b"null", b"5"):
        with pytest.raises(Exception, match='part=value field="": a row is a JSON object'):
            bench.decode(
                use("json", ORDER), [(b'{"id":1}', value)], key=use("json", ID), upsert=upsert
            )


@pytest.mark.parametrize("upsert", [False, True])
@pytest.mark.spark
def test_each_part_skips_only_by_its_own_option(bench, use, upsert):
    lenient = {"ignore-parse-errors": "true"}
    records = [(b'{"id":1}', b"broken"), (b"broken", FULL), (b'{"id":1}', FULL)]
    rows = bench.decode(
        use("json", ORDER, lenient), records, key=use("json", ID, lenient), upsert=upsert
    )
    assert rows == [(1, "a", 2.5, 1)]
    with pytest.raises(Exception, match="offset=1 format=json part=key"):
        bench.decode(use("json", ORDER, lenient), records, key=use("json", ID), upsert=upsert)


@pytest.mark.spark
def test_a_key_prefix_is_stripped_inside_the_format(bench, use):
    key = use("json", {"k_id": t.INT}, names={"k_id": "id"})
    value = use("json", {"id": t.INT})
    assert bench.decode(value, [(b'{"id":1}', b'{"id":2}')], key=key) == [(1, 2, 1)]


@pytest.mark.spark
def test_only_what_is_needed_is_decoded_in_the_order_asked_for(bench, use):
    rows = bench.decode(
        use("json", ORDER),
        [(None, b'{"price":1,"id":2,"name":["never looked at"],"more":{}}')],
        needed=["price", "id"],
    )
    assert rows == [(1.0, 2, 1)]
    assert bench.decode(use("json", ORDER), [(None, b'{"id":"x"}')], needed=[]) == [(1,)]


@pytest.mark.spark
def test_kept_columns_stay_themselves_beside_columns_of_the_same_name(bench, use):
    use_offset = use("json", {"offset": t.STRING, "my col": t.INT})
    df_rows = bench.decode(
        use_offset, [(None, b'{"offset":"mine","my col":4}')], keep=["topic", "partition"]
    )
    assert df_rows == [("mine", 4, "orders", 3, 1)]


@pytest.mark.spark
def test_rows_that_go_are_written_without_a_value(bench, use):
    df = bench.spark.createDataFrame(
        [(1, "a", 1.0, 1), (2, "b", None, -1)],
        "id int, name string, price double, __weight bigint",
    )
    assert bench.encode(use("json", EXCEPT_KEY), df, key=use("json", ID)) == [
        (b'{"id":1}', b'{"name":"a","price":1.0}'),
        (b'{"id":2}', None),
    ]
    assert bench.encode(use("json", ID), df)[1] == (None, None)


@pytest.mark.spark
def test_encoding_keeps_columns_and_takes_narrower_types(bench, use):
    df = bench.spark.sql("SELECT 7S AS id, 1.5BD AS price, 'p' AS `my key`, 1L AS __weight")
    priced = use("json", {"id": t.BIGINT, "price": t.decimal(10, 3)}, names={"id": "key"})
    [row] = encode(df, key=None, value=priced, keep=["my key"]).collect()
    assert (bytes(row.value), row["my key"]) == (b'{"key":7,"price":1.5}', "p")


@pytest.mark.spark
def test_a_codec_is_generated_code_and_equal_to_its_like(bench, use):
    df = bench.spark.createDataFrame([(1, 1)], "id int, __weight bigint")
    once, again = (encode(df, key=None, value=use("json", ID), keep=()) for _ in range(2))
    assert once.sameSemantics(again)
    assert "invoke(RecordEncoder.encode" in once._jdf.queryExecution().toString()


def test_a_specification_holds_fields_options_and_cells(use):
    csv = use("csv", {"a": t.INT, "b": t.STRING}, {"field-delimiter": "\\t"})
    spec = part_spec(csv, "value", ["b"])
    assert (spec["format"], spec["part"], spec["options"]["field-delimiter"]) == (
        "csv",
        "value",
        "\t",
    )
    assert [(field["name"], field.get("cell")) for field in spec["fields"]] == [
        ("a", None),
        ("b", 0),
    ]
