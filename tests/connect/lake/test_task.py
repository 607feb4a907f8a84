"""Topics into files, through a broker, Spark and a store."""

from __future__ import annotations

import gzip
import json
import uuid

import pytest

from headrace.connect.errors import ToleranceExceeded
from headrace.connect.lake.intent import Intent
from headrace.connect.lake.options import PACKAGE, PARTITIONERS
from headrace.errors import InvalidOption
from headrace.testing.lake import Lake
from headrace.testing.topics import create_topic, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]


@pytest.fixture
def lake(kafka_broker, spark, tmp_path):
    return Lake(kafka_broker.address, tmp_path)


@pytest.fixture
def topic(kafka_broker):
    name = f"t-{uuid.uuid4().hex[:8]}"
    create_topic(kafka_broker.address, name)
    return name


def test_files_of_so_many_records(lake, topic):
    produce(lake.servers, topic, [(str(i), {"n": i}) for i in range(8)])
    task = lake.task(topics=topic)
    assert task.round()
    folder = f"topics/{topic}/partition=0/{topic}+0+"
    assert lake.files() == {
        f"{folder}0000000000.json": b'{"n":0}\n{"n":1}\n{"n":2}\n',
        f"{folder}0000000003.json": b'{"n":3}\n{"n":4}\n{"n":5}\n',
    }
    # Two records are in no file yet: the group stands before them, and they are read again.
    assert lake.offsets(task) == {0: 6}
    produce(lake.servers, topic, [("8", {"n": 8})])
    assert task.round()
    assert lake.files()[f"{folder}0000000006.json"] == b'{"n":6}\n{"n":7}\n{"n":8}\n'
    assert lake.offsets(lake.task(topics=topic)) == {0: 9}
    assert not task.round()
    assert lake.used == {topic}


COUNTRY = {
    "type": "struct",
    "optional": False,
    "name": "query",
    "fields": [
        {"type": "int32", "optional": False, "field": "id"},
        {"type": "string", "optional": True, "field": "country"},
        {
            "type": "int64",
            "optional": True,
            "name": "org.apache.kafka.connect.data.Timestamp",
            "version": 1,
            "field": "at",
        },
        {
            "type": "bytes",
            "optional": True,
            "name": "org.apache.kafka.connect.data.Decimal",
            "version": 1,
            "parameters": {"scale": "2"},
            "field": "price",
        },
        {
            "type": "array",
            "optional": True,
            "items": {"type": "string", "optional": True},
            "field": "tags",
        },
    ],
}


def row(id: int, country: str | None, schema: dict = COUNTRY) -> dict:
    payload = {
        "id": id,
        "country": country,
        "at": 1487151930000 + id,
        "price": "AfQ=",
        "tags": ["a", None],
    }
    return {"schema": schema, "payload": payload}


WITH_SCHEMA = {"value_converter_schemas_enable": "true"}
PARQUET = {"format_class": f"{PACKAGE}format.parquet.ParquetFormat"}
AVRO = {"format_class": f"{PACKAGE}format.avro.AvroFormat"}
FIELD = {
    "partitioner_class": f"{PARTITIONERS}FieldPartitioner",
    "partition_field_name": "country",
}


