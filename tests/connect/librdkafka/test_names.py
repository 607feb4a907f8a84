from __future__ import annotations

import pytest
from confluent_kafka import Consumer, Producer

from headrace.connect.client_options import declared
from headrace.connect.configdef import REQUIRED
from headrace.connect.librdkafka.names import RENAMED, SAME, translated


def usual(client: str) -> dict[str, str]:
    """Every option that a client of Java's has and that has a default, as text."""
    found = {name: key.default for name, key in declared(client).items()}
    return {
        name: str(default)
        for name, default in found.items()
        if default not in (None, "", REQUIRED) and not name.startswith(("ssl.", "sasl."))
    }


def taken(client: str, options: dict[str, str]) -> None:
    """Whether librdkafka has such options and values is for it to say; no broker is needed to ask."""
    quiet = {"log_level": "0", "bootstrap.servers": "127.0.0.1:1"}
    if client == "consumer":
        Consumer({"group.id": "g"} | quiet | options).close()
    else:
        Producer(quiet | options)


@pytest.mark.parametrize("client", ["producer", "consumer", "admin"])
def test_all_that_java_s_clients_have_can_be_said(client):
    given = usual(client)
    assert len(given) > 20
    taken(client, translated(given))


@pytest.mark.parametrize("client", ["producer", "consumer", "admin"])
def test_names_are_those_of_java_s_clients(client):
    everywhere = {name for kind in ("producer", "consumer", "admin") for name in declared(kind)}
    assert everywhere >= SAME | RENAMED.keys()


def test_what_only_java_knows_is_left_out():
    only = {
        "max.block.ms": "1",
        "max.poll.records": "5",
        "interceptor.classes": "x.Y",
        "key.serializer": "x.Z",
        "metric.reporters": "",
        "somebody.elses": "1",
    }
    assert translated(only) == {}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"max.request.size": "2000"}, {"message.max.bytes": "2000"}),
        ({"fetch.max.wait.ms": "7"}, {"fetch.wait.max.ms": "7"}),
        ({"send.buffer.bytes": "-1"}, {"socket.send.buffer.bytes": "0"}),
        ({"receive.buffer.bytes": "9"}, {"socket.receive.buffer.bytes": "9"}),
        ({"buffer.memory": "33554432"}, {"queue.buffering.max.kbytes": "32768"}),
        ({"buffer.memory": "100"}, {"queue.buffering.max.kbytes": "1"}),
        ({"batch.size": "0"}, {"batch.size": "1"}),
        ({"auto.offset.reset": "none"}, {"auto.offset.reset": "error"}),
        ({"auto.offset.reset": "earliest"}, {"auto.offset.reset": "earliest"}),
        ({"bootstrap.servers": "a:1, b:2 ,\tc:3"}, {"bootstrap.servers": "a:1,b:2,c:3"}),
        (
            {"fetch.max.bytes": "52428800"},
            {"fetch.max.bytes": "52428800", "message.max.bytes": "1000000"},
        ),
        ({"fetch.max.bytes": "10"}, {"fetch.max.bytes": "1000", "message.max.bytes": "1000"}),
        (
            {"fetch.max.bytes": "2147483647"},
            {"fetch.max.bytes": "2147483135", "message.max.bytes": "1000000"},
        ),
    ],
)
def test_other_names_and_units(given, found):
    assert translated(given) == found
    taken("consumer", found)


def test_the_level_of_the_chosen_compression():
    given = {"compression.gzip.level": "3", "compression.zstd.level": "22"}
    assert translated(given) == {}
    assert translated(given | {"compression.type": "gzip"})["compression.level"] == "3"
    highest = translated(given | {"compression.type": "zstd"})
    assert highest == {"compression.type": "zstd", "compression.level": "12"}
    taken("producer", highest)
