"""What is no matter of security: options by the names and in the units of librdkafka."""

from __future__ import annotations

from collections.abc import Mapping

# The same in both, by name and meaning.
SAME = frozenset(
    [
        "acks", "allow.auto.create.topics", "auto.commit.interval.ms", "bootstrap.servers", "check.crcs", "client.dns.lookup",
        "client.id", "client.rack", "compression.type", "connections.max.idle.ms", "delivery.timeout.ms", "enable.auto.commit",
        "enable.idempotence", "enable.metrics.push", "fetch.min.bytes", "group.id", "group.instance.id",
        "group.protocol", "group.remote.assignor", "heartbeat.interval.ms", "isolation.level", "linger.ms",
        "max.in.flight.requests.per.connection", "max.partition.fetch.bytes", "max.poll.interval.ms", "metadata.max.age.ms",
        "metadata.recovery.rebootstrap.trigger.ms", "metadata.recovery.strategy", "reconnect.backoff.max.ms",
        "reconnect.backoff.ms", "request.timeout.ms", "retries", "retry.backoff.max.ms", "retry.backoff.ms", "security.protocol",
        "session.timeout.ms", "socket.connection.setup.timeout.ms", "transaction.timeout.ms", "transactional.id",
    ]
)  # fmt: skip

RENAMED: Mapping[str, str] = {
    "fetch.max.wait.ms": "fetch.wait.max.ms",
    "max.request.size": "message.max.bytes",
}

# Java's -1 leaves the size of a buffer to the system; here that is a 0.
_BUFFERS: Mapping[str, str] = {
    "receive.buffer.bytes": "socket.receive.buffer.bytes",
    "send.buffer.bytes": "socket.send.buffer.bytes",
}

# What librdkafka takes at most; a record of a megabyte, its own usual bound, is to fit into what is asked for.
_LEAST_BYTES, _MOST_FETCHED_BYTES, _RECORD_BYTES = 1000, 2_147_483_135, 1_000_000
_HIGHEST_LEVEL = 12


def translated(options: Mapping[str, str]) -> dict[str, str]:
    """Without what only Java's clients have."""
    found = {name: text for name, text in options.items() if name in SAME}
    found |= {RENAMED[name]: text for name, text in options.items() if name in RENAMED}
    found |= _sizes(options) | _level(options)
    if "bootstrap.servers" in found:
        found["bootstrap.servers"] = "".join(found["bootstrap.servers"].split())
    if "auto.offset.reset" in options:
        reset = options["auto.offset.reset"]
        found["auto.offset.reset"] = "error" if reset == "none" else reset
    return found


def _sizes(options: Mapping[str, str]) -> dict[str, str]:
    found = {
        name: str(max(0, int(options[javas])))
        for javas, name in _BUFFERS.items()
        if javas in options
    }
    if "batch.size" in options:
        found["batch.size"] = str(max(1, int(options["batch.size"])))
    if "buffer.memory" in options:
        found["queue.buffering.max.kbytes"] = str(max(1, int(options["buffer.memory"]) // 1024))
    if "fetch.max.bytes" in options:
        fetched = min(max(_LEAST_BYTES, int(options["fetch.max.bytes"])), _MOST_FETCHED_BYTES)
        found["fetch.max.bytes"] = str(fetched)
        found["message.max.bytes"] = str(min(fetched, _RECORD_BYTES))
    return found


def _level(options: Mapping[str, str]) -> dict[str, str]:
    """One there, one for each type in Java."""
    level = options.get(f"compression.{options.get('compression.type')}.level")
    return {} if level is None else {"compression.level": str(min(int(level), _HIGHEST_LEVEL))}