class TestFormats:
    def test_parquet_by_field(self, lake, topic, tmp_path):
        import duckdb
        import pyarrow.parquet as pq

        values = [row(1, "India"), row(2, "Virgin Islands, U.S."), row(3, None), row(4, "India")]
        produce(lake.servers, topic, [(None, value) for value in values])
        task = lake.task(
            topics=topic, flush_size="4", parquet_codec="gzip", **WITH_SCHEMA, **PARQUET, **FIELD
        )
        task.round()
        assert list(lake.files()) == [
            f"topics/{topic}/country=India/{topic}+0+0000000000.gz.parquet",
            f"topics/{topic}/country=Virgin Islands, U.S./{topic}+0+0000000001.gz.parquet",
            f"topics/{topic}/country=null/{topic}+0+0000000002.gz.parquet",
        ]
        india = tmp_path / "lake" / next(iter(lake.files()))
        table = pq.ParquetFile(india)
        assert table.metadata.row_group(0).column(0).compression == "GZIP"
        rows = table.read().to_pylist()
        assert [(r["id"], r["country"], str(r["price"]), r["tags"]) for r in rows] == [
            (1, "India", "5.00", ["a", None]),
            (4, "India", "5.00", ["a", None]),
        ]
        assert rows[0]["at"].isoformat() == "2017-02-15T09:45:30.001000+00:00"
        assert not table.schema_arrow.field("id").nullable
        assert "group field_id=-1 query {" in str(table.schema)
        assert duckdb.sql(f"SELECT sum(id) FROM '{india}'").fetchall() == [(5,)]
        assert task.session.read.parquet(str(india)).count() == 2

    def test_fields_that_the_path_says_can_be_left_out(self, lake, topic, tmp_path):
        import pyarrow.parquet as pq

        produce(lake.servers, topic, [(None, row(1, "a/../../b"))])
        task = lake.task(
            topics=topic,
            flush_size="1",
            headrace_partition_field_keep="false",
            **WITH_SCHEMA,
            **PARQUET,
            **FIELD,
        )
        task.round()
        (name,) = lake.files()
        assert name == f"topics/{topic}/country=a%2F..%2F..%2Fb/{topic}+0+0000000000.snappy.parquet"
        assert pq.ParquetFile(tmp_path / "lake" / name).schema_arrow.names == [
            "id",
            "at",
            "price",
            "tags",
        ]

    def test_avro(self, lake, topic, tmp_path):
        import fastavro

        produce(
            lake.servers, topic, [(None, row(1, "a")), (None, row(2, None)), (None, row(3, "c"))]
        )
        lake.task(topics=topic, avro_codec="deflate", **WITH_SCHEMA, **AVRO).round()
        (name,) = lake.files()
        assert name.endswith("+0+0000000000.avro")
        with (tmp_path / "lake" / name).open("rb") as file:
            reader = fastavro.reader(file)
            assert reader.metadata["avro.codec"] == "deflate"
            assert reader.writer_schema["name"] == "query"
            assert [record["country"] for record in reader] == ["a", None, "c"]

    def test_bytes_and_gzip(self, lake, topic):
        produce(lake.servers, topic, [(None, b"\xff"), (None, b"b"), (None, b"c")])
        lake.task(
            topics=topic,
            value_converter="org.apache.kafka.connect.converters.ByteArrayConverter",
            format_class=f"{PACKAGE}format.bytearray.ByteArrayFormat",
            format_bytearray_separator="|",
            s3_compression_type="gzip",
        ).round()
        ((name, content),) = lake.files().items()
        assert name.endswith(".bin.gz")
        assert gzip.decompress(content) == b"\xff|b|c|"

    def test_keys_and_headers_beside_values(self, lake, topic, kafka_broker):
        from confluent_kafka import Producer

        producer = Producer({"bootstrap.servers": lake.servers})
        producer.produce(topic, b'{"n":1}', b"k1", headers=[("h", b'"x"')])
        producer.flush()
        lake.task(
            topics=topic,
            flush_size="1",
            store_kafka_keys="true",
            store_kafka_headers="true",
            header_converter="org.apache.kafka.connect.json.JsonConverter",
            header_converter_schemas_enable="false",
            transforms="tag",
            transforms_tag_type="org.apache.kafka.connect.transforms.InsertHeader",
            transforms_tag_header="by",
            transforms_tag_value_literal="lake",
            keys_format_class=f"{PACKAGE}format.string.StringFormat",
            headers_format_class=f"{PACKAGE}format.json.JsonFormat",
        ).round()
        name = f"topics/{topic}/partition=0/{topic}+0+0000000000"
        assert lake.files() == {
            f"{name}.headers.json": b'[{"key":"h","value":"x"},{"key":"by","value":"lake"}]\n',
            f"{name}.json": b'{"n":1}\n',
            f"{name}.keys.txt": b"k1\n",
        }


