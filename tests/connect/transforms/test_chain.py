"""Chains of transforms and predicates, and the words for what is wrong with them."""

from dataclasses import replace

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.chain import parse_chain

PACKAGE = "org.apache.kafka.connect.transforms"
INSERT = {"transforms.a.type": f"{PACKAGE}.InsertField$Value", "transforms.a.topic.field": "from"}
TOPICS = {
    "predicates": "p",
    "predicates.p.type": f"{PACKAGE}.predicates.TopicNameMatches",
    "predicates.p.pattern": "t.*",
}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {"transforms": "a"},
            'Missing required configuration "transforms.a.type" which has no default value.',
        ),
        (
            {"transforms": "a, a"} | INSERT,
            "Invalid value [a, a] for configuration transforms: Duplicate alias provided.",
        ),
        (
            {"transforms": "a", "transforms.a.type": "org.Nope"},
            "Invalid value org.Nope for configuration transforms.a.type: Class org.Nope could not be found.",
        ),
        (
            {"transforms": "a", "transforms.a.negate": "true"} | INSERT,
            f"Invalid value {PACKAGE}.InsertField$Value for configuration transforms.a.type: Config"
            " 'transforms.a.negate' was provided but there is no config 'transforms.a.predicate' defining a predicate"
            " to be negated.",
        ),
        (
            {"transforms": "a", "transforms.a.predicate": "q"} | INSERT,
            "Unknown configuration 'predicates.q.type'",
        ),
        (
            {"predicates": "p", "predicates.p.type": "org.Nope"},
            "Invalid value org.Nope for configuration predicates.p.type: Class org.Nope could not be found.",
        ),
        (
            {"transforms": "a", "transforms.a.predicate": "p", "transforms.a.negate": "maybe"}
            | INSERT
            | TOPICS,
            "Invalid value maybe for configuration transforms.a.negate: Expected value to be either true or false",
        ),
    ],
)
def test_configurations_that_connect_refuses(config, message):
    with pytest.raises(InvalidConfig) as refused:
        parse_chain(config)
    assert refused.value.summary == message


def test_aliases_are_trimmed_and_order_is_kept():
    config = {"transforms": "b , a"} | INSERT | {"transforms.b.type": f"{PACKAGE}.Filter"}
    assert [stage.alias for stage in parse_chain(config).stages] == ["b", "a"]
    assert parse_chain({}).stages == ()


@pytest.mark.spark
class TestRunning:
    def test_the_walk_throughs_keys(self, connect):
        """A key of one column, and where the row came from."""
        row = cs.struct(
            {"address_id": Schema(Type.INT32), "city": cs.string(optional=True)}, "address"
        )
        config = {
            "transforms": "createKey,extractInt,InsertTopic,InsertSourceDetails",
            "transforms.createKey.type": f"{PACKAGE}.ValueToKey",
            "transforms.createKey.fields": "address_id",
            "transforms.extractInt.type": f"{PACKAGE}.ExtractField$Key",
            "transforms.extractInt.field": "address_id",
            "transforms.InsertTopic.type": f"{PACKAGE}.InsertField$Value",
            "transforms.InsertTopic.topic.field": "message_topic",
            "transforms.InsertSourceDetails.type": f"{PACKAGE}.InsertField$Value",
            "transforms.InsertSourceDetails.static.field": "message_source",
            "transforms.InsertSourceDetails.static.value": "pagila",
        }
        result = connect.chain(config, connect.records([{"address_id": 100, "city": "Ulm"}], row))
        assert result.keys == [100]
        assert result.key_schema == Schema(Type.INT32)
        assert result.values == [
            {"address_id": 100, "city": "Ulm", "message_topic": "t", "message_source": "pagila"}
        ]

    def test_predicates_split_a_batch_only_where_schemas_differ(self, connect):
        row = cs.struct({"a": Schema(Type.INT32)})
        config = {"transforms": "a", "transforms.a.predicate": "p"} | INSERT | TOPICS
        values, topics = [{"a": 1}, {"a": 2}, {"a": 3}], ["t1", "u", "t2"]
        split = connect.chain(config, connect.records(values, row, topic=topics))
        assert [len(batch.value.fields) for batch in split.batches] == [2, 1]
        assert split.values == [{"a": 1, "from": "t1"}, {"a": 3, "from": "t2"}, {"a": 2}]
        whole = connect.chain(config, connect.records(['{"a":1}', '{"a":2}'], topic=topics[:2]))
        assert len(whole.batches) == 1
        assert sorted(whole.values) == ['{"a":1,"from":"t1"}', '{"a":2}']
        negated = connect.chain(
            config | {"transforms.a.negate": "true"}, connect.records(["5", "{}"], topic=topics[:2])
        )
        assert negated.values == ["5", '{"from":"u"}']
        assert negated.errors == [None, None]

    def test_failed_records_are_kept_and_their_first_error_too(self, connect):
        config = {
            "transforms": "c,d,f",
            "transforms.c.type": f"{PACKAGE}.Cast$Value",
            "transforms.c.spec": "a:int8",
            "transforms.d.type": f"{PACKAGE}.MaskField$Value",
            "transforms.d.fields": "a",
            "transforms.f.type": f"{PACKAGE}.Filter",
        }
        result = connect.chain(config, connect.records(['{"a":"x"}', '{"a":"1"}']))
        assert result.errors == [
            "Value (x) was out of range for requested data type\n"
            'Caused by: java.lang.NumberFormatException: For input string: "x"'
        ]


@pytest.mark.spark
def test_batches_of_nulls_keep_the_schema_that_others_lose(connect):
    row = cs.struct({"a": cs.string()}).made_optional()
    config = {
        "transforms": "x",
        "transforms.x.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
        "transforms.x.exclude": "a",
    }
    nulls = replace(connect.records([None], row), nulls=frozenset({"value"}))
    assert connect.chain(config, nulls).value_schema == row
    assert connect.chain(config, connect.records([None], row)).value_schema.fields == ()
