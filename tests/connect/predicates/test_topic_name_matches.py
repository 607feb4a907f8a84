"""TopicNameMatches."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data.config import parse
from headrace.connect.predicates.topic_name_matches import KEYS, build


@pytest.mark.parametrize("pattern", ["", "["])
def test_a_pattern_is_needed(pattern):
    with pytest.raises(InvalidConfig, match="for configuration pattern"):
        parse(KEYS, {"pattern": pattern})


@pytest.mark.spark
def test_the_whole_topic_must_match(connect):
    records = connect.records(["1"] * 4, topic=["a", "b", "ab", "xa"])
    rows = records.frame.select(build({"pattern": "a|b"})()).collect()
    assert [row[0] for row in rows] == [True, True, False, False]