class TestCuts:
    def names(self, lake: Lake) -> list[str]:
        return [name.partition("/")[2].partition("/")[2] for name in lake.files()]

    def test_no_more_than_so_many_files_are_open(self, lake, topic):
        places = ["a", "b", "a", "c", "a", "b"]
        produce(lake.servers, topic, [(None, row(i, place)) for i, place in enumerate(places)])
        task = lake.task(
            topics=topic,
            flush_size="6",
            max_open_files_per_partition="2",
            partitioner_class=f"{PARTITIONERS}FieldPartitioner",
            partition_field_name="country",
            **WITH_SCHEMA,
        )
        task.round()
        # A third file closes the two before it; the one and the other that come then stay open.
        assert sorted(self.names(lake)) == [
            f"country=a/{topic}+0+0000000000.json",
            f"country=a/{topic}+0+0000000004.json",
            f"country=b/{topic}+0+0000000001.json",
            f"country=c/{topic}+0+0000000003.json",
        ]
        assert lake.offsets(task) == {0: 5}

    @pytest.mark.parametrize("affix", ["PREFIX", "SUFFIX"])
    def test_schemas_of_other_names_have_files_of_their_own(self, lake, topic, affix):
        other = {**COUNTRY, "name": "other", "fields": COUNTRY["fields"][:2]}
        bare = {name: told for name, told in COUNTRY.items() if name != "name"}
        schemas = [COUNTRY, other, COUNTRY, bare, other, COUNTRY]
        values = [(None, row(n, "a", schema)) for n, schema in enumerate(schemas)]
        produce(lake.servers, topic, values)
        options = {"s3_schema_partition_affix_type": affix, "flush_size": "6"}
        task = lake.task(topics=topic, **options, **WITH_SCHEMA)
        task.round()
        found = {}
        for name, start in (("query", 0), ("other", 1), ("null", 3)):
            parts = [f"schema_name={name}", "partition=0"]
            folder = "/".join(parts if affix == "PREFIX" else parts[::-1])
            found[f"{folder}/{topic}+0+{start:010}.json"] = name
        assert sorted(self.names(lake)) == sorted(found)
        ids = {
            found[name.partition("/")[2].partition("/")[2]]: [
                json.loads(x)["id"] for x in text.splitlines()
            ]
            for name, text in lake.files().items()
        }
        assert ids == {"query": [0, 2, 5], "other": [1, 4], "null": [3]}
        assert lake.offsets(task) == {0: 6}

    def test_another_schema_closes_the_files(self, lake, topic):
        other = {**COUNTRY, "fields": COUNTRY["fields"][:2]}
        values = [row(0, "a"), row(1, "a"), row(2, "a", other), row(3, "a"), row(4, "a")]
        produce(lake.servers, topic, [(None, value) for value in values])
        task = lake.task(topics=topic, flush_size="2", **WITH_SCHEMA)
        task.round()
        offsets = [name.rpartition("+")[2] for name in self.names(lake)]
        assert offsets == ["0000000000.json", "0000000002.json", "0000000003.json"]
        assert lake.offsets(task) == {0: 5}

    def test_a_schema_that_was_never_seen_before(self, lake, topic):
        other = {**COUNTRY, "fields": COUNTRY["fields"][:2]}
        produce(lake.servers, topic, [(None, row(0, "a")), (None, row(1, "a"))])
        task = lake.task(topics=topic, flush_size="2", errors_tolerance="all", **WITH_SCHEMA)
        task.round()
        assert list(task.reader.known) == [topic]
        values = [row(2, "b"), row(3, "b", other), row(4, "b", other)]
        produce(lake.servers, topic, [(None, value) for value in values])
        task.rounds.ended_ms = 0
        task.round()
        lines = [json.loads(x) for text in lake.files().values() for x in text.splitlines()]
        assert [(line["id"], "at" in line) for line in lines] == [
            *((0, True), (1, True), (2, True), (3, False), (4, False)),
        ]
        assert lake.offsets(task) == {0: 5}
        assert task.reporter.skipped == 0

    def test_a_schema_that_comes_after_the_first_records(self, lake, topic):
        other = {**COUNTRY, "fields": COUNTRY["fields"][:2]}
        values = [row(i, "a") for i in range(150)] + [row(150, "b", other), row(151, "b")]
        produce(lake.servers, topic, [(None, value) for value in values])
        task = lake.task(topics=topic, flush_size="50", errors_tolerance="all", **WITH_SCHEMA)
        task.round()
        offsets = [name.rpartition("+")[2] for name in self.names(lake)]
        assert offsets == [f"{n:010}.json" for n in (0, 50, 100, 150)]
        assert lake.offsets(task) == {0: 151}
        assert task.reader.mixed == {topic}
        produce(lake.servers, topic, [(None, row(n, "b")) for n in range(152, 201)])
        task.rounds.ended_ms = 0
        task.round()
        assert (task.reader.mixed, list(task.reader.known)) == (set(), [topic])
        assert (lake.offsets(task), task.reporter.skipped) == ({0: 201}, 0)

    def test_the_size_counts_over_all_open_files(self, lake, topic):
        produce(lake.servers, topic, [(None, row(i, "ab"[i % 2])) for i in range(5)])
        task = lake.task(topics=topic, flush_size="4", **WITH_SCHEMA, **FIELD)
        task.round()
        assert self.names(lake) == [
            f"country=a/{topic}+0+0000000000.json",
            f"country=b/{topic}+0+0000000001.json",
        ]
        assert lake.offsets(task) == {0: 4}

    def test_spans_of_the_records_time(self, lake, topic):
        hour = 3_600_000
        times = [0, 10, 900_000, hour + 5, hour + 6]
        produce(lake.servers, topic, [(None, {"at": time, "n": i}) for i, time in enumerate(times)])
        task = lake.task(
            topics=topic,
            flush_size="100",
            rotate_interval_ms="600000",
            partitioner_class=f"{PARTITIONERS}HourlyPartitioner",
            timezone="UTC",
            locale="en-US",
            timestamp_extractor="RecordField",
            timestamp_field="at",
        )
        task.round()
        assert self.names(lake) == [
            f"year=1970/month=01/day=01/hour=00/{topic}+0+0000000000.json",
            f"year=1970/month=01/day=01/hour=00/{topic}+0+0000000002.json",
        ]
        assert lake.offsets(task) == {0: 3}

    def test_spans_of_the_wall_s_clock_end_without_records(self, lake, topic):
        produce(lake.servers, topic, [(None, {"n": 1})])
        task = lake.task(
            topics=topic,
            flush_size="100",
            rotate_interval_ms="600000",
            partitioner_class=f"{PARTITIONERS}DailyPartitioner",
            timezone="UTC",
            locale="en-US",
        )
        task.round()
        assert not lake.files()
        # As if the record had come when clocks began.
        task.arrivals.times[topic, 0] = [(0, 0)]
        assert task.round()
        assert self.names(lake) == [f"year=1970/month=01/day=01/{topic}+0+0000000000.json"]
        assert lake.offsets(task) == {0: 1}
        assert not task.round()

    def test_a_schedule_writes_what_there_is(self, lake, topic):
        produce(lake.servers, topic, [(None, {"n": 1})])
        task = lake.task(
            topics=topic, flush_size="100", rotate_schedule_interval_ms="60000", timezone="UTC"
        )
        task.round()
        assert not lake.files()
        task.schedule_ms = 1
        task.round()
        assert self.names(lake) == [f"partition=0/{topic}+0+0000000000.json"]
        assert task.schedule_ms % 60000 == 0
        assert lake.offsets(task) == {0: 1}


