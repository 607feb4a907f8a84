from __future__ import annotations

import pytest

from headrace.connect.client_options import WrongOverride, declared, overrides
from headrace.connect.configdef import Importance, Type


def shown(config, *, is_sink):
    return [(value.name, value.value) for _, value in overrides(config, is_sink=is_sink)]


class TestDeclared:
    @pytest.mark.parametrize(
        ("client", "some", "others"),
        [
            ("producer", {"acks", "linger.ms", "retries"}, {"group.id"}),
            ("consumer", {"group.id", "max.poll.records", "isolation.level"}, {"acks"}),
            ("admin", {"retries", "default.api.timeout.ms"}, {"acks", "group.id"}),
        ],
    )
    def test_each_client_has_its_own(self, client, some, others):
        names = declared(client).keys()
        assert some <= names
        assert not others & names

    def test_types_and_defaults(self):
        key = declared("producer")["linger.ms"]
        assert (key.type, key.default, key.importance) == (Type.LONG, "5", Importance.MEDIUM)
        assert key.name == "producer.override.linger.ms"
        assert key.to_json()["display_name"] == "linger.ms"
        assert declared("consumer")["group.id"].default is None
        assert declared("consumer")["key.deserializer"].to_json()["required"]
        assert declared("consumer")["client.id"].default == ""
        assert declared("admin")["client.id"].importance is Importance.MEDIUM

    def test_secrets_are_passwords(self):
        for client in ("producer", "consumer", "admin"):
            for name in ("ssl.key.password", "sasl.jaas.config"):
                assert declared(client)[name].type is Type.PASSWORD


CONFIG = {
    "topic": "x",
    "producer.override.batch.size": "7",
    "producer.override.nonsense": "x",
    "consumer.override.max.poll.records": " 5 ",
    "admin.override.retries": "3",
}


class TestOverrides:
    def test_a_source_has_a_producer(self):
        found = shown(CONFIG, is_sink=False)
        assert found == [
            ("producer.override.batch.size", 7),
            ("producer.override.nonsense", "x"),
        ]

    def test_one_that_creates_topics_asks_for_them(self):
        found = shown({**CONFIG, "topic.creation.default.partitions": "1"}, is_sink=False)
        assert found[-1] == ("admin.override.retries", 3)

    def test_a_sink_has_a_consumer(self):
        assert shown(CONFIG, is_sink=True) == [("consumer.override.max.poll.records", 5)]

    def test_one_with_dead_letters_has_all(self):
        found = shown({**CONFIG, "errors.deadletterqueue.topic.name": "d"}, is_sink=True)
        assert [name.partition(".")[0] for name, _ in found] == [
            "producer",
            "producer",
            "consumer",
            "admin",
        ]

    def test_what_no_client_declares_is_shown_without_a_definition(self):
        definitions = [key and key.name for key, _ in overrides(CONFIG, is_sink=False)]
        assert definitions == ["producer.override.batch.size", None]

    def test_a_value_of_another_type_is_named_as_the_client_does(self):
        config = {"producer.override.linger.ms": "x"}
        with pytest.raises(WrongOverride) as raised:
            shown(config, is_sink=False)
        assert (
            str(raised.value)
            == "Invalid value x for configuration linger.ms: Not a number of type LONG"
        )

    def test_clients_that_there_will_not_be_are_not_judged(self):
        assert shown({"consumer.override.max.poll.records": "x"}, is_sink=False) == []
