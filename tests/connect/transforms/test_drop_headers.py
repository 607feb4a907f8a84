"""DropHeaders."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.transforms.chain import parse_chain


def test_some_header_must_be_named():
    config = {
        "transforms": "d",
        "transforms.d.type": "org.apache.kafka.connect.transforms.DropHeaders",
    }
    with pytest.raises(
        InvalidConfig, match='Missing required configuration "headers" which has no default'
    ):
        parse_chain(config)
    with pytest.raises(
        InvalidConfig, match=r"Invalid value \[\] for configuration headers: Empty list"
    ):
        parse_chain(config | {"transforms.d.headers": ""})


@pytest.mark.spark
def test_headers_of_the_names_go(connect):
    given = [[("a", b"1"), ("b", b"2"), ("a", b"3"), ("c", None)], [], None]
    result = connect.apply("DropHeaders", {"headers": "a, c"}, ["1", "2", "3"], headers=given)
    assert result.headers == [[("b", b"2")], [], []]