def test_a_pattern_of_paths_that_is_none(lake, topic):
    with pytest.raises(InvalidOption, match=r"path\.format: Illegal pattern"):
        lake.task(
            topics=topic,
            partitioner_class=f"{PARTITIONERS}TimeBasedPartitioner",
            path_format="JJ",
            partition_duration_ms="1",
            timezone="UTC",
            locale="en",
        )


class TestBadRecords:
    def test_they_fail_the_task_after_what_is_full(self, lake, topic):
        produce(lake.servers, topic, [(None, {"n": i}) for i in range(4)] + [(None, "{")])
        task = lake.task(topics=topic)
        with pytest.raises(ToleranceExceeded) as raised:
            task.round()
        assert f"topic {topic}, partition 0, offset 4, stage VALUE_CONVERTER" in str(raised.value)
        assert len(lake.files()) == 1
        assert lake.offsets(task) == {0: 3}

    def test_or_go_to_the_dead_letters_once(self, lake, topic):
        produce(
            lake.servers, topic, [("k", "{"), (None, '{"n":1}'), (None, None), (None, '{"n":2}')]
        )
        dead = f"dead-{topic}"
        task = lake.task(
            topics=topic,
            errors_tolerance="all",
            behavior_on_null_values="ignore",
            errors_deadletterqueue_topic_name=dead,
            errors_deadletterqueue_topic_replication_factor="1",
            errors_deadletterqueue_context_headers_enable="true",
        )
        task.round()
        assert not lake.files()
        assert lake.offsets(task) == {0: 1}
        produce(lake.servers, topic, [(None, '{"n":3}')])
        task.round()
        ((_, content),) = lake.files().items()
        assert [json.loads(line)["n"] for line in content.splitlines()] == [1, 2, 3]
        letters = read_topic(lake.servers, dead)
        assert [(letter.key, letter.value) for letter in letters] == [(b"k", b"{"), (None, None)]
        headers = dict(letters[0].headers)
        assert headers["__connect.errors.stage"] == b"VALUE_CONVERTER"
        assert headers["__connect.errors.offset"] == b"0"

    def test_records_without_a_value_are_told_beside_those_with_a_schema(self, lake, topic):
        values = ["{", row(1, "a"), row(2, None), None, '{"id":1}', {"schema": None, "payload": 5}]
        produce(lake.servers, topic, [(str(i), value) for i, value in enumerate(values)])
        dead = f"dead-{topic}"
        task = lake.task(
            topics=topic,
            errors_tolerance="all",
            errors_deadletterqueue_topic_name=dead,
            errors_deadletterqueue_topic_replication_factor="1",
            **WITH_SCHEMA,
            **FIELD,
        )
        task.round()
        letters = read_topic(lake.servers, dead)
        assert sorted(letter.key for letter in letters) == [b"0", b"3", b"4", b"5"]

    def test_tombstones(self, lake, topic):
        produce(lake.servers, topic, [("a", None), ("b", '{"n":1}')])
        with pytest.raises(ToleranceExceeded, match="null valued records") as raised:
            lake.task(topics=topic).round()
        assert "behavior.on.null.values = ignore" in str(raised.value.cure)
        task = lake.task(
            topics=topic,
            flush_size="2",
            behavior_on_null_values="write",
            store_kafka_keys="true",
            keys_format_class=f"{PACKAGE}format.string.StringFormat",
        )
        task.round()
        assert {
            name.partition("/")[2].partition("/")[2]: text for name, text in lake.files().items()
        } == {
            f"partition=0/{topic}+0+0000000001.json": b'{"n":1}\n',
            f"partition=0/{topic}+0+0000000001.keys.txt": b"b\n",
            f"tombstone/{topic}+0+0000000000.keys.txt": b"a\n",
        }

    def test_formats_that_need_a_schema(self, lake, topic):
        produce(lake.servers, topic, [(None, '{"n":1}')])
        with pytest.raises(ToleranceExceeded, match="stage TASK_PUT"):
            lake.task(topics=topic, **PARQUET).round()


