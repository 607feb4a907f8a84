from __future__ import annotations

import io

import fastavro
import pytest

from headrace.cli.demo.topics import AvroReader, Producer, ResultReader, decode_row
from headrace.cli.demo.views import RegionCount, page_views
from headrace.errors import EnvironmentFault

NOWHERE = "127.0.0.1:1"
KEY = {"type": "record", "name": "key", "fields": [{"name": "user_region", "type": "string"}]}
VALUE = {
    "type": "record",
    "name": "value",
    "fields": [
        {"name": "user_region", "type": "string"},
        {"name": "pv", "type": ["null", "long"]},
        {"name": "uv", "type": ["null", "long"]},
    ],
}


def encoded(schema: dict[str, object], **fields: object) -> bytes:
    buffer = io.BytesIO()
    fastavro.schemaless_writer(buffer, fastavro.parse_schema(schema), fields)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("pv", "uv"), [(0, 0), (1, 1), (63, 64), (-1, -65), (2**40, 2**62), (8191, 8192)]
)
def test_rows_are_decoded_as_avro_encodes_them(pv, uv):
    data = encoded(VALUE, user_region="Skåne", pv=pv, uv=uv)
    assert decode_row(data) == RegionCount("Skåne", pv, uv)


def test_a_null_count_is_none_at_all():
    reader = AvroReader(encoded(VALUE, user_region="", pv=None, uv=3))
    assert (reader.text(), reader.optional_long(), reader.optional_long()) == ("", None, 3)


@pytest.fixture
def reader():
    made = ResultReader(NOWHERE)
    yield made
    made.close()


def test_the_last_value_of_a_key_is_its_row(reader):
    for pv in (1, 2):
        value = encoded(VALUE, user_region="Crete", pv=pv, uv=1)
        reader.apply(encoded(KEY, user_region="Crete"), value)
    assert reader.table == {"Crete": RegionCount("Crete", 2, 1)}
    assert reader.changes == 2


def test_no_value_deletes(reader):
    key = encoded(KEY, user_region="Crete")
    reader.apply(key, encoded(VALUE, user_region="Crete", pv=1, uv=1))
    reader.apply(key, None)
    reader.apply(key, None)
    assert reader.table == {}


class Client:
    """A producer whose queue is full at first, and whose broker may never answer."""

    def __init__(self, left_over: int = 0) -> None:
        self.records: list[bytes] = []
        self.full = True
        self._left_over = left_over

    def produce(self, topic: str, value: bytes) -> None:
        if self.full:
            raise BufferError
        self.records.append(value)

    def poll(self, timeout: float) -> None:
        self.full = False

    def flush(self, timeout: float) -> int:
        return self._left_over


def producer(rows: int, seconds: float, client: Client) -> Producer:
    made = Producer(NOWHERE, page_views(rows), rows, seconds)
    made._client = client
    return made


@pytest.mark.parametrize(("rows", "seconds"), [(1, 0.0), (997, 0.2), (3, 0.5)])
def test_every_view_is_sent_once_in_order(rows, seconds):
    client = Client()
    sending = producer(rows, seconds, client)
    sending.keep_pace()
    sending.run()
    assert client.records == [item.to_json() for item in page_views(rows)]
    assert (sending.sent, sending.done) == (rows, True)
    sending.check()


def test_records_the_broker_never_took_are_an_error():
    sending = producer(5, 0.0, Client(left_over=2))
    sending.keep_pace()
    sending.run()
    with pytest.raises(EnvironmentFault, match="took no more records"):
        sending.check()


def test_halting_ends_it_before_its_time():
    sending = producer(1000, 3600.0, Client())
    sending.halt()
    sending.run()
    assert not sending.done
    assert sending.sent < 1000


def test_the_first_burst_is_never_empty():
    """Or the other end would wait for it for ever."""
    client = Client()
    sending = producer(2, 3600.0, client)
    sending.halt()
    sending.run()
    assert len(client.records) >= 1


def test_after_the_first_burst_it_waits_for_the_other_end():
    client = Client()
    sending = producer(40, 0.1, client)
    sending.start()
    while sending.sent < 20:
        sending.join(0.01)
    sending.join(0.05)
    assert sending.is_alive()
    assert (sending.sent, sending.done) == (20, False)
    sending.keep_pace()
    sending.join(30)
    assert (sending.sent, sending.done) == (40, True)
