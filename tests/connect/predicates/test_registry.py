"""The predicates by their classes."""

from headrace.connect.predicates.registry import PREDICATES


def test_every_predicate_of_apache_kafka():
    package = "org.apache.kafka.connect.transforms.predicates."
    assert set(PREDICATES) == {
        package + n for n in ("HasHeaderKey", "RecordIsTombstone", "TopicNameMatches")
    }
    assert all(plugin.name == name for name, plugin in PREDICATES.items())