class Killed(BaseException):
    """Ends a round where a kill would."""


class TestRecovery:
    """A task that ends at any moment leaves each record in one file."""

    @pytest.mark.parametrize(
        "moment", ["keep", "complete-nothing", "complete-all", "commit", "done"]
    )
    def test_killed_at(self, lake, topic, monkeypatch, moment):
        produce(lake.servers, topic, [(None, {"n": i}) for i in range(7)])
        task = lake.task(topics=topic)
        complete = task._complete

        def killed(*arguments):
            raise Killed

        def complete_then_killed(files):
            complete(files)
            raise Killed

        with monkeypatch.context() as patches:
            if moment == "keep":
                patches.setattr(Intent, "keep", killed)
            elif moment == "done":
                patches.setattr(Intent, "done", killed)
            elif moment == "commit":
                patches.setattr(task.topics, "commit", killed)
            else:
                ending = killed if moment == "complete-nothing" else complete_then_killed
                patches.setattr(task, "_complete", ending)
            with pytest.raises(Killed):
                task.round()
        again = lake.task(topics=topic)
        again._recover()
        again.round()
        produce(lake.servers, topic, [(None, {"n": i}) for i in (7, 8)])
        again.rounds.ended_ms = 0
        again.round()
        lines = [line for content in lake.files().values() for line in content.splitlines()]
        assert sorted(json.loads(line)["n"] for line in lines) == list(range(9))
        assert lake.offsets(again) == {0: 9}

    def test_offsets_that_were_moved_since_count(self, lake, topic, monkeypatch):
        produce(lake.servers, topic, [(None, {"n": i}) for i in range(6)])
        task = lake.task(topics=topic)
        monkeypatch.setattr(Intent, "done", lambda folder: None)
        task.round()
        place = (topic, 0)
        task.topics.commit({place: 3})
        monkeypatch.undo()
        again = lake.task(topics=topic)
        again._recover()
        assert lake.offsets(again) == {0: 3}
        again.round()
        assert len(lake.files()) == 2

    def test_a_task_that_is_told_to_stop_leaves_nothing_behind(self, lake, topic):
        produce(lake.servers, topic, [(None, {"n": i}) for i in range(3)])
        task = lake.task(topics=topic)
        task.context.stopping.set()
        task.round()
        assert lake.files() == {}
        assert lake.offsets(task) == {}
        assert not list((lake.folder / "lake" / ".headrace").iterdir())
