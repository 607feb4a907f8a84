"""TimestampRouter."""

import datetime as dt

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data.config import parse
from headrace.connect.transforms.timestamp_router import KEYS


def test_a_pattern_that_java_does_not_take():
    with pytest.raises(InvalidConfig, match="Illegal pattern"):
        parse(KEYS, {"timestamp.format": "yyyy-bb"})


@pytest.mark.spark
def test_topics_by_time(connect):
    times = [dt.datetime(2024, 1, 2, 23, 30), None]
    plain = connect.apply("TimestampRouter", {}, ["1", "2"], timestamp=times)
    assert plain.column("topic") == ["t-20240102", "t"]
    assert plain.errors == [None, "Timestamp missing on record"]
    options = {"topic.format": "${timestamp}.${topic}.${topic}", "timestamp.format": "YYYY'w'ww"}
    assert connect.apply("TimestampRouter", options, ["1"], timestamp=times[:1]).column(
        "topic"
    ) == ["2024w01.t.t"]
