"""Filter, which needs a predicate to be of use."""

import pytest


@pytest.mark.spark
def test_all_records_or_those_of_the_predicate(connect):
    assert connect.apply("Filter", {}, ["1", None]).rows == []
    config = {
        "transforms": "f",
        "transforms.f.type": "org.apache.kafka.connect.transforms.Filter",
        "transforms.f.predicate": "gone",
        "predicates": "gone",
        "predicates.gone.type": "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone",
    }
    records = connect.records(["1", None, "2"])
    assert connect.chain(config, records).values == ["1", "2"]
    assert connect.chain(config | {"transforms.f.negate": "true"}, records).values == [None]
