from __future__ import annotations

import pytest
from confluent_kafka import Consumer, KafkaException, Producer
from confluent_kafka.admin import AclOperation, ResourcePatternType, ResourceType

from headrace.services.access import Rule, _binding


def test_a_rule_becomes_a_binding_for_each_operation():
    rule = Rule("transactional-id", "copy-", ("WRITE", "DESCRIBE"), prefixed=True)
    first, second = (_binding("app", rule, operation) for operation in rule.operations)
    assert first.restype == ResourceType.TRANSACTIONAL_ID
    assert first.resource_pattern_type == ResourcePatternType.PREFIXED
    assert (first.name, first.principal, first.host) == ("copy-", "User:app", "*")
    assert (first.operation, second.operation) == (AclOperation.WRITE, AclOperation.DESCRIBE)


@pytest.mark.parametrize("kind", ["topic", "group"])
def test_a_name_counts_whole_unless_told(kind):
    binding = _binding("app", Rule(kind, "orders", ("READ",)), "READ")
    assert binding.resource_pattern_type == ResourcePatternType.LITERAL
    assert binding.restype == ResourceType[kind.upper()]


@pytest.fixture
def client(secure_broker):
    """How librdkafka connects as a user of SCRAM."""

    def make(name, password):
        return {
            "bootstrap.servers": secure_broker.addresses["SASL_SSL"],
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": name,
            "sasl.password": password,
            "ssl.ca.location": str(secure_broker.certificates / "ca.pem"),
            "log_level": 0,
            "error_cb": lambda error: None,
        }

    return make


def delivered(settings, topic):
    """The error of a record that is sent, or None."""
    outcome = []
    producer = Producer({**settings, "message.timeout.ms": 20000})
    producer.produce(topic, b"x", on_delivery=lambda error, _: outcome.append(error))
    assert producer.flush(30) == 0
    return outcome[0]


@pytest.mark.services
def test_users_do_what_rules_say_and_nothing_else(secure_broker, client):
    secure_broker.set_passwords({"access-a": "first", "access-b": "second"})
    secure_broker.allow(
        "access-a", [Rule("topic", "access-", ("CREATE", "DESCRIBE", "WRITE"), prefixed=True)]
    )
    admin = Producer(client("access-a", "first"))
    assert "access-t" not in admin.list_topics(timeout=20).topics
    from headrace.testing.topics import eventually

    _create(client("access-a", "first"), "access-t")
    assert delivered(client("access-a", "first"), "access-t") is None
    seen = eventually(
        lambda: (
            Consumer({**client("access-b", "second"), "group.id": "g"})
            .list_topics(timeout=20)
            .topics
        ),
        lambda topics: "access-t" not in topics,
    )
    assert "access-t" not in seen
    with pytest.raises(KafkaException, match="uthoriz"):
        _create(client("access-b", "second"), "access-u")


def _create(settings, topic):
    from confluent_kafka.admin import AdminClient, NewTopic

    admin = AdminClient(settings)
    admin.create_topics([NewTopic(topic, 1, 1)])[topic].result(20)
